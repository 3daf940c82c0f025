"""The automation of docs/boat.md and the blueprint of its anchor watch in real Home Assistants, as a person makes both in
the browser: the home zone follows the boat, and the anchor is watched. The siren on board is played."""

import pathlib
import time

import pytest
import yaml
from agent import BINARIES
from conftest import VERSIONS
from homing_rigs.documents import Shell, block
from homing_rigs.home_assistant import HomeAssistant
from homing_rigs.processes import wait_for
from homing_rigs.sealed import seal
from test_signalk import Server

pytestmark = [pytest.mark.early, pytest.mark.ends]

PAGE, SIREN = "docs/boat.md", "A siren on board"
PROJECT = pathlib.Path(__file__).resolve().parents[2]
BLUEPRINT = PROJECT / "packaging/blueprints/automation/homing/anchor_watch.yaml"
HARBOUR = (54.18, 7.89)
MINUTE = 60  # in which Home Assistant looks at the clock once, as it begins
LONGEST = 0.25  # minutes without a location, where the blueprint has twenty
# What "Settings, Devices & services, Helpers" makes.
HELPERS = """
config:
automation: !include automations.yaml
input_boolean:
  anchor_watch:
    name: Anchor watch
input_text:
  anchor:
    name: Anchor
"""
WATCH = {"boat": "device_tracker.boat", "watch": "input_boolean.anchor_watch", "anchor": "input_text.anchor",
         "silence": LONGEST}
BLIND = f"No location has come for {LONGEST} minutes: the anchor watch is blind."


@pytest.fixture(scope="module", params=VERSIONS)
def ha(request, tmp_path_factory):
    """A Home Assistant with the helpers and both automations, made by what its own pages send."""
    automation = block(PAGE, "A home that moves", "yaml")
    folder = tmp_path_factory.mktemp("boat")
    (folder / "automations.yaml").write_text("[]\n")
    with HomeAssistant(request.param, folder, HELPERS) as running:
        running.command("blueprint/save", domain="automation", path="homing/anchor_watch", yaml=BLUEPRINT.read_text())
        running.post("/api/config/automation/config/follows", yaml.safe_load(automation))
        running.post("/api/config/automation/config/anchor", {
            "alias": "Anchor watch", "use_blueprint": {"path": "homing/anchor_watch.yaml", "input": WATCH}})
        wait_for(lambda: len(running.states("automation.")) == 2, 20, "both automations")
        yield running


@pytest.fixture(scope="module")
def boat(ha):
    """A boat in it."""
    return Boat(ha, ha.post("/api/mobile_app/registrations", {
        "app_id": "rig", "app_name": "rig", "app_version": "1", "device_id": "boat", "device_name": "Boat",
        "manufacturer": "rig", "model": "rig", "os_name": "Linux", "os_version": "12", "supports_encryption": True}))


class Boat:
    def __init__(self, ha, registration):
        self.ha, self._registration = ha, registration

    def says(self, latitude, longitude, accuracy=5):
        self.ha.post(f"/api/webhook/{self._registration['webhook_id']}", {
            "type": "update_location", "encrypted": True, "encrypted_data":
                seal({"gps": [latitude, longitude], "gps_accuracy": accuracy}, self._registration["secret"])})

    def goes_to(self, latitude, longitude, accuracy=5):
        self.says(latitude, longitude, accuracy)
        wait_for(lambda: self.ha.state("device_tracker.boat")["attributes"].get("latitude") == latitude, 10, "the place")

    def drops_the_anchor(self):
        self.ha.post("/api/services/input_boolean/turn_on", {"entity_id": "input_boolean.anchor_watch"})
        wait_for(lambda: self.anchor == self.place, 10, "the location of the anchor")

    @property
    def anchor(self):
        latitude, _, longitude = self.ha.state("input_text.anchor")["state"].partition(",")
        return (float(latitude), float(longitude)) if longitude else None

    @property
    def place(self):
        attributes = self.ha.state("device_tracker.boat")["attributes"]
        return (attributes["latitude"], attributes["longitude"]) if "latitude" in attributes else None

    @property
    def home(self):
        attributes = self.ha.state("zone.home")["attributes"]
        return attributes["latitude"], attributes["longitude"]

    def alarms(self):
        return [notice["message"] for notice in self.ha.command("persistent_notification/get")
                if notice["notification_id"] == "anchor"]

    def forgets_alarms(self):
        self.ha.post("/api/services/input_boolean/turn_off", {"entity_id": "input_boolean.anchor_watch"})
        self.ha.post("/api/services/persistent_notification/dismiss", {"notification_id": "anchor"})
        wait_for(lambda: self.alarms() == [], 10, "the alarm is put away")


def test_home_assistant_takes_both(boat):
    automations = boat.ha.states("automation.")
    assert sorted(automation["attributes"]["friendly_name"] for automation in automations.values()) == [
        "Anchor watch", "Home follows the boat"]
    assert {automation["state"] for automation in automations.values()} == {"on"}


def test_a_watch_without_a_location_says_so(boat):
    assert boat.place is None
    # The anchor of another harbour must not count.
    boat.ha.post("/api/services/input_text/set_value", {"entity_id": "input_text.anchor", "value": "10.0,10.0"})
    boat.ha.post("/api/services/input_boolean/turn_on", {"entity_id": "input_boolean.anchor_watch"})
    wait_for(lambda: boat.alarms() == ["The boat has no location: the anchor watch is off."], 10, "the alarm")
    wait_for(lambda: boat.ha.state("input_boolean.anchor_watch")["state"] == "off", 10, "the end of the watch")
    boat.forgets_alarms()
    boat.goes_to(*HARBOUR)
    time.sleep(2)
    assert boat.alarms() == []


