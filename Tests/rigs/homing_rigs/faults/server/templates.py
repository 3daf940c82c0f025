"""`render_template`: Jinja with those of Home Assistant's functions that Homing asks, and its way of making values."""

import ast
import re

import jinja2
import jinja2.sandbox

NUMERIC = re.compile(r"^[+-]?(?!0\d)\d*(?:\.\d*)?$")  # Home Assistant's: a number that loses nothing as one


def render(app, text, variables):
    """The value of a template, or {"error": …}."""
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment()
    environment.globals.update(_functions(app))
    try:
        return native(environment.from_string(text).render(**variables).strip())
    except jinja2.TemplateError as problem:
        return {"error": f"{type(problem).__name__}: {problem}"}


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
    """The trackers are the only entities there are. One whose platform is not loaded is none of an integration's."""
    trackers = {f"device_tracker.{slug(each.data['device_name'])}": each
                for each in app.by_webhook.values() if not each.disabled}

    def states(entity_id):
        if entity_id not in trackers:
            return "unknown"
        return trackers[entity_id].tracker.state if app.tracker_loaded else "unavailable"

    def state_attr(entity_id, name):
        if entity_id not in trackers or not app.tracker_loaded:
            return None
        return trackers[entity_id].tracker.attributes.get(name)

    def device_attr(entity_id, name):
        if entity_id not in trackers or name != "identifiers":
            return None
        return {("mobile_app", trackers[entity_id].device_id)}

    def integration_entities(domain):
        return list(trackers) if domain == "mobile_app" and app.tracker_loaded else []

    return {"states": states, "state_attr": state_attr, "device_attr": device_attr,
            "integration_entities": integration_entities}


def slug(name):
    """The part of an entity id that is made of a name."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "unknown"
