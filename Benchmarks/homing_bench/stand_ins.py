"""What the measured programs talk to: a Home Assistant and a gpsd that cost next to nothing themselves.

Both run as threads of the bench, outside of the measured process. The Home Assistant answers byte for byte as the
real one does (headers as of 2024.3), sealed where the real one seals; the gpsd reports as 3.22 does.
"""

import collections
import dataclasses
import datetime
import json
import re
import socket
import threading
import time

from homing_rigs import sealed

SECRET = "00112233445566778899aabbccddeeff" * 2
WEBHOOK_ID = "b" * 64
HEAD = (b"HTTP/1.1 200 OK\r\nContent-Type: application/json%s\r\nReferrer-Policy: no-referrer\r\n"
        b"X-Content-Type-Options: nosniff\r\nServer: \r\nX-Frame-Options: SAMEORIGIN\r\nContent-Length: %d\r\n"
        b"Date: Sat, 21 Nov 2026 04:12:18 GMT\r\n\r\n")
TAKEN = HEAD % (b"; charset=utf-8", 2) + b"{}"
CONFIGURATION = {
    "latitude": 52.3731, "longitude": 4.8922, "elevation": 4, "location_name": "Bench", "version": "2024.3.3",
    "unit_system": {"length": "km", "mass": "g", "pressure": "Pa", "temperature": "°C", "volume": "L"},
    "time_zone": "Europe/Amsterdam", "theme_color": "#03A9F4", "entities": {"bench": {"disabled": False}},
    "components": ["http", "zone", "webhook", "api", "config", "mobile_app", "mobile_app.device_tracker", "sensor"]}
ZONES = [{"entity_id": f"zone.place_{n}", "state": "0", "attributes": {
    "latitude": 40.0 + n, "longitude": 4.8922, "radius": 100, "passive": False, "friendly_name": f"Place {n}"}}
    for n in range(3)]
TOLD = {"success": True}
UNKNOWN = {"success": False, "error": {"code": "not_registered", "message": "Entity is not registered"}}


@dataclasses.dataclass
class Traffic:
    """What came of one type of command. Bytes are TCP's payload, both ways, heads included."""

    count: int = 0
    sent: int = 0
    bodies: int = 0  # the part of `sent` that is bodies
    answered: int = 0
    first: float = 0.0
    last: float = 0.0

    @property
    def bytes_each(self):
        """Request and reply together."""
        return (self.sent + self.answered) / self.count if self.count else 0

    def __str__(self):
        each = [round(total / self.count) for total in (self.sent, self.bodies, self.answered)]
        return f"{self.count} of {each[0]} bytes ({each[1]} of them body), answered by {each[2]}"


class HomeAssistant:
    """Takes everything. `on_update` is called at each update_location."""

    def __init__(self, on_update=lambda: None):
        self.traffic = collections.defaultdict(Traffic)
        self.events = []  # bodies of fire_event, sealed
        self.sensors = set()  # unique ids that were registered
        self._newest = b""  # body of the newest update_location
        self._on_update = on_update
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=_accept, args=(self._listener, self._serve), daemon=True).start()

    @property
    def webhook(self):
        """The URL to post to."""
        return f"{self.url}/api/webhook/{WEBHOOK_ID}"

    def count(self, kind="update_location"):
        """How many commands of a type came."""
        return self.traffic[kind].count

    def total(self):
        """All messages, and their bytes both ways."""
        found = list(self.traffic.values())
        return sum(one.count for one in found), sum(one.sent + one.answered for one in found)

    def positions(self):
        """How many positions came as history."""
        return sum(len(_open(body)["event_data"]["positions"]) for body in self.events)

    def close(self):
        """Accept nobody any more."""
        self._listener.close()

    def _serve(self, connection):
        length_field = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")
        buffer = b""
        while chunk := connection.recv(1 << 18):
            buffer += chunk
            while (end := buffer.find(b"\r\n\r\n")) >= 0:
                size = end + 4 + int(length_field.search(buffer, 0, end).group(1))
                if len(buffer) < size:
                    break
                self._answer(connection, buffer[end + 4:size], size)
                buffer = buffer[size:]

    def _answer(self, connection, body, size):
        kind = body[9:body.index(b'"', 9)].decode()
        now = time.monotonic()
        if kind == "update_location":
            self._newest, reply = body, TAKEN
        elif kind == "fire_event":
            self.events.append(body)
            reply = TAKEN
        else:
            reply = self._sealed_reply(kind, body)
        traffic = self.traffic[kind]
        traffic.first = traffic.first or now
        traffic.last = now
        traffic.sent += size
        traffic.bodies += len(body)
        traffic.answered += len(reply)
        traffic.count += 1
        connection.sendall(reply)
        if kind == "update_location":
            self._on_update()

    def _sealed_reply(self, kind, body):
        if kind == "render_template":
            place = _open(self._newest)["gps"] if self._newest else [None, None]
            nonce = _open(body)["r"]["template"].split("'")[1]
            content = {"r": [nonce, ["not_home", *place], "2026-01-01 00:00:00.000000+00:00"]}
        elif kind == "update_sensor_states":
            content = {item["unique_id"]: TOLD if item["unique_id"] in self.sensors else UNKNOWN for item in _open(body)}
        elif kind == "register_sensor":
            self.sensors.add(_open(body)["unique_id"])
            content = TOLD
        else:
            content = {"get_config": CONFIGURATION, "get_zones": ZONES, "update_registration": {"app_data": {}}}[kind]
        text = json.dumps({"encrypted": True, "encrypted_data": sealed.seal(content, SECRET)}).encode()
        return HEAD % (b"; charset=utf-8", len(text)) + text


