"""What the measured programs talk to: a Home Assistant and a gpsd that cost next to nothing themselves.

Both run as threads of the bench, outside of the measured process. The Home Assistant answers byte for byte as the
real one does (2024.3), by HTTP and over its WebSocket, sealed where the real one seals; the gpsd reports as 3.22 does.
"""

import base64
import collections
import dataclasses
import datetime
import json
import re
import socket
import threading
import time

import nacl.secret
from homing_rigs import sealed

from . import receipts
from .channel import ADDRESS, Channel

SECRET = "00112233445566778899aabbccddeeff" * 2
WEBHOOK_ID = "b" * 64
DEVICE_ID = "0123456789abcdef" * 2
BOX = nacl.secret.SecretBox(bytes.fromhex(SECRET))
HEAD = (b"HTTP/1.1 200 OK\r\nContent-Type: application/json%s\r\nReferrer-Policy: no-referrer\r\n"
        b"X-Content-Type-Options: nosniff\r\nServer: \r\nX-Frame-Options: SAMEORIGIN\r\nContent-Length: %d\r\n"
        b"Date: Sat, 21 Nov 2026 04:12:18 GMT\r\n\r\n")
TAKEN = b"{}"
NOT_FOUND = (HEAD % (b"", 14)).replace(b"200 OK", b"404 Not Found").replace(
    b"application/json", b"text/plain; charset=utf-8") + b"404: Not Found"
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

    def since(self, before):
        """The same without what was counted before."""
        return dataclasses.replace(self, **{name: getattr(self, name) - getattr(before, name)
                                            for name in ("count", "sent", "bodies", "answered")})

    def __str__(self):
        each = [round(total / self.count) for total in (self.sent, self.bodies, self.answered)]
        return f"{self.count} of {each[0]} bytes ({each[1]} of them body), answered by {each[2]}"


class HomeAssistant:
    """Takes everything. `on_update` is called at each update_location."""

    def __init__(self, on_update=lambda: None):
        self.traffic = collections.defaultdict(Traffic)
        self.events = []  # bodies of fire_event, sealed
        self.sensors = set()  # unique ids that were registered
        self.channel_opened = threading.Event()
        self._receipts = receipts.Receipts(DEVICE_ID)
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
            if buffer.startswith(ADDRESS):
                return Channel(connection, buffer, self._answer, self.channel_opened.set).serve()
            while (end := buffer.find(b"\r\n\r\n")) >= 0:
                length = length_field.search(buffer, 0, end)
                size = end + 4 + int(length[1] if length else 0)
                if len(buffer) < size:
                    break
                if length is None:
                    self._refuse(connection, size)
                else:
                    self._answer(buffer[end + 4:size], size, lambda body: _send(connection, body))
                buffer = buffer[size:]

    def _answer(self, body, size, send):
        """Takes a request that weighed so much; `send` sends the answer's body and returns what that weighs."""
        kind = body[9:body.index(b'"', 9)].decode()
        now = time.monotonic()
        reply = TAKEN
        if kind == "update_location":
            self._newest = body
        elif kind == "fire_event":
            self.events.append(body)
        else:
            reply = _sealed(self._reply(kind, body))
        traffic = self.traffic[kind]
        traffic.first = traffic.first or now
        traffic.last = now
        traffic.sent += size
        traffic.bodies += len(body)
        traffic.count += 1
        traffic.answered += send(reply)
        if kind == "update_location":
            self._on_update()

    def _refuse(self, connection, size):
        """Of what Homing reads besides, such as categories of notifications, it has nothing."""
        connection.sendall(NOT_FOUND)
        traffic = self.traffic["GET"]
        traffic.count, traffic.sent, traffic.answered = traffic.count + 1, traffic.sent + size, traffic.answered + len(NOT_FOUND)

    def _reply(self, kind, body):
        if kind == "render_template":
            place = _open(self._newest)["gps"] if self._newest else [None, None]
            return {key: self._receipts.render(value["template"], place) for key, value in _open(body).items()}
        if kind == "update_sensor_states":
            return {item["unique_id"]: TOLD if item["unique_id"] in self.sensors else UNKNOWN for item in _open(body)}
        if kind == "register_sensor":
            self.sensors.add(_open(body)["unique_id"])
            return TOLD
        return {"get_config": CONFIGURATION, "get_zones": ZONES, "update_registration": {"app_data": {}}}[kind]


def _send(connection, body):
    """Answers by HTTP. Only what is sealed has no charset."""
    charset = b"; charset=utf-8" if body == TAKEN else b""
    answer = HEAD % (charset, len(body)) + body
    connection.sendall(answer)
    return len(answer)


def _sealed(content):
    sealed_bytes = BOX.encrypt(json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode())
    return b'{"encrypted":true,"encrypted_data":"%s"}' % base64.b64encode(sealed_bytes)


def data_size(body_size, kind):
    """Bytes that were sealed in a body of this size."""
    frame = len('{"type":"","encrypted":true,"encrypted_data":""}') + len(kind)
    return int((body_size - frame) * 3 / 4) - sealed.OVERHEAD


def _open(body):
    return sealed.unseal(json.loads(body)["encrypted_data"], SECRET)


class GPSD:
    """Reports `count` epochs to the first client that watches: a TPV and a SKY each, 30 m north of the last one; 30 m a
    second with a `rate`.

    With `paced` each epoch waits for `go()`, so that no fix overtakes the delivery of the one before it. With a `rate`
    so many come each second, as they are. Else they come as fast as they are read, with times 10 ms apart, so that none
    is a duplicate or in the future.
    """

    def __init__(self, count, paced=False, rate=None, accuracy=5.13):
        self._count, self._rate, self._accuracy = count, rate, accuracy
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
        begin, step = time.monotonic(), 0.00027 / (self._rate or 1)
        for number in range(self._count):
            moment = self._clock + number * 0.01
            if self._permits:
                self._permits.acquire()
            if self._rate:
                time.sleep(max(0.0, begin + number / self._rate - time.monotonic()))
                moment = time.time()
            connection.sendall(_epoch(moment, 48 + number * step, self._accuracy))


def _devices():
    return (b'{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"NMEA0183",'
            b'"activated":"2026-11-21T04:00:00.000Z","flags":1,"native":0,"bps":9600,"parity":"N","stopbits":1,'
            b'"cycle":1.00}]}\r\n')


def _epoch(moment, latitude, accuracy):
    clock = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).isoformat(timespec="milliseconds")[:-6] + "Z"
    tpv = (f'{{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"{clock}","ept":0.005,"lat":{latitude:.9f},'
           '"lon":4.892200000,"altHAE":55.4000,"altMSL":12.3000,"alt":12.3000,"epx":3.520,"epy":3.100,"epv":7.400,'
           '"track":359.5000,"magtrack":1.2000,"magvar":1.7,"speed":30.000,"climb":0.100,"eps":7.04,"epc":14.80,'
           f'"geoidSep":43.100,"eph":{accuracy:.3f},"sep":9.200}}\r\n')
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
