"""`register_sensor` and `update_sensor_states`, as far as their answers go."""

import dataclasses
import datetime

from .locations import text
from .outcomes import Refused

KINDS = ("sensor", "binary_sensor")
REGISTER_KEYS = {"name", "type", "unique_id", "state", "attributes", "device_class", "unit_of_measurement",
                 "state_class", "entity_category", "icon", "disabled"}
UPDATE_KEYS = {"type", "unique_id", "state", "attributes", "icon"}


def _now():
    return datetime.datetime.now(datetime.timezone.utc)


@dataclasses.dataclass
class Sensor:
    """A registered sensor and what it shows."""

    kind: str
    state: object = None
    attributes: dict = dataclasses.field(default_factory=dict)
    disabled: bool = False
    last_changed: datetime.datetime = dataclasses.field(default_factory=_now)

    def show(self, state):
        """Have this state from now on."""
        if state != self.state:
            self.state, self.last_changed = state, _now()

    def reload(self):
        """Be set up again: unavailable, and then what it was before."""
        self.last_changed = _now()


def register(app, registration, data):
    """201, or a refusal for any key that Home Assistant does not know or likes less."""
    if not isinstance(data, dict) or not set(data) <= REGISTER_KEYS or not {"name", "type", "unique_id"} <= set(data):
        raise Refused("another shape")
    if data["type"] not in KINDS or not is_state(data.get("state")):
        raise Refused("type or state")
    if not isinstance(data.get("attributes", {}), dict) or not isinstance(data.get("disabled", False), bool):
        raise Refused("attributes or disabled")
    if not is_icon(data.get("icon")) or (data["type"] == "binary_sensor" and "state_class" in data):
        raise Refused("icon or state_class")
    sensor = registration.sensors.setdefault(text(data["unique_id"]), Sensor(data["type"]))
    sensor.kind = data["type"]
    sensor.show(data.get("state", sensor.state))
    sensor.disabled = data.get("disabled", sensor.disabled)
    return 201, {"success": True}


def update(app, registration, data):
    """A reply for each; one without type or id voids them all."""
    items = data if isinstance(data, list) else [data]
    if not all(isinstance(each, dict) and each.get("type") in KINDS and "unique_id" in each for each in items):
        raise Refused("an item without type or id")
    return 200, {text(item["unique_id"]): _update_one(registration, item) for item in items}


def _update_one(registration, item):
    kind, key = item["type"], text(item["unique_id"])
    sensor = registration.sensors.get(key)
    if sensor is None or sensor.kind != kind:
        return failure("not_registered", f"{kind} {key} is not registered")
    if not set(item) <= UPDATE_KEYS or "state" not in item or not is_state(item["state"]):
        return failure("invalid_format", "state or keys")
    if not isinstance(item.get("attributes", {}), dict) or not is_icon(item.get("icon")):
        return failure("invalid_format", "attributes or icon")
    sensor.show(item["state"])
    sensor.attributes = item.get("attributes", {})
    return {"success": True, "is_disabled": True} if sensor.disabled else {"success": True}


def failure(code, message):
    """What is said of one sensor."""
    return {"success": False, "error": {"code": code, "message": message}}


def is_state(value):
    """Null, text, a number or a bool."""
    return value is None or isinstance(value, (bool, int, float, str))


def is_icon(value):
    """Null, or `prefix:name`."""
    return value is None or (isinstance(value, str) and ":" in value)
