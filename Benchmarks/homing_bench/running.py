"""Figures of a process that runs: moving at 1 Hz, standing still, idle, and starting."""

import datetime
import socket
import statistics
import threading
import time

from homing_rigs import debian_tree, geoclue, gps, nmea_sentences, nmea_track, processes
from homing_rigs.bus import SystemBus

from . import process
from .stand_ins import HomeAssistant
from .subjects import Baseline, Homing

# A real gpsd tells 17 m of accuracy for HDOP 0.9, and the receiver moves 30 m a second: each fix is reported.
MOVING = "[location]\nmin_distance=1\n"
ALL_SENSORS = "[sensors]\nenable=all\nscripts=\n"
# Without a receiver: nothing shows the location, a place by its access point, GeoClue.
BARE = "[gpsd]\nenabled=false\n"
PLACED = BARE + "[place.Bench]\nlatitude=52.36760\nlongitude=4.90410\nbssid=02:00:00:00:01:00\n"
LOOKED_UP = BARE + "[geoclue]\nenabled=true\n"
MOVING_ON_SD_CARD = MOVING + "[outbox]\ndurability=crash\n"


def moving(programs, baseline, seconds, warm_up):
    """Homing, Homing with durability = crash, and the C client, all at once behind one real gpsd at 1 Hz, on a bus with
    NetworkManager and UPower. Of each: wake-ups and CPU time, memory at the end, bytes per message."""
    with SystemBus() as bus, gps.GPSD() as receiver:
        bus.network_manager_start()
        bus.wifi("Bench")
        bus.upower_start()
        bus.no_battery()
        track = receiver.folder / "straight.nmea"
        _write_track(track, warm_up + seconds + 60, speed=30)
        receiver.start(track=track)
        servers = HomeAssistant(), HomeAssistant(), HomeAssistant()
        daemons = [Homing(programs, server.port, receiver.port, configuration, bus.environment)
                   for server, configuration in zip(servers, (MOVING, MOVING_ON_SD_CARD))]
        plain = Baseline(baseline, bus.environment)
        mode = ("--gpsd", "127.0.0.1", receiver.port, "--network-manager")
        children = [*(daemon.start() for daemon in daemons), plain.start(servers[2], *mode)]
        processes.wait_for(lambda: all(server.count() for server in servers), 30, "all deliver")
        time.sleep(warm_up)
        before = [(process.Sample(child.pid), server.count()) for child, server in zip(children, servers)]
        time.sleep(seconds)
        results = [_used(child, server, *old, seconds) for child, server, old in zip(children, servers, before)]
        # Each by itself: pages that are shared would count by halves.
        children[1].stop()
        children[2].stop()
        results[0] |= _memory(children[0])
        children[0].stop()
        child = plain.start(servers[2], *mode)
        time.sleep(5)
        results[2] |= _memory(child)
        child.stop()
        return results


def _memory(child):
    pss, resident, anonymous = process.memory(child.pid)
    return {"pss": pss, "resident": resident, "anonymous": anonymous, "threads": process.threads(child.pid)}


def _used(child, server, before, delivered, seconds):
    """What a process has used since the sample, and what its messages weighed."""
    switches, cpu, by_thread = process.Sample(child.pid).since(before)
    count = server.count() - delivered
    update, receipt = server.traffic["update_location"], server.traffic["render_template"]
    return {
        "deliveries": count, "switches_per_second": switches / seconds, "switches_by_thread": by_thread,
        "switches_per_delivery": switches / count, "cpu_ms_per_delivery": cpu / count,
        "bytes_per_update": update.bytes_each, "bytes_per_receipt": receipt.bytes_each,
        "bytes": {kind: str(traffic) for kind, traffic in server.traffic.items() if traffic.count}}


class Background:
    """A homingd that is left alone while other things are measured, since only waiting shows how it waits."""

    def __init__(self, measure):
        self.result = None
        self._thread = threading.Thread(target=self._run, args=(measure,), daemon=True)
        self._thread.start()

    def _run(self, measure):
        try:
            self.result = measure()
        except Exception as problem:
            self.result = {"problem": repr(problem)}

    def wait(self):
        """The result, when it is there."""
        self._thread.join()
        return self.result


