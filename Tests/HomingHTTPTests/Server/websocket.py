"""WebSockets that behave well and badly. The first piece of the path says how; frames are made by hand, as many of
these no library would send."""
import base64
import hashlib
import os
import socket
import struct
import time

import homeassistant

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def frame(opcode, payload=b"", final=True, flags=0, mask=None, length=None):
    """A frame; `length` overrides what its head says."""
    size = len(payload) if length is None else length
    head = bytes([(0x80 if final else 0) | flags | opcode])
    masked = 0x80 if mask else 0
    if size < 126:
        head += bytes([masked | size])
    elif size < 65536:
        head += bytes([masked | 126]) + struct.pack(">H", size)
    else:
        head += bytes([masked | 127]) + struct.pack(">Q", size)
    if mask:
        payload = mask + bytes(byte ^ mask[i & 3] for i, byte in enumerate(payload))
    return head + payload


def accept(key):
    return base64.b64encode(hashlib.sha1(key + GUID).digest())


def switching(key, extra=b""):
    return (b"HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept(key) + b"\r\n" + extra + b"\r\n")


class Client:
    """What the other side sends."""

    def __init__(self, sock, buffer):
        self.sock, self.buffer = sock, buffer

    def take(self, count):
        while len(self.buffer) < count:
            piece = self.sock.recv(65536)
            if not piece:
                raise ConnectionError("closed")
            self.buffer += piece
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def frame(self):
        first, second = self.take(2)
        assert second & 0x80, "clients mask"
        size = second & 0x7F
        if size == 126:
            size = struct.unpack(">H", self.take(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", self.take(8))[0]
        mask, payload = self.take(4), self.take(size)
        plain = int.from_bytes(payload, "big") ^ int.from_bytes((mask * (size // 4 + 1))[:size], "big")
        return first & 15, plain.to_bytes(size, "big")


# What is wrong with the head of the answer, by name; `None` stands for the right one.
HEADS = {
    "ws-lie": lambda key: switching(b"another key"),
    "ws-plain": lambda key: b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
    "ws-forbidden": lambda key: b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n",
    "ws-redirect": lambda key: b"HTTP/1.1 302 Found\r\nLocation: /ws-echo\r\n\r\n",
    "ws-garbage": lambda key: b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
    "ws-extension": lambda key: switching(key, b"Sec-WebSocket-Extensions: permessage-deflate\r\n"),
    "ws-protocol": lambda key: switching(key, b"Sec-WebSocket-Protocol: chat\r\n"),
    "ws-no-upgrade": lambda key: (b"HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: " + accept(key)
                                  + b"\r\n\r\n"),
}

# What is sent after a right answer, and nothing more.
FRAMES = {
    "ws-masked": frame(TEXT, b"hello", mask=b"abcd"),
    "ws-reserved": frame(TEXT, b"hello", flags=0x40),
    "ws-opcode": frame(3, b"hello"),
    "ws-control-opcode": frame(11, b"hello"),
    "ws-long-ping": frame(PING, b"x" * 126),
    "ws-split-ping": frame(PING, b"x", final=False),
    "ws-lost-continuation": frame(CONTINUATION, b"hello"),
    "ws-text-in-text": frame(TEXT, b"a", final=False) + frame(TEXT, b"b"),
    "ws-not-utf8": frame(TEXT, b"\xff\xfe"),
    "ws-huge": frame(TEXT, b"", length=1 << 40),
    "ws-negative": frame(TEXT, b"", length=1 << 63),
    "ws-large": frame(TEXT, b"x" * (3 << 20)),
    "ws-short-close": frame(CLOSE, b"x"),
    "ws-false-code": frame(CLOSE, struct.pack(">H", 1005)),
    "ws-close": frame(CLOSE, struct.pack(">H", 1001) + b"bye"),
    "ws-bare-close": frame(CLOSE),
    "ws-binary": frame(BINARY, b"\x00\x01"),
}


def serve(sock, head, buffer):
    """Upgrades, and behaves as the path says until the client goes."""
    behaviour = head.split(b" ")[1].decode().split("?")[0].split("/")[1]
    key = next(line.split(b":", 1)[1].strip() for line in head.split(b"\r\n")
               if line.lower().startswith(b"sec-websocket-key:"))
    if behaviour == "ws-hangup":
        return
    if behaviour == "ws-silent":
        time.sleep(60)
    if behaviour == "ws-endless-head":
        sock.sendall(b"HTTP/1.1 101 Switching Protocols\r\n")
        while True:
            sock.sendall(b"X-Filler: " + b"x" * 1000 + b"\r\n")
    if behaviour in HEADS:
        sock.sendall(HEADS[behaviour](key))
        time.sleep(60)
    client = Client(sock, buffer)
    answer = switching(key)
    if behaviour == "ws-early":
        sock.sendall(answer + frame(TEXT, b"early") + frame(TEXT, b"bird"))
    elif behaviour == "ws-bytes":
        for byte in answer + frame(TEXT, "grüße".encode()):
            sock.sendall(bytes([byte]))
    else:
        sock.sendall(answer)
    if behaviour == "ws-head":
        sock.sendall(frame(TEXT, head))
    if behaviour in FRAMES:
        sock.sendall(FRAMES[behaviour])
    behave(behaviour, sock, client)


def behave(behaviour, sock, client):
    """The rest of the conversation."""
    if behaviour == "ha":
        homeassistant.converse(sock, client)
        return
    if behaviour == "ws-flood":
        while True:
            sock.sendall(frame(TEXT, b"x" * 100) * 100)
    if behaviour == "ws-flood-pings":
        while True:
            sock.sendall(frame(PING, b"x" * 100) * 100)
    if behaviour == "ws-flood-empty-pings":
        while True:
            sock.sendall(frame(PING) * 100_000)
    if behaviour == "ws-many-then-drop":
        sock.sendall(frame(TEXT, b"x") * 2500)
        return
    if behaviour == "ws-endless":
        sock.sendall(frame(TEXT, b"x", final=False))
        while True:
            sock.sendall(frame(CONTINUATION, b"x" * 65536, final=False))
    if behaviour == "ws-stall":
        time.sleep(60)
    if behaviour == "ws-drop":
        client.frame()
        return
    if behaviour == "ws-reset":
        client.frame()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return
    if behaviour == "ws-ping":
        sock.sendall(frame(PING, b"are you there"))
    while True:
        opcode, payload = client.frame()
        if opcode == CLOSE:
            sock.sendall(frame(CLOSE, payload))
            return
        if opcode == PONG:
            sock.sendall(frame(TEXT, b"pong " + payload))
        elif opcode == PING:
            sock.sendall(frame(PONG, payload))
        elif behaviour == "ws-fragments":
            pieces = [payload[i:i + 1] for i in range(len(payload))]
            for number, piece in enumerate(pieces):
                last = number == len(pieces) - 1
                sock.sendall(frame(TEXT if number == 0 else CONTINUATION, piece, final=last) + (
                    b"" if last else frame(PONG, os.urandom(3))))
        elif behaviour == "ws-count":
            sock.sendall(frame(TEXT, b"%d" % len(payload)))
        else:
            sock.sendall(frame(TEXT, payload))
