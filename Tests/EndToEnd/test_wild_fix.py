"""Single fixes that are 5 km off, behind a real gpsd: no trace of them is in Home Assistant's history."""

import time

import pytest
from homing_rigs.nmea_track import HOME, distance, drive_track
from homing_rigs.processes import wait_for

pytestmark = pytest.mark.ends

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
    agent.wait_until_empty(60)
    assert agent.status()["held"] == {"waiting": 0, "believed": 0, "dropped": len(wild)}
    assert f"{len(wild)} too far off to be believed at once: {len(wild)} dropped" in agent.homing("status").stdout
    history = [(state, attributes) for _, state, attributes in ha.history(tracker, started)]
    places = [(attributes["latitude"], attributes["longitude"]) for _, attributes in history
              if "latitude" in attributes]
    assert len(places) > 10, "the drive is in the history"
    assert max(distance(place, HOME[1:3]) for place in places) < 1000, "and nothing else"
    states = [state for state, _ in history if state in ("home", "not_home")]
    assert states == sorted(states), "it left home once, and did not come back"
    agent.assert_books_balance()
