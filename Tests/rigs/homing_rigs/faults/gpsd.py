"""A gpsd that is played (its JSON protocol, gpsd_json(5)): any fix at any rate, and everything a line can carry wrong.

For what a real gpsd with a simulated receiver (`homing_rigs.gps`) cannot be made to say, or not fast enough.

By hand (from Tests/rigs): /usr/bin/python3 -m homing_rigs.faults.gpsd [PORT]
"""

import asyncio
import datetime
import itertools
import json
import math
import sys
import time

from .. import processes
from ..loop import call, on_loop
from . import hand, stream

VERSION = {"class": "VERSION", "release": "3.22", "rev": "3.22", "proto_major": 3, "proto_minor": 14}
DEVICE = {"class": "DEVICE", "path": "/dev/gps0", "driver": "NMEA0183", "flags": 1, "native": 0, "bps": 9600,
          "parity": "N", "stopbits": 1, "cycle": 1.00}
METRES_A_DEGREE = 111_320
# Milliseconds that fixes may be ahead of the clock; with more of them Homing calls them future.
LEAD = 5000


def stamp(seconds):
    """A time as gpsd writes it."""
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def line_of(content):
    """A message as gpsd sends it. NaN and the infinities go out as Python writes them, as JSON cannot."""
    return json.dumps(content, separators=(",", ":")).encode() + b"\r\n"


def places(step=25.0, start=(52.30, 4.80)):
    """Places without end, each `step` metres from the one before, no two the same: south to north, then the next
    column to the east."""
    down = step / METRES_A_DEGREE
    for number in itertools.count():
        column, row = divmod(number, 10_000)
        row = row if column % 2 == 0 else 9_999 - row
        east = column * step * 2 / (METRES_A_DEGREE * math.cos(math.radians(start[0])))
        yield round(start[0] + row * down, 7), round(start[1] + east, 7)


class FakeGPSD:
    """gpsd at `host`. `tell` gives all that watch a fix; `stream` goes on by itself."""

    def __init__(self, port=None, receivers=1, host="127.0.0.1", listener=None):
        """`listener()` makes a socket to listen on at that host and port (one of another namespace)."""
        self._listener = listener
        self.host, self.port = host, port or processes.free_port(host)
        self.receivers = receivers
        self.told = []  # (time, latitude, longitude) of every fix that was sent
        self.connections = 0
        self._watchers, self._open = set(), set()
        self._server = self._streaming = None
        self._last = 0  # the time of the last fix, in milliseconds

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Listen. Returns self."""
        on_loop(self._listen())
        return self

    def stop(self):
        """As gpsd at its end: connections are closed, nothing listens."""
        self.hold()
        on_loop(self._close())

    @property
    def watchers(self):
        """How many clients watch now."""
        return len(self._watchers)

    def tell(self, place, accuracy=5.0, at=None, **fields):
        """Send everybody one fix; `fields` are TPV's and replace ours (None: left out)."""
        call(self._tell, place, accuracy, at, fields)

    def raw(self, data):
        """Send everybody these bytes."""
        call(self._send, data)

    def stream(self, rate, where=None, accuracy=5.0):
        """From now on `rate` fixes a second, at `where` (default: `places()`), one after the other, to whoever
        watches; while nobody does, it waits."""
        self.hold()
        on_loop(self._begin(rate, where or places(), accuracy))

    def hold(self):
        """End `stream`."""
        if self._streaming:
            call(self._streaming.cancel)
            self._streaming = None

    def cut(self, hard=False):
        """End all connections; new ones are taken."""
        call(self._cut, hard)

    # On the loop

    async def _listen(self):
        if self._server is None:
            where = {"sock": self._listener()} if self._listener else {"host": self.host, "port": self.port}
            self._server = await asyncio.start_server(self._serve, **where)

    async def _close(self):
        if self._server:
            self._server.close()
            self._server = None
        self._cut(False)

    def _cut(self, hard):
        for writer in list(self._open):
            stream.reset(writer) if hard else writer.close()

    async def _begin(self, rate, where, accuracy):
        self._streaming = asyncio.get_running_loop().create_task(self._stream(rate, where, accuracy))

    async def _stream(self, rate, where, accuracy):
        due = time.monotonic()
        while True:
            if self._watchers:
                self._tell(next(where), accuracy, None, {})
            due = max(due + 1 / rate, time.monotonic() - 0.05)
            await asyncio.sleep(max(0, due - time.monotonic()))

    def _tell(self, place, accuracy, at, fields):
        # gpsd's times have milliseconds, and two fixes of one time are one; in a flood some are.
        if at is None:
            now = time.time_ns() // 1_000_000
            self._last = max(now, min(self._last + 1, now + LEAD))
        moment = self._last / 1000 if at is None else at
        report = {"class": "TPV", "device": DEVICE["path"], "mode": 3, "time": stamp(moment), "lat": place[0],
                  "lon": place[1], "altMSL": 4.0, "eph": accuracy, "epv": 8.0, "speed": 10.0, "track": 0.0} | fields
        self.told.append((moment, *place))
        self._send(line_of({key: value for key, value in report.items() if value is not None}))

    def _send(self, data):
        for writer in list(self._watchers):
            writer.write(data)

    def _devices(self):
        device = DEVICE | {"activated": stamp(time.time())}
        return {"class": "DEVICES", "devices": [device] * self.receivers}

    async def _serve(self, reader, writer):
        self.connections += 1
        self._open.add(writer)
        stream.no_delay(writer)
        writer.write(line_of(VERSION))
        try:
            while command := await reader.readuntil(b";"):
                if b"WATCH" in command:
                    writer.write(line_of(self._devices()))
                    writer.write(line_of({"class": "WATCH", "enable": b'"enable":true' in command, "json": True}))
                    (self._watchers.add if b'"enable":true' in command else self._watchers.discard)(writer)
                elif b"DEVICES" in command:
                    writer.write(line_of(self._devices()))
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            self._watchers.discard(writer)
            self._open.discard(writer)
            writer.close()


def _main(port=None):
    where = places()
    with FakeGPSD(port and int(port)) as gpsd:
        print(f"gpsd, played, at {gpsd.host}:{gpsd.port}", flush=True)
        hand.obey({"tell": lambda *place: gpsd.tell(tuple(map(float, place)) or next(where)),
                   "stream": lambda rate: gpsd.stream(float(rate), where), "hold": gpsd.hold,
                   "raw": lambda *words: gpsd.raw(" ".join(words).encode() + b"\r\n"),
                   "cut": lambda: gpsd.cut(), "reset": lambda: gpsd.cut(hard=True), "stop": gpsd.stop,
                   "start": lambda: f"listens: {bool(gpsd.start())}", "watchers": lambda: gpsd.watchers})


if __name__ == "__main__":
    _main(*sys.argv[1:])
