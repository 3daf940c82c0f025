"""What is measured of a homingd that works, and what the design wants of it. Each part adds its rows to the report."""

import time

from . import callgrind, draining, moving, waiting
from .measuring import CLIENT, LEAN, MIB, threads
from .moving import Kind
from .report import at_most, number, ratio_at_least, ratio_at_most


def measure_start(bench):
    """Start to READY."""
    bench.say("ten starts")

    def measure():
        with bench.watched("start"):
            return waiting.start_to_ready(bench.programs, 10)

    bench.report.add("start", "start to READY", "ms", bench.quietly("start", measure), aim=at_most(150))
    bench.report.explain("start", "from fork to READY=1 on NOTIFY_SOCKET, median of 10; no bus, gpsd or server")


def measure_moving(bench):
    """Wake-ups, CPU time, memory and bytes at 1 Hz, as Homing ships and with each durability."""
    size, report = bench.size, bench.report
    warm_up = size.moving_age
    kinds = {"channel": Kind(channel=True), "HTTP": Kind(), CLIENT: Kind(floor=bench.client), LEAN: Kind(floor=bench.lean)}
    bench.say(f"moving at 1 Hz for {size.moving} s, as it ships, beside the C clients")
    found = bench.quietly("moving", lambda: moving.together(
        bench.programs, kinds, size.moving, warm_up, lambda: bench.watched("moving"), remember="channel"))
    client, lean = found[CLIENT], found[LEAN]
    client |= moving.memory_of_floor(bench.client)
    report.explain("moving", (
        f"a real gpsd at 1 Hz, each fix reported, {size.moving} s from second {warm_up} on, all beside each other; durability = "
        "grouped; voluntary context\n  switches and CPU time of all threads from /proc; memory at the end, alone, libnm loaded in "
        "all; bytes are TCP's payload both ways, heads included; without sensors"))
    for carrier in ("channel", "HTTP"):
        one, how = found[carrier], "channel open" if carrier == "channel" else "by HTTP"
        report.add("moving", f"deliveries, {how}", f"in {size.moving} s", one["deliveries"],
                   [(CLIENT, client["deliveries"], None)])
        report.add("moving", f"wake-ups while moving, {how}", "a second", one["switches_per_second"], [
            (CLIENT, client["switches_per_second"], ratio_at_most(1.2)), (LEAN, lean["switches_per_second"], None)])
        report.add("moving", f"CPU time of a delivery, {how}", "ms", one["cpu_ms_per_delivery"], [
            (CLIENT, client["cpu_ms_per_delivery"], ratio_at_most(2)), (LEAN, lean["cpu_ms_per_delivery"], None)])
        report.add("moving", f"bytes of an update, {how}", "", one["bytes_per_update"],
                   [(CLIENT, client["bytes_per_update"], None)], at_most(630))
        report.add("moving", f"bytes of a receipt, {how}", "", one["bytes_per_receipt"],
                   aim=at_most(800 if carrier == "channel" else 900))
    for name, key in (("PSS", "pss"), ("RSS", "resident"), ("USS", "unique"), ("anonymous memory", "anonymous")):
        report.add("moving", f"{name}, moving", MIB, found["channel"][key], [(CLIENT, client[key], None)])
    report.add("moving", "threads", "", found["channel"]["threads"], [(CLIENT, client["threads"], None)])
    _tell(report, "moving", found)
    measure_durabilities(bench, warm_up)
    return client


def measure_durabilities(bench, warm_up):
    """Each durability and a second home, by HTTP."""
    size, report = bench.size, bench.report
    kinds = {"grouped": Kind(), "power-loss": Kind("power-loss"), "crash": Kind("crash"), "two homes": Kind(homes=2),
             CLIENT: Kind(floor=bench.client)}
    bench.say(f"moving at 1 Hz for {size.moving} s, with each durability and with a second home")
    found = bench.quietly("durability", lambda: moving.together(
        bench.programs, kinds, size.moving, warm_up, lambda: bench.watched("durability")))
    client = found[CLIENT]
    report.explain("durability", "as moving, by HTTP; the second home is another Home Assistant of the same daemon")
    for name in ("grouped", "power-loss", "crash"):
        aim = {"grouped": ratio_at_most(1.2), "crash": ratio_at_most(1.1)}.get(name)
        report.add("durability", f"wake-ups, durability = {name}", "a second", found[name]["switches_per_second"],
                   [(CLIENT, client["switches_per_second"], aim)])
        report.add("durability", f"CPU time, durability = {name}", "ms", found[name]["cpu_ms_per_delivery"],
                   [(CLIENT, client["cpu_ms_per_delivery"], None)])
    report.add("durability", "wake-ups with a second home", "a second", found["two homes"]["switches_per_second"],
               [("one home", found["grouped"]["switches_per_second"], ratio_at_most(1.25))])
    _tell(report, "durability", found)


