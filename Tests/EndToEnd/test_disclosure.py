"""`[location] tell`: what leaves the machine in a drive of an hour, decrypted, and what its journal says at debug."""

import json
import re
import signal
import time

import pytest
from homing_rigs.nmea_track import drive_track
from homing_rigs.processes import wait_for

pytestmark = pytest.mark.ends

CONFIGURATION = """\
[gpsd]
port = {port}
[location]
tell = {tell}
max_age = 10
batch_metered = 5
[sensors]
enable = all
interval = 60
"""
TRUTH = ["home", "not_home", "work"]  # of the zones that Home Assistant has
SPEED = 40  # times as fast as the drive was
DECIMALS = re.compile(r"-?\d+\.\d{3,}")


def points(text, truth):
    """Numbers in a text that are a latitude or a longitude of the drive, to three decimals or more."""
    latitudes = {round(epoch.measured_latitude, 3) for epoch in truth.epochs}
    longitudes = {round(epoch.measured_longitude, 3) for epoch in truth.epochs}
    numbers = DECIMALS.findall(text)
    return [number for number in numbers if round(float(number), 3) in latitudes | longitudes]


def once_in_a_row(names):
    """Names in lower case, without those that repeat the one before."""
    names = [name.lower() for name in names]
    return [name for before, name in zip([None, *names], names) if name != before]


class Drive:
    """An agent in the drive, behind a recorder."""

    def __init__(self, tell, ha, recorder, web, gps, bus, make_agent):
        self.ha, self.recorder, self.gps = ha, recorder, gps
        self.agent = make_agent(CONFIGURATION.format(port=gps.port, tell=tell), bus.environment).start()
        self.agent.register(web.instance.url, ha.token)
        self.tracker = ha.tracker_of(self.agent.registration["device_id"])
        track = self.agent.folder / "drive.nmea"
        self.truth = drive_track(track, home_seconds=1400, work_seconds=1700)
        assert self.truth.epochs[-1].seconds >= 3600
        gps.start(track, speed=SPEED, time="now")

    def wait_for_state(self, state, seconds=150):
        wait_for(lambda: self.ha.state(self.tracker)["state"] == state, seconds, state)

    def commands(self, since=0):
        """Commands that left the machine, decrypted."""
        registration = self.agent.registration
        every = self.recorder.commands(registration["secret"], registration["webhook_id"])
        assert self.recorder.sealed_violations() == []
        return [command for command in every if command.time >= since]

    def zones(self, commands):
        """The zones that were told as news and as history, each in order and once in a row, in the words of either
        version."""
        news, history = [], []
        for command in commands:
            if command.type == "update_location":
                data = command.data
                news.append(data.get("location_name") or (data["in_zones"] or ["not_home"])[0].replace("zone.", ""))
            if command.type == "fire_event" and command.data["event_type"] == "homing_track":
                data = command.data["event_data"]
                history += [row[data["fields"].index("zone")] for row in data["positions"]]
        return once_in_a_row(news), once_in_a_row(history)


@pytest.fixture
def drive(ha, recorder, web, gps, bus, make_agent):
    return lambda tell: Drive(tell, ha, recorder, web, gps, bus, make_agent)


def test_an_hour_that_is_told_by_zones_shows_no_point_of_the_drive(drive):
    hour = drive("zone")
    hour.wait_for_state("home", 60)
    hour.wait_for_state("not_home")
    hour.wait_for_state("Work")
    attributes = hour.ha.state(hour.tracker)["attributes"]
    assert not {"latitude", "longitude"} & {key for key, value in attributes.items() if value is not None}
    hour.gps.feed("hold")
    hour.agent.wait_until_empty()

    sent = hour.commands()
    assert len(sent) > 20
    assert points(json.dumps([command.data for command in sent]), hour.truth) == []
    assert points(hour.agent.log_text(), hour.truth) == []
    assert not [command for command in sent if command.type == "update_location" and "gps" in command.data]
    assert hour.zones(sent)[0] == TRUTH
    told = {item["unique_id"] for command in sent if command.type == "update_sensor_states" for item in command.data}
    assert "battery_level" in told and not told & {"ssid", "bssid", "connection_name"}
    status = hour.agent.status()
    assert status["location_tell"] == "zone" and status["skipped"]["same_zone"] > 0
    assert "reported as the zone only" in hour.agent.homing("status").stdout
    hour.agent.assert_books_balance()


def test_positions_queued_before_the_switch_to_zones_leave_as_zones(drive, web, bus):
    hour = drive("exact")
    hour.wait_for_state("home", 60)
    wait_for(lambda: points(json.dumps([command.data for command in hour.commands()]), hour.truth), 20, "a point")
    web.mode("refuse")
    queued = hour.agent.queue()["accepted"]
    wait_for(lambda: hour.agent.queue()["accepted"] > queued + 30, 150, "a queue of positions")
    time.sleep(12)  # longer than max_age: most are history by now
    text = hour.agent.configuration.read_text()
    hour.agent.configuration.write_text(text.replace("tell = exact", "tell = zone"))
    hour.agent.signal(signal.SIGHUP)
    wait_for(lambda: hour.agent.status()["location_tell"] == "zone", 20, "the reload")
    written, switched = len(hour.agent.log_text()), time.time()
    web.mode("ok")
    bus.wifi("HomeNet", "02:00:00:00:02:00")
    hour.wait_for_state("Work")
    hour.gps.feed("hold")
    hour.agent.wait_until_empty()

    sent = hour.commands(switched)
    assert hour.agent.fate("delivered_track") > 10
    assert points(json.dumps([command.data for command in sent]), hour.truth) == []
    assert points(hour.agent.log_text()[written:], hour.truth) == []
    news, history = hour.zones(sent)
    assert news[-1] == "work" and "not_home" in history
    assert history == [zone for zone in TRUTH if zone in history]
    hour.agent.assert_books_balance()


def test_a_machine_that_tells_nothing_says_so(newest, make_agent):
    agent = make_agent("[gpsd]\nenabled = false\n[location]\ntell = never\n").start()
    agent.register(newest.url, newest.token)
    told = agent.homing("send-location", "--zone", "home", check=False)
    assert told.returncode == 76 and "[location] tell = never" in told.stderr, told
    assert agent.queue()["accepted"] == 0
    assert "not reported" in agent.homing("status").stdout