def idle(programs, age, seconds):
    """Neither gpsd nor a network, with the watchdog on: wake-ups a minute from `age` on (in its first two minutes it
    tries gpsd every 5 s)."""
    with SystemBus() as bus, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        bus.network_manager_start()
        bus.wifi_off()
        homing = Homing(programs, processes.free_port(), processes.free_port(), environment=bus.environment)
        listener.bind(str(homing.folder / "notify"))
        homing.environment |= {"NOTIFY_SOCKET": str(homing.folder / "notify"), "WATCHDOG_USEC": "180000000"}
        return _switches_per_minute(homing, age, seconds)


def whole_catalogue(programs, age, seconds):
    """Every sensor there is on this machine, with a network, a battery and a Home Assistant, and no receiver: what it
    costs an hour, from `age` on."""
    with SystemBus() as bus:
        bus.network_manager_start()
        bus.wifi("Bench")
        bus.upower_start()
        bus.battery(80, False)
        server = HomeAssistant()
        homing = Homing(programs, server.port, processes.free_port(), ALL_SENSORS, bus.environment)
        child = homing.start()
        time.sleep(age)
        before, messages, traffic = process.Sample(child.pid), *server.total()
        time.sleep(seconds)
        switches, cpu, by_thread = process.Sample(child.pid).since(before)
        after, more = server.total()
        memory = _memory(child)
        child.stop()
        hours = seconds / 3600
        return memory | {
            "sensors": len(server.sensors), "switches_per_hour": switches / hours,
            "cpu_s_per_hour": cpu / 1000 / hours, "messages_per_hour": (after - messages) / hours,
            "bytes_per_hour": (more - traffic) / hours, "switches_by_thread": by_thread, "age": age,
            "seconds": seconds, "bytes": {kind: str(traffic) for kind, traffic in server.traffic.items() if traffic.count}}


def still(programs, age, seconds):
    """A real gpsd whose receiver does not move, a network and a Home Assistant: wake-ups a minute from `age` on."""
    with SystemBus() as bus, gps.GPSD() as receiver:
        bus.network_manager_start()
        bus.wifi("Bench")
        track = receiver.folder / "still.nmea"
        _write_track(track, age + seconds + 60, speed=0)
        receiver.start(track=track)
        server = HomeAssistant()
        homing = Homing(programs, server.port, receiver.port, environment=bus.environment)
        return _switches_per_minute(homing, age, seconds)


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
            results.append(_memory(child) | {"switches_per_minute": switches * 60 / seconds, "switches_by_thread": by_thread})
        for child in children:
            child.stop()
        return results, f"{seconds} s from second {age} on"


def _switches_per_minute(homing, age, seconds):
    child = homing.start()
    time.sleep(age)
    before = process.Sample(child.pid)
    time.sleep(seconds)
    switches, cpu, by_thread = process.Sample(child.pid).since(before)
    child.stop()
    return {"switches_per_minute": switches * 60 / seconds, "cpu_ms_per_minute": cpu * 60 / seconds,
            "age": age, "seconds": seconds, "switches_by_thread": by_thread}


def start_to_ready(programs, times):
    """Milliseconds from fork to READY=1, without a bus, a gpsd or a server: median, least and most."""
    homing = Homing(programs, processes.free_port(), processes.free_port())
    found = sorted(homing.seconds_to_ready() * 1000 for _ in range(times))
    return {"median": statistics.median(found), "least": found[0], "most": found[-1]}


def _write_track(path, seconds, speed):
    """A receiver that goes straight north. The moment does not matter: the rig's receiver puts in the present."""
    begin = datetime.datetime.fromisoformat("2026-11-20T07:40:00")
    with open(path, "w", newline="") as file:
        for number in range(int(seconds)):
            place = nmea_track.moved((48.0, 4.8922), speed * number, 0)
            file.write(nmea_sentences.epoch_sentences(
                begin + datetime.timedelta(seconds=number), place, 12.0, 3, float(speed), 0.0, 2.5,
                with_satellites=number % 5 == 0))
