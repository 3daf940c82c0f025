"""Every message that LocationUpdate can make, sent to real Home Assistants: accepted, and meant as it shows."""

import json
import pathlib

from homing_rigs.processes import wait_for

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "HomeAssistantAPITests/Golden/location-updates.jsonl"
ATTRIBUTES = {"battery": "battery_level", "gps_accuracy": "gps_accuracy", "speed": "speed", "altitude": "altitude",
              "course": "course", "vertical_accuracy": "vertical_accuracy"}


def plain_registration(ha):
    """A registration without a secret: what is tested here is what the message says."""
    reply = ha.post("/api/mobile_app/registrations", {
        "app_id": "homing.tests", "app_name": "Homing tests", "app_version": "1", "device_name": "Validity",
        "device_id": "validity", "manufacturer": "x", "model": "x", "os_name": "Linux", "os_version": "1",
        "supports_encryption": False})
    return f"/api/webhook/{reply['webhook_id']}", ha.tracker_of("validity")


def test_every_message_of_the_table_is_accepted_and_shown_as_meant(ha):
    webhook, tracker = plain_registration(ha)
    lines = [json.loads(line) for line in GOLDEN.read_text().splitlines()]
    messages = [line for line in lines if line["message"]]
    assert len(messages) > 60
    for line in messages:
        message = line["message"]
        # A place of its own for each, so that what is shown is this message and no earlier one.
        ha.post(webhook, {"type": "update_location", "data": {"location_name": "nowhere"}})
        wait_for(lambda: ha.state(tracker)["state"] == "nowhere", 30, "the reset")
        ha.post(webhook, {"type": "update_location", "data": message})
        shown = ha.state(tracker)["attributes"]
        assert (shown.get("latitude"), shown.get("longitude")) == tuple(message["gps"]), line
        for key, attribute in ATTRIBUTES.items():
            assert shown.get(attribute) == message.get(key), (line, shown)


def test_the_check_above_can_fail(ha):
    webhook, tracker = plain_registration(ha)
    ha.post(webhook, {"type": "update_location", "data": {"location_name": "nowhere"}})
    ha.post(webhook, {"type": "update_location", "data": {"gps": [1, 2]}})
    assert ha.state(tracker)["state"] == "nowhere"
