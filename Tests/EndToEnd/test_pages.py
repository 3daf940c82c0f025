"""What the README and the pages under docs/ have people type and write, as it stands there, with a real daemon and real
Home Assistants: one house for all of it, as one person has."""

import contextlib
import datetime
import json
import re
import textwrap
import time
import zoneinfo

import pytest
from agent import BINARIES, Agent
from conftest import VERSIONS
from homing_rigs import nmea_track
from homing_rigs.documents import REPOSITORY, Shell, block, commands
from homing_rigs.gps import GPSD
from homing_rigs.home_assistant import HomeAssistant
from homing_rigs.notification_server import NotificationServer
from homing_rigs.processes import temporary_folder, wait_for
from homing_rigs.relay import Relay
from homing_rigs.tcp_gate import Gate
from terminal import Terminal
from test_track import invalid

CONFIGURATION = """\
[gpsd]
port = {port}
[location]
max_age = 10
batch_metered = 5
min_distance = 2
still_interval = 0
[push]
url = {relay}
token_file = {token}
"""
HOUSE = """\
logbook:
light:
cover:
automation:
{automations}
{template}
script:
  notification_of_the_page:
    sequence:
{notification}
"""


def step(text):
    """A block as the only step of a script."""
    return textwrap.indent(text, " " * 8).replace(" " * 8, " " * 6 + "- ", 1)


def yaml_of_the_pages():
    """Every automation in one list, since a key may occur once."""
    automations = [block("docs/homing_track.md", "An automation", "yaml"), block("docs/commands.md", "Events", "yaml")]
    assert all(text.startswith("automation:\n") for text in automations)
    return HOUSE.format(
        automations="".join(text.removeprefix("automation:\n") for text in automations),
        template=block("docs/homing_track.md", "A template sensor", "yaml"),
        notification=step(block("docs/notifications.md", "Notifications", "yaml")))


class House:
    """A Home Assistant with all of it, and a laptop on a drive whose person types."""

    def __init__(self, version):
        self._ends = contextlib.ExitStack()
        within = self._ends.enter_context
        self.ha = within(HomeAssistant(version, extra_yaml=yaml_of_the_pages()))
        self.gate = within(Gate(self.ha.port))
        self.relay = within(Relay())
        self.desktop = within(NotificationServer("mock", "body", "body-markup", "actions", "inline-reply"))
        gps = within(GPSD())
        # A quarter of an hour of driving without a rest: a test that comes late finds positions as well.
        track = temporary_folder("drive") / "drive.nmea"
        nmea_track.drive_track(track, rests=False)
        gps.start(track, speed=0.5)
        gps.feed("goto 130")
        token = temporary_folder("relay") / "token"
        token.write_text("relay-token-0123456789\n")
        token.chmod(0o600)
        configuration = CONFIGURATION.format(port=gps.port, relay=self.relay.url, token=token)
        self.agent = within(Agent(configuration, self.desktop.environment))
        self.agent.register(self.gate.url, self.ha.token, "--name", "My laptop")
        homing = [BINARIES / "homing", "--config", self.agent.configuration]
        self.shell = Shell(temporary_folder("shell"), homing, self.agent.environment)
        self._rested = 0
        self.wait_for_the_channel()
        wait_for(lambda: self.agent.fate("delivered_live") > 0 and len(self.agent.accepted()) > 3, 60, "positions")

    def end(self):
        self._ends.close()

    def rested(self):
        """The house, once what the tests before had shown counts no more: Homing shows five notifications in a second,
        and folds the rest into one."""
        shown = len(self.desktop.shown())
        if shown > self._rested:
            time.sleep(1)
        self._rested = shown
        return self

    def wait_for_the_channel(self):
        wait_for(lambda: self.agent.status()["push"]["state"] == "open", 60, "the channel to be open")

    @contextlib.contextmanager
    def away(self):
        """Home Assistant cannot be reached meanwhile."""
        self.gate.close()
        try:
            yield
        finally:
            self.gate.open()
        self.agent.homing("send-location")

    def notified(self, pattern):
        """Waits for a notification that says this."""
        wait_for(lambda: any(re.search(pattern, f"{one.summary}\n{one.body}") for one in self.desktop.shown()), 20,
                 f"a notification {pattern!r}")


