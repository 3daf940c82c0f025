"""Figures of programs behind one real gpsd at 1 Hz whose receiver moves, all of a round at once."""

import contextlib
import copy
import dataclasses
import time

from homing_rigs import gps, processes
from homing_rigs.bus import SystemBus

from . import process
from .stand_ins import GPSD, HomeAssistant, Traffic
from .subjects import Floor, Homing
from .tracks import write_track

# A real gpsd tells 17 m of accuracy for HDOP 0.9, and the receiver moves 30 m a second: each fix is reported.
MOVING = "[location]\nmin_distance=1\n"


@dataclasses.dataclass
class Kind:
    """A program of a round: homingd with a durability (None: the default), so many homes, its channel open or none; or a
    C client, by its path."""

    durability: str | None = None
    homes: int = 1
    channel: bool = False
    floor: object = None

    def start(self, programs, servers, gpsd_port, environment):
        """Start it. Returns the child, and the Homing that it is of, if it is one."""
        if self.floor:
            mode = ("--gpsd", "127.0.0.1", gpsd_port, "--network-manager")
            return Floor(self.floor, environment).start(servers[0], *mode), None
        durability = f"[outbox]\ndurability={self.durability}\n" if self.durability else ""
        homing = Homing(programs, [server.port for server in servers], gpsd_port, f"{MOVING}{durability}",
                        environment, self.channel)
        return homing.start(), homing


@contextlib.contextmanager
def surroundings(seconds):
    """A bus with NetworkManager and UPower, and a gpsd whose receiver moves for so long. Yields (bus, receiver)."""
    with SystemBus() as bus, gps.GPSD() as receiver:
        bus.network_manager_start()
        bus.wifi("Bench")
        bus.upower_start()
        bus.no_battery()
        track = receiver.folder / "straight.nmea"
        write_track(track, seconds, speed=30)
        receiver.start(track=track)
        yield bus, receiver


def together(programs, kinds, seconds, warm_up, watch, remember=None):
    """{name: figures} of kinds {name: Kind}, which run beside each other: wake-ups and CPU time of `seconds`, which are
    watched by `watch()`, and bytes per message. `remember` is the one that then has its memory looked at, alone."""
    with surroundings(warm_up + seconds + 90) as (bus, receiver):
        servers = {name: [HomeAssistant() for _ in range(kind.homes)] for name, kind in kinds.items()}
        started = {name: kind.start(programs, servers[name], receiver.port, bus.environment)
                   for name, kind in kinds.items()}
        children = {name: child for name, (child, _) in started.items()}
        for name, kind in kinds.items():
            for server in servers[name]:
                processes.wait_for(lambda: children[name].must_live() or server.count(), 30, f"{name} delivers")
                if kind.channel and not server.channel_opened.wait(30):
                    raise TimeoutError(f"{name} has opened no channel")
        time.sleep(1)  # what went by HTTP before the channel was there has been answered
        early = {name: _traffic(servers[name]) for name in kinds}
        time.sleep(warm_up)
        with watch():
            before = {name: (process.Sample(child.pid), _count(servers[name])) for name, child in children.items()}
            time.sleep(seconds)
            found = {name: _used(children[name], servers[name], *before[name], seconds) for name in kinds}
        # Receipts come every 145 s. An event that somebody waits for has its receipt at once.
        for name, (_, homing) in started.items():
            if homing:
                homing.prove_an_event()
            found[name] |= _weights(servers[name][0], early[name])
        # By itself: pages that are shared would count by halves.
        for name, child in children.items():
            if name != remember:
                child.stop()
        if remember:
            found[remember] |= process.memory(children[remember].pid)
            children[remember].stop()
        return found


def memory_of_floor(floor):
    """Memory of a C client, alone, once it delivers."""
    with surroundings(60) as (bus, receiver):
        server = HomeAssistant()
        child, _ = Kind(floor=floor).start(None, [server], receiver.port, bus.environment)
        processes.wait_for(server.count, 30, "it delivers")
        time.sleep(5)
        found = process.memory(child.pid)
        child.stop()
        return found


def written(programs, seconds, warm_up):
    """Bytes written to the disk in an hour of moving, by so many seconds of it."""
    with surroundings(warm_up + seconds + 60) as (bus, receiver):
        server = HomeAssistant()
        child, _ = Kind(channel=True).start(programs, [server], receiver.port, bus.environment)
        processes.wait_for(server.count, 60, "it delivers")
        time.sleep(warm_up)
        before, delivered = process.written(child.pid), server.count()
        time.sleep(seconds)
        found = {"mb_per_hour": (process.written(child.pid) - before) * 3600 / seconds / 1e6,
                 "deliveries": server.count() - delivered, "seconds": seconds}
        child.stop()
        return found


def fast(programs, rate, seconds, configuration, watch, accuracy=5.13):
    """A receiver that reports so often a second, moving 30 m a second: CPU time and wake-ups, with the channel open."""
    source, server = GPSD(int(rate * (seconds + 60)), rate=rate, accuracy=accuracy), HomeAssistant()
    child = Homing(programs, server.port, source.port, configuration, channel=True).start()
    if not server.channel_opened.wait(30):
        raise TimeoutError("no channel was opened")
    time.sleep(min(5, seconds / 4))
    with watch():
        before, delivered = process.Sample(child.pid), server.count()
        time.sleep(seconds)
        switches, cpu, by_thread = process.Sample(child.pid).since(before)
    found = {"percent": cpu / 10 / seconds, "switches_per_second": switches / seconds, "switches_by_thread": by_thread,
             "deliveries_per_second": (server.count() - delivered) / seconds}
    child.stop()
    source.close()
    server.close()
    return found


def _count(servers):
    return sum(server.count() for server in servers)


def _traffic(servers):
    return copy.deepcopy(dict(servers[0].traffic))


def _used(child, servers, before, delivered, seconds):
    """What a process has used since the sample."""
    switches, cpu, by_thread = process.Sample(child.pid).since(before)
    count = _count(servers) - delivered
    return {"deliveries": count, "switches_per_second": switches / seconds, "switches_by_thread": by_thread,
            "cpu_ms_per_delivery": cpu / count}


def _weights(server, early):
    """What the messages to a home weighed since `early`."""
    traffic = {kind: now.since(early.get(kind, Traffic())) for kind, now in list(server.traffic.items())}
    weights = {kind: one.bytes_each for kind, one in traffic.items() if one.count}
    return {"bytes_per_update": weights.get("update_location"), "bytes_per_receipt": weights.get("render_template"),
            "bytes": {kind: str(one) for kind, one in traffic.items() if one.count}}