def data_size(body_size, kind):
    """Bytes that were sealed in a body of this size."""
    frame = len('{"type":"","encrypted":true,"encrypted_data":""}') + len(kind)
    return int((body_size - frame) * 3 / 4) - sealed.OVERHEAD


def _open(body):
    return sealed.unseal(json.loads(body)["encrypted_data"], SECRET)


class GPSD:
    """Reports `count` epochs to the first client that watches: a TPV and a SKY each, 30 m north of the last one.

    With `paced` each epoch waits for `go()`, so that no fix overtakes the delivery of the one before it; else they
    come as fast as they are read. The fixes' times lie 10 ms apart, so that none is a duplicate or in the future.
    """

    def __init__(self, count, paced):
        self._count = count
        self._permits = threading.Semaphore(1) if paced else None
        self._clock = time.time() - (2 if paced else 0.01 * count)
        self._fed = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=_accept, args=(self._listener, self._serve), daemon=True).start()

    def go(self):
        """The next epoch, please."""
        if self._permits:
            self._permits.release()

    def close(self):
        """Accept nobody any more."""
        self._listener.close()

    def _serve(self, connection):
        connection.sendall(b'{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r\n')
        while request := connection.recv(4096):
            if b"?WATCH" in request:
                connection.sendall(_devices() + b'{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,'
                                   b'"scaled":false,"timing":false,"split24":false,"pps":false}\r\n')
                if self._fed.acquire(blocking=False):
                    self._feed(connection)
            elif b"?DEVICES" in request:
                connection.sendall(_devices())

    def _feed(self, connection):
        for number in range(self._count):
            if self._permits:
                self._permits.acquire()
            connection.sendall(_epoch(self._clock + number * 0.01, 48 + number * 0.00027))


def _devices():
    return (b'{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"NMEA0183",'
            b'"activated":"2026-11-21T04:00:00.000Z","flags":1,"native":0,"bps":9600,"parity":"N","stopbits":1,'
            b'"cycle":1.00}]}\r\n')


def _epoch(moment, latitude):
    clock = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).isoformat(timespec="milliseconds")[:-6] + "Z"
    tpv = (f'{{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"{clock}","ept":0.005,"lat":{latitude:.9f},'
           '"lon":4.892200000,"altHAE":55.4000,"altMSL":12.3000,"alt":12.3000,"epx":3.520,"epy":3.100,"epv":7.400,'
           '"track":359.5000,"magtrack":1.2000,"magvar":1.7,"speed":30.000,"climb":0.100,"eps":7.04,"epc":14.80,'
           '"geoidSep":43.100,"eph":5.130,"sep":9.200}\r\n')
    satellites = ",".join(
        f'{{"PRN":{n},"el":{n * 6}.0,"az":{n * 29}.0,"ss":{30 + n}.0,"used":true,"gnssid":0,"svid":{n}}}'
        for n in range(1, 10))
    sky = ('{"class":"SKY","device":"/dev/ttyACM0","xdop":0.71,"ydop":0.62,"vdop":1.40,"tdop":0.90,"hdop":0.90,'
           f'"gdop":1.90,"pdop":1.70,"nSat":9,"uSat":9,"satellites":[{satellites}]}}\r\n')
    return (sky + tpv).encode()


def _accept(listener, serve):
    def guarded(connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            with connection:
                serve(connection)
        except OSError:
            pass  # the other side has gone

    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=guarded, args=(connection,), daemon=True).start()