@pytest.fixture(scope="module")
def houses():
    """Gives the house with a version, which lives as long as this file's tests."""
    made = {}

    def of_version(version):
        if version not in made:
            made[version] = House(version)
        return made[version]

    yield of_version
    for house in made.values():
        house.end()


@pytest.fixture(params=sorted({VERSIONS[0], VERSIONS[-1]}))
def house(houses, request):
    """The oldest and the newest: both must understand what the pages have people write."""
    return houses(request.param).rested()


@pytest.fixture
def any_house(houses):
    """One of them, for what people type: the commands' own tests have every version."""
    return houses(VERSIONS[-1]).rested()


def of(kind, **data):
    """Whether an event is of a type and has these data."""
    return lambda event: event["event_type"] == kind and event["data"] == {**event["data"], **data}


def called(domain, service, **data):
    """Whether an event is the call of a service with these data."""
    def matches(event):
        told = event["data"]
        return event["event_type"] == "call_service" and (told["domain"], told["service"]) == (domain, service) \
            and told["service_data"] == {**told["service_data"], **data}
    return matches


# The README

def labels(text):
    """The words at the left of a table of two columns, each once."""
    return list(dict.fromkeys(re.findall(r"^(\w+(?: \w+)?)(?: {2,}|$)", text, re.MULTILINE)))


def test_the_status_that_the_readme_shows_has_the_lines_of_a_real_one(any_house):
    shown = block("README.md", "Check", "console")
    assert commands(shown) == ["sudo homing status"]
    real = labels(any_house.shell.run("\n".join(commands(shown))).stdout)
    pictured = labels(shown)
    # What there is nothing to say of has no line.
    assert [label for label in real if label != "Warning"] == [label for label in pictured if label in real]
    assert set(pictured) - set(real) <= {"Skipped", "Relay"}


# docs/commands.md

def test_an_event_sets_off_the_automation_of_its_page(house):
    with house.ha.events() as events:
        done = house.shell.run(block("docs/commands.md", "Events", "sh"))
        assert "Delivered" in done.stdout
        events.wait(of("van_alarm", door="rear", battery=11.8))
        events.wait(of("open_gate"))
    house.notified(r"The van's rear door, \d s ago")


def test_services_are_called(any_house):
    with any_house.ha.events("call_service") as events:
        assert any_house.shell.run(block("docs/commands.md", "Services", "sh")).stdout == "Done.\nDone.\n"
        events.wait(called("light", "turn_on", entity_id="light.kitchen", brightness=120))
    any_house.notified("All is well")


def test_templates_are_rendered(any_house):
    any_house.ha.post("/api/states/sensor.outside", {"state": "7"})
    (any_house.shell.folder / "report.j2").write_text("Outside: {{ states('sensor.outside') }}\n")
    assert any_house.shell.run(block("docs/commands.md", "Templates", "sh")).stdout.split() == ["7", "42", "Outside:", "7"]


def test_the_track_is_shown_and_written(any_house):
    page = block("docs/commands.md", "The track", "console")
    summary, *files = commands(page)
    with Terminal(["bash", "-c", summary], any_house.shell.environment) as terminal:
        terminal.wait_for("Gaps")
        assert terminal.report() == "exited 0"
    assert labels(terminal.text.replace("\r", "")) == labels(page)
    any_house.shell.run("\n".join(files))
    assert invalid((any_house.shell.folder / "week.gpx").read_text()) == ""
    assert (any_house.shell.folder / "november.csv").read_text().startswith("time,latitude,longitude")


def test_a_script_knows_by_the_exit_code_whether_the_gate_opens(any_house):
    script = block("docs/commands.md", "Exit codes", "sh")
    with any_house.ha.events() as events:
        assert any_house.shell.run(script).stdout == "Done.\n"
        events.wait(called("cover", "open_cover", entity_id="cover.gate"))
        with any_house.away():
            done = any_house.shell.run(script)
            assert "Queued" in done.stdout, done.stdout + done.stderr
        events.wait(of("gate_wanted"))


# docs/notifications.md

