"""Home Assistant's WebSocket as the bench's Home Assistant speaks it: lets everybody in, takes subscriptions, and hands
on what `webhook/handle` brings. Frames and JSON are the real one's (2024.3), byte for byte."""

import base64
import hashlib
import json
import socket
import struct

ADDRESS = b"GET /api/websocket "
WELCOME = b'{"type":"auth_required","ha_version":"2024.3.3"}'
LET_IN = b'{"type":"auth_ok","ha_version":"2024.3.3"}'
HEARTBEAT = 55  # seconds of silence after which it pings
TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA


class Channel:
    """One connection. `take(body, size, send)` is called with each webhook request, what it weighed on the wire, and
    what sends the answer to it: `send(body)`, which returns what that weighed. `opened()` is called when notifications
    are subscribed to."""

    def __init__(self, connection, buffer, take, opened):
        self._connection, self._buffer, self._take, self._opened = connection, buffer, take, opened

    def serve(self):
        """Speak until the other side has gone."""
        self._connection.settimeout(HEARTBEAT)
        self._upgrade()
        self._send(TEXT, WELCOME)
        while True:
            operation, payload, size = self._frame()
            if operation == CLOSE:
                return
            if operation == PING:
                self._send(PONG, payload)
            elif operation == TEXT:
                self._obey(json.loads(payload), size)

    def _obey(self, message, size):
        kind, number = message["type"], message.get("id")
        if kind == "auth":
            self._send(TEXT, LET_IN)
        elif kind == "ping":
            self._send(TEXT, b'{"id":%d,"type":"pong"}' % number)
        elif kind == "webhook/handle":
            self._take(message["body"].encode(), size, lambda body: self._send(TEXT, result(number, answer(body))))
        else:
            self._send(TEXT, result(number, b"null"))
            if kind == "mobile_app/push_notification_channel":
                self._opened()

    def _upgrade(self):
        while b"\r\n\r\n" not in self._buffer:
            self._more()
        head, self._buffer = self._buffer.split(b"\r\n\r\n", 1)
        key = next(line.split(b":", 1)[1].strip() for line in head.split(b"\r\n")
                   if line.lower().startswith(b"sec-websocket-key:"))
        accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        self._connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
                                 b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")

    def _frame(self):
        """(operation, payload, size with its head) of a whole message, which Homing sends in one frame each."""
        self._need(2)
        operation, length, begin = self._buffer[0] & 0x0F, self._buffer[1] & 0x7F, 2
        if length >= 126:
            form, begin = (">H", 4) if length == 126 else (">Q", 10)
            self._need(begin)
            length, = struct.unpack(form, self._buffer[2:begin])
        size = begin + 4 + length
        self._need(size)
        mask, masked, self._buffer = (self._buffer[begin:begin + 4], self._buffer[begin + 4:size], self._buffer[size:])
        key = int.from_bytes((mask * (length // 4 + 1))[:length], "big")
        return operation, (int.from_bytes(masked, "big") ^ key).to_bytes(length, "big"), size

    def _need(self, count):
        while len(self._buffer) < count:
            self._more()

    def _more(self):
        try:
            chunk = self._connection.recv(1 << 18)
        except socket.timeout:
            return self._send(PING, b"")
        if not chunk:
            raise ConnectionResetError("it hung up")
        self._buffer += chunk

    def _send(self, operation, payload):
        """Send a frame, and say how long it was."""
        length = len(payload)
        size = bytes([length]) if length < 126 else (
            b"\x7e" + struct.pack(">H", length) if length < 65536 else b"\x7f" + struct.pack(">Q", length))
        frame = bytes([0x80 | operation]) + size + payload
        self._connection.sendall(frame)
        return len(frame)


def result(number, content):
    """What Home Assistant says of a command that it has done."""
    return b'{"id":%d,"type":"result","success":true,"result":%s}' % (number, content)


def answer(body):
    """The result of a webhook request."""
    text = json.dumps(body.decode(), ensure_ascii=False)
    return b'{"body":%s,"status":200,"headers":{"Content-Type":"application/json"}}' % text.encode()
