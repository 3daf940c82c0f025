"""What `homing status --json` and `homing doctor --json` print is as their schemas say: in a life with real parts, and in
each property, of a daemon that is played. `Agent.homing` compares every report in every other test, too."""

import contextlib
import copy
import json
import os
import socket
import subprocess
import time

import pytest
from agent import BINARIES, REPOSITORY
from homing_rigs import schemas
from homing_rigs.documents import Shell, block
from homing_rigs.processes import free_port, temporary_folder, wait_for
from listeners import serve_each
from relay_program import RelayProgram
from session import GAMES, Person, system_agent
from test_doctor import Report, quiet  # noqa: F401 (a fixture)
from test_homes import GPS, OFF, both  # noqa: F401 (a fixture)
from test_notifications import QUIET, notify, push, wait_until_open
from test_relay import AWAY, told

PAGE, HEADING = "docs/fleet.md", "Reports for programs"
AS_NOBODY = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")
NEEDS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="to be another user needs root")


def as_nobody(agent, *words):
    """What the command prints for a user who may do little."""
    agent.folder.chmod(0o755)
    done = subprocess.run([*AS_NOBODY, BINARIES / "homing", "--config", agent.configuration, *words], text=True,
                          capture_output=True, timeout=60, env=agent.environment)
    if done.returncode == 126:
        pytest.skip("the programs are in a folder that others may not enter")
    return json.loads(done.stdout)


def assert_that_times_and_spans_are_told_apart(report):
    """What is said to be a time is one of these minutes, and a span no longer than they are."""
    kinds = {found.path: found.kind for found in schemas.properties(schemas.schema("status"))}
    found = [(kinds[place], place, value) for place, value in schemas.values(report) if kinds[place] in ("time", "seconds")]
    assert {kind for kind, *_ in found} == {"time", "seconds"}
    for kind, place, value in found:
        assert abs(value - (time.time() if kind == "time" else 0)) < 600, (place, value)


def watched(agent, act):
    """The first line of a watch, and the first that came after `act`."""
    watcher = subprocess.Popen([BINARIES / "homing", "status", "--watch", "--json"], stdout=subprocess.PIPE, text=True,
                               env=agent.environment)
    with watcher:
        lines = [watcher.stdout.readline()]
        act()
        lines.append(watcher.stdout.readline())
        watcher.kill()
    return [schemas.checked("status", json.loads(line)) for line in lines]


def test_a_status_is_as_its_schema_says_from_before_the_registration_to_a_position(newest, gps, bus, make_agent):
    agent = make_agent(GPS.format(port=gps.port), bus.environment).start()
    alone = agent.whole_status()
    assert "registration" not in alone["homes"][0] and alone["warnings"] + alone["homes"][0]["warnings"]
    first, second = watched(agent, lambda: agent.register(newest.url, newest.token))
    assert "registration" not in first["homes"][0] and second["homes"], "a line for the change"
    gps.start(speed=1, time="now")
    wait_for(lambda: agent.fate("delivered_live") >= 1, 60, "a position")
    report = agent.whole_status()
    assert {".position.place.latitude", ".homes[].registration.home_assistant_version", ".homes[].endpoints[].last_success",
            ".homes[].queues[].fates.delivered_live", ".data.bytes.wifi"} <= schemas.paths(report)
    assert_that_times_and_spans_are_told_apart(report)


@NEEDS_ROOT
def test_what_strangers_see_is_as_the_same_schemas_say(newest, gps, bus, make_agent):
    agent = make_agent(GPS.format(port=gps.port), bus.environment).start()
    agent.register(newest.url, newest.token)
    gps.start(speed=1, time="now")
    wait_for(lambda: agent.fate("delivered_live") >= 1, 60, "a position")
    report = schemas.checked("status", as_nobody(agent, "status", "--json"))
    assert report["restricted"] and report["homes"][0]["queues"] and "place" not in report["position"]
    hidden = {found.path for found in schemas.properties(schemas.schema("status"))
              if "for strangers" in found.own.get("description", "") and "Empty" not in found.own["description"]}
    assert len(hidden) > 10 and schemas.paths(report) & hidden == set()
    examined = schemas.checked("doctor", as_nobody(agent, "doctor", "--json"))
    assert examined["findings"]


def test_a_status_of_two_homes_is_as_its_schema_says(both, make_agent):  # noqa: F811
    agent = make_agent(OFF).start()
    for ha, home in zip(both, ("home", "cabin")):
        agent.register(ha.local_url, ha.token, home=home)
    assert [home["name"] for home in agent.whole_status()["homes"]] == ["home", "cabin"]
    assert [home["name"] for home in agent.whole_status("--home", "cabin")["homes"]] == ["cabin"]
    report = json.loads(agent.homing("doctor", "--json", check=False).stdout)
    assert any(finding.get("subject", "").startswith("cabin, ") for finding in report["findings"])


