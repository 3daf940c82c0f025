"""The played gpsd tells what it is asked to tell, as a client of the real one reads it."""

import itertools
import json
import socket

import pytest
from homing_rigs import processes
from homing_rigs.faults.gpsd import FakeGPSD, places


@pytest.fixture
def gpsd():
    with FakeGPSD() as running:
        yield running


class Watcher:
    """A client that watches."""

    def __init__(self, gpsd):
        self.connection = socket.create_connection(("127.0.0.1", gpsd.port), 20)
        self.lines = self.connection.makefile("rb")
        assert self.next()["class"] == "VERSION"
        self.connection.sendall(b'?WATCH={"enable":true,"json":true};\n')
        assert self.next()["devices"][0]["path"] == "/dev/gps0"
        assert self.next()["class"] == "WATCH"

    def next(self):
        return json.loads(self.lines.readline())


def test_a_fix_reaches_everybody_who_watches(gpsd):
    watchers = [Watcher(gpsd), Watcher(gpsd)]
    gpsd.tell((52.0, 4.0), accuracy=7, speed=None, mode=2)
    for watcher in watchers:
        report = watcher.next()
        assert (report["lat"], report["lon"], report["eph"], report["mode"]) == (52.0, 4.0, 7, 2)
        assert "speed" not in report and report["time"].endswith("Z")
    assert gpsd.told[0][1:] == (52.0, 4.0)


def test_a_stream_has_a_time_and_a_place_of_its_own_for_each(gpsd):
    watcher = Watcher(gpsd)
    gpsd.stream(500)
    reports = [watcher.next() for _ in range(200)]
    gpsd.hold()
    assert len({report["time"] for report in reports}) == 200
    assert len({(report["lat"], report["lon"]) for report in reports}) == 200


def test_places_never_repeat():
    some = list(itertools.islice(places(), 25_000))
    assert len(set(some)) == len(some)


def test_raw_bytes_and_cuts(gpsd):
    watcher = Watcher(gpsd)
    gpsd.raw(b'{"class":"TPV","mode":1}\r\n')
    assert watcher.next() == {"class": "TPV", "mode": 1}
    gpsd.cut()
    assert watcher.lines.readline() == b""
    processes.wait_for(lambda: gpsd.watchers == 0, 20, "it is gone")
    watcher = Watcher(gpsd)
    gpsd.cut(hard=True)
    with pytest.raises(ConnectionResetError):
        watcher.lines.readline()
