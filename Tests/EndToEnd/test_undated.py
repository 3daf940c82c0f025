"""Receivers that send no date, behind a real gpsd."""

import csv
import io
import os

import pytest
from homing_rigs.processes import wait_for

pytestmark = pytest.mark.early
CONFIGURATION = """\
[gpsd]
port = {port}
[location]
still_interval = 0
"""


def codes(agent):
    return [warning["code"] for warning in agent.status()["warnings"]]


@pytest.fixture
def unset_clock(tmp_path):
    """Words before the daemon with which nothing shows that the clock is set: the kernel refuses the question, as
    in the service's sandbox, and timesyncd has left no mark."""
    script = f'mkdir -p /run/systemd && mount --bind {tmp_path} /run/systemd && exec "$@"'
    return ["unshare", "-m", "sh", "-c", script, "sh", "strace", "-D", "-f", "-qq", "-o", "/dev/null",
            "-e", "trace=clock_adjtime,adjtimex", "-e", "inject=clock_adjtime,adjtimex:error=EPERM"]


@pytest.mark.skipif(os.geteuid() != 0, reason="a file system of its own needs root")
@pytest.mark.parametrize("fault", ["ggaonly", "nodate"])
def test_a_receiver_without_a_date_is_named_where_the_clock_may_be_wrong(gps, make_agent, fault, unset_clock):
    gps.start_receiver(speed=1, time="now")
    gps.feed(fault)
    gps.start_gpsd()
    agent = make_agent(CONFIGURATION.format(port=gps.port), daemon_prefix=unset_clock).start()
    wait_for(lambda: agent.status()["skipped"].get("no_time", 0) > 60, 120, "fixes of a minute")
    assert codes(agent) == ["not_registered"], "not before two minutes, and there was no hour without a fix"
    wait_for(lambda: "fixes_skipped" in codes(agent), 100, "the warning")
    warning = next(warning for warning in agent.status()["warnings"] if warning["code"] == "fixes_skipped")
    assert "no date" in warning["detail"] and "clock" in warning["detail"]
    examined = agent.homing("doctor", check=False)
    assert examined.returncode == 1 and "All fixes of the GPS receiver are skipped" in examined.stdout
    assert "for an hour" not in examined.stdout


def test_its_positions_arrive_once_a_dated_fix_has_vouched_for_the_clock(newest, gps, make_agent):
    agent = make_agent(CONFIGURATION.format(port=gps.port)).start()
    agent.register(newest.url, newest.token)
    gps.start(speed=1, time="now")
    wait_for(lambda: agent.queue()["accepted"] > 0, 60, "a dated fix")
    # gpsd remembers the date as long as it runs.
    gps.stop_gpsd()
    gps.feed("ggaonly")
    gps.feed("goto 150")
    gps.start_gpsd()
    before = agent.queue()["accepted"]
    wait_for(lambda: agent.status()["position"].get("time_source") == "time_of_day", 60, "the time of day")
    wait_for(lambda: agent.queue()["accepted"] > before + 5, 60, "positions without a date")
    agent.wait_until_empty(180)
    assert agent.fate("delivered_live") > 5
    assert "the receiver sends no date" in agent.homing("status").stdout
    rows = list(csv.DictReader(io.StringIO(agent.homing("track", "--format", "csv").stdout)))
    assert {row["time_source"] for row in rows} == {"receiver", "time_of_day"}
    assert "fixes_skipped" not in codes(agent)
