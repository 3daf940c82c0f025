"""`render_template`: Jinja with those of Home Assistant's functions that Homing asks, and its way of making values."""

import ast
import dataclasses
import datetime
import re

import jinja2
import jinja2.sandbox

NUMERIC = re.compile(r"^[+-]?(?!0\d)\d*(?:\.\d*)?$")  # Home Assistant's: a number that loses nothing as one


def render(app, text, variables):
    """The value of a template, or {"error": …}."""
    try:
        return native(environment(app).from_string(text).render(**variables).strip())
    except jinja2.TemplateError as problem:
        return {"error": f"{type(problem).__name__}: {problem}"}


def environment(app):
    """What knows the entities of now."""
    made = jinja2.sandbox.ImmutableSandboxedEnvironment()
    functions, tests = _functions(app)
    made.globals.update(functions)
    made.tests.update(tests)
    made.filters["as_timestamp"] = as_timestamp
    return made


def native(text):
    """Text that is a Python literal becomes its value, as in Home Assistant."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError):
        return text
    if isinstance(value, (str, complex)):
        return text
    if isinstance(value, (int, float)) and not isinstance(value, bool) and not NUMERIC.match(text):
        return text
    return value


def _functions(app):
    """Functions and tests by their names. An entity whose platform is not loaded is none of an integration's."""
    entities = _entities(app)

    def state_attr(entity_id, name):
        return entities[entity_id].attributes.get(name) if entity_id in entities else None

    def device_attr(entity_id, name):
        if entity_id not in entities or name != "identifiers":
            return None
        return {("mobile_app", entities[entity_id].device_id)}

    def integration_entities(domain):
        return list(entities) if domain == "mobile_app" and app.tracker_loaded else []

    def device_id(entity_id):
        return entities[entity_id].device_id if entity_id in entities else None

    def device_entities(device):
        return [key for key, each in entities.items() if each.device_id == device]

    def expand(entity_ids):
        return [entities[each] for each in entity_ids if each in entities]

    return ({"states": States(entities), "state_attr": state_attr, "device_attr": device_attr, "device_id": device_id,
             "device_entities": device_entities, "integration_entities": integration_entities, "expand": expand,
             "now": lambda: datetime.datetime.now(datetime.timezone.utc), "as_timestamp": as_timestamp},
            {"is_state": lambda entity_id, state: States(entities)(entity_id) == state})


def as_timestamp(moment, default=None):
    """Seconds since 1970; the default for what is no moment."""
    return moment.timestamp() if isinstance(moment, datetime.datetime) else default


class States(dict):
    """The entities: `states(ID)` is the state of one, `states[ID]` the entity or nothing."""

    def __call__(self, entity_id):
        return self[entity_id].state if entity_id in self else "unknown"

    def __missing__(self, entity_id):
        return None


@dataclasses.dataclass(frozen=True)
class State:
    """An entity as templates see it."""

    entity_id: str
    device_id: str
    state: str
    attributes: dict
    last_changed: datetime.datetime | None = None


def _entities(app):
    """The trackers, and the sensors that are not disabled, by their entity ids. Where the platform is not loaded, they
    are unavailable."""
    found = {}
    for each in app.by_webhook.values():
        if each.disabled:
            continue
        name, tracker = slug(each.data["device_name"]), each.tracker
        own = f"device_tracker.{name}"
        found[own] = State(own, each.device_id, tracker.state, tracker.attributes)
        for key, sensor in each.sensors.items():
            if not sensor.disabled:
                own = f"{sensor.kind}.{name}_{slug(key)}"
                found[own] = State(
                    own, each.device_id, "unknown" if sensor.state is None else str(sensor.state), sensor.attributes,
                    sensor.last_changed)
    if app.tracker_loaded:
        return found
    return {key: dataclasses.replace(state, state="unavailable", attributes={}) for key, state in found.items()}


def slug(name):
    """The part of an entity id that is made of a name."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "unknown"
