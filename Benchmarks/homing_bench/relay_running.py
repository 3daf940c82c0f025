"""The measurements of `Benchmarks/bench-relay`."""

import asyncio
import json
import os
import resource
import secrets
import statistics
import time

from homing_rigs.relay_device import RelaySocket
from homing_rigs.relay_keys import to_bytes, to_text
from homing_rigs.relay_posts import Poster

from . import process


def tokens_of(devices):
    return [device.token for device in devices]


def made_up(count):
    """Tokens of the right form that no relay has given."""
    return ["hr1." + to_text(b"\x01\x00\x00" + secrets.token_bytes(48)) for _ in range(count)]


def rates(generator, servers, tokens, at_once, requests, rounds):
    """Each server in turn, `rounds` times, so that a machine that does other things does them to all. Returns what was
    measured by name: a list for each."""
    found = {name: [] for name in servers}
    for _ in range(rounds):
        for name, server in servers.items():
            found[name].append(generator.post(server, tokens[name], at_once, requests))
    return found


def middle(rows, key):
    """The median of a figure."""
    return statistics.median(row[key] for row in rows)


def ratio(ours, theirs, key="rate"):
    """The median of the ratios of what was measured one after the other."""
    return statistics.median(one[key] / other[key] for one, other in zip(ours, theirs))


def to_device(relay, device, count, pause, holder=None):
    """Milliseconds from the first byte of a POST to the frame at the device: (median, 99th percentile), and the same to
    the 201. Poster and device share a process, whose own work counts. `holder` is the relay that holds the device, where
    it is another one."""
    async def story():
        socket = await RelaySocket.open(device.keys, (holder or relay).port)
        poster = Poster(relay.port)
        delivered, answered = [], []
        async def post(number, begin):
            status, _ = await poster.post({"message": f"text {number}", "push_token": device.token})
            assert status == 201
            answered.append(time.perf_counter() - begin)

        for number in range(count):
            begin = time.perf_counter()
            answer = asyncio.create_task(post(number, begin))
            frame = await socket.next()
            delivered.append(time.perf_counter() - begin)
            await answer
            parcel = device.keys.parcel(to_bytes(frame["parcel"]))
            assert json.loads(parcel.body)["message"] == f"text {number}", "another message than the one just posted"
            socket.acknowledge(frame["m"])
            await asyncio.sleep(pause)
        await asyncio.sleep(0.1)  # for the last acknowledgement
        socket.close()
        poster.close()
        return delivered, answered

    return tuple((1000 * statistics.median(times), 1000 * statistics.quantiles(times, n=100)[98])
                 for times in asyncio.run(story()))


class Idle:
    """Devices that hold their sockets and say nothing. `with Idle(relay, devices):` By TLS where `tls` is a context."""

    def __init__(self, relay, devices, tls=None):
        self.port, self.devices, self.tls = relay.tls_port if tls else relay.port, devices, tls
        self._loop = asyncio.new_event_loop()
        self._sockets = []

    def __enter__(self):
        self._sockets = self._loop.run_until_complete(self._open())
        return self

    def __exit__(self, *_):
        for socket in self._sockets:
            socket.close()
        self._loop.run_until_complete(asyncio.sleep(0.5))
        self._loop.close()

    async def _open(self):
        gate = asyncio.Semaphore(64)

        async def one(device):
            async with gate:
                return await RelaySocket.open(device.keys, self.port, device.address, self.tls)

        return await asyncio.gather(*(one(device) for device in self.devices))


def own_bytes(pid):
    """What a process has allocated, in bytes."""
    return process.memory(pid)["anonymous"] * (1 << 20)


def base_memory(pid):
    """(resident, anonymous, proportional) in MiB, of a relay that has started and nobody has asked for anything."""
    found = process.memory(pid)
    resident, anonymous, proportional = found["resident"], found["anonymous"], found["pss"]
    return resident, anonymous, proportional


def most_sockets(wanted):
    """How many devices this machine's limit of open files lets one process hold."""

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return min(wanted, hard - 1000)


def load_of_machine():
    """What else the machine does: the load of the last minute, and its processors."""
    return os.getloadavg()[0], os.cpu_count()
