"""A device of the push relay that joins and receives by the real protocol, light enough for thousands in a process.

By hand (from Tests/rigs): /usr/bin/python3 -m homing_rigs.relay_device PORT [CODE]
joins, prints the token, and shows what comes.
"""

import asyncio
import collections
import json
import os
import struct

from .relay_keys import DeviceKeys, PUSH, to_bytes, to_text
from .relay_posts import LOST, Poster, connect

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
WINDOW = 32  # ids of an acknowledgement


class Refused(Exception):
    """The relay says no, and why."""


class RelaySocket:
    """One WebSocket of a device that has proved its key. `open` makes it."""

    def __init__(self, keys, reader, writer):
        self._keys, self._reader, self._writer = keys, reader, writer
        self.ready = None  # what the relay said: waiting, count
        self._settled = []  # ids that are to be acknowledged

    @classmethod
    async def open(cls, keys, port, address=None, tls=None):
        """Connects, and proves the key; ConnectionError where the relay cannot serve it now. `address` and `tls` as for
        `connect`."""
        reader, writer = await connect(port, address, tls, limit=256 << 10)
        self = cls(keys, reader, writer)
        try:
            await self._greet()
            return self
        except BaseException:
            self.close()
            raise

    async def _greet(self):
        self._writer.write((
            "GET /v1/mailbox HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            f"Authorization: Bearer {self._keys.token}\r\n\r\n").encode())
        head = await self._reader.readuntil(b"\r\n\r\n")
        line = head.split(b"\r\n")[0].decode()
        status = int(line.split()[1])
        if status in (502, 503):
            raise ConnectionError(line)
        if status != 101:
            raise Refused(line)
        hello = await self.next()
        self.say({"proof": to_text(self._keys.proof(to_bytes(hello["challenge"])))})
        self.ready = await self.next()
        if "bye" in self.ready:
            raise ConnectionError(self.ready["bye"])
        assert "ready" in self.ready, self.ready

    async def next(self):
        """The next frame of the relay's; ConnectionError at the end."""
        while True:
            first, second = await self._reader.readexactly(2)
            size = second & 127
            if size >= 126:
                size, = struct.unpack(">H" if size == 126 else ">Q",
                                      await self._reader.readexactly(2 if size == 126 else 8))
            data = await self._reader.readexactly(size)
            if first == 0x80 | TEXT:
                frame = json.loads(data)
                if "refused" in frame:
                    raise Refused(frame["refused"])
                return frame
            if first == 0x80 | CLOSE:
                raise ConnectionError("the relay closes")
            if first == 0x80 | PING:
                self._frame(PONG, data)

    def say(self, frame):
        """Sends a frame."""
        self._frame(TEXT, json.dumps(frame).encode())

    def _frame(self, kind, data):
        mask = os.urandom(4)
        assert len(data) < 65536
        head = bytes([0x80 | kind, 0x80 | len(data)]) if len(data) < 126 else (
            bytes([0x80 | kind, 0x80 | 126]) + struct.pack(">H", len(data)))
        long_mask = mask * (len(data) // 4 + 1)
        self._writer.write(head + mask + bytes(one ^ other for one, other in zip(data, long_mask)))

    def acknowledge(self, id):
        """This message need not come again. One frame serves all of 10 ms: a relay takes no more than 100 a second."""
        if not self._settled:
            asyncio.get_running_loop().call_later(0.01, self._acknowledge_all)
        self._settled.append(id)

    def _acknowledge_all(self):
        while self._settled:
            some, self._settled = self._settled[:WINDOW], self._settled[WINDOW:]
            if not self._writer.is_closing():
                self.say({"ack": some})

    def close(self):
        """Ends it without a word, as a machine that goes to sleep does."""
        self._writer.transport.abort()


class RelayDevice:
    """A device that holds its socket, comes back when it ends, and keeps what it was shown. Each message is checked:
    it opens, is of this mailbox, and its id is that of the frame."""

    def __init__(self, port, name="device", address=None, tls=None):
        self.port, self.name, self.address, self.tls = port, name, address, tls
        self.keys = DeviceKeys()
        self.shown = {}  # the texts of notifications by id
        self.notices = {}  # parcels of the relay's own by id
        self.repeats = 0  # frames whose id was known: the relay did not hear that they were acknowledged
        self.connections = 0
        self.is_attending = asyncio.Event()
        self._task = None

    async def join(self, code=None):
        """Gets a token."""
        poster = Poster(self.port, "/v1/join", self.address, self.tls)
        status, answer = await poster.post({"public": to_text(self.keys.public), "code": code})
        poster.close()
        assert status == 200, (status, answer)
        self.keys.take_grant(to_bytes(answer["sealed"]))
        return self

    @property
    def token(self):
        return self.keys.token

    def times_shown(self):
        """How often each text was shown."""
        return collections.Counter(self.shown.values())

    def start(self, pause=0.05):
        """Holds the socket from now on, and comes back after `pause` seconds."""
        self._task = asyncio.get_running_loop().create_task(self._live(pause))
        return self

    async def stop(self):
        """Lets the socket go."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    def must_live(self):
        """Raises what ended the device's task, if something did."""
        if self._task is not None and self._task.done():
            self._task.result()

    async def _live(self, pause):
        while True:
            socket = None
            try:
                socket = await RelaySocket.open(self.keys, self.port, self.address, self.tls)
                self.connections += 1
                self.is_attending.set()
                while True:
                    self._take(await socket.next(), socket)
            except LOST:
                pass
            finally:
                self.is_attending.clear()
                if socket is not None:
                    socket.close()
            await asyncio.sleep(pause)

    def _take(self, frame, socket):
        """Shows a message that is new, then acknowledges it."""
        if "m" not in frame:
            return
        parcel = self.keys.parcel(to_bytes(frame["parcel"]))
        assert parcel.id == to_bytes(frame["m"]), "a parcel under another's id"
        if frame["m"] in self.shown or frame["m"] in self.notices:
            self.repeats += 1
        elif parcel.purpose == PUSH:
            self.shown[frame["m"]] = json.loads(parcel.body)["message"]
        else:
            self.notices[frame["m"]] = parcel
        socket.acknowledge(frame["m"])


async def _main(port, code=None):
    device = await RelayDevice(int(port)).join(code)
    print(device.token, flush=True)
    socket = await RelaySocket.open(device.keys, int(port))
    while True:
        frame = await socket.next()
        if "m" in frame:
            print(device.keys.parcel(to_bytes(frame["parcel"])), flush=True)
            socket.acknowledge(frame["m"])


if __name__ == "__main__":
    import sys
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    asyncio.run(_main(*sys.argv[1:]))
