"""What a recorded machine's sensors say: the lines of Tests/HomingSensorsTests/Golden."""

import dataclasses
import pathlib
import re

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "HomingSensorsTests/Golden"
LINE = re.compile(r'(\w+): (.*?) \((binary_sensor|sensor)((?: [^ "]+)*) "([^"]+)"( off)?\)(.*)')
ATTRIBUTE = re.compile(r'(\w+)=("[^"]*"|\S+)')
STATE_CLASSES = {"measurement", "total", "total_increasing"}


@dataclasses.dataclass(frozen=True)
class Sensor:
    """A sensor as Home Assistant should have it. `state` is text, a number or a truth value."""

    unique_id: str
    kind: str
    name: str
    state: object
    unit: str | None
    device_class: str | None
    state_class: str | None
    icon: str
    is_diagnostic: bool
    attributes: dict


def sensors(machine):
    """All of a machine's."""
    return [_sensor(line) for line in (GOLDEN / f"{machine}.txt").read_text().splitlines()]


def _sensor(line):
    unique_id, value, kind, words, name, _, rest = LINE.fullmatch(line).groups()
    words = words.split()
    state, unit = _value(value)
    classes = [word for word in words if word not in STATE_CLASSES and word != "diagnostic" and ":" not in word]
    return Sensor(
        unique_id, kind, name, state, unit, device_class=classes[0] if classes else None,
        state_class=next((word for word in words if word in STATE_CLASSES), None),
        icon=next(word for word in words if word.startswith("mdi:")), is_diagnostic="diagnostic" in words,
        attributes={key: _value(text)[0] for key, text in ATTRIBUTE.findall(rest)})


def _value(text):
    """A value and its unit."""
    if text.startswith('"'):
        return text.strip('"'), None
    if text in ("true", "false"):
        return text == "true", None
    number, _, unit = text.partition(" ")
    return float(number), unit or None
