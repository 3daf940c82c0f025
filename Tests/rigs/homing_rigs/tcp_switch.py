"""A TCP port whose connections go to one of several rooms (Unix sockets), or are ill-treated; switched at once."""

import asyncio
import socket
import struct
import time

from .loop import on_loop

QUIET, PATIENCE = 0.03, 0.1  # seconds; see `Switch.go`


async def pump(reader, writer, passed=lambda: None, gate=None):
    """Carry bytes from one to the other until the end; `gate` is an event that must be set for it."""
    try:
        while data := await reader.read(65536):
            if gate:
                await gate.wait()
            passed()
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except (OSError, RuntimeError):
        pass


class Connection:
    """One client's connection, for as long as it lasts."""

    def __init__(self, writer):
        self.writers = [writer]
        self.last = time.monotonic()

    def passed(self):
        """Bytes went by."""
        self.last = time.monotonic()

    def close(self, reset=False):
        """End it, in both directions; with `reset` by a TCP reset."""
        if reset:
            self.writers[0].get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        for writer in self.writers:
            writer.transport.abort()


class Switch:
    """Listens on `host`:`port`. Where a new connection goes: the path of a Unix socket, or "hold" (accepted, never
    answered), "reset" (accepted, then reset), "refuse" (nothing listens)."""

    def __init__(self, host, port):
        self.host, self.port = host, port
        self.room = "refuse"
        self.accepted = 0  # connections since the start
        self._server = None
        self._connections = set()
        self._gate = None

    def go(self, room, cut=True):
        """Send new connections to `room` from now on. The others are cut as soon as they are quiet (a reply under
        way may finish), at the latest after 0.1 s; without `cut` they stay where they are."""
        on_loop(self._go(room, cut))

    def freeze(self, frozen=True):
        """Stop (or let go on) every byte on every connection, without closing any: the cable is cut."""
        on_loop(self._freeze(frozen))

    def close(self):
        """Listen no more and end all connections."""
        on_loop(self._go("refuse", True))

    async def _freeze(self, frozen):
        self._prepare()
        self._gate.clear() if frozen else self._gate.set()

    def _prepare(self):
        if self._gate is None:
            self._gate = asyncio.Event()
            self._gate.set()

    async def _go(self, room, cut):
        self._prepare()
        earlier = set(self._connections)
        self.room = room
        if room == "refuse" and self._server:
            self._server.close()
            self._server = None
        elif room != "refuse" and not self._server:
            self._server = await asyncio.start_server(self._serve, self.host, self.port)
        end = time.monotonic() + PATIENCE
        while cut and (earlier := earlier & self._connections):
            now = time.monotonic()
            for connection in list(earlier):
                if now - connection.last > QUIET or now >= end or room == "reset":
                    connection.close(room == "reset")
                    earlier.discard(connection)
            await asyncio.sleep(0.005)

    async def _serve(self, reader, writer):
        self.accepted += 1
        connection = Connection(writer)
        self._connections.add(connection)
        try:
            if self.room == "reset":
                connection.close(reset=True)
            elif self.room == "hold":
                while await reader.read(65536):
                    pass
            else:
                await self._join(connection, reader, writer, self.room)
        except OSError:
            pass
        finally:
            self._connections.discard(connection)
            connection.close()

    async def _join(self, connection, reader, writer, room):
        """Carry bytes between a client and a room until both have ended."""
        there = await self._open(room)
        if there is None:
            return
        room_reader, room_writer = there
        connection.writers.append(room_writer)
        await asyncio.gather(pump(reader, room_writer, connection.passed, self._gate),
                             pump(room_reader, writer, connection.passed, self._gate))

    @staticmethod
    async def _open(room):
        """Connect to a room; for a second it may be closed, because its server restarts."""
        for _ in range(50):
            try:
                return await asyncio.open_unix_connection(str(room))
            except OSError:
                await asyncio.sleep(0.02)
        return None
