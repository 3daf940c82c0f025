"""Wall clocks that are wrong, and that are put right in one step: nothing is lost, nothing bursts, nothing stalls, and no
age is negative."""

import time

import pytest
from faults.flight import CONFIGURATION, Flight
from homing_rigs.faults.clock import Clock
from homing_rigs.faults.proxy import Proxy
from homing_rigs.faults.server import misdeeds
from homing_rigs.faults.tls import TLSFaults
from homing_rigs.processes import wait_for

YEARS = 365.25 * 86400
STEPS = {"ten years ahead": 10 * YEARS, "ten years back": -10 * YEARS, "an hour ahead": 3600, "an hour back": -3600,
         "a minute ahead": 60, "a minute back": -60}


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def flight(make_agent, fake_gpsd, server, clock):
    """A daemon that lives by that clock; its receiver does too."""
    agent = make_agent(CONFIGURATION.format(gpsd=fake_gpsd), prefix=clock.prefix).start()
    agent.register(server.url, server.token)
    flight = Flight(agent, fake_gpsd, server)
    tell = fake_gpsd.tell
    fake_gpsd.tell = lambda place, **fields: tell(place, at=fields.pop("at", clock.now()), **fields)
    return flight


def tell(flight, number, wait=0.004):
    """So many fixes, by the clock's time."""
    for _ in range(number):
        flight.gpsd.tell(next(flight.places))
        time.sleep(wait)


def step_when_taken(flight, clock, seconds):
    """Step the clock once the daemon has taken each fix. A fix that is read after a step back is of the future; two of
    them leave a gap of 75 m within milliseconds, over which all later fixes are held."""
    def taken():
        status = flight.status()
        accepted = next(queue["accepted"] for queue in status["queues"] if queue["stream"] == "location")
        return accepted + sum(status["skipped"].values()) == len(flight.gpsd.told)
    wait_for(taken, 20, "each fix to be taken")
    clock.step(seconds)


def assert_ages(flight):
    status = flight.status()
    assert status["position"].get("age", 0) >= 0 and status["uptime"] >= 0
    assert all(queue.get("oldestAge", 0) >= 0 for queue in status["queues"])


@pytest.mark.parametrize("step", STEPS)
def test_a_step_in_full_flight_loses_nothing_and_bursts_nothing(step, flight, clock, measured):
    assert flight.send() == "delivered"
    tell(flight, 50)
    step_when_taken(flight, clock, STEPS[step])
    tell(flight, 50)
    accepted = wait_for(lambda: flight.queue()["accepted"] >= 90 and flight.queue()["accepted"], 20,
                        "no stall: fixes are accepted on either side of the step")
    assert flight.send() == "delivered"
    asked = len(flight.server.exchanges)
    time.sleep(1)
    assert len(flight.server.exchanges) - asked <= 3, "nothing is asked that nobody caused"
    assert_ages(flight)
    flight.wait_until_empty()
    flight.assert_sound()
    measured(f"{step}: {accepted} of 101 accepted, 0 lost")


@pytest.mark.parametrize("step", ["ten years ahead", "ten years back"])
def test_a_step_while_much_is_queued_loses_nothing(step, flight, clock):
    assert flight.send() == "delivered"
    flight.server.stop()
    tell(flight, 60)
    step_when_taken(flight, clock, STEPS[step])
    tell(flight, 60)
    assert_ages(flight)
    flight.server.start()
    assert flight.send() == "delivered"
    wait_for(lambda: flight.queue()["queued"] == 0, 90, "everything home")
    fates = flight.queue()["fates"]
    assert fates["expired"] == fates["superseded"] == fates["rejected"] == 0
    flight.assert_sound()


@pytest.mark.parametrize("step", ["ten years ahead", "ten years back"])
def test_a_step_while_the_way_fails_changes_no_pace(step, flight, clock):
    assert flight.send() == "delivered"
    began = time.monotonic()
    flight.server.misbehave(misdeeds.retry_after(503, 600))
    assert flight.send() == "queued"
    flight.server.behave()
    asked = len(flight.server.exchanges)
    clock.step(STEPS[step])
    tell(flight, 20)
    time.sleep(2)
    assert len(flight.server.exchanges) == asked, "no burst"
    assert 600 - (time.monotonic() - began) - 1 <= flight.status()["nextAttempt"] <= 600
    flight.restart()
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound()


def test_a_start_in_1970_and_the_step_to_now(make_agent, fake_gpsd, server, clock, measured):
    """A machine without a battery-backed clock: the receiver knows the time, the machine does not."""
    clock.be_in(5)
    agent = make_agent(CONFIGURATION.format(gpsd=fake_gpsd), prefix=clock.prefix).start()
    agent.register(server.url, server.token)
    flight = Flight(agent, fake_gpsd, server)
    wait_for(lambda: fake_gpsd.watchers, 30, "the watch")
    for _ in range(20):
        fake_gpsd.tell(next(flight.places))  # by the real time
        time.sleep(0.01)
    wait_for(lambda: flight.status()["skipped"].get("future", 0) >= 20, 20, "each to be skipped as of the future")
    assert flight.queue()["accepted"] == 0
    assert flight.send_zone() == "delivered", "a person's report needs no clock"
    assert_ages(flight)
    clock.step(0)
    began = time.monotonic()
    fake_gpsd.tell(next(flight.places))
    wait_for(lambda: flight.queue()["accepted"] == 2, 20, "the first good fix")
    took = time.monotonic() - began
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    assert_ages(flight)
    measured(f"started in 1970: accepts {took:.1f} s after the step to now")


def test_in_1970_certificates_are_not_valid_yet_and_the_status_says_so(make_agent, fake_gpsd, server, clock):
    faults = TLSFaults()
    with Proxy(server.port, tls=faults.context("right")) as front:
        trust = f"[home_assistant]\nca_file = {faults.certificates.ca}\n"
        agent = make_agent(CONFIGURATION.format(gpsd=fake_gpsd) + trust, prefix=clock.prefix).start()
        agent.register(front.url, server.token)
        flight = Flight(agent, fake_gpsd, server)
        clock.be_in(1000)
        flight.hang_up()
        agent.stop()
        agent.start()
        assert flight.send_zone() == "queued"
        assert "not valid yet" in flight.problem() and "clock" in flight.problem()
        clock.step(0)
        assert flight.send_zone() == "delivered"


def test_clocks_that_walk_at_random_lose_nothing(flight, clock, chance, count, measured):
    steps = count(20, 400)
    for _ in range(steps):
        clock.step(chance.choice([*STEPS.values(), 0, chance.uniform(-10 * YEARS, 10 * YEARS)]))
        tell(flight, 5)
        if chance.random() < 0.3:
            flight.send()
        if chance.random() < 0.1:
            flight.restart(kill=chance.random() < 0.5)
            wait_for(lambda: flight.gpsd.watchers, 20, "the watch")
    clock.step(0)
    flight.send()
    wait_for(lambda: flight.queue()["queued"] == 0, 60, "everything home")
    assert flight.queue()["fates"]["rejected"] == flight.queue()["fates"]["expired"] == 0
    # One cut parts history from news: where a step has made a position old that still waits, those before it become history
    # with it. One of them that was told and is not proved yet is then told twice. It takes two steps, there and back, and
    # only those of that moment are meant, 50 at most and few as a rule: over many steps less than one for each.
    flight.assert_sound(duplicates=count(50, steps))
    twice = sum(map(len, flight.arrived())) - flight.queue()["accepted"]
    measured(f"{steps} steps of the clock by up to ten years over {flight.queue()['accepted']} positions: 0 lost, "
             f"{twice} told twice")