def measure_instructions(bench):
    """Instructions per fix, and where they go."""
    size, report = bench.size, bench.report
    found = {}
    with bench.watched("instructions"):
        for name, run in {
                CLIENT: lambda: callgrind.floor(bench.client, size.fewer, size.more),
                LEAN: lambda: callgrind.floor(bench.lean, size.fewer, size.more),
                "channel open": lambda: callgrind.homing(bench.with_symbols, size.fewer, size.more, True),
                "by HTTP": lambda: callgrind.homing(bench.with_symbols, size.fewer, size.more, False)}.items():
            bench.say(f"{size.more} fixes under callgrind, {name}")
            found[name] = run()
    report.explain("instructions", (
        f"(callgrind of {size.more} fixes − of {size.fewer}) / the difference, each fix comes 30 ms after the delivery of the "
        "one before (a TPV and a SKY of 9 satellites each);\n  Homing's include its receipt, one per 150 fixes"))
    for how in ("channel open", "by HTTP"):
        report.add("instructions", f"instructions of a fix, {how}", "thousands", found[how].total / 1000, [
            (CLIENT, found[CLIENT].total / 1000, ratio_at_most(1)), (LEAN, found[LEAN].total / 1000, ratio_at_most(2))])
    for name, profile in found.items():
        report.details[f"{name}: instructions of a fix by library and module"] = [
            f"{cost:9.0f}  {part}" for part, cost in profile.by_part() if cost >= 100]
    for how in ("channel open", "by HTTP"):
        report.details[f"{how}: functions with most instructions of a fix (themselves only)"] = [
            f"{cost:9.0f}  {library}: {function}" for cost, library, function in found[how].top(20)]


def measure_draining(bench):
    """A backlog goes home."""
    report, count = bench.report, bench.size.drain
    bench.say(f"accepting {count} positions with no way home")
    collected, rate = draining.collect(bench.programs, count)
    collected_at = time.monotonic()
    report.explain("draining", (
        f"{count} positions, accepted while Home Assistant is away; from the first message to the receipt of the last, to the "
        "bench's own server, by HTTP;\n  the C client posts as many messages of that size from memory"))

    def drained(configuration):
        with bench.watched("draining"):
            found = draining.drain(bench.programs, collected, count, configuration)
            return found, draining.drain_floor(bench.client, max(found["messages"], 500), found["size"])

    bench.say(f"draining {count} positions one by one")
    found, plain = bench.quietly("draining", lambda: drained(draining.REPLAYING))
    report.add("draining", "positions accepted with no way home", "a second", rate)
    report.add("draining", "a backlog one by one", "a second", found["messages_per_second"],
               [(CLIENT, plain, ratio_at_least(0.6))])
    report.details["A backlog one by one"] = [f"{key}: {number(value)}" for key, value in found.items()]
    bench.say(f"draining {count} positions as history")
    time.sleep(max(0.0, collected_at + draining.SHORTEST_NEWS + 2 - time.monotonic()))
    found = draining.drain(bench.programs, collected, count, draining.AS_TRACK)
    report.add("draining", "a backlog as history, all of it", "s", found["seconds"])
    report.details["A backlog as history"] = [f"{key}: {number(value)}" for key, value in found.items()]


def measure_fast(bench):
    """A receiver of 25 Hz."""
    report, seconds = bench.report, bench.size.fast
    report.explain("25 Hz", (
        f"a receiver that reports 25 times a second and moves 30 m a second, {seconds} s, the channel open; by the default "
        "configuration, and with\n  each fix reported (30 cm of accuracy, min_distance = 1)"))
    for what, configuration, accuracy in (("", "", 5.13), (", each fix reported", moving.MOVING, 0.3)):
        window = f"25 Hz{what}"
        bench.say(f"a receiver of {window} for {seconds} s")
        found = bench.quietly(window, lambda: moving.fast(
            bench.programs, 25, seconds, configuration, lambda: bench.watched(window), accuracy))
        report.add(window, f"CPU at 25 Hz{what}", "%", found["percent"], aim=at_most(1))
        report.add(window, f"wake-ups at 25 Hz{what}", "a second", found["switches_per_second"], aim=at_most(40))
        report.details[window] = [f"deliveries a second: {number(found['deliveries_per_second'])}",
                                          threads(found)]


def _tell(report, window, found):
    for title, figures in found.items():
        report.details[f"{window}: {title}"] = [f"context switches by thread: {threads(figures)}",
                                                *(f"{kind}: {text}" for kind, text in figures["bytes"].items())]
