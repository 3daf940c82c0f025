"""What stands behind nginx besides Home Assistant: a server of one fixed answer, and one that is slow."""

import asyncio
import dataclasses

from .loop import on_loop
from .tcp_switch import pump

PORTAL = "<!DOCTYPE html><html><title>Free Wi-Fi</title><form action=/login>Accept our terms</form></html>"
REASONS = {200: "OK", 302: "Found"}


@dataclasses.dataclass(frozen=True)
class Answer:
    """An HTTP reply."""

    status: int
    body: str | bytes = "<html><body>Not today</body></html>"
    content_type: str = "text/html"
    headers: dict = dataclasses.field(default_factory=dict)

    def with_retry_after(self, seconds=None):
        """The same, asking to come back after some seconds."""
        if seconds is None:
            return self
        return dataclasses.replace(self, headers={**self.headers, "Retry-After": str(seconds)})

    def bytes(self):
        """As sent; the connection ends with it."""
        body = self.body.encode() if isinstance(self.body, str) else self.body
        lines = [f"HTTP/1.1 {self.status} {REASONS.get(self.status, 'Canned')}", f"Content-Type: {self.content_type}",
                 f"Content-Length: {len(body)}", "Connection: close",
                 *(f"{name}: {value}" for name, value in self.headers.items())]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


# By the name of a front's mode.
ANSWERS = {str(status): Answer(status) for status in (400, 401, 403, 404, 410, 413, 500, 502, 503, 504)} | {
    "410": Answer(410, "", "application/octet-stream"),
    "429": Answer(429, headers={"Retry-After": "2"}),
    "portal-html": Answer(200, PORTAL),
    "portal-302": Answer(302, PORTAL, headers={"Location": "http://portal.example.test/login"}),
    "json-not-ours": Answer(200, '{"hello":"world"}', "application/json"),
    "empty-200": Answer(200, ""),
    "empty-object": Answer(200, "{}", "application/json"),
}


class Backstage:
    """The two servers, on Unix sockets in `folder`; `answer` and `delay` may change at any time."""

    def __init__(self, folder, upstream_port):
        self.folder, self.upstream_port = folder, upstream_port
        self.answer = ANSWERS["404"]
        self.delay = 0.0
        self._servers = []

    def start(self):
        """Listen."""
        on_loop(self._start())

    def stop(self):
        """Listen no more."""
        on_loop(self._stop())

    async def _start(self):
        for serve, name in ((self._serve_canned, "canned"), (self._serve_slowly, "slow")):
            self._servers.append(await asyncio.start_unix_server(serve, str(self.folder / f"{name}-backend.sock")))

    async def _stop(self):
        for server in self._servers:
            server.close()

    async def _serve_canned(self, reader, writer):
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            for line in head.lower().split(b"\r\n"):
                if line.startswith(b"content-length:"):
                    await reader.readexactly(int(line.split(b":")[1]))
            writer.write(self.answer.bytes())
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _serve_slowly(self, reader, writer):
        try:
            await asyncio.sleep(self.delay)
            there, to_there = await asyncio.open_connection("127.0.0.1", self.upstream_port)
            try:
                await asyncio.gather(pump(reader, to_there), pump(there, writer))
            finally:
                to_there.close()
        except OSError:
            pass
        finally:
            writer.close()
