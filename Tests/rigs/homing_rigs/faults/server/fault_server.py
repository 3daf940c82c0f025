"""A Home Assistant that is played: it answers as the real one does, and misbehaves where it is told to.

Used where the real one cannot be made to do wrong. `Tests/EndToEnd/faults/test_conformance.py` holds its answers
against those of real ones.
"""

import asyncio
import dataclasses
import json
import secrets
import time
from typing import Any

from ... import processes
from ...loop import call, on_loop
from ...nmea_track import HOME, WORK
from .. import seeds, stream, toxics
from . import http_messages
from .http_messages import Reply, Request
from .misdeeds import Misdeed, Plan
from .mobile_app import MobileApp, Registration


@dataclasses.dataclass
class Exchange:
    """A request, what it asked (opened), how often it was carried out, and what was answered."""

    number: int
    time: float
    request: Request
    type: str | None = None
    data: Any = None
    performed: int = 0
    reply: Reply | None = None  # Home Assistant's own; what went over the line may differ
    status: int | None = None  # of what went over the line, if a line of it did
    registration: Registration | None = None
    cut: bool = False  # a misdeed ended the answer before its end
    sent: int = 0  # bytes of the answer


class FaultServer:
    """The server. `app` is what Home Assistant would hold; `exchanges` is everything that was asked."""

    def __init__(self, version="2026.11.0", port=None, host="127.0.0.1", listener=None, tls=None):
        """`listener()` makes a socket to listen on at that host and port (one of another namespace). `tls`: an
        ssl.SSLContext."""
        self.host, self.port = host, port or processes.free_port(host)
        self.url = f"{'https' if tls else 'http'}://{host}:{self.port}"
        self.token = secrets.token_hex(20)
        self.app = MobileApp(version, self.token, (HOME, WORK))
        self.chance, self.seed = seeds.seeded("fault server")
        self.exchanges, self.plans = [], []
        self.connections = 0  # accepted so far
        self.clock = time.monotonic  # by which plans end; a test may bring its own
        self._listener, self._tls = listener, tls
        self._servers, self._open = [], set()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    # Its life

    def start(self):
        """Listen. Returns self."""
        on_loop(self._listen())
        return self

    def listen_too(self, listener, tls=None):
        """Be reached at another socket as well, until `stop`."""
        on_loop(self._listen_on(tls, {"sock": listener}))

    def stop(self):
        """As Home Assistant at its end: nothing listens, connections are closed."""
        on_loop(self._close())

    def restart(self, down=0.2, empty=0.2, trackerless=0.2):
        """As a real one: nothing listens for `down` seconds; then the webhook is unknown (200 with nothing) for
        `empty` seconds; then it is known and the tracker is not there, for `trackerless` seconds."""
        self.stop()
        call(self.app.restart)
        self.app.set_up = self.app.tracker_loaded = False
        time.sleep(down)
        self.start()
        time.sleep(empty)
        self.app.set_up = True
        time.sleep(trackerless)
        self.app.tracker_loaded = True

    # Misbehaving

    def misbehave(self, misdeed, on=None, skip=0, times=None, seconds=None):
        """From now on, requests of `on` (a webhook type, "register", a path; None: any) meet this misdeed: after
        `skip` of them, `times` of them, for `seconds`. The newest plan comes first. Returns the Plan."""
        plan = Plan(misdeed, on, skip, times, seconds and self.clock() + seconds)
        call(self.plans.insert, 0, plan)
        return plan

    def behave(self):
        """No misdeeds from now on."""
        call(self.plans.clear)

    # What it saw

    def performed(self, kind=None):
        """The exchanges that were carried out, each as often as it was."""
        return [each for each in list(self.exchanges) if kind in (None, each.type) for _ in range(each.performed)]

    def live(self):
        """The places and zones that were told as news, in order: (latitude, longitude), or a zone's name."""
        told = [each.data for each in self.performed("update_location")]
        return [tuple(data["gps"]) if "gps" in data else data["location_name"] for data in told]

    def events(self, kind=None):
        """The data of the events that were fired, in order."""
        return [each.data["event_data"] for each in self.performed("fire_event")
                if kind in (None, each.data["event_type"])]

    # On the loop

    async def _listen(self):
        if not self._servers:
            where = {"sock": self._listener()} if self._listener else {"host": self.host, "port": self.port}
            await self._listen_on(self._tls, where)

    async def _listen_on(self, tls, where):
        self._servers.append(await asyncio.start_server(self._serve, ssl=tls, limit=1 << 20, **where))

    async def _close(self):
        while self._servers:
            self._servers.pop().close()
        for writer in list(self._open):
            writer.close()

    async def _serve(self, reader, writer):
        self.connections += 1
        self._open.add(writer)
        stream.no_delay(writer)
        try:
            while request := await self._next(reader, writer):
                await self._answer(request, reader, writer)
                if request.headers.get("connection", "").lower() == "close":
                    break
        except (OSError, asyncio.IncompleteReadError, stream.Ended):
            pass
        finally:
            self._open.discard(writer)
            writer.close()

    @staticmethod
    async def _next(reader, writer):
        try:
            return await http_messages.read_request(reader)
        except ValueError:
            writer.write(http_messages.error_page(400).bytes())
            return None

    async def _answer(self, request, reader, writer):
        kind = outer_type(request)
        plan = next((each for each in self.plans if each.meets(request, kind, self.clock())), None)
        misdeed = plan.misdeed if plan else Misdeed()
        exchange = Exchange(len(self.exchanges) + 1, time.time(), request)
        exchange.registration = self.app.by_webhook.get(request.path.rpartition("/")[2])
        answered = self.app.answer(request, misdeed.perform)
        exchange.reply, exchange.type = answered.reply, answered.type
        exchange.data, exchange.performed = answered.data, answered.performed
        self.exchanges.append(exchange)
        if misdeed.before:
            misdeed.before(exchange)
        await self._send(exchange, misdeed, reader, writer)
        if misdeed.after:
            misdeed.after(exchange)

    async def _send(self, exchange, misdeed, reader, writer):
        reply = misdeed.reply(exchange) if misdeed.reply else exchange.reply
        if isinstance(reply, Reply):
            exchange.status = reply.status
            pieces = [reply.bytes()]
        else:
            pieces = reply
        pairs = toxics.flows(misdeed.toxics, self.chance)
        try:
            for piece in pieces:
                await stream.perform(self._counted(exchange, toxics.pass_through(piece, pairs)), writer)
        except stream.Ended as ended:
            exchange.cut = True
            while ended.end is toxics.End.STALL and await reader.read(65536):
                pass
            raise

    @staticmethod
    def _counted(exchange, steps):
        for step in steps:
            if isinstance(step, bytes):
                exchange.sent += len(step)
            yield step


def outer_type(request):
    """The webhook's type, which travels in the clear; "register" for a registration."""
    if request.path == "/api/mobile_app/registrations":
        return "register"
    try:
        return json.loads(request.body)["type"]
    except (ValueError, TypeError, KeyError):
        return None
