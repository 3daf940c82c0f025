"""What is measured of a homingd that waits: still, idle, located without a receiver, with all sensors, and for a day."""

import json
import pathlib

from . import moving, waiting
from .measuring import CLIENT, MIB, threads
from .report import at_most, ratio_at_most


def begin_waiting(bench, parts):
    """Starts what only waits, and goes on beside the rest. Returns what `end_waiting` wants."""
    size, programs, begun = bench.size, bench.programs, {}
    if "waiting" in parts:
        begun["written"] = waiting.Background(lambda: moving.written(programs, size.written, 30))
        begun["away"] = waiting.Background(lambda: waiting.idle(programs, size.idle_age, size.idle, True))
        if waiting.can_be_without_network():
            begun["idle"] = waiting.Background(lambda: waiting.idle(programs, size.idle_age, size.idle, False))
        if size.idle >= 60:
            begun["still"] = waiting.Background(lambda: waiting.still(programs, size.idle_age, size.idle))
    if "location" in parts:
        begun["located"] = waiting.Background(lambda: waiting.located(programs, size.located_age, size.located))
    return begun


def end_waiting(bench, begun):
    """Adds the rows of what has waited. None is compared: what else the bench did meanwhile is no matter to them."""
    if begun:
        bench.say("waiting for those that stand still or have nothing to do")
    found = {name: background.wait() for name, background in begun.items()}
    if "away" in found:
        _add_waiting(bench.report, found, bench.size)
    if "located" in found:
        _add_location(bench.report, *found["located"])


def _add_waiting(report, found, size):
    report.explain("waiting", (
        f"beside the other parts; from second {size.idle_age} on, {size.idle} s, the watchdog on, the channel open where there "
        "is a Home Assistant; nothing to do: neither\n  gpsd nor a network, in a namespace without one; away: a network, and "
        "nobody at Home Assistant's address; still: a real gpsd whose receiver does not move"))
    for key, name, aim in (("idle", "wake-ups with nothing to do", 1.5), ("away", "wake-ups with Home Assistant away", None),
                           ("still", "wake-ups while still", 5)):
        if key in found:
            report.add("waiting", name, "a minute", found[key]["switches_per_minute"], aim=aim and at_most(aim))
            report.details[f"Context switches by thread: {name}"] = [threads(found[key])]
    written = found["written"]
    report.add("waiting", "written to disk while moving", "MB an hour", written["mb_per_hour"], aim=at_most(2.5))
    report.details["Written to disk"] = [
        f"write_bytes of /proc/PID/io over {written['seconds']} s with {written['deliveries']} deliveries, the channel open, "
        "durability = grouped; without the file system's own journal"]


def _add_location(report, found, text):
    """What a location by the networks and by GeoClue costs, beside none."""
    if found is None:
        report.details["A location without a receiver was not measured"] = [text]
        return
    report.explain("location", f"no receiver, a network, {text}, all three at once, beside the other parts")
    for name, figures in zip(("nothing", "a place", "GeoClue"), found):
        aim = None if name == "nothing" else at_most(5)
        report.add("location", f"wake-ups, located by {name}", "a minute", figures["switches_per_minute"], aim=aim)
        report.add("location", f"anonymous memory, located by {name}", MIB, figures["anonymous"], aim=at_most(4))
        report.details[f"Context switches by thread, located by {name}"] = [threads(figures)]


def measure_sensors(bench, client):
    """What the whole catalogue costs a machine that does nothing else, and its memory after that time."""
    size, report = bench.size, bench.report
    age, minutes = size.sensors_age, (size.sensors_age + size.sensors) / 60
    bench.say(f"{age + size.sensors} s with all sensors on, alone")
    found = waiting.whole_catalogue(bench.programs, age, size.sensors, lambda: bench.watched("sensors"))
    report.explain("sensors", (
        f"all {found['sensors']} that this machine has, a network, a battery, no receiver, the channel open, the default "
        f"interval; {size.sensors} s from second {age} on,\n  by the hour; memory after {minutes:.0f} minutes, alone; bytes are "
        "TCP's payload both ways"))
    for name, unit, key in (("wake-ups with all sensors", "an hour", "switches_per_hour"),
                            ("CPU time with all sensors", "s an hour", "cpu_s_per_hour"),
                            ("messages with all sensors", "an hour", "messages_per_hour"),
                            ("bytes with all sensors", "kB an hour", "kb_per_hour")):
        report.add("sensors", name, unit, found[key])
    for name, key, ratio, aim in (("PSS", "pss", 1.2, None), ("RSS", "resident", None, None),
                                  ("USS", "unique", None, None), ("anonymous memory", "anonymous", None, 3.7)):
        beside = [(CLIENT, client[key], ratio and ratio_at_most(ratio))] if client else []
        report.add("sensors", f"{name} after {minutes:.0f} min with all sensors", MIB, found[key], beside, aim and at_most(aim))
    report.details["All sensors"] = [f"context switches by thread: {threads(found)}",
                                     *(f"{kind}: {text}" for kind, text in found["bytes"].items())]


def add_day(report, file):
    """The payload of a still day, as the virtual day has measured it: lines of (configuration, bytes)."""
    aims = {"default": 500, "thrift with the channel": 150, "thrift without the channel": 60}
    report.explain("day", "a still day of the whole agent on a virtual clock (StillDayTests): TCP's payload both ways")
    for line in pathlib.Path(file).read_text().splitlines():
        row = json.loads(line)
        aim = aims.get(row["configuration"])
        report.add("day", f"payload of a still day, {row['configuration']}", "kB", row["bytes"] / 1000, aim=aim and at_most(aim))
