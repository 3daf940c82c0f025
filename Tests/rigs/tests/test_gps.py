"""The track is what it says, and a real gpsd tells it on, faults included."""

import itertools

import pytest
from homing_rigs import gps, nmea_track, processes


def test_the_track_is_deterministic(tmp_path):
    one, two = (nmea_track.drive_track(tmp_path / name) for name in ("a.nmea", "b.nmea"))
    assert one == two and (tmp_path / "a.nmea").read_bytes() == (tmp_path / "b.nmea").read_bytes()
    assert nmea_track.drive_track(tmp_path / "c.nmea", seed=8) != one


def test_the_truth_names_zones_and_modes(tmp_path):
    truth = nmea_track.drive_track(tmp_path / "a.nmea", cold=5, twod=5, tunnels=[(300, 40)], glitches=[(200, 800)])
    assert [entered for _, _, entered in truth.crossings if entered] == ["Home", "School", "Grocery", "Work"]
    assert [truth.epochs[n].mode for n in (0, 5, 10, 299, 300, 339, 340)] == [1, 2, 3, 3, 1, 1, 3]
    errors = [nmea_track.distance((e.latitude, e.longitude), (e.measured_latitude, e.measured_longitude))
              for e in truth.epochs]
    assert max(errors) == errors[200] > 700 and sorted(errors)[-2] < 15


@pytest.fixture(scope="module")
def receiver():
    with gps.GPSD().start(speed=10, time="sim") as running:
        yield running


def settles(receiver, modes):
    """Until gpsd tells these modes, and no others, for ten epochs; with no modes, until it is silent for so long."""
    processes.wait_for(lambda: {report["mode"] for report in receiver.reports(1)} == modes, 30, f"modes {modes}")


def test_gpsd_tells_the_track(receiver):
    assert receiver.feed("goto 200")["epoch"] == 200

    def is_told():
        report = receiver.reports(1)[-1]
        played = receiver.truth.epochs[200:receiver.feed("status")["epoch"] + 1]
        return report["mode"] == 3 and min(
            nmea_track.distance((report["lat"], report["lon"]), (e.measured_latitude, e.measured_longitude))
            for e in played) < 1

    processes.wait_for(is_told, 30, "the place that is played")


def test_faults_of_the_fix(receiver):
    receiver.feed("nofix")
    settles(receiver, {1})
    receiver.feed("twod")
    settles(receiver, {2})
    receiver.feed("fix")
    settles(receiver, {3})


@pytest.mark.parametrize("fault, cure", [("silent", "fix"), ("garbage", "fix"), ("pause", "resume")])
def test_faults_that_silence_it(receiver, fault, cure):
    receiver.feed(fault)
    settles(receiver, set())
    receiver.feed(cure)
    settles(receiver, {3})


def test_hold_stands_still(receiver):
    receiver.feed("goto 300")
    receiver.feed("hold")

    def stands_still():
        reports = receiver.reports(1)
        return len({(report["lat"], report["lon"]) for report in reports}) == 1 and reports[-1]["speed"] == 0

    processes.wait_for(stands_still, 30, "one place")
    receiver.feed("resume")


def test_unplug_and_plug(receiver):
    receiver.feed("unplug")
    settles(receiver, set())
    receiver.feed("plug")
    settles(receiver, {3})


def test_gpsd_comes_back(receiver):
    for end, begin in itertools.product((receiver.kill_gpsd, receiver.stop_gpsd), (receiver.start_gpsd,)):
        end()
        assert not processes.listens(receiver.port)
        begin()
        settles(receiver, {3})


def test_an_unknown_command_is_an_error(receiver):
    with pytest.raises(ValueError):
        receiver.feed("fly")
