"""A drive of half an hour from home to work, with every sensor on: every accepted fix comes to exactly one end, and Home
Assistant has what was told."""

import time

import pytest
from homing_rigs import checker
from homing_rigs.nmea_track import drive_track
from homing_rigs.processes import wait_for

pytestmark = pytest.mark.ends

CONFIGURATION = """\
[gpsd]
port = {port}
[location]
max_age = 10
batch_metered = 5
min_distance = 20
[sensors]
enable = all
interval = 60
"""


def received(recorder, agent):
    """What Home Assistant was told: live positions, and rows of homing_track events."""
    registration = agent.registration
    live, track = [], []
    for command in recorder.commands(registration["secret"], registration["webhook_id"]):
        if command.type == "update_location" and command.status == 200 and "gps" in command.data:
            live.append(tuple(command.data["gps"]))
        if command.type == "fire_event" and command.data["event_type"] == "homing_track":
            data = command.data["event_data"]
            columns = {name: index for index, name in enumerate(data["fields"])}
            track += [(row[columns["latitude"]], row[columns["longitude"]]) for row in data["positions"]]
    return live, track


def test_a_drive_with_a_dead_zone_arrives_whole_and_in_order(ha, recorder, web, gps, bus, make_agent):
    agent = make_agent(CONFIGURATION.format(port=gps.port), bus.environment).start()
    bus.battery(80, True)
    agent.register(web.instance.url, ha.token)
    tracker = ha.tracker_of(agent.registration["device_id"])
    started = time.time()
    track = agent.folder / "drive.nmea"
    truth = drive_track(track, home_seconds=500, work_seconds=700)
    assert truth.epochs[-1].seconds >= 30 * 60
    gps.start(track, speed=25, time="now")
    wait_for(lambda: ha.state(tracker)["state"] == "home", 60, "the start at home")
    wait_for(lambda: ha.state(tracker)["state"] == "not_home", 120, "the car to leave")
    with ha.events("homing_track") as events:
        web.mode("refuse")
        time.sleep(14)
        web.mode("ok")
        bus.wifi("HomeNet", "02:00:00:00:02:00")
        wait_for(lambda: ha.state(tracker)["state"] == "Work", 180, "the car to arrive at work")
        gps.feed("hold")
        time.sleep(1)
        agent.wait_until_empty()
        assert events.wait(seconds=30), "the dead zone's positions came as events"
    verdict = checker.judge(agent.accepted(), *received(recorder, agent))
    assert not verdict.lost and not verdict.swapped and not verdict.invented, verdict
    queue = agent.queue()
    assert queue["fates"]["delivered_track"] > 0 and queue["fates"]["delivered_live"] > 10, queue
    assert agent.queue("sensors")["fates"]["delivered_live"] > 30
    agent.assert_books_balance()
    assert queue["accepted"] == len(agent.accepted())
    assert recorder.sealed_violations() == []
    live, _ = received(recorder, agent)
    assert checker.history_differences(ha.history(tracker, started), live) == []
