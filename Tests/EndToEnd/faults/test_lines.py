"""Lines that are slow, thin, broken, silent or half dead; and answers without end."""

import functools
import gzip
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from faults.flight import CONFIGURATION, Flight
from homing_rigs.faults import toxics
from homing_rigs.faults.gpsd import FakeGPSD
from homing_rigs.faults.proxy import Proxy
from homing_rigs.faults.server import FaultServer, misdeeds
from homing_rigs.processes import wait_for
from homing_rigs.slope import lasting_rise

TIMEOUT = 30  # seconds that a request may take


@pytest.fixture
def flight(take_off, line):
    """A daemon with a proxy before its server."""
    return take_off(line.url)


BEARABLE = {"latency": [toxics.Latency(0.4, 0.2)], "1 kB a second": [toxics.Rate(1000)], "single bytes": [toxics.Slicer(1)],
            "slices": [toxics.Slicer(10, 0.005)], "all of them": [toxics.Latency(0.1), toxics.Rate(4000),
                                                                  toxics.Slicer(3)]}


@pytest.mark.parametrize("fault", BEARABLE)
def test_what_is_merely_slow_gets_home(fault, flight, line, count, measured):
    line.set(up=BEARABLE[fault], down=BEARABLE[fault])
    sends = count(1, 20)
    for _ in range(sends):
        assert flight.send() == "delivered"
    flight.assert_sound()
    measured(f"{fault}: {sends} of {sends} delivered, none twice")


SILENT = {"stalled before the answer": {"down": [toxics.StallAt(0)]},
          "stalled in the head": {"down": [toxics.StallAt(60)]}, "stalled in the body": {"down": [toxics.StallAt(225)]}, "black hole up": {"up": [toxics.BlackHole()]},
          "black hole down": {"down": [toxics.BlackHole()]}, "latency of half a minute": {"down": [toxics.Latency(30.5)]}, "latency of minutes": {"down": [toxics.Latency(200)]},
          "a byte a second": {"down": [toxics.Rate(1)]}, "half-open": None}


def endure(flight, line, fault):
    """Meet a silent fault; returns how long the daemon waited for it."""
    if fault is None:
        line.forget()
    else:
        line.set(**fault)
    began = time.monotonic()
    flight.begin_to_send()
    wait_for(lambda: flight.problem() or flight.queue()["queued"] == 0, TIMEOUT + 60, "its patience to end", every=0.2)
    waited = time.monotonic() - began
    line.clear()
    line.reset()
    wait_for(lambda: flight.queue()["queued"] == 0, 120, "what was meant to be sent", every=0.2)
    return waited


def test_a_line_that_is_silent_is_given_up_after_half_a_minute(make_agent, count, measured):
    """All kinds at once, each with a daemon of its own, for the sake of the time it takes."""

    def one(name):
        with FaultServer() as server, Proxy(server.port) as line, FakeGPSD() as gpsd:
            agent = make_agent(CONFIGURATION.format(gpsd=gpsd)).start()
            agent.register(line.url, server.token)
            flight = Flight(agent, gpsd, server)
            assert flight.send() == "delivered"
            waited = endure(flight, line, SILENT[name])
            return name, waited, flight.audit(duplicates=count(3, 1))

    with ThreadPoolExecutor(len(SILENT)) as pool:
        results = list(pool.map(one, SILENT))
    assert [(name, wrong) for name, _, wrong in results if wrong] == []
    margin = count(15, 2)  # all daemons want the processor at one time
    assert [(name, waited) for name, waited, _ in results if waited > TIMEOUT + margin] == []
    measured(f"{len(SILENT)} kinds of silence: given up after at most {max(each[1] for each in results):.0f} s, 0 lost")


def test_a_line_that_breaks_at_random_loses_nothing(flight, line, chance, count, measured):
    breaks = count(40, 1000)
    flight.stream(100)
    for _ in range(breaks):
        time.sleep(chance.uniform(0.01, 0.15))
        chance.choice([line.reset, line.close])()
        flight.note_memory()
    flight.gpsd.hold()
    flight.send()
    wait_for(lambda: flight.queue()["queued"] == 0, 120, "everything home")
    flight.assert_sound(duplicates=breaks, growth=1024)
    accepted, live = flight.queue()["accepted"], flight.server.live()
    assert flight.queue()["fates"]["rejected"] == 0
    measured(f"{breaks} breaks over {accepted} positions: 0 lost, {len(live) - len(set(live))} told twice")


def weather(chance):
    """Some toxics that a bad day may bring; None: the line is cut and forgets."""
    return chance.choice([
        {}, {"down": [toxics.Latency(chance.uniform(0, 0.3), 0.1)]}, {"up": [toxics.Rate(chance.randrange(2000, 9000))]},
        {"down": [toxics.Slicer(chance.randrange(1, 50))]}, {"down": [toxics.ResetAt(chance.randrange(3000))]},
        {"up": [toxics.ResetAt(chance.randrange(5000))]}, None])


def test_a_day_of_bad_weather_loses_nothing(flight, line, chance, count, measured):
    changes = count(15, 600)
    flight.stream(50)
    for _ in range(changes):
        wanted = weather(chance)
        line.set(**(wanted or {}))
        if wanted is None:
            line.reset()
        time.sleep(chance.uniform(0.1, 0.5))
        flight.note_memory()
    line.clear()
    flight.gpsd.hold()
    flight.send()
    wait_for(lambda: flight.queue()["queued"] == 0, 120, "everything home")
    flight.assert_sound(duplicates=line.accepted, growth=1024)
    assert flight.queue()["fates"]["rejected"] == 0
    live = flight.server.live()
    measured(f"{changes} changes of weather, {line.accepted} connections, {flight.queue()['accepted']} positions: 0 lost, "
             f"{len(live) - len(set(live))} told twice")


def compressed():
    """A quarter of a gigabyte in a quarter of a megabyte."""
    return misdeeds.answer(200, gzip.compress(bytes(1 << 28)), "application/json", {"Content-Encoding": "gzip"})


ENDLESS = {kind: functools.partial(misdeeds.endless, kind)
           for kind in ("body", "unannounced", "chunks", "headers", "line")}
ENDLESS["compressed"] = compressed
ENDLESS["2 MB"] = functools.partial(misdeeds.answer, 200, b"{" + b" " * (2 << 20) + b"}", "application/json")


@pytest.mark.parametrize("kind", ENDLESS)
@pytest.mark.parametrize("asked", ["update_location", "render_template"])
def test_an_answer_without_end_is_dropped(kind, asked, flight, count, measured):
    assert flight.send() == "delivered"
    flight.server.misbehave(ENDLESS[kind](), on=asked)
    warm, answers = 8, count(40, 100)
    memory = []
    for number in range(warm + answers):
        began = time.monotonic()
        assert flight.send() == "queued"
        assert time.monotonic() - began < count(20, 5), "it took all of it"
        if number >= warm - 1:  # the largest answer that is taken has been taken by now
            memory.append(flight.memory())
    grown = lasting_rise(memory)
    assert grown <= 1024, f"kB: {memory}"
    flight.server.behave()
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound(duplicates=3 * (warm + answers))  # left alone for long, the daemon tries again by itself
    measured(f"{warm + answers} answers to {asked}, endless by {kind}: dropped, {grown} kB more memory")
