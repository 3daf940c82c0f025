"""The templates that Homing has rendered, by the rigs' own Jinja; each shape is compiled once, so that a drain does not
wait for Jinja."""

import re
import types

from homing_rigs.faults.server import templates

NONCE = re.compile(r"\['([^'{}]+)'")
STAND_IN = "0" * 16


class Receipts:
    """A Home Assistant's tracker of one device, as templates see it."""

    def __init__(self, device_id):
        self._attributes = {}
        tracker = types.SimpleNamespace(state="not_home", attributes=self._attributes)
        registration = types.SimpleNamespace(
            disabled=False, data={"device_name": "Bench"}, device_id=device_id, tracker=tracker, sensors={})
        app = types.SimpleNamespace(by_webhook={"": registration}, tracker_loaded=True)
        self._environment = templates.environment(app)
        self._compiled = {}

    def render(self, text, place):
        """The value of a template while the tracker is there."""
        self._attributes |= {"latitude": place[0], "longitude": place[1]}
        # A nonce is in its first place; all else is the same from one to the next.
        nonce = NONCE.match(text)
        shape = text[:nonce.start(1)] + STAND_IN + text[nonce.end(1):] if nonce else text
        if shape not in self._compiled:
            self._compiled[shape] = self._environment.from_string(shape)
        rendered = self._compiled[shape].render().strip()
        return templates.native(rendered.replace(STAND_IN, nonce[1], 1) if nonce else rendered)
