"""The webhook's commands.

Each gets (app, registration, data) and returns None for `{}`, (status, content) for a reply that is sealed, or an Error.
It raises Refused where Home Assistant's schema would, and Failed where its handler would throw.
"""

import hashlib
import secrets

from . import locations, sensors, templates
from .outcomes import PLAIN, Error, Failed, Refused

EVENT_TYPE_LIMIT = 64
SHOWN_OF_REGISTRATION = ("app_data", "app_id", "app_name", "app_version", "device_name", "manufacturer", "model",
                         "os_version", "supports_encryption")
SERVICES = {("persistent_notification", "create")}


def get_config(app, registration, data):
    home = app.zones[0]
    components = ["api", "config", "device_tracker", "http", "mobile_app", "mobile_app.binary_sensor",
                  "mobile_app.sensor", "person", "recorder", "webhook", "websocket_api", "zone"]
    if app.tracker_loaded:
        components.append("mobile_app.device_tracker")
    reply = {"latitude": home.latitude, "longitude": home.longitude, "elevation": 4,
             "unit_system": {"length": "km", "accumulated_precipitation": "mm", "mass": "g", "pressure": "Pa",
                             "temperature": "°C", "volume": "L", "wind_speed": "m/s"},
             "location_name": app.location_name, "time_zone": "Europe/Amsterdam", "components": components,
             "version": app.version_text, "theme_color": "#18BCF2",
             "entities": {registration.device_id: {"disabled": False},
                          **{key: {"disabled": each.disabled} for key, each in registration.sensors.items()}}}
    if app.version >= (2025, 1):
        reply["hass_device_id"] = hashlib.sha256(registration.device_id.encode()).hexdigest()[:32]
    if app.version >= (2026, 10):
        reply["instance_id"] = "0" * 32
    if app.cloudhook_url:
        reply["cloudhook_url"] = app.cloudhook_url
    if app.remote_ui_url:
        reply["remote_ui_url"] = app.remote_ui_url
    return 200, reply


def get_zones(app, registration, data):
    return 200, sorted(({
        "entity_id": locations.zone_id(zone, app.zones), "state": "0",
        "attributes": {"latitude": zone.latitude, "longitude": zone.longitude, "radius": zone.radius,
                       "passive": False, "persons": [], "editable": False, "friendly_name": zone.name},
        "last_changed": "2026-01-01T00:00:00+00:00", "last_updated": "2026-01-01T00:00:00+00:00",
        "context": {"id": "0" * 26, "parent_id": None, "user_id": None}} for zone in app.zones),
        key=lambda state: state["entity_id"])


def update_location(app, registration, data):
    message = locations.read(data, app.version)
    if app.tracker_loaded:  # nobody listens before: it is lost, and answered all the same
        registration.tracker.update(message)


def render_template(app, registration, data):
    if not isinstance(data, dict) or not all(
            isinstance(item, dict) and isinstance(item.get("template"), str) for item in data.values()):
        raise Refused("no templates")
    return 200, {key: templates.render(app, item["template"], item.get("variables") or {})
                 for key, item in data.items()}


def fire_event(app, registration, data):
    if not isinstance(data, dict) or not set(data) <= {"event_type", "event_data"}:
        raise Refused("another shape")
    kind, content = locations.text(data.get("event_type")), data.get("event_data", {})
    if not isinstance(content, dict):
        raise Refused("no object")
    if len(kind) > EVENT_TYPE_LIMIT:
        raise Failed
    app.events.append((kind, content))


def call_service(app, registration, data):
    if not isinstance(data, dict) or not {"domain", "service"} <= set(data) <= {"domain", "service", "service_data"}:
        raise Refused("another shape")
    if (data["domain"], data["service"]) not in SERVICES:
        raise Failed


def update_registration(app, registration, data):
    needed, allowed = {"app_version", "device_name", "manufacturer", "model"}, {"os_version", "app_data"}
    if not isinstance(data, dict) or not needed <= set(data) <= needed | allowed:
        raise Refused("another shape")
    registration.data.update(data)
    shown = {"app_data": {}} | registration.data
    return 200, {key: shown.get(key) for key in SHOWN_OF_REGISTRATION}


def enable_encryption(app, registration, data):
    if registration.secret:
        return Error("encryption_already_enabled")
    registration.secret = secrets.token_hex(32)
    return PLAIN, {"secret": registration.secret}


def scan_tag(app, registration, data):
    if not isinstance(data, dict) or set(data) != {"tag_id"}:
        raise Refused("another shape")
    app.events.append(("tag_scanned", data))


COMMANDS = {
    "get_config": get_config, "get_zones": get_zones, "update_location": update_location,
    "render_template": render_template, "fire_event": fire_event, "update_registration": update_registration,
    "enable_encryption": enable_encryption, "scan_tag": scan_tag, "call_service": call_service,
    "register_sensor": sensors.register,
    "update_sensor_states": sensors.update,
}
