"""The machine sleeps and wakes: logind waits for what is queued, nothing stale is told as news, delivery goes on at once."""

import os
import signal
import time

from faults.test_buses import on
from homing_rigs.faults import toxics
from homing_rigs.faults.server import misdeeds
from homing_rigs.processes import wait_for

OURS = "Homing"


def under_logind(bus, *parts):
    """A daemon in flight, for whom logind waits."""
    bus.logind_start()
    flight = on(bus, *parts)
    wait_for(lambda: held(bus), 10, "the lock")
    return flight


def held(bus):
    """Whether logind has to wait for us."""
    return any(who == OURS for _, who, _, _ in bus.inhibitors())


def test_what_is_queued_gets_home_before_sleep_and_the_machine_need_not_wait_longer(bus, make_agent, fake_gpsd, server, measured):
    flight = under_logind(bus, make_agent, fake_gpsd, server)
    flight.begin_to_send()
    began = time.monotonic()
    bus.prepare_for_sleep(True)
    wait_for(lambda: not held(bus), 5, "the lock to be let go")
    measured(f"ready for sleep after {time.monotonic() - began:.2f} s")
    assert flight.queue()["queued"] == 0
    bus.prepare_for_sleep(False)
    wait_for(lambda: held(bus), 10, "the lock again")
    assert flight.send() == "delivered"
    flight.assert_sound()


def test_sleep_is_not_held_up_by_a_server_that_is_silent(bus, make_agent, fake_gpsd, server, measured):
    flight = under_logind(bus, make_agent, fake_gpsd, server)
    flight.send()
    server.misbehave(misdeeds.spoilt(toxics.BlackHole()))
    flight.begin_to_send()
    began = time.monotonic()
    bus.prepare_for_sleep(True)
    wait_for(lambda: not held(bus), 6, "the lock to be let go")
    took = time.monotonic() - began
    server.behave()
    bus.prepare_for_sleep(False)
    assert flight.send() == "delivered"
    assert took < 5, "logind waits no longer than that"
    measured(f"let go after {took:.1f} s before a silent server")


def test_a_machine_that_was_frozen_delivers_at_once_when_it_wakes(bus, make_agent, fake_gpsd, server, measured):
    flight = under_logind(bus, make_agent, fake_gpsd, server)
    flight.send()
    bus.prepare_for_sleep(True)
    wait_for(lambda: not held(bus), 5, "the lock to be let go")
    os.kill(flight.agent.pid, signal.SIGSTOP)
    server.stop()
    time.sleep(3)
    server.start()
    os.kill(flight.agent.pid, signal.SIGCONT)
    bus.prepare_for_sleep(False)
    began = time.monotonic()
    assert flight.send() == "delivered"
    measured(f"delivered {time.monotonic() - began:.1f} s after waking")
    flight.wait_until_empty()
    flight.assert_sound(duplicates=1)
