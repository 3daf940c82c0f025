"""The automations of docs/boat.md in real Home Assistants: the home zone follows the boat, and the anchor is watched."""

import pathlib
import re
import time

import pytest
from conftest import VERSIONS
from homing_rigs.home_assistant import HomeAssistant
from homing_rigs.processes import wait_for
from homing_rigs.sealed import seal

pytestmark = pytest.mark.ends

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs/boat.md"
HARBOUR = (54.18, 7.89)
SILENCE = 15  # seconds without a position that make the watch blind, where the document has twenty minutes
MINUTE = 60  # in which Home Assistant looks at the clock once, as it begins


def yaml_of_the_document():
    """Both blocks as one configuration: a key may occur once, so the automations come together. Silence is shorter."""
    found = re.findall(r"^```yaml\n(.*?)^```", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)
    assert len(found) == 2
    other, second = found[1].split("automation:\n")
    whole = f"{found[0]}\n{second}\n{other}"
    assert whole.count("> 1200 }}") == 1
    return whole.replace("> 1200 }}", f"> {SILENCE} }}}}")


@pytest.fixture(scope="module", params=VERSIONS)
def ha(request):
    """A Home Assistant with the automations."""
    with HomeAssistant(request.param, extra_yaml=yaml_of_the_document()) as running:
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
        self.ha.post("/api/services/script/drop_anchor")
        wait_for(lambda: self.ha.state("input_boolean.anchor_watch")["state"] == "on", 10, "the watch")

    @property
    def home(self):
        attributes = self.ha.state("zone.home")["attributes"]
        return attributes["latitude"], attributes["longitude"]

    def alarms(self):
        return [notice["title"] for notice in self.ha.command("persistent_notification/get")
                if notice["notification_id"] == "anchor"]

    def forgets_alarms(self):
        self.ha.post("/api/services/input_boolean/turn_off", {"entity_id": "input_boolean.anchor_watch"})
        self.ha.post("/api/services/persistent_notification/dismiss", {"notification_id": "anchor"})
        wait_for(lambda: self.alarms() == [], 10, "the alarm is put away")


def test_home_assistant_takes_each_of_them(boat):
    automations = boat.ha.states("automation.")
    assert sorted(automation["attributes"]["id"] for automation in automations.values()) == [
        "anchor_drags", "anchor_watch_is_blind", "home_follows_the_boat"]
    assert {automation["state"] for automation in automations.values()} == {"on"}


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
    assert float(boat.ha.state("input_number.anchor_latitude")["state"]) == HARBOUR[0]
    boat.goes_to(HARBOUR[0] + 0.0003, HARBOUR[1])  # 33 m: it swings
    boat.goes_to(HARBOUR[0] + 0.0006, HARBOUR[1], accuracy=40)  # 67 m, but who knows
    assert boat.alarms() == []
    boat.goes_to(HARBOUR[0] + 0.001, HARBOUR[1])  # 111 m
    wait_for(lambda: boat.alarms() == ["The anchor drags"], 10, "the alarm")


def test_a_boat_that_lies_still_is_not_taken_for_a_silent_one(boat):
    lee = (HARBOUR[0] + 0.1, HARBOUR[1])
    blind = ["The anchor watch is blind"]
    boat.forgets_alarms()
    boat.goes_to(*lee)
    boat.drops_the_anchor()
    # The home zone follows, so that the next time it is at home there: the last change.
    wait_for(lambda: boat.home == lee, 20, "the home zone in the lee")
    boat.says(*lee)
    wait_for(lambda: boat.ha.state("device_tracker.boat")["state"] == "home", 10, "the boat at home")
    # Until Home Assistant has looked at the clock, with nothing changed for long enough.
    look = (time.time() + SILENCE + 5 + MINUTE) // MINUTE * MINUTE
    while time.time() < look + 3:
        boat.says(*lee)
        time.sleep(2)
    assert boat.alarms() == []
    wait_for(lambda: boat.alarms() == blind, SILENCE + MINUTE + 10, "the alarm, since nothing comes any more")