def test_a_status_with_notifications_is_as_its_schema_says(newest, desktop, make_agent):
    agent = make_agent(QUIET, desktop.environment).start()
    agent.register(newest.local_url, newest.token)
    wait_until_open(agent)
    notify(newest, agent, "Who is it?", "Bell")
    desktop.wait_for("Bell")
    wait_for(lambda: push(agent).get("last_confirmed"), 10, "the confirmation")
    assert {"open_for", "last_message", "way", "shown"} <= push(agent).keys()
    assert_that_times_and_spans_are_told_apart(agent.whole_status())


@NEEDS_ROOT
def test_a_status_with_a_helper_is_as_its_schema_says(newest, bus, make_agent):
    bus.logind_start()
    agent = system_agent(make_agent, QUIET, bus)
    agent.register(newest.local_url, newest.token)
    wait_until_open(agent)
    assert push(agent)["helpers"] == [] and push(agent)["absence"]
    with Person(bus, agent, GAMES, "anna") as anna:
        anna.start()
        assert anna.helper_in_status()["in_use"] and "absence" not in push(agent)


def test_a_status_with_a_relay_and_its_front_is_as_its_schema_says(newest, desktop, make_agent):
    with RelayProgram() as far, RelayProgram(forward={"url": far.url}) as front:
        agent = make_agent(AWAY, desktop.environment).start()
        agent.register(newest.local_url, newest.token)
        agent.homing("relay", "join", front.url, "-", "--far-code", far.invite(), input=front.invite())
        wait_for(lambda: told(newest, agent).get("push_url") == front.push_url, 20, "Home Assistant to be told")
        wait_for(lambda: push(agent)["relay"]["state"] == "held", 20, "the socket of the relay")
        notify(newest, agent, "Who is it?", "Bell")
        desktop.wait_for("Bell")
        assert_that_times_and_spans_are_told_apart(agent.whole_status())
        relay = push(agent)["relay"]
        assert relay["messages"] >= 1 and {"host", "mode", "open_for", "maximum", "clock_offset"} <= relay.keys()
        assert relay["front"].keys() == {"host", "fingerprint", "told"}


def test_a_doctor_s_report_is_as_its_schema_says_well_or_not_with_a_daemon_or_without(newest, quiet):  # noqa: F811
    agent = quiet()
    assert ("registration", "not_registered") in Report(agent).wrong
    agent.start()
    agent.register(newest.url.replace("127.0.0.1", "localhost"), newest.token)
    agent.homing("send-location", "--zone", "Work")
    assert Report(agent).wrong == set()
    agent.configuration.write_text(f"[gpsd]\nport = {free_port()}\n[push]\nmode = off\n")
    report = Report(agent)
    assert ("gpsd", "gpsd_unreachable") in report.wrong and "localhost" in report.text
    assert "localhost" not in Report(agent, "--redact").text
    agent.stop()
    assert ("daemon", "daemon_not_running") in Report(agent).wrong


def test_monitoring_asks_as_the_page_says(newest, gps, quiet):  # noqa: F811
    agent = quiet(GPS.format(port=gps.port)).start()
    agent.register(newest.url, newest.token)
    gps.start(speed=1, time="now")
    wait_for(lambda: agent.fate("delivered_live") >= 1, 60, "a position")
    shell = Shell(temporary_folder("page"), [BINARIES / "homing", "--config", agent.configuration], agent.environment)
    questions = [line for line in block(PAGE, HEADING, "sh").splitlines() if not line.startswith("#")]
    well, codes, waiting, lost, age, findings = [shell.run(line).stdout for line in questions]
    assert (well, codes, findings) == ("true\n", "", "")
    assert json.loads(waiting).keys() == {"queued", "oldest"} and json.loads(waiting)["oldest"] >= 0
    assert json.loads(lost) == {"name": "home", "lost": 0} and 0 <= json.loads(age) < 60
    agent.homing("unregister", "--yes")
    done = shell.run(questions[0], check=False)
    assert (done.returncode, done.stdout) == (1, "false\n")
    assert shell.run(questions[1]).stdout == "not_registered\n"
    assert "warning not_registered: " in shell.run(questions[5], check=False).stdout


# A daemon that is played: whatever it says, the real command reads and prints.

