"""To whom the machine speaks: every packet that leaves a namespace with daemon and command is looked at."""

import contextlib
import socket
import struct
import threading

import pytest
from faults.flight import CONFIGURATION, Flight
from homing_rigs.faults.dns import NameServer
from homing_rigs.faults.gpsd import FakeGPSD
from homing_rigs.faults.server import FaultServer
from homing_rigs.netns import Namespace, ip
from homing_rigs.processes import wait_for

pytestmark = pytest.mark.skipif(not Namespace.possible(), reason="network namespaces need root")
NAME = "home.local"
IPV4, IPV6, EVERY, OUTGOING = 0x0800, 0x86DD, 0x0003, 4
SYN, ACK = 0x02, 0x10


def destination(frame, kind):
    """(address, port) of a packet of UDP, or of one that begins a connection of TCP; None of any other: the kernel
    answers by itself what still comes for a connection of an earlier namespace."""
    if kind == IPV4:
        protocol, address, offset = frame[9], socket.inet_ntop(socket.AF_INET, frame[16:20]), (frame[0] & 15) * 4
    elif kind == IPV6:
        protocol, address, offset = frame[6], socket.inet_ntop(socket.AF_INET6, frame[24:40]), 40
    else:
        return None
    begins = protocol == socket.IPPROTO_TCP and frame[offset + 13] & (SYN | ACK) == SYN
    if not begins and protocol != socket.IPPROTO_UDP:
        return None
    return address, struct.unpack_from("!H", frame, offset + 2)[0]


class Watch:
    """What leaves a namespace through its cable: `seen` has every destination."""

    def __init__(self, link):
        self.seen = set()
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(EVERY))
        self._socket.bind((link, EVERY))
        self._socket.settimeout(0.2)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()
        self._socket.close()

    def _look(self):
        while not self._ended.is_set():
            with contextlib.suppress(TimeoutError):
                frame, (_, kind, direction, *_) = self._socket.recvfrom(65536)
                if direction != OUTGOING and (found := destination(frame, kind)):
                    self.seen.add(found)


@pytest.fixture
def island():
    """A namespace whose every packet, wherever it is for, comes by its cable."""
    with Namespace(names=(), name_server=True) as namespace:
        ip("-n", namespace.name, "route", "add", "default", "via", namespace.near)
        ip("-n", namespace.name, "route", "add", "224.0.0.0/4", "dev", "eth0")
        yield namespace


@pytest.fixture
def watch(island):
    link = next(line.split()[1].split("@")[0].rstrip(":") for line in ip("-o", "address").stdout.splitlines()
                if f" {island.near}/" in line)
    with Watch(link) as running:
        yield running


def test_only_home_assistant_gpsd_and_the_name_server_are_spoken_to(island, watch, make_agent):
    with NameServer([island.near], island.near) as names, FaultServer(host=island.near) as home, \
            FakeGPSD(host=island.near) as gpsd:
        configuration = CONFIGURATION.format(gpsd=gpsd) + "[sensors]\nscripts =\n[push]\nmode = always\n"
        agent = make_agent(configuration, prefix=tuple(island.prefix)).start()
        agent.register(f"http://{NAME}:{home.port}", home.token)
        flight = Flight(agent, gpsd, home)
        assert flight.send() == "delivered"
        flight.restart()
        assert flight.send() == "delivered"
        for words in (["status"], ["zones"], ["doctor"], ["track"], ["event", "x"], ["config", "check"]):
            agent.homing(*words, check=False)
        home.stop()
        assert flight.send() == "queued"
        home.start()
        wait_for(lambda: flight.queue()["queued"] == 0, 60, "everything home")
        meant = {(island.near, home.port), (island.near, gpsd.port), (island.near, 53)}
        assert {name.rstrip(".").lower() for _, name, _ in names.queries} == {NAME}
        assert watch.seen == meant


@pytest.mark.parametrize("kind, address, port", [
    ("SOCK_STREAM", "192.0.2.7", 443), ("SOCK_DGRAM", "192.0.2.7", 123), ("SOCK_DGRAM", "224.0.0.251", 5353)])
def test_a_packet_to_somebody_else_is_noticed(kind, address, port, island, watch):
    script = (f"import socket; s = socket.socket(socket.AF_INET, socket.{kind}); s.settimeout(0.5)\n"
              f"try: s.connect(('{address}', {port})); s.send(b'x')\nexcept OSError: pass\n")
    island.run("/usr/bin/python3", "-c", script)
    wait_for(lambda: (address, port) in watch.seen, 5, "the packet")
