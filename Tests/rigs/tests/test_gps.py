"""The track is what it says, and a real gpsd tells it on, faults included."""

import itertools
import time

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


def modes(receiver):
    time.sleep(0.4)
    return {report["mode"] for report in receiver.reports(0.8)}


def test_gpsd_tells_the_track(receiver):
    receiver.feed("goto 200")
    time.sleep(0.3)
    report = receiver.reports(1)[-1]
    near = [nmea_track.distance((report["lat"], report["lon"]), (e.measured_latitude, e.measured_longitude))
            for e in receiver.truth.epochs[200:230]]
    assert min(near) < 1 and report["mode"] == 3


def test_faults_of_the_fix(receiver):
    receiver.feed("nofix")
    assert modes(receiver) == {1}
    receiver.feed("twod")
    assert modes(receiver) == {2}
    receiver.feed("fix")
    assert modes(receiver) == {3}


@pytest.mark.parametrize("fault, cure", [("silent", "fix"), ("garbage", "fix"), ("pause", "resume")])
def test_faults_that_silence_it(receiver, fault, cure):
    receiver.feed(fault)
    assert modes(receiver) == set()
    receiver.feed(cure)
    assert modes(receiver) == {3}


def test_hold_stands_still(receiver):
    receiver.feed("goto 300")
    receiver.feed("hold")
    time.sleep(0.3)
    reports = receiver.reports(1)
    assert len({(report["lat"], report["lon"]) for report in reports}) == 1
    assert reports[-1]["speed"] == 0
    receiver.feed("resume")


def test_unplug_and_plug(receiver):
    receiver.feed("unplug")
    assert modes(receiver) == set()
    receiver.feed("plug")
    assert modes(receiver) == {3}


def test_gpsd_comes_back(receiver):
    for end, begin in itertools.product((receiver.kill_gpsd, receiver.stop_gpsd), (receiver.start_gpsd,)):
        end()
        assert not processes.listens(receiver.port)
        begin()
        assert 3 in modes(receiver)


def test_an_unknown_command_is_an_error(receiver):
    with pytest.raises(ValueError):
        receiver.feed("fly")
