"""Single fixes that are 5 km off, behind a real gpsd: no trace of them is in Home Assistant's history. Machines that
were carried far, by ferry and asleep: Home Assistant's map has them soon. There gpsd and the clock are played: nobody
waits for hours."""

import time

import pytest
from homing_rigs.faults.clock import Clock
from homing_rigs.faults.gpsd import METRES_A_DEGREE, FakeGPSD
from homing_rigs.nmea_track import HOME, distance, drive_track
from homing_rigs.processes import wait_for

pytestmark = [pytest.mark.early, pytest.mark.ends]

CONFIGURATION = """\
[gpsd]
port = {port}
[location]
min_distance = 20
"""
AT_REST, ON_THE_WAY = (15, 22, 23), (45, 52, 53, 60)  # seconds
METRES_OFF = 5000


def test_a_fix_5_km_off_leaves_no_trace_in_the_trackers_history(ha, gps, make_agent):
    agent = make_agent(CONFIGURATION.format(port=gps.port)).start()
    agent.register(ha.url, ha.token)
    tracker = ha.tracker_of(agent.registration["device_id"])
    started = time.time()
    track = agent.folder / "drive.nmea"
    truth = drive_track(track, home_seconds=30, glitches=[(at, METRES_OFF) for at in AT_REST + ON_THE_WAY])
    wild = [epoch for epoch in truth.epochs
            if distance((epoch.latitude, epoch.longitude), (epoch.measured_latitude, epoch.measured_longitude)) > 4000]
    assert len(wild) == len(AT_REST + ON_THE_WAY), "the receiver errs"
    gps.start(track, speed=1, time="now")
    wait_for(lambda: gps.feed("status")["seconds"] > max(ON_THE_WAY) + 5, 120, "the drive")
    gps.feed("hold")
    wait_for(lambda: agent.status()["held"]["dropped"] == len(wild), 10, "all wild fixes to be dropped")
    agent.wait_until_empty(180)
    assert agent.status()["held"] == {"waiting": 0, "believed": 0, "dropped": len(wild)}
    assert f"{len(wild)} too far from the last fix to count at once: {len(wild)} dropped" in agent.homing("status").stdout
    history = [(state, attributes) for _, state, attributes in ha.history(tracker, started)]
    places = [(attributes["latitude"], attributes["longitude"]) for _, attributes in history
              if "latitude" in attributes]
    assert len(places) > 10, "the drive is in the history"
    assert max(distance(place, HOME[1:3]) for place in places) < 1000, "and nothing else"
    states = [state for state, _ in history if state in ("home", "not_home")]
    assert states == sorted(states), "it left home once, and did not come back"
    agent.assert_books_balance()


class Carried:
    """A registered daemon with a clock of its own, whose receiver says where it was carried."""

    def __init__(self, ha, make_agent, gpsd, environment=None):
        self._ha, self._gpsd = ha, gpsd
        self.clock, self.place = Clock(), HOME[1:3]
        self.agent = make_agent(f"[gpsd]\nport = {gpsd.port}\n", environment, prefix=self.clock.prefix).start()
        self.agent.register(ha.url, ha.token)
        self.tracker = ha.tracker_of(self.agent.registration["device_id"])
        self.says(3)
        wait_for(self.is_on_the_map, 20, "the first place on the map")

    def says(self, seconds):
        """The receiver says the place once a second, and that it stands still."""
        for _ in range(seconds):
            self._gpsd.tell(self.place, at=self.clock.now(), speed=0.0)
            time.sleep(1)

    def north(self, kilometres, hours):
        """Be there that much later, without a fix meanwhile."""
        self.place = (self.place[0] + kilometres * 1000 / METRES_A_DEGREE, self.place[1])
        self.clock.step(self.clock.offset + hours * 3600)

    def is_on_the_map(self):
        shown = self._ha.state(self.tracker)["attributes"]
        return "latitude" in shown and distance((shown["latitude"], shown["longitude"]), self.place) < 100

    def seconds_until_on_the_map(self, limit):
        """Says the place until Home Assistant shows it."""
        began = time.monotonic()
        while not self.is_on_the_map():
            assert time.monotonic() - began < limit, f"not on the map within {limit} s"
            self.says(1)
        return time.monotonic() - began


def test_a_ferry_of_40_km_in_an_hour_without_a_fix_is_on_the_map_at_once(ha, make_agent):
    with FakeGPSD() as gpsd:
        van = Carried(ha, make_agent, gpsd)
        van.north(kilometres=40, hours=1)
        van.seconds_until_on_the_map(5)
        assert van.agent.status()["held"] == {"waiting": 0, "believed": 0, "dropped": 0}


def test_400_km_while_the_machine_slept_are_on_the_map_within_ten_seconds(ha, make_agent, bus):
    bus.logind_start()
    with FakeGPSD() as gpsd:
        laptop = Carried(ha, make_agent, gpsd, bus.environment)
        bus.prepare_for_sleep(True)
        laptop.north(kilometres=400, hours=3)
        bus.prepare_for_sleep(False)
        laptop.seconds_until_on_the_map(10)
