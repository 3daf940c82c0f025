"""The same with real Home Assistants, judged by what their own recorder holds."""

import threading
import time

import pytest
from conftest import VERSIONS, home_assistant
from faults.flight import CONFIGURATION, WITNESS, Flight, places_of_track
from homing_rigs import checker
from homing_rigs.processes import wait_for

OLDEST_AND_NEWEST = [version for version in (VERSIONS[0], VERSIONS[-1])] if len(VERSIONS) > 1 else VERSIONS


class Journey:
    """A daemon that reports to a real Home Assistant."""

    def __init__(self, ha, agent, gpsd, home=None):
        self.ha, self.agent, self.home = ha, agent, home
        agent.register(ha.url, ha.token, home=home)
        self.device = agent.registration_of(home or "home")["device_id"]
        self.tracker = wait_for(lambda: ha.tracker_of(self.device), 60, "the tracker")
        self.since = time.time() - 1
        self.flight = Flight(agent, gpsd, None, home)

    def shows(self, number):
        """Whether Home Assistant holds a place that was accepted with this number or later. That it is proved, and so
        counted as delivered, comes up to 150 positions or two and a half minutes after it."""
        held = self.ha.state(self.tracker)["attributes"]
        return any(abs(held["latitude"] - latitude) < 1e-6 and abs(held["longitude"] - longitude) < 1e-6
                   for accepted, latitude, longitude in self.agent.accepted(self.home) if accepted >= number)

    def assert_sound(self, duplicates, track=()):
        """The recorder is the witness. Each start of Home Assistant records the restored place once more. What came as
        history may have been told as news before."""
        told = checker.track_of_history(self.ha.history(self.tracker, self.since))
        accepted = self.agent.accepted(self.home)
        again = checker.judge(accepted, told).duplicated
        assert len(again) <= duplicates, again
        found = checker.audit(self.flight.queue(), accepted, told, track, duplicates + len(track))
        assert not found, found
        assert self.flight.queue()["fates"]["rejected"] == 0


@pytest.fixture(params=OLDEST_AND_NEWEST)
def journey_with_sensor(request, make_agent, fake_gpsd):
    """The same with a sensor, as any has that is not told otherwise: receipts tell of reloads by it."""
    agent = make_agent(CONFIGURATION.format(gpsd=fake_gpsd) + WITNESS).start()
    return Journey(home_assistant(request.param), agent, fake_gpsd)


@pytest.fixture(params=OLDEST_AND_NEWEST)
def journey(request, make_agent, fake_gpsd):
    """A journey with each version in turn."""
    agent = make_agent(CONFIGURATION.format(gpsd=fake_gpsd)).start()
    return Journey(home_assistant(request.param), agent, fake_gpsd)


def test_a_real_home_assistant_restarts(journey, chance, count, measured):
    restarts, slowest, longest, unproved = count(1, 50), 0.0, 0.0, 0
    assert journey.flight.send() == "delivered"
    journey.flight.stream(4)
    for number in range(restarts):
        time.sleep(chance.uniform(0.5, 1.5))
        began = time.monotonic()
        if number % 5 == 4:
            # It forgets what it took since its last start: what no receipt has shown comes again, and what is accepted
            # between this question and its end.
            unproved += journey.flight.queue()["queued"] + 2
            # Its recorder writes behind what it answers: a witness that dies too early would not know what it held.
            journey.ha.history(journey.tracker, time.time() - 60)
            journey.ha.kill()
            journey.ha.start()
        else:
            journey.ha.restart()
        ready = time.monotonic()
        newest = journey.flight.queue()["accepted"]
        wait_for(lambda: journey.shows(newest), 90, "the newest place is there")
        outage, wait = ready - began, time.monotonic() - ready
        slowest, longest = max(slowest, wait), max(longest, outage)
        # The pace grows with the outage: half of it, and no more.
        assert wait <= count(75, max(30, outage / 2)), f"{wait:.0f} s after Home Assistant was ready, gone for {outage:.0f} s"
    journey.flight.gpsd.hold()
    journey.flight.send()  # with a receipt at once: otherwise it is asked in its time
    wait_for(lambda: journey.flight.queue()["queued"] == 0, 90, "everything home")
    # At each start the place that it restores, and the position whose answer was lost at the end.
    journey.assert_sound(duplicates=2 * restarts + unproved)
    measured(f"{restarts} restarts of {journey.ha.version} over {journey.flight.queue()['accepted']} positions: 0 lost, "
             f"the newest there {slowest:.0f} s after it was ready at most, the longest outage {longest:.0f} s")


