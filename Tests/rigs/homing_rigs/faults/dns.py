"""A small DNS server (UDP and TCP) that answers for every name what it was told, or fails as name servers do.

By hand (from Tests/rigs): /usr/bin/python3 -m homing_rigs.faults.dns ADDRESS PORT MODE [ANSWER…]
"""

import asyncio
import ipaddress
import socket
import struct
import sys
import time

from ..loop import call, on_loop
from . import hand

A, AAAA = 1, 28
CODES = {"ok": 0, "servfail": 2, "nxdomain": 3, "refused": 5}
MODES = [*CODES, "timeout", "garbage", "wrong-id", "truncated", "empty"]


class NameServer:
    """Answers at `host`:`port` with `addresses` (IPv4 and IPv6, for any name). `queries` is what was asked:
    (time, name, type)."""

    def __init__(self, addresses, host="127.0.0.1", port=53, sockets=None):
        """`sockets()` makes an UDP socket and a listening TCP one at that host and port (of another namespace)."""
        self.host, self.port = host, port
        self._sockets = sockets
        self.queries = []
        self._addresses, self._mode, self._delay = list(addresses), "ok", 0.0
        self._udp = self._tcp = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Listen. Returns self."""
        on_loop(self._listen())
        return self

    def stop(self):
        """Listen no more: queries are answered by the kernel's "port unreachable"."""
        on_loop(self._close())

    def answer(self, *addresses):
        """From now on these addresses."""
        call(self._set, "ok", list(addresses), 0.0)

    def mode(self, name, delay=0.0):
        """From now on be one of MODES, after `delay` seconds; "ok" answers with the addresses again."""
        if name not in MODES:
            raise ValueError(f"no mode {name!r}")
        call(self._set, name, self._addresses, delay)

    def _set(self, mode, addresses, delay):
        self._mode, self._addresses, self._delay = mode, addresses, delay

    async def _listen(self):
        loop = asyncio.get_running_loop()
        if self._sockets:
            udp, tcp = self._sockets()
            self._udp, _ = await loop.create_datagram_endpoint(lambda: _Datagrams(self), sock=udp)
            self._tcp = await asyncio.start_server(self._serve_tcp, sock=tcp)
            return
        self._udp, _ = await loop.create_datagram_endpoint(lambda: _Datagrams(self), (self.host, self.port))
        self._tcp = await asyncio.start_server(self._serve_tcp, self.host, self.port)

    async def _close(self):
        if self._udp:
            self._udp.close()
            self._tcp.close()
            self._udp = self._tcp = None

    async def _serve_tcp(self, reader, writer):
        try:
            length, = struct.unpack(">H", await reader.readexactly(2))
            reply = await self.reply(await reader.readexactly(length), tcp=True)
            if reply:
                writer.write(struct.pack(">H", len(reply)) + reply)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def reply(self, query, tcp=False):
        """The answer to a query; None for silence."""
        name, kind, question = read_question(query)
        self.queries.append((time.time(), name, kind))
        mode = self._mode
        if self._delay:
            await asyncio.sleep(self._delay)
        if mode == "timeout":
            return None
        if mode == "garbage":
            return query[:2] + bytes(range(60))
        if mode == "truncated" and not tcp:
            return query[:2] + struct.pack(">HHHHH", 0x8380, 1, 0, 0, 0) + question
        answers = [] if mode not in ("ok", "wrong-id", "truncated") else [
            packed(address) for address in self._addresses if kind == (A if "." in address else AAAA)]
        number = bytes(byte ^ 0xff for byte in query[:2]) if mode == "wrong-id" else query[:2]
        flags = 0x8180 | CODES.get(mode, 0)
        return (number + struct.pack(">HHHHH", flags, 1, len(answers), 0, 0) + question
                + b"".join(b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 0, len(data)) + data for data in answers))


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, server):
        self.server, self.transport = server, None

    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, address):
        asyncio.get_running_loop().create_task(self._answer(data, address))

    async def _answer(self, data, address):
        reply = await self.server.reply(data)
        if reply and not self.transport.is_closing():
            self.transport.sendto(reply, address)


def packed(address):
    """An address as it travels."""
    return ipaddress.ip_address(address).packed


def read_question(query):
    """(name, type, the question as it came) of a query."""
    labels, at = [], 12
    while query[at]:
        labels.append(query[at + 1:at + 1 + query[at]].decode("latin-1"))
        at += 1 + query[at]
    return ".".join(labels), struct.unpack(">H", query[at + 1:at + 3])[0], query[12:at + 5]


def ask(name, host, port, kind=A, tcp=False, seconds=1.0):
    """(response code, addresses) of a question; raises OSError without an answer. For the rig's own tests."""
    question = b"".join(bytes([len(part)]) + part.encode() for part in name.split(".")) + struct.pack(">BHH", 0, kind, 1)
    query = b"\x12\x34" + struct.pack(">HHHHH", 0x0100, 1, 0, 0, 0) + question
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM if tcp else socket.SOCK_DGRAM) as there:
        there.settimeout(seconds)
        there.connect((host, port))
        there.sendall((struct.pack(">H", len(query)) if tcp else b"") + query)
        reply = there.recv(2000)[2 if tcp else 0:]
    count, = struct.unpack(">H", reply[6:8])
    size = 4 if kind == A else 16
    ends = [len(reply) - (count - 1 - index) * (12 + size) for index in range(count)]
    return reply[3] & 15, [str(ipaddress.ip_address(reply[end - size:end])) for end in ends]


def _main(host, port, mode, *addresses):
    with NameServer(addresses, host, int(port)) as server:
        server.mode(mode)
        print(f"{mode} at {host}:{port}", flush=True)
        hand.obey({"mode": lambda name, delay=0: server.mode(name, float(delay)), "answer": server.answer,
                   "queries": lambda: len(server.queries)})


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    _main(*sys.argv[1:])
