"""What Home Assistant logs in an hour of Homing: nothing, whatever Homing is used for. With HOMING_LONG=1 the hour is a real
one; otherwise the receiver's hour passes in a minute."""

import os
import re
import signal
import time

import pytest
from homing_rigs.nmea_track import drive_track
from homing_rigs.processes import wait_for
from test_notifications import notify, wait_until_open

LONG = os.environ.get("HOMING_LONG") == "1"
pytestmark = [] if LONG else [pytest.mark.ends]

CONFIGURATION = """\
[gpsd]
port = {port}
[sensors]
{sensors}
interval = 60
[push]
"""
SPEED = 1 if LONG else 60  # times as fast as the drive was
RECORD = re.compile(r"^\d{4}-\d\d-\d\d \S+ (?:WARNING|ERROR|CRITICAL) .*", re.MULTILINE)


def use_everything(agent, ha, desktop, round_):
    """What a person and an automation do with Homing now and then."""
    agent.homing("event", "homing_test", f"round={round_}", "--wait")
    agent.homing("template", "{{ states('zone.home') }}")
    agent.homing("zones")
    agent.homing("tag", f"tag-{round_}")
    agent.homing("send-location", "--zone", "Work")
    agent.homing("call", "persistent_notification.create", "message=by Homing")
    agent.homing("say", "turn on the lights")
    agent.homing("registration", "update")
    agent.homing("doctor", check=False)
    notify(ha, agent, f"Round {round_}", f"Title {round_}", actions=[{"action": "YES", "title": "Yes"}])
    desktop.press(desktop.wait_for(f"Title {round_}"), "Yes")


def test_an_hour_leaves_no_warning_in_the_log_of_home_assistant(ha, gps, desktop, make_agent):
    before = len(ha.log_text())
    agent = make_agent(CONFIGURATION.format(port=gps.port, sensors="enable = all"), desktop.environment).start()
    agent.register(ha.local_url, ha.token, "--name", f"Logged {ha.version}")
    wait_until_open(agent)
    track = agent.folder / "hour.nmea"
    truth = drive_track(track, home_seconds=1400, work_seconds=1700)
    hour = truth.epochs[-1].seconds
    assert hour >= 3600
    began = time.monotonic()
    gps.start(track, speed=SPEED, time="now")
    tracker = ha.tracker_of(agent.registration["device_id"])
    wait_for(lambda: ha.state(tracker)["state"] == "home", 60, "home")
    use_everything(agent, ha, desktop, 1)
    wait_for(lambda: ha.state(tracker)["state"] == "not_home", 95 + hour / SPEED, "the drive")
    # Without any sensor, the receipt has no entity to look at.
    agent.configuration.write_text(CONFIGURATION.format(port=gps.port, sensors="disable = all"))
    agent.signal(signal.SIGHUP)
    use_everything(agent, ha, desktop, 2)
    wait_for(lambda: ha.state(tracker)["state"] == "Work", 90 + hour / SPEED, "the end of the drive")
    wait_for(lambda: time.monotonic() - began >= hour / SPEED, 90 + hour / SPEED, "the end of the hour")
    agent.wait_until_empty()
    agent.homing("unregister", "--yes")
    logged = RECORD.findall(ha.log_text()[before:])
    assert logged == [], "\n".join(logged)
    # A warning would be seen: this is the one that a receipt without any sensor once caused.
    agent.register(ha.local_url, ha.token)
    agent.homing("template", "{{ [] | min }}", check=False)
    wait_for(lambda: "No aggregated item" in "".join(RECORD.findall(ha.log_text()[before:])), 10, "the warning")