def test_with_the_channel_for_notifications_the_newest_place_is_soon_there(make_agent, fake_gpsd, only_long, measured):
    """The channel that opens again ends the courier's rest, however long the outage was. By plain HTTP it opens when the
    courier has had a proof, which ends the channel's own rest."""
    outages, since_open, after_place, since_ready, channel, longest = 4, 0.0, 0.0, 0.0, 0.0, 0.0
    agent = make_agent(CONFIGURATION.format(gpsd=fake_gpsd) + "[push]\nmode = always\n").start()
    journey = Journey(home_assistant(OLDEST_AND_NEWEST[-1]), agent, fake_gpsd)
    opened = "notifications: connected by"
    wait_for(lambda: opened in agent.log_text(), 60, "the channel")
    assert journey.flight.send() == "delivered"
    journey.flight.stream(1)
    for number in range(outages):
        began = time.monotonic()
        journey.ha.kill()
        time.sleep(150)
        journey.ha.start()
        ready, newest = time.monotonic(), journey.flight.queue()["accepted"]
        seen = {}
        wait_for(lambda: both(seen, place=journey.shows(newest),
                              channel=agent.log_text().count(opened) >= number + 2), 400, "the place and the channel")
        outage = ready - began
        since_open = max(since_open, seen["place"] - seen["channel"])
        after_place = max(after_place, seen["channel"] - seen["place"])
        since_ready, channel = max(since_ready, seen["place"] - ready), max(channel, seen["channel"] - ready)
        longest = max(longest, outage)
        assert seen["place"] - ready <= max(30, outage / 2) + 30, f"{seen['place'] - ready:.0f} s, gone for {outage:.0f} s"
    journey.flight.gpsd.hold()
    assert since_open <= 30 and after_place <= 30
    measured(f"{outages} outages of up to {longest:.0f} s: the newest there {since_ready:.0f} s after Home Assistant was "
             f"ready at most, the channel open after {channel:.0f} s, and never 30 s before or after the newest was there")


def both(seen, **facts):
    """Notes when each fact was first seen to be true; whether all were."""
    for name, is_true in facts.items():
        if is_true:
            seen.setdefault(name, time.monotonic())
    return len(seen) == len(facts)


def test_positions_that_are_proved_one_by_one_survive_a_reload(journey, count, measured):
    assert journey.flight.send() == "delivered"
    rounds, sends = count(2, 20), 0
    for _ in range(rounds):
        reload = threading.Thread(target=journey.ha.reload_entry, args=[journey.device])
        reload.start()
        end = time.monotonic() + 3
        while reload.is_alive() or time.monotonic() < end:
            journey.flight.send()
            sends += 1
        reload.join()
    wait_for(lambda: journey.flight.queue()["queued"] == 0, 90, "everything home")
    journey.assert_sound(duplicates=4 * rounds)
    measured(f"{rounds} reloads of {journey.ha.version} over {sends} positions, each with its receipt: 0 lost")


def test_a_real_integration_is_reloaded_and_disabled(journey_with_sensor, count, measured):
    """Positions flow meanwhile, and share a receipt: some fall into the moments in which nobody listens."""
    journey, rounds = journey_with_sensor, count(2, 10)
    assert journey.flight.send() == "delivered"
    wait_for(lambda: len(journey.ha.entities_of(journey.device)) > 1, 90, "the sensor")
    with journey.ha.events("homing_track") as events:
        assert journey.flight.send() == "delivered"
        journey.flight.stream(20)
        for _ in range(rounds):
            time.sleep(1)
            journey.ha.reload_entry(journey.device)
            time.sleep(0.5)
            journey.ha.disable_entry(journey.device)
            time.sleep(1)
            journey.ha.enable_entry(journey.device)
        time.sleep(1)
        journey.flight.gpsd.hold()
        journey.flight.send()
        wait_for(lambda: journey.flight.queue()["queued"] == 0, 90, "everything home")
        track = places_of_track(event["data"] for event in events.all())
    assert track, "what a reload may have lost came as history"
    journey.assert_sound(4 * rounds, track)
    measured(f"{rounds} reloads and disablings of {journey.ha.version} over {journey.flight.queue()['accepted']} "
             f"positions: 0 lost, {len(track)} as history")