def test_the_home_zone_follows_the_boat(boat):
    boat.goes_to(*HARBOUR)
    wait_for(lambda: boat.home == HARBOUR, 20, "the home zone in the harbour")
    boat.goes_to(HARBOUR[0] + 0.005, HARBOUR[1])  # 560 m
    assert boat.home == HARBOUR
    boat.goes_to(HARBOUR[0] + 0.05, HARBOUR[1])
    wait_for(lambda: boat.home == (HARBOUR[0] + 0.05, HARBOUR[1]), 20, "the home zone at sea")


def test_the_anchor_watch_sees_the_anchor_drag_and_nothing_else(boat):
    boat.goes_to(*HARBOUR)
    boat.drops_the_anchor()
    boat.goes_to(HARBOUR[0] + 0.0003, HARBOUR[1])  # 33 m: it swings
    boat.goes_to(HARBOUR[0] + 0.0006, HARBOUR[1], accuracy=40)  # 67 m, but who knows
    assert boat.alarms() == []
    boat.goes_to(HARBOUR[0] + 0.001, HARBOUR[1])  # 111 m
    wait_for(lambda: boat.alarms() == ["The anchor drags: the boat is 111 m from its anchor."], 10, "the alarm")


def test_a_boat_that_leaves_without_a_watch_is_no_alarm(boat):
    boat.forgets_alarms()
    boat.goes_to(HARBOUR[0] + 0.02, HARBOUR[1])
    time.sleep(2)
    assert boat.alarms() == []


def test_the_date_line_is_no_distance(boat):
    boat.goes_to(-17.0, 179.9999)
    boat.drops_the_anchor()
    boat.goes_to(-17.0, -179.9999)  # 21 m
    time.sleep(2)
    assert boat.alarms() == []
    boat.goes_to(-17.0, -179.999)  # 117 m
    wait_for(lambda: boat.alarms() == ["The anchor drags: the boat is 117 m from its anchor."], 10, "the alarm")


def test_a_boat_that_lies_still_is_not_taken_for_a_silent_one(boat):
    lee = (HARBOUR[0] + 0.1, HARBOUR[1])
    boat.forgets_alarms()
    boat.goes_to(*lee)
    boat.drops_the_anchor()
    # The home zone follows, so that the next time it is at home there: the last change.
    wait_for(lambda: boat.home == lee, 20, "the home zone in the lee")
    boat.says(*lee)
    wait_for(lambda: boat.ha.state("device_tracker.boat")["state"] == "home", 10, "the boat at home")
    # Until Home Assistant has looked at the clock, with nothing changed for long enough.
    look = (time.time() + LONGEST * MINUTE + 5 + MINUTE) // MINUTE * MINUTE
    while time.time() < look + 3:
        boat.says(*lee)
        time.sleep(2)
    assert boat.alarms() == []
    wait_for(lambda: boat.alarms() == [BLIND], (LONGEST + 1) * MINUTE + 10, "the alarm, since nothing comes any more")


def test_the_siren_on_board_sounds_at_the_alarm_of_the_anchor_watch_alone(boat, make_agent, tmp_path):
    siren = Server()
    program = tmp_path / "anchor-siren"
    program.write_text(block(PAGE, SIREN, "sh").replace("192.168.1.30", f"127.0.0.1:{siren.port}"))
    settings = block(PAGE, SIREN, "ini").replace("/usr/local/bin", str(tmp_path))
    agent = make_agent(f"[gpsd]\nenabled = false\n{settings}").start()
    agent.register(boat.ha.local_url, boat.ha.token, "--name", "Boat")
    wait_for(lambda: agent.status()["push"]["state"] == "open", 30, "the channel to be open")
    shell = Shell(tmp_path, [BINARIES / "homing", "--config", agent.configuration], agent.environment)
    shell.run(block(PAGE, SIREN, "sh", 2).replace("/usr/local/bin", str(tmp_path)))
    wait_for(lambda: siren.asked == ["/siren/on"], 10, "the siren at the test of the page")

    boat.ha.post("/api/services/notify/mobile_app_boat", {"title": "Anchor watch", "message": "The bilge is dry"})
    wait_for(lambda: "The bilge is dry" in agent.log_text(), 10, "another notification")
    time.sleep(2)
    assert siren.asked == ["/siren/on"]

    boat.forgets_alarms()
    boat.ha.post("/api/config/automation/config/siren", {"alias": "Siren", "use_blueprint": {
        "path": "homing/anchor_watch.yaml", "input": {**WATCH, "alarm": [yaml.safe_load(block(PAGE, SIREN, "yaml"))]}}})
    wait_for(lambda: len(boat.ha.states("automation.")) == 3, 20, "the automation with this action")
    boat.goes_to(*HARBOUR)
    boat.drops_the_anchor()
    boat.goes_to(HARBOUR[0] + 0.001, HARBOUR[1])
    wait_for(lambda: len(siren.asked) > 1, 20, "the siren at the alarm")
    assert "notification: Anchor watch: The anchor drags" in agent.log_text() and "[push] hook" not in agent.log_text()
    siren.end()
