"""The machine sleeps and wakes: logind waits for what is queued, nothing stale is told as news, delivery goes on at once."""

import os
import pathlib
import signal
import time

from faults.test_buses import on
from homing_rigs.faults import toxics
from homing_rigs.faults.server import misdeeds
from homing_rigs.processes import wait_for
from own_process import open_files

OURS = "Homing"
PATIENCE = 4  # seconds that the daemon lets sleep wait
ESTABLISHED = "01"  # in /proc/net/tcp


def under_logind(bus, *parts):
    """A daemon in flight, for whom logind waits."""
    bus.logind_start()
    flight = on(bus, *parts)
    wait_for(lambda: held(bus), 20, "the lock")
    return flight


def held(bus):
    """Whether logind has to wait for us."""
    return any(who == OURS for _, who, _, _ in bus.inhibitors())


def connections(flight):
    """How many TCP connections the daemon has to its server."""
    sockets = set()
    for descriptor in open_files(flight.agent.pid).iterdir():
        try:
            sockets.add(os.readlink(descriptor))
        except FileNotFoundError:
            continue  # closed meanwhile
    rows = [line.split() for line in pathlib.Path(f"/proc/{flight.agent.pid}/net/tcp").read_text().splitlines()[1:]]
    return sum(int(row[2].partition(":")[2], 16) == flight.server.port and row[3] == ESTABLISHED
               and f"socket:[{row[9]}]" in sockets for row in rows)


def go_to_sleep(flight, bus, server):
    """Sleep between a fix and its delivery, and wake up. Returns how long the machine had to wait for us, and what was
    queued when it was told of sleep, and when it needed to wait no longer."""
    server.misbehave(misdeeds.spoilt(toxics.Latency(0.5)), on="update_location", times=1)
    accepted = flight.queue()["accepted"]
    flight.begin_to_send()
    wait_for(lambda: flight.queue()["accepted"] == accepted + 1, 20, "the fix")
    began = time.monotonic()
    bus.prepare_for_sleep(True)
    before = flight.queue()["queued"]
    wait_for(lambda: not held(bus), 20, "the lock to be let go")
    took, after, left = time.monotonic() - began, flight.queue()["queued"], connections(flight)
    assert after or not left, "a connection that sleep would kill is closed, so that nothing waits for it afterwards"
    bus.prepare_for_sleep(False)
    wait_for(lambda: held(bus), 20, "the lock again")
    return took, before, after


def test_what_is_queued_gets_home_before_sleep_and_the_machine_need_not_wait_longer(bus, make_agent, fake_gpsd, server, measured):
    flight = under_logind(bus, make_agent, fake_gpsd, server)
    assert flight.send() == "delivered"
    assert connections(flight), "it is kept for the next"
    for _ in range(10):
        took, before, after = go_to_sleep(flight, bus, server)
        assert after == 0 or took > PATIENCE - 1, "let go before its time, with something queued"
        if before == 1 and after == 0:  # on a busy machine the answer may come before sleep, or after our patience
            break
    else:
        raise AssertionError("it never got home while the machine waited")
    measured(f"ready for sleep after {took:.2f} s")
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound()


def test_sleep_is_not_held_up_by_a_server_that_is_silent(bus, make_agent, fake_gpsd, server, count, measured):
    flight = under_logind(bus, make_agent, fake_gpsd, server)
    flight.send()
    server.misbehave(misdeeds.spoilt(toxics.BlackHole()))
    flight.begin_to_send()
    began = time.monotonic()
    bus.prepare_for_sleep(True)
    wait_for(lambda: not held(bus), 25, "the lock to be let go")
    took = time.monotonic() - began
    server.behave()
    bus.prepare_for_sleep(False)
    assert flight.send() == "delivered"
    assert took < count(20, 5), "logind waits no longer than 5 s, a request for 30"
    measured(f"let go after {took:.1f} s before a silent server")


PEACE = 600  # seconds for which the server asked to be left alone before the machine fell asleep


def asleep(flight, bus, seconds):
    """The machine is frozen for so long, and loses its connections; then logind tells that it is awake. Nobody asks the
    daemon for anything. Returns how long it took until all that was queued is home."""
    bus.prepare_for_sleep(True)
    wait_for(lambda: not held(bus), 20, "the lock to be let go")
    os.kill(flight.agent.pid, signal.SIGSTOP)
    flight.server.stop()
    time.sleep(seconds)
    flight.server.start()
    os.kill(flight.agent.pid, signal.SIGCONT)
    bus.prepare_for_sleep(False)
    began = time.monotonic()
    wait_for(lambda: flight.queue()["queued"] == 0, 60, "what was queued to be home, though nobody asks for it")
    return time.monotonic() - began


def test_a_machine_that_wakes_delivers_what_was_queued_though_nobody_asks(bus, make_agent, fake_gpsd, server, count, measured):
    """The rest that was begun before would last for minutes."""
    flight = under_logind(bus, make_agent, fake_gpsd, server)
    assert flight.send() == "delivered"
    server.misbehave(misdeeds.retry_after(503, PEACE))
    assert [flight.send() for _ in range(5)] == ["queued"] * 5
    server.behave()
    assert flight.status()["nextAttempt"] > PEACE - 60
    asked = len(server.exchanges)
    took = asleep(flight, bus, 3)
    assert took < count(30, 10), took
    time.sleep(2)
    # Five positions; a receipt before, after the first and after the last; configuration and zones, if it is time.
    assert len(server.exchanges) - asked <= 12, "one burst"
    book = flight.queue()
    assert book["fates"]["delivered_live"] == book["accepted"] == 6
    flight.assert_sound()
    measured(f"5 queued delivered {took:.1f} s after waking, nobody asked")


def test_what_grew_old_in_sleep_is_told_as_history(bus, make_agent, fake_gpsd, server, count, measured):
    flight = under_logind(bus, make_agent, fake_gpsd, server, "max_age = 10\nbatch_metered = 0\n")
    assert flight.send() == "delivered"
    server.misbehave(misdeeds.retry_after(503, PEACE))
    assert [flight.send() for _ in range(5)] == ["queued"] * 5
    server.behave()
    took = asleep(flight, bus, 12)
    assert took < count(30, 10), took
    live, track = flight.arrived()
    assert len(live) == 1 and len(track) == 5, "nothing old is told as news"
    accepted = flight.queue()["accepted"]
    fake_gpsd.tell(next(flight.places), at=time.time() - 12)  # what gpsd knew before
    assert flight.send() == "delivered"
    assert flight.queue()["accepted"] == accepted + 1 and flight.status()["skipped"]["old"] == 1
    flight.wait_until_empty()
    flight.assert_sound()
    measured(f"5 that grew old in sleep: home as history {took:.1f} s after waking, 0 told as news")
