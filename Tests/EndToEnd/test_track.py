"""The local track log: kept whether or not Home Assistant can be reached, and written in three formats."""

import csv
import io
import json
import sqlite3
import subprocess
import time

import pytest
from agent import BINARIES
from homing_rigs import gpx_schema
from homing_rigs.processes import wait_for
from terminal import Terminal

CONFIGURATION = "[gpsd]\nport = {port}\n[location]\nmin_distance = 5\nqueue_unregistered = true\n"


def invalid(gpx):
    """What the schema says against a GPX file; empty if nothing."""
    done = subprocess.run(["xmllint", "--noout", "--schema", gpx_schema.path(), "-"], input=gpx, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr


@pytest.fixture
def driven(gps, make_agent):
    """An agent that has no Home Assistant and has been driven about."""
    agent = make_agent(CONFIGURATION.format(port=gps.port)).start()
    gps.start(speed=20, time="now")
    wait_for(lambda: len(agent.accepted()) >= 5, 40, "accepted positions")
    gps.stop()
    return agent


def test_each_accepted_position_is_kept_and_written_in_each_format(driven):
    accepted = [(round(latitude, 7), round(longitude, 7)) for _, latitude, longitude in driven.accepted()]
    gpx = driven.homing("track").stdout
    assert invalid(gpx) == "" and gpx.count("<trkpt") == len(accepted)
    collection = json.loads(driven.homing("track", "--format", "geojson").stdout)
    places = [(latitude, longitude) for line in collection["geometry"]["coordinates"] for longitude, latitude, *_ in line]
    assert places == accepted
    rows = list(csv.DictReader(io.StringIO(driven.homing("track", "--format", "csv").stdout)))
    assert [(float(row["latitude"]), float(row["longitude"])) for row in rows] == accepted
    summary = json.loads(driven.homing("track", "--json").stdout)
    assert summary["points"] == len(accepted) and summary["gaps"] == 0 and summary["distance"] > 10
    assert json.loads(driven.homing("track", "--until", "1d", "--json").stdout)["points"] == 0
    assert json.loads(driven.homing("track", "--since", "1h", "--json").stdout)["points"] == len(accepted)


def test_the_check_of_gpx_can_fail(driven):
    gpx = driven.homing("track", "--format", "gpx").stdout
    point = gpx[gpx.index("<trkpt"):gpx.index("</trkpt>")]
    longitude = point.split('lon="')[1].split('"')[0]
    for wrong in (gpx.replace(longitude, "180.0"), gpx.replace("1.1", "1.0"), gpx.replace("<time>", "<when>"),
                  gpx.replace("Z</time>", "</time>", 1).replace("T", " ", 1), gpx.replace("<trkseg>", "", 1)):
        assert invalid(wrong)


def test_a_terminal_shows_a_summary_and_a_pipe_gets_the_track(driven):
    with Terminal([BINARIES / "homing", "track", "--since", "today"], driven.environment) as terminal:
        terminal.wait_for("Gaps")
        assert "Points" in terminal.text and "Distance" in terminal.text and "<gpx" not in terminal.text
        assert terminal.report() == "exited 0"


def test_the_log_outlives_the_daemon_and_half_an_hour_of_silence_is_a_gap(driven):
    points = json.loads(driven.homing("track", "--json").stdout)["points"]
    driven.stop()
    with sqlite3.connect(driven.state / "track.db") as log:
        log.execute("UPDATE point SET time = time - 7200 WHERE rowid <= 2")
    log.close()
    driven.start()
    summary = json.loads(driven.homing("track", "--json").stdout)
    assert summary["points"] == points and summary["gaps"] == 1 and 7000 < summary["gap_duration"] < 7300
    assert json.loads(driven.homing("track", "--since", "1h", "--json").stdout)["points"] == points - 2
    gpx = driven.homing("track").stdout
    assert gpx.count("<trkseg>") == 2 and invalid(gpx) == ""


def rows(agent):
    """How many points the file itself holds."""
    log = sqlite3.connect(f"file:{agent.state}/track.db?mode=ro", uri=True)
    try:
        return log.execute("SELECT count(*) FROM point").fetchone()[0]
    finally:
        log.close()


@pytest.mark.parametrize("durability, written", [("power-loss", True), ("grouped", False), ("crash", False)])
def test_the_log_is_written_each_minute_only_where_every_position_is(gps, make_agent, durability, written):
    agent = make_agent(CONFIGURATION.format(port=gps.port) + f"[outbox]\ndurability = {durability}\n").start()
    gps.start(speed=20, time="now")
    wait_for(lambda: len(agent.accepted()) >= 3, 40, "accepted positions")
    time.sleep(65)
    assert (rows(agent) > 0) == written
    accepted = len(agent.accepted())
    agent.stop()
    assert rows(agent) >= accepted


def test_a_log_that_cannot_be_kept_keeps_nothing_else_from_its_work(newest, gps, make_agent):
    agent = make_agent(CONFIGURATION.format(port=gps.port))
    (agent.state / "track.db").mkdir()
    agent.start()
    agent.register(newest.url, newest.token)
    gps.start(speed=1, time="now")
    wait_for(lambda: agent.fate("delivered_live") >= 1, 30, "a delivery")
    assert agent.log_text().count("track log cannot be kept") == 1
    done = agent.homing("track", check=False)
    assert done.returncode == 1 and "no track log" in done.stderr


def test_without_a_daemon_it_is_said(make_agent):
    done = make_agent().homing("track", check=False)
    assert done.returncode == 69 and "systemctl start homing" in done.stderr