def test_the_notification_of_the_page_is_shown_and_its_reply_is_told(house):
    house.wait_for_the_channel()
    with house.ha.events("mobile_app_notification_action") as events:
        house.ha.post("/api/services/script/notification_of_the_page")
        shown = house.desktop.wait_for("Front door")
        assert shown.body == "Somebody rings" and list(shown.buttons) == ["Open", "Say something"]
        house.desktop.press(shown, "Say something", reply="Leave it at the door")
        told = events.wait()["data"]
        assert (told["action"], told["reply_text"], told["tag"]) == ("REPLY", "Leave it at the door", "bell")


def test_how_one_looks_can_be_tried_without_home_assistant(any_house):
    text = (REPOSITORY / "docs/notifications.md").read_text()
    before = len(any_house.desktop.shown())
    any_house.shell.run(re.search(r"`(homing notify --title .*?)`", text)[1])
    wait_for(lambda: len(any_house.desktop.shown()) == before + 1, 10, "the notification")
    shown = any_house.desktop.shown()[-1]
    assert shown.summary == "Front door" and list(shown.buttons) == ["Open"]


def test_what_a_relay_was_handed_is_taken_from_it(any_house):
    with any_house.away():
        wait_for(lambda: any_house.agent.status()["push"]["state"] != "open", 20, "the channel to be lost")
        any_house.ha.post("/api/services/notify/mobile_app_my_laptop", {"message": "m", "title": "By the relay"})
        wait_for(lambda: any_house.relay.titled("By the relay"), 20, "Home Assistant to hand it over")
        (any_house.shell.folder / "body.json").write_text(json.dumps(any_house.relay.titled("By the relay")[0]))
        any_house.shell.run(block("docs/notifications.md", "By a relay", "sh"))
        any_house.desktop.wait_for("By the relay")


# docs/homing_track.md

def documented():
    """The event as its page shows it."""
    return json.loads(block("docs/homing_track.md", "The data", "json"))


def test_the_event_sets_off_the_automation_and_the_sensor_of_its_page(house):
    rows = documented()["positions"]
    first, last = (datetime.datetime.fromtimestamp(row[1], zoneinfo.ZoneInfo("Europe/Amsterdam")) for row in rows)
    with house.ha.events("logbook_entry") as entries:
        house.ha.post("/api/events/homing_track", documented())
        entries.wait(of("logbook_entry", name="Homing",
                        message=f"2 locations arrived late, from {first:%H:%M} to {last:%H:%M}"))

    def state():
        return datetime.datetime.fromisoformat(house.ha.state("sensor.homing_last_history")["state"])

    wait_for(lambda: abs(state() - last) <= datetime.timedelta(seconds=1), 10, "the sensor")


def test_a_real_event_has_the_shape_of_the_one_on_its_page(any_house):
    page = documented()
    with any_house.ha.events("homing_track") as events:
        with any_house.away():
            wait_for(lambda: any_house.agent.queue()["queued"] > 3, 60, "positions that wait")
            time.sleep(11)  # until they are no news
        data = events.wait()["data"]
    assert data.keys() == page.keys() and data["fields"] == page["fields"]
    assert re.fullmatch(r"[0-9a-f]{32}", data["device_id"]) and re.fullmatch(r"[0-9a-f]{32}", page["device_id"])
    shape = re.compile(r"[0-9a-f]{32}-(\d+)-(\d+)")
    for event in (data, page):
        rows = event["positions"]
        assert shape.fullmatch(event["homing_id"]).groups() == (str(rows[0][0]), str(rows[-1][0]))
        assert all(len(row) <= len(event["fields"]) for row in rows)


# docs/privacy.md

def test_a_zone_is_told_in_place_of_coordinates(any_house):
    tracker = any_house.ha.tracker_of(any_house.agent.registration["device_id"])

    def has_no_place(event):
        new = event["data"]["new_state"]
        return event["data"]["entity_id"] == tracker and new["state"] == "not_home" and "latitude" not in new["attributes"]

    with any_house.ha.events("state_changed") as events:
        any_house.shell.run(block("docs/privacy.md", "How to send less", "sh"))
        events.wait(has_no_place)
