"""Saving data: a metered network closes the channel and thins the reports; what was used is counted."""

import re

import pytest
from homing_rigs.documents import block
from homing_rigs.nmea_track import drive_track
from homing_rigs.processes import wait_for
from test_notifications import companion, push, wait_until_open

pytestmark = pytest.mark.ends

CONFIGURATION = """\
[gpsd]
port = {port}
[location]
max_age = 20
batch_metered = 5
[sensors]
disable = all
scripts =
[push]
[thrift]
mode = auto
budget = 50
"""


# The lines of a status, here and on the page.
DATA = r"Data {11}[\d.]+ MB this month \((mobile|Wi-Fi) [\d.]+ MB(, \S+ [\d.]+ MB)*\), budget 50 MB"
THRIFT = r"Thrift {9}on: the network is metered(, intervals × \d+)?"


def lines(text):
    """The lines about data, of a status or of a page."""
    return [line for line in text.splitlines() if line.startswith(("Data ", "Thrift "))]


def fates(agent):
    return agent.queue()["fates"]


def used(agent):
    """Bytes by kind of network, as the status tells them."""
    return agent.whole_status()["data"]["bytes"]


def test_a_metered_network_has_no_channel_and_gets_history_in_place_of_news(newest, desktop, gps, bus, make_agent):
    agent = companion(make_agent, newest, desktop, configuration=CONFIGURATION.format(port=gps.port),
                      environment=bus.environment)
    assert agent.whole_status().get("thrift") is None
    bus.metered(True)
    wait_for(lambda: push(agent)["state"] == "off", 15, "the channel to be closed")
    assert push(agent)["problem"] == "[thrift] saves data"
    assert agent.whole_status()["thrift"] == "the network is metered"
    told, shown = lines(agent.homing("status").stdout), lines(block("docs/data.md", "How much it is", "text"))
    for data, thrift in (told, shown):
        assert re.fullmatch(DATA, data) and re.fullmatch(THRIFT, thrift), (told, shown)
    track = agent.folder / "drive.nmea"
    drive_track(track, home_seconds=5, work_seconds=5)
    with newest.events("homing_track") as events:
        gps.start(track, speed=10, time="now")
        wait_for(lambda: sum(len(event["data"]["positions"]) for event in events.all()) >= 5, 90, "history")
    wait_for(lambda: fates(agent)["delivered_track"] > fates(agent)["delivered_live"], 30, "more history than news")
    assert agent.homing("send-location", "--zone", "Work").stdout.startswith("Delivered"), "a request is urgent"
    bus.metered(False)
    wait_until_open(agent)
    assert agent.whole_status().get("thrift") is None


def test_the_data_used_is_counted_by_network_and_known_after_a_restart(newest, desktop, bus, make_agent):
    agent = companion(make_agent, newest, desktop, configuration="[gpsd]\nenabled = false\n[push]\n",
                      environment=bus.environment)
    before = used(agent)["wifi"]
    assert 1000 < before < 1_000_000, "an answer with the configuration is some kB"
    agent.homing("event", "large", "--data", '{"text": "' + "x" * 20_000 + '"}', "--wait")
    after = used(agent)["wifi"]
    # Base64 of a sealed text, its receipt, and the heads.
    assert 26_000 < after - before < 45_000, (before, after)
    agent.stop()
    agent.start()
    assert used(agent)["wifi"] >= after
