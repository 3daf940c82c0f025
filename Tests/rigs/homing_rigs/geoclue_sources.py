"""What tells geoclue where it is: a receiver behind a Unix socket, a look-up service, and the networks in sight."""

import asyncio
import contextlib
import dataclasses
import datetime
import json
import os

import dbus
import dbus.bus

from . import processes
from .canned_answers import ANSWERS, Answer
from .loop import call, on_loop
from .nmea_sentences import epoch_sentences

SUPPLICANT, SUPPLICANT_PATH = "fi.w1.wpa_supplicant1", "/fi/w1/wpa_supplicant1"
INTERFACE, INTERFACE_PATH = f"{SUPPLICANT}.Interface", f"{SUPPLICANT_PATH}/Interfaces/0"
MOCK = "org.freedesktop.DBus.Mock"


class Receiver:
    """A receiver that speaks NMEA to whoever connects to `socket`. `place` (latitude, longitude), `mode` (1 no fix,
    2 without altitude, 3 full) and `silent` may change at any time; with place None it has no fix."""

    def __init__(self, place=None, mode=3, every=0.5):
        """`every` are the seconds from epoch to epoch."""
        self.place, self.mode, self.silent = place, mode, False
        self._every = every
        self.folder = processes.temporary_folder("receiver")
        self.socket = self.folder / "nmea.sock"
        self.connections = 0  # open now
        self._server, self._tasks = None, set()

    def start(self):
        """Listen."""
        self._server = on_loop(asyncio.start_unix_server(self._serve, str(self.socket)))
        self.socket.chmod(0o666)

    def stop(self):
        """Hang up, and listen no more."""
        call(self._server.close)
        self.hang_up()
        self.socket.unlink(missing_ok=True)

    def hang_up(self):
        """Break the connections of now."""
        call(lambda: [task.cancel() for task in self._tasks])

    async def _serve(self, reader, writer):
        self._tasks.add(asyncio.current_task())
        self.connections += 1
        with contextlib.suppress(OSError, asyncio.CancelledError):
            while not reader.at_eof():
                if not self.silent:
                    writer.write(self._epoch().encode())
                    await writer.drain()
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(reader.read(1), self._every)
        self.connections -= 1
        self._tasks.discard(asyncio.current_task())
        writer.close()

    def _epoch(self):
        now = datetime.datetime.now(datetime.timezone.utc)
        return epoch_sentences(now, self.place or (0, 0), 12.0, self.mode if self.place else 1, 0.0, 0.0, None, False)


@dataclasses.dataclass
class Request:
    """What a look-up service was asked."""

    path: str
    agent: str
    body: dict

    @property
    def networks(self):
        """The hardware addresses of the access points it was told, lower case."""
        return sorted(point["macAddress"].lower() for point in self.body.get("wifiAccessPoints", []))


class LookUp:
    """A played Ichnaea, as beaconDB runs it. `place` and `accuracy` may change at any time, and `answer`, which is
    "place", "not found" (as Ichnaea says it), "hang", "hang up", or a name of canned_answers.ANSWERS."""

    def __init__(self, place, accuracy=30.0):
        self.place, self.accuracy, self.answer = place, accuracy, "place"
        self.requests = []
        self.port = processes.free_port()
        self.url = f"http://127.0.0.1:{self.port}/v1/geolocate?key=rig"
        self._server, self._tasks = None, set()

    def start(self):
        """Listen."""
        self._server = on_loop(asyncio.start_server(self._serve, "127.0.0.1", self.port))

    def stop(self):
        """Listen no more; requests that hang are let go."""
        call(self._server.close)
        call(lambda: [task.cancel() for task in self._tasks])

    async def _serve(self, reader, writer):
        self._tasks.add(asyncio.current_task())
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            self.requests.append(await self._read(reader))
            if self.answer == "hang":
                await asyncio.sleep(3600)
            if self.answer != "hang up":
                writer.write(self._reply().bytes())
                await writer.drain()
        self._tasks.discard(asyncio.current_task())
        writer.close()

    async def _read(self, reader):
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        return Request(first.split()[1], headers.get("user-agent", ""), json.loads(body or b"{}"))

    def _reply(self):
        if self.answer == "place":
            location = {"lat": self.place[0], "lng": self.place[1]}
            return Answer(200, json.dumps({"location": location, "accuracy": self.accuracy}), "application/json")
        if self.answer == "not found":
            return Answer(404, json.dumps({"error": {"code": 404, "message": "Not found"}}), "application/json")
        return ANSWERS[self.answer]


class Wifi:
    """A played wpa_supplicant with one device, of which geoclue wants the networks in sight. `networks` is a list of
    (BSSID, name, dBm). A scan is done at once; geoclue looks at what it found a second later."""

    def __init__(self, bus, networks=()):
        self._bus, self._networks = bus, list(networks)
        self.folder = processes.temporary_folder("wifi")
        self._mock = self._connection = None

    def start(self):
        """Put it on the bus."""
        words = ["/usr/bin/python3", "-m", "dbusmock", "--system", SUPPLICANT, SUPPLICANT_PATH, SUPPLICANT]
        log = self.folder / "wpa_supplicant.log"
        self._mock = processes.Child(words, log, {**os.environ, **self._bus.environment})
        self._bus.wait_for_name(SUPPLICANT)
        self._connection = dbus.bus.BusConnection(self._bus.address)
        self._connection.set_exit_on_disconnect(False)
        points = [self._add(number, *network) for number, network in enumerate(self._networks)]
        device = {"Ifname": "wlan0", "State": "completed", "BSSs": dbus.Array(points, signature="o")}
        done = f'self.EmitSignal("{INTERFACE}", "ScanDone", "b", [True])'
        self._tell("AddObject", "ssa{sv}a(ssss)", INTERFACE_PATH, INTERFACE, device, [("Scan", "a{sv}", "", done)])
        self._tell("AddProperty", "ssv", SUPPLICANT, "Interfaces", dbus.Array([INTERFACE_PATH], signature="o"))

    def stop(self):
        """Take it off the bus."""
        if self._connection:
            self._connection.close()
        self._mock.stop()

    def scans(self):
        """How often it was asked to scan."""
        return self._mock.log_text().count(" Scan ")

    def _add(self, number, address, name, strength):
        path = f"{INTERFACE_PATH}/BSSs/{number}"
        hardware = bytes.fromhex(address.replace(":", ""))
        properties = {"SSID": dbus.ByteArray(name.encode()), "BSSID": dbus.ByteArray(hardware),
                      "Signal": dbus.Int16(strength), "Frequency": dbus.UInt16(2437), "Age": dbus.UInt32(0)}
        self._tell("AddObject", "ssa{sv}a(ssss)", path, f"{SUPPLICANT}.BSS", properties,
                   dbus.Array([], signature="(ssss)"))
        return dbus.ObjectPath(path)

    def _tell(self, method, signature, *arguments):
        self._connection.call_blocking(SUPPLICANT, SUPPLICANT_PATH, MOCK, method, signature, arguments)
