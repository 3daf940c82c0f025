"""The fault server's control port: HTTP with JSON, for hands and other programs.

    POST /misbehave {"do": "retry_after", "with": [503, 7], "on": "update_location", "times": 3}
    POST /behave        POST /stop        POST /start        POST /restart {"down": 1, "empty": 1, "trackerless": 1}
    GET /exchanges      what was asked and answered      GET /live, /events     what a checker compares
"""

import asyncio
import json

from ... import processes
from ...loop import on_loop
from . import http_messages, misdeeds
from .http_messages import error_page, of_json


class Control:
    """The port of one FaultServer."""

    def __init__(self, server, port=None):
        self.server = server
        self.port = port or processes.free_port()
        self._listening = None

    def __enter__(self):
        on_loop(self._listen())
        return self

    def __exit__(self, *_):
        on_loop(self._close())

    async def _listen(self):
        self._listening = await asyncio.start_server(self._serve, "127.0.0.1", self.port)

    async def _close(self):
        self._listening.close()

    async def _serve(self, reader, writer):
        try:
            while request := await http_messages.read_request(reader):
                # The server's methods wait for the loop that runs this.
                reply = await asyncio.to_thread(self.obey, request)
                writer.write(reply.bytes())
        except (OSError, ValueError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def obey(self, request):
        """The reply to one command."""
        name = request.path.strip("/")
        try:
            arguments = json.loads(request.body or b"{}")
            if request.method == "GET" and name in ("exchanges", "live", "events"):
                return of_json(getattr(self, f"_{name}")())
            if request.method == "POST" and name == "misbehave":
                make = misdeeds.CATALOGUE[arguments.pop("do")]
                self.server.misbehave(make(*arguments.pop("with", [])), **arguments)
            elif request.method == "POST" and name in ("behave", "stop", "start", "restart"):
                getattr(self.server, name)(**arguments)
            else:
                return error_page(404)
        except (LookupError, TypeError, ValueError) as problem:
            return of_json({"error": repr(problem), "misdeeds": sorted(misdeeds.CATALOGUE)}, 400)
        return of_json({})

    def _exchanges(self):
        return [{"number": each.number, "time": each.time, "type": each.type, "data": each.data,
                 "performed": each.performed, "status": each.status, "cut": each.cut, "sent": each.sent}
                for each in self.server.exchanges]

    def _live(self):
        return self.server.live()

    def _events(self):
        return self.server.events()
