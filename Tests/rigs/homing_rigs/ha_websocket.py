"""Home Assistant's WebSocket API, as much of it as the rig needs: commands, and events collected in a thread."""

import base64
import json
import secrets
import socket
import struct
import threading
import time


class Refused(Exception):
    """Home Assistant answered a command with an error."""


class WebSocket:
    """An authenticated connection for a few commands: text frames, no extensions, answers pings."""

    def __init__(self, host, port, token, timeout=60):
        self.socket = socket.create_connection((host, port), timeout)
        self.buffer = b""
        self.last_id = 0
        self._upgrade(f"{host}:{port}")
        self.receive()  # auth_required
        self.send({"type": "auth", "access_token": token})
        answer = self.receive()
        if answer["type"] != "auth_ok":
            raise Refused(answer.get("message"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """End the connection, also for a thread that is reading from it."""
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()

    def call(self, command, **fields):
        """Send a command and return its result; raises Refused on an error."""
        self.last_id += 1
        self.send({"id": self.last_id, "type": command, **fields})
        while True:
            answer = self.receive()
            if answer.get("id") == self.last_id and answer["type"] == "result":
                if not answer["success"]:
                    raise Refused(f"{command}: {answer['error']}")
                return answer["result"]

    def send(self, message):
        """Send one JSON message."""
        self._send_frame(0x1, json.dumps(message).encode())

    def receive(self):
        """The next JSON message; EOFError when the server has closed."""
        parts = b""
        while True:
            first, second = self._read(2)
            length = second & 0x7F
            if length >= 126:
                wide = length == 127
                length = struct.unpack(">Q" if wide else ">H", self._read(8 if wide else 2))[0]
            payload, operation = self._read(length), first & 0x0F
            if operation == 0x8:
                raise EOFError("closed by Home Assistant")
            if operation == 0x9:
                self._send_frame(0xA, payload)
            if operation in (0x0, 0x1):
                parts += payload
                if first & 0x80:
                    return json.loads(parts)

    def _upgrade(self, host):
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        self.socket.sendall((
            f"GET /api/websocket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        status = head.split(b"\r\n")[0].decode()
        if " 101" not in status:
            raise ConnectionError(f"no WebSocket: {status}")

    def _send_frame(self, operation, payload):
        mask, length = secrets.token_bytes(4), len(payload)
        if length < 126:
            size = bytes([0x80 | length])
        elif length < 65536:
            size = bytes([0x80 | 126]) + struct.pack(">H", length)
        else:
            size = bytes([0x80 | 127]) + struct.pack(">Q", length)
        masked = bytes(byte ^ mask[i & 3] for i, byte in enumerate(payload))
        self.socket.sendall(bytes([0x80 | operation]) + size + mask + masked)

    def _more(self):
        chunk = self.socket.recv(65536)
        if not chunk:
            raise EOFError("connection closed")
        self.buffer += chunk

    def _read(self, count):
        while len(self.buffer) < count:
            self._more()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data


class Events:
    """Collects the events of one type (None: of all types) from its opening on; used with `with`."""

    def __init__(self, websocket, event_type=None):
        self._websocket = websocket
        self._arrived = threading.Condition()
        self._collected = []
        websocket.call("subscribe_events", **({"event_type": event_type} if event_type else {}))
        websocket.socket.settimeout(None)
        self._thread = threading.Thread(target=self._collect, name="events", daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._websocket.close()
        self._thread.join(5)

    def _collect(self):
        try:
            while True:
                message = self._websocket.receive()
                if message["type"] == "event":
                    with self._arrived:
                        self._collected.append(message["event"])
                        self._arrived.notify_all()
        except (EOFError, OSError, ValueError):
            pass  # closed, or Home Assistant went away: what was collected stays

    def all(self):
        """The events so far: dictionaries with event_type, data, time_fired, context."""
        with self._arrived:
            return list(self._collected)

    def wait(self, condition=lambda event: True, seconds=30, count=1):
        """The first `count` events for which `condition` holds (the one event if count is 1)."""
        end = time.monotonic() + seconds
        with self._arrived:
            while True:
                found = [event for event in self._collected if condition(event)][:count]
                if len(found) == count:
                    return found[0] if count == 1 else found
                if not self._arrived.wait(max(0, end - time.monotonic())) and time.monotonic() >= end:
                    raise TimeoutError(f"{len(found)} of {count} events within {seconds} s "
                                       f"({len(self._collected)} of any kind)")
