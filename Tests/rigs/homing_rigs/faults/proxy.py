"""A TCP proxy that ill-treats what goes through it, in each direction by toxics of its own.

By hand (from Tests/rigs): /usr/bin/python3 -m homing_rigs.faults.proxy LISTEN_PORT UPSTREAM_PORT
It obeys lines: `up TOXIC…`, `down TOXIC…` (toxics separated by commas: `down latency 0.3 0.1, rate 1000`), `clear`,
`reset`, `close`, `forget` (the connections of now go dead, new ones work), `refuse`, `accept`, `status`.
"""

import asyncio
import sys

from .. import processes
from ..loop import call, on_loop
from . import seeds, stream, toxics


class Proxy:
    """Listens on `host`:`port` and carries each connection to `upstream` (host, port). Toxics that are set meet all
    connections, from the next byte on; what they count begins then."""

    def __init__(self, upstream_port, port=None, host="127.0.0.1", upstream_host="127.0.0.1", listener=None, tls=None):
        """`listener()` makes a socket to listen on at that host and port (one of another namespace). With `tls`, an
        ssl.SSLContext, it speaks TLS to the client and plain to upstream."""
        self.upstream = (upstream_host, upstream_port)
        self.host, self.port = host, port or processes.free_port(host)
        self.url = f"{'https' if tls else 'http'}://{'localhost' if tls else host}:{self.port}"
        self.chance, self.seed = seeds.seeded("proxy")
        self.accepted = 0
        self.carried = {"up": 0, "down": 0}  # bytes that came out of the toxics
        self._toxics = {"up": (), "down": ()}
        self._setting = 0
        self._listener, self._tls = listener, tls
        self._server = None
        self._connections = set()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Listen. Returns self."""
        on_loop(self._listen())
        return self

    def stop(self):
        """Listen no more, and reset what is open."""
        self.refuse()

    def set(self, up=(), down=()):
        """From now on, these toxics for what goes to the server (`up`) and for what comes from it (`down`)."""
        call(self._set, {"up": tuple(up), "down": tuple(down)})

    def clear(self):
        """No toxics."""
        self.set()

    def reset(self):
        """Reset every open connection."""
        call(self._end_all, stream.reset)

    def close(self):
        """Close every open connection in good order."""
        call(self._end_all, lambda writer: writer.close())

    def forget(self):
        """As a router that lost its table: the connections of now take bytes and give none back, and no end;
        new ones work."""
        call(self._forget)

    def speak(self, tls):
        """From now on speak TLS by this context (None: plain); what is open is reset."""
        self.refuse()
        self._tls = tls
        self.accept()

    def refuse(self):
        """Nothing listens; what is open is reset."""
        on_loop(self._refuse())

    def accept(self):
        """Listen again."""
        on_loop(self._listen())

    # On the loop

    async def _listen(self):
        if self._server is None:
            where = {"sock": self._listener()} if self._listener else {"host": self.host, "port": self.port}
            self._server = await asyncio.start_server(self._serve, ssl=self._tls, **where)

    async def _refuse(self):
        if self._server:
            self._server.close()
            self._server = None
        self._end_all(stream.reset)

    def _set(self, wanted):
        self._toxics = wanted
        self._setting += 1

    def _end_all(self, end):
        for connection in list(self._connections):
            for writer in connection.writers:
                end(writer)

    def _forget(self):
        for connection in self._connections:
            connection.forgotten = True

    async def _serve(self, reader, writer):
        self.accepted += 1
        connection = _Connection(writer)
        self._connections.add(connection)
        try:
            there, to_there = await asyncio.open_connection(*self.upstream)
            connection.writers.append(to_there)
            for each in connection.writers:
                stream.no_delay(each)
            await asyncio.gather(self._carry("up", connection, reader, to_there),
                                 self._carry("down", connection, there, writer))
        except OSError:
            pass
        finally:
            self._connections.discard(connection)
            for each in connection.writers:
                each.transport.abort()

    async def _carry(self, direction, connection, reader, writer):
        """One direction, until it ends; a stalled one stays open until the client goes."""
        setting, pairs = None, []
        try:
            while data := await reader.read(65536):
                if connection.forgotten:
                    continue
                if setting != self._setting:
                    setting, pairs = self._setting, toxics.flows(self._toxics[direction], self.chance)
                await stream.perform(self._counted(direction, toxics.pass_through(data, pairs)), writer)
            if not connection.forgotten and not any(isinstance(t, toxics.BlackHole) for t, _ in pairs):
                writer.write_eof()
        except stream.Ended as ended:
            if ended.end is toxics.End.STALL:
                while await reader.read(65536):
                    pass
            for each in connection.writers:
                stream.reset(each) if ended.end is toxics.End.RESET else each.close()
        except (OSError, RuntimeError):
            pass

    def _counted(self, direction, steps):
        for step in steps:
            if isinstance(step, bytes):
                self.carried[direction] += len(step)
            yield step


class _Connection:
    def __init__(self, writer):
        self.writers = [writer]
        self.forgotten = False


def obey(proxy, line):
    """One line of the command line's language; returns what to say."""
    word, _, rest = line.strip().partition(" ")
    if word in ("up", "down"):
        proxy.set(**{word: [toxics.parse(text) for text in rest.split(",")]})
    elif word in ("clear", "reset", "close", "forget", "refuse", "accept"):
        getattr(proxy, word)()
    elif word != "status":
        raise ValueError(f"unknown: {word!r}")
    return f"{proxy.accepted} connections so far, {proxy.carried['up']} B up, {proxy.carried['down']} B down"


def _main(port, upstream_port):
    with Proxy(int(upstream_port), int(port)) as proxy:
        for line in sys.stdin:
            try:
                print(obey(proxy, line), flush=True)
            except ValueError as problem:
                print(problem, flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        _main(*sys.argv[1:])
    except KeyboardInterrupt:
        pass
