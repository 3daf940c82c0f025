"""Figures of a homingd that has little to do: standing still, idle, with sensors, located otherwise, and starting."""

import os
import statistics
import subprocess
import threading
import time

from homing_rigs import debian_tree, geoclue, gps, processes
from homing_rigs.bus import SystemBus

from . import process
from .stand_ins import HomeAssistant
from .subjects import Homing
from .tracks import write_track

ELSEWHERE = "192.168.77.2"
ALL_SENSORS = "[sensors]\nenable=all\nscripts=\n"
# Without a receiver: nothing shows the location, a place by its access point, GeoClue.
BARE = "[gpsd]\nenabled=false\n"
PLACED = BARE + "[place.Bench]\nlatitude=52.36760\nlongitude=4.90410\nbssid=02:00:00:00:01:00\n"
LOOKED_UP = BARE + "[geoclue]\nenabled=true\n"


class Background:
    """Something that is left alone while other things are measured, since only waiting shows how it waits."""

    def __init__(self, measure):
        self._result = self._problem = None
        self._thread = threading.Thread(target=self._run, args=(measure,), daemon=True)
        self._thread.start()

    def _run(self, measure):
        try:
            self._result = measure()
        except Exception as problem:
            self._problem = problem

    def wait(self):
        """The result, when it is there; what went wrong is raised here."""
        self._thread.join()
        if self._problem:
            raise self._problem
        return self._result


def idle(programs, age, seconds, has_network):
    """No gpsd: wake-ups a minute from `age` on (in its first two minutes it tries gpsd every 5 s). Without a network the
    daemon is in a namespace that has none, and its Home Assistant on another machine. With one, NetworkManager and the
    kernel have a network, and nobody listens at Home Assistant's address."""
    with SystemBus() as bus:
        bus.network_manager_start()
        if has_network:
            bus.wifi("Bench")
        else:
            bus.wifi_off()
        homing = Homing(programs, processes.free_port(), processes.free_port(), environment=bus.environment,
                        host="127.0.0.1" if has_network else ELSEWHERE)
        return _switches_per_minute(homing, age, seconds, () if has_network else without_network())


def without_network():
    """What to put before a command line so that the kernel shows it no network, under the same user."""
    user = () if os.geteuid() == 0 else ("--user", "--map-current-user")
    return ["unshare", *user, "--net"]


def can_be_without_network():
    """Whether this user may do so."""
    return subprocess.run([*without_network(), "true"], capture_output=True).returncode == 0


def still(programs, age, seconds):
    """A real gpsd whose receiver does not move, a network and a Home Assistant, the channel open: wake-ups a minute."""
    with SystemBus() as bus, gps.GPSD() as receiver:
        bus.network_manager_start()
        bus.wifi("Bench")
        track = receiver.folder / "still.nmea"
        write_track(track, age + seconds + 60, speed=0)
        receiver.start(track=track)
        server = HomeAssistant()
        homing = Homing(programs, server.port, receiver.port, environment=bus.environment, channel=True)
        return _switches_per_minute(homing, age, seconds)


def whole_catalogue(programs, age, seconds, watch):
    """Every sensor there is on this machine, with a network, a battery, a Home Assistant and the channel open, and no
    receiver: what it costs an hour, from `age` on, and its memory at the end."""
    with SystemBus() as bus:
        bus.network_manager_start()
        bus.wifi("Bench")
        bus.upower_start()
        bus.battery(80, False)
        server = HomeAssistant()
        child = Homing(programs, server.port, processes.free_port(), ALL_SENSORS, bus.environment, channel=True).start()
        if not server.channel_opened.wait(60):
            raise TimeoutError("no channel was opened")
        time.sleep(age)
        with watch():
            before, messages, traffic = process.Sample(child.pid), *server.total()
            time.sleep(seconds)
            switches, cpu, by_thread = process.Sample(child.pid).since(before)
        after, more = server.total()
        memory = process.memory(child.pid)
        child.stop()
        hours = seconds / 3600
        return memory | {
            "sensors": len(server.sensors), "switches_per_hour": switches / hours,
            "cpu_s_per_hour": cpu / 1000 / hours, "messages_per_hour": (after - messages) / hours,
            "kb_per_hour": (more - traffic) / 1000 / hours, "switches_by_thread": by_thread, "age": age,
            "seconds": seconds, "bytes": {kind: str(one) for kind, one in server.traffic.items() if one.count}}


def located(programs, age, seconds):
    """No receiver, a network and a Home Assistant, all at once: a daemon that knows no place, one on a network that is a
    place, and one that has asked a real GeoClue. Of each: wake-ups a minute from `age` on, and memory at the end. Returns
    None and the reason where GeoClue cannot run."""
    if problem := geoclue.problem(debian_tree.host_release()):
        return None, problem
    with SystemBus() as bus, geoclue.Geoclue(bus, receiver=geoclue.Receiver((52.36760, 4.90410))):
        bus.network_manager_start()
        bus.addresses("10.99.0.7", "10.99.0.1")
        bus.join("Bench", "02:00:00:00:01:00")
        servers = [HomeAssistant() for _ in range(3)]
        daemons = [Homing(programs, server.port, processes.free_port(), configuration, bus.environment)
                   for server, configuration in zip(servers, (BARE, PLACED, LOOKED_UP))]
        children = [daemon.start() for daemon in daemons]
        processes.wait_for(lambda: [server.count() > 0 for server in servers] == [False, True, True], 60, "both locations")
        time.sleep(age)
        before = [process.Sample(child.pid) for child in children]
        time.sleep(seconds)
        results = []
        for child, sample in zip(children, before):
            switches, _, by_thread = process.Sample(child.pid).since(sample)
            results.append(process.memory(child.pid) | {
                "switches_per_minute": switches * 60 / seconds, "switches_by_thread": by_thread})
        for child in children:
            child.stop()
        return results, f"{seconds} s from second {age} on"


def _switches_per_minute(homing, age, seconds, prefix=()):
    child = homing.start(prefix)
    time.sleep(age)
    before = process.Sample(child.pid)
    time.sleep(seconds)
    switches, cpu, by_thread = process.Sample(child.pid).since(before)
    child.stop()
    return {"switches_per_minute": switches * 60 / seconds, "cpu_ms_per_minute": cpu * 60 / seconds,
            "age": age, "seconds": seconds, "switches_by_thread": by_thread}


def start_to_ready(programs, times):
    """Milliseconds from fork to READY=1, without a bus, a gpsd or a server: median of so many."""
    homing = Homing(programs, processes.free_port(), processes.free_port())
    return statistics.median(homing.seconds_to_ready() * 1000 for _ in range(times))
