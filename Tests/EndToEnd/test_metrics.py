"""What `homing metrics` tells Prometheus of a real daemon with a real Home Assistant, read by Prometheus' own tool."""

import os
import re
import signal
import stat
import subprocess

import pytest
from agent import BINARIES
from homing_rigs.documents import REPOSITORY, block
from homing_rigs.processes import wait_for
from test_notifications import companion

pytestmark = pytest.mark.ends

PAGE, HEADING = "docs/fleet.md", "Metrics for Prometheus"
CONFIGURATION = "[gpsd]\nport = {port}\n[push]\n[thrift]\nmode = auto\nbudget = 50\n"
AWAY = "# HELP homing_up 1 if the daemon answers.\n# TYPE homing_up gauge\nhoming_up 0\n"
NAME = re.compile(r"\bhoming_[a-z_]+\b")
NOBODY = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")


def promtool(*words, text=None):
    """How Prometheus' tool ended, and what it said."""
    done = subprocess.run(["promtool", *map(str, words)], input=text, capture_output=True, text=True, timeout=30)
    return done.returncode, done.stdout + done.stderr


def values(text):
    """Series -> value."""
    pairs = [line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")]
    assert len(dict(pairs)) == len(pairs)
    return {series: float(value) for series, value in pairs}


def names_in_the_code():
    """The names of all families."""
    files = (REPOSITORY / "Sources/HomingReports").glob("MetricsText*.swift")
    return {name for file in files for name in re.findall(r'"(homing_[a-z_]+)"', file.read_text())}


@pytest.fixture
def away(make_agent):
    """A machine whose daemon was not started."""
    return make_agent("[gpsd]\nenabled = false\n")


def test_a_machine_on_a_drive_is_told_as_its_status_is_and_nothing_private(newest, desktop, gps, bus, make_agent):
    agent = companion(make_agent, newest, desktop, configuration=CONFIGURATION.format(port=gps.port),
                      environment=bus.environment)
    gps.start(speed=1, time="now")
    wait_for(lambda: agent.fate("delivered_live") >= 1, 60, "a delivery")
    before = agent.queue()
    text = agent.homing("metrics").stdout
    after, whole = agent.queue(), agent.status()
    assert promtool("check", "metrics", text=text) == (0, "")
    told = values(text)
    assert told["homing_up"] == 1 and told[f'homing_build_info{{version="{whole["version"]}"}}'] == 1
    assert 0 < told["homing_uptime_seconds"] <= whole["uptime"]
    assert told['homing_registered{home="home"}'] == told['homing_encrypted{home="home"}'] == 1
    assert told['homing_push_connected{home="home"}'] == 1
    assert 0 <= told['homing_last_delivery_age_seconds{home="home"}'] < 60
    assert 0 <= told["homing_position_age_seconds"] < 60 and told["homing_gpsd_receivers"] == 1
    assert 1000 < told['homing_data_month_bytes{network="wifi"}'] and told["homing_data_month_budget_bytes"] == 50_000_000
    of_positions = 'home="home",stream="location"'
    settled = {fate: told[f'homing_queue_settled_total{{{of_positions},fate="{fate}"}}'] for fate in before["fates"]}
    for fate, count in settled.items():
        assert before["fates"][fate] <= count <= after["fates"][fate]
    assert told[f"homing_queue_accepted_total{{{of_positions}}}"] \
        == sum(settled.values()) + told[f"homing_queue_length{{{of_positions}}}"], "the books balance here too"
    for warning in whole["warnings"]:
        assert any(f'warning="{warning["code"]}"' in series for series in told)
    registration = agent.registration
    secrets = ["HomeNet", "Rig Home", "127.0.0.1", newest.version, registration["webhook_id"], registration["device_id"],
               registration["device_name"], registration["secret"], *map(str, whole["position"]["place"].values())]
    known = f"{whole}{registration}"
    assert [secret for secret in secrets if secret not in known] == [], "the search below would find what is there"
    assert [secret for secret in secrets if secret in text] == []
    spoiled = text.replace("# TYPE homing_queue_length gauge", "# TYPE homing_queue_length counter")
    assert promtool("check", "metrics", text=spoiled)[0] != 0, "promtool finds what is wrong"


def test_a_warning_comes_and_goes_with_what_is_wrong(newest, make_agent):
    agent = make_agent("[gpsd]\nenabled = false\n").start()
    warning = 'homing_warning{home="home",warning="not_registered",severity="warning"}'
    told = values(agent.homing("metrics").stdout)
    assert told[warning] == 1 and told['homing_registered{home="home"}'] == 0
    agent.register(newest.url, newest.token)
    told = values(agent.homing("metrics").stdout)
    assert warning not in told and told['homing_registered{home="home"}'] == 1


def test_the_file_is_replaced_as_a_whole_for_everybody_to_read(away, tmp_path):
    file = tmp_path / "homing.prom"
    file.write_text("of a former version\n")
    file.chmod(0o600)
    mask = os.umask(0o077)
    try:
        done = away.homing("metrics", "--output", str(file))
    finally:
        os.umask(mask)
    assert done.stdout + done.stderr == ""
    assert stat.filemode(file.stat().st_mode) == "-rw-r--r--" and file.read_text() == AWAY
    away.start()
    away.homing("metrics", "-o", str(file))
    assert promtool("check", "metrics", text=file.read_text()) == (0, "") and values(file.read_text())["homing_up"] == 1
    assert list(tmp_path.iterdir()) == [file], "nothing is left beside it"


def test_a_daemon_that_was_never_there_was_killed_or_hangs_is_away(away):
    assert away.homing("metrics").stdout == AWAY
    assert promtool("check", "metrics", text=AWAY) == (0, "")
    away.start()
    assert values(away.homing("metrics").stdout)["homing_up"] == 1
    away.signal(signal.SIGSTOP)
    assert away.homing("metrics", timeout=30).stdout == AWAY
    away.signal(signal.SIGCONT)
    wait_for(lambda: values(away.homing("metrics").stdout)["homing_up"] == 1, 20, "it answers again")
    away.kill()
    assert away.homing("metrics").stdout == AWAY, "its socket is still there"


@pytest.mark.skipif(os.geteuid() != 0, reason="to be another user needs root")
def test_who_may_not_see_all_gets_no_half_of_it(away, tmp_path):
    tmp_path.chmod(0o777)
    file = tmp_path / "homing.prom"

    def as_nobody(*words):
        done = subprocess.run([*NOBODY, BINARIES / "homing", "metrics", *words], env=away.environment, capture_output=True,
                              text=True, timeout=60)
        return done.returncode, done.stdout, done.stderr

    away.start()
    for words in ([], ["--output", file]):
        code, printed, said = as_nobody(*words)
        assert (code, printed) == (77, "") and "not all of the status is for this user" in said and "usermod -aG homing" in said
    assert not file.exists()
    away.stop()
    assert as_nobody() == (0, AWAY, ""), "that nobody answers is no secret"
    tmp_path.chmod(0o755)
    code, _, said = as_nobody("--output", file)
    assert code == 77 and f"cannot write {file}.new" in said and "run this as root" in said


@pytest.mark.parametrize("words, code, said", [
    (["metrics", "x"], 64, "surplus"), (["metrics", "--frobnicate"], 64, "--frobnicate"),
    (["metrics", "--output"], 64, "FILE"), (["metrics", "--output", ""], 64, "names no file"),
    (["metrics", "--output", "/nonexistent/homing.prom"], 1, "make the folder"),
    (["--home", "cabin", "metrics"], 64, "cabin")])
def test_what_cannot_be_done_is_told_with_the_way_out(away, words, code, said):
    away.start()
    done = away.homing(*words, check=False)
    assert done.returncode == code and done.stdout == "" and said in done.stderr, done.stderr


def test_a_folder_in_place_of_a_file_is_named(away, tmp_path):
    folder = tmp_path / "node-exporter"
    folder.mkdir()
    done = away.homing("metrics", "--output", str(folder), check=False)
    assert done.returncode == 1 and f"cannot replace {folder}" in done.stderr and "name a file in it" in done.stderr
    assert list(tmp_path.iterdir()) == [folder]


def test_what_is_no_regular_file_is_not_replaced(away, tmp_path):
    target = tmp_path / "target"
    target.write_text("kept")
    (tmp_path / "link.prom").symlink_to(target)
    os.mkfifo(tmp_path / "pipe.prom")
    for name in ("link.prom", "pipe.prom"):
        done = away.homing("metrics", "--output", str(tmp_path / name), check=False)
        assert done.returncode == 64 and "no regular file" in done.stderr, done
    assert target.read_text() == "kept" and (tmp_path / "link.prom").is_symlink() and (tmp_path / "pipe.prom").is_fifo()


def test_the_page_names_every_metric_and_no_other():
    section = (REPOSITORY / PAGE).read_text().split(f"## {HEADING}\n")[1].split("\n## ")[0]
    assert set(NAME.findall(section)) == names_in_the_code()


def test_the_rules_of_the_page_are_rules_about_metrics_that_there_are(tmp_path):
    rules = block(PAGE, HEADING, "yaml")
    assert (set(NAME.findall(rules)) - names_in_the_code()) == set()
    file = tmp_path / "homing.yml"
    file.write_text(rules)
    code, said = promtool("check", "rules", file)
    assert code == 0 and f"{rules.count('alert:')} rules found" in said, said
    file.write_text(rules.replace("homing_up == 0", "homing_up = 0"))
    assert promtool("check", "rules", file)[0] != 0, "promtool finds what is wrong"