class PlayedDaemon:
    """Answers each method at a control socket with the one result it was given, and hangs up on any other method."""

    def __init__(self, agent):
        self.agent, self.answers = agent, {}

    def __enter__(self):
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.agent.runtime / "control.sock"))
        self._listener.listen()
        serve_each(self._listener, self._serve)
        return self

    def __exit__(self, *_):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _serve(self, client):
        with client, contextlib.suppress(OSError):
            for line in client.makefile():
                request = json.loads(line)
                if request["method"] not in self.answers:
                    return
                reply = {"v": 1, "id": request["id"], "result": self.answers[request["method"]]}
                client.sendall(json.dumps(reply).encode() + b"\n")

    def shown(self, report):
        """What the command prints of a status; None if it does not understand it."""
        self.answers["status"] = report
        done = self.agent.homing("status", "--json", check=False)
        assert done.returncode == 0 or "is not understood" in done.stderr, done.stderr
        return json.loads(done.stdout) if done.returncode == 0 else None


@pytest.fixture
def played(make_agent):
    with PlayedDaemon(make_agent()) as daemon:
        yield daemon


def holder(report, path):
    """(object, name) of a place in a complete report."""
    *outer, name = path.replace("[]", "").strip(".").split(".")
    for each in outer:
        report = report[each]
        report = report[0] if isinstance(report, list) else report
    return report, name


COMPLETE = schemas.complete(schemas.schema("status"))
PLACES = [found for found in schemas.properties(schemas.schema("status")) if not found.path.endswith("[]")]
# The names of these are data: to Swift none is required, and it takes any.
MAPS = {found.path for found in PLACES if "additionalProperties" in found.schema}


def test_the_command_knows_every_property_that_the_schema_names(played):
    assert played.shown(COMPLETE) == COMPLETE


def test_the_command_knows_no_property_that_the_schema_does_not_name(played):
    """What it does not know, it leaves out: so the last test would notice a property too many in the schema."""
    report = copy.deepcopy(COMPLETE)
    report["surplus"] = report["homes"][0]["surplus"] = 1
    assert played.shown(report) == COMPLETE


def test_what_the_schema_requires_is_what_a_daemon_always_says(played):
    assert len(PLACES) > 100
    for found in PLACES:
        report = copy.deepcopy(COMPLETE)
        place, name = holder(report, found.path)
        del place[name]
        if found.is_required and found.path.rpartition(".")[0] not in MAPS:
            assert played.shown(report) is None, f"{found.path} is not always there"
        elif not found.is_required:
            assert played.shown(report) == report, f"{found.path} is always there"


def test_the_types_of_the_schema_are_those_of_the_command(played):
    others = {"string": 7, "boolean": "yes", "number": "1.5", "integer": 1.5, "array": {}, "object": []}
    for found in PLACES:
        report = copy.deepcopy(COMPLETE)
        place, name = holder(report, found.path)
        place[name] = others[found.schema["type"]]
        assert played.shown(report) is None, found.path


# Of all that can be wrong.
CODES = {line for line in (REPOSITORY / "Tests/Packaging/Promised/codes").read_text().splitlines() if line[0] != "#"}


def test_whatever_the_doctor_finds_its_report_is_as_its_schema_says_and_has_every_property(played):
    played.answers["status"] = {**COMPLETE, "warnings": [], "homes": [{**COMPLETE["homes"][0], "warnings": []}]}
    checks = next(found.schema["examples"] for found in schemas.properties(schemas.schema("doctor"))
                  if found.path == ".findings[].check")
    findings = [{"check": check, "subject": "a way", "outcome": outcome, "detail": "", "privacies": []}
                for check in checks for outcome in ("well", "skipped")]
    findings += [{"check": "key", "home": "cabin", "outcome": "wrong", "warnable": code, "detail": "x",
                  "privacies": []} for code in CODES]
    played.answers["examine"] = {"findings": findings}
    report = json.loads(played.agent.homing("doctor", "--json", check=False).stdout)
    assert schemas.paths(report) == {found.path for found in schemas.properties(schemas.schema("doctor"))}
    assert {finding["check"] for finding in report["findings"]} == set(checks)
    assert CODES <= {finding.get("code") for finding in report["findings"]} and set(report["causes"]) <= CODES
    assert {finding.get("severity") for finding in report["findings"]} == {None, "error", "warning"}


def test_the_doctor_knows_no_check_that_the_schema_does_not_name(played):
    played.answers["status"] = COMPLETE
    played.answers["examine"] = {"findings": [{"check": "weather", "outcome": "well", "detail": "", "privacies": []}]}
    report = json.loads(played.agent.homing("doctor", "--json", check=False).stdout)
    assert "weather" not in {finding["check"] for finding in report["findings"]}
