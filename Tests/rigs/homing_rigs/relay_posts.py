"""Home Assistant's side of the push relay: posts over kept connections, many at a time, without any library's pool."""

import asyncio
import json

LOST = (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError)


async def connect(port, address=None, tls=None, **options):
    """The streams of a connection to a port of this machine: from `address`, one of 127.0.0.0/8, and by TLS where `tls`
    is a context."""
    local = (address, 0) if address else None
    secure = {"ssl": tls, "server_hostname": "localhost"} if tls else {}
    return await asyncio.open_connection("127.0.0.1", port, local_addr=local, **secure, **options)


async def read_answer(reader):
    """(status, JSON) of an answer of HTTP/1.1; None for JSON where the body is something else."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
    body = await reader.readexactly(int(fields.get("content-length", 0)))
    try:
        return int(head[0].split()[1]), json.loads(body)
    except ValueError:
        return int(head[0].split()[1]), None


def request(path, body):
    """The bytes of a POST of JSON."""
    text = json.dumps(body).encode()
    return (f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(text)}\r\n\r\n").encode() + text


class Poster:
    """A kept connection. Like Home Assistant it waits for 10 s, and never tries again by itself."""

    def __init__(self, port, path="/v1/push", address=None, tls=None):
        """`address` and `tls` as for `connect`."""
        self._path = path
        self._connect = lambda: connect(port, address, tls)
        self._streams = None

    async def connect(self):
        """Connects, where it is not connected."""
        if self._streams is None:
            self._streams = await asyncio.wait_for(self._connect(), 10)

    async def post(self, body):
        """(status, JSON); raises one of `LOST` where no answer comes."""
        try:
            await self.connect()
            reader, writer = self._streams
            writer.write(request(self._path, body))
            return await asyncio.wait_for(read_answer(reader), 10)
        except LOST:
            self.close()
            raise

    def close(self):
        """Lets the connection go."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def post_at_once(port, bodies, path="/v1/push"):
    """Posts all bodies, each over a connection of its own; all connections are there before the first post. Returns
    the answers in the order of the bodies."""
    posters = [Poster(port, path) for _ in bodies]
    try:
        for poster in posters:
            await poster.connect()
        return await asyncio.gather(*(poster.post(body) for poster, body in zip(posters, bodies)))
    finally:
        for poster in posters:
            poster.close()
