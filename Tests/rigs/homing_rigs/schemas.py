"""The schemas of what `homing status` and `homing doctor` print for programs: whether a report satisfies its schema and
says nothing more, which properties a schema names, and what it promises.

By hand (from Tests/rigs): /usr/bin/python3 -m homing_rigs.schemas status prints what the schema of the status promises.
"""

import copy
import functools
import json
import pathlib
import sys
from typing import NamedTuple

from jsonschema import Draft202012Validator

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "docs/schemas"
# Each report, and the version of its schema.
VERSIONS = {"doctor": 1, "status": 1}
LIMITS = {"minimum": "at least", "maximum": "at most", "pattern": "like"}


class Property(NamedTuple):
    """What a schema says of one place in a report. `path` is as jq has it; the elements of an array are one place."""

    path: str
    is_required: bool
    # The name of its unit or of what it is for, such as `seconds` or `text`; else JSON's type.
    kind: str
    # All that is said of it, also by what it refers to.
    schema: dict
    # What is said at this place alone.
    own: dict


def file(name):
    return FOLDER / f"{name}-{VERSIONS[name]}.json"


@functools.cache
def schema(name):
    """Of the report of that name."""
    return json.loads(file(name).read_text())


def strict(whole):
    """The same schema, which refuses each property that it does not name. An object whose names are data stays open."""
    closed = copy.deepcopy(whole)
    for part in _parts(closed):
        if "properties" in part:
            part["additionalProperties"] = False
    return closed


def _parts(part):
    """A schema, and each schema in it."""
    yield part
    for inner in [*part.get("$defs", {}).values(), *part.get("properties", {}).values(), part.get("items"),
                  part.get("additionalProperties")]:
        if isinstance(inner, dict):
            yield from _parts(inner)


@functools.cache
def _validator(name, is_strict):
    return Draft202012Validator(strict(schema(name)) if is_strict else schema(name))


def problems(name, report, is_strict=True):
    """Why the report is not as its schema says: sentences that begin with the place."""
    return [f"{error.json_path}: {error.message}" for error in _validator(name, is_strict).iter_errors(report)]


def checked(name, report):
    """The report, which is as its schema says and has nothing that the schema does not name."""
    assert problems(name, report) == [], f"not as {file(name)} says"
    return report


def resolved(whole, part):
    """(what it is called, all that is said of it): with what it refers to, by `#/$defs/` alone."""
    if "$ref" not in part:
        return part.get("type"), part
    name = part["$ref"].removeprefix("#/$defs/")
    called, target = resolved(whole, whole["$defs"][name])
    is_plain = "$ref" not in whole["$defs"][name] and target["type"] != "object"
    return name if is_plain else called, {**target, **{key: value for key, value in part.items() if key != "$ref"}}


def properties(whole):
    """Every place that a schema names, and each kind of element."""
    def walk(part, path):
        for name, own in part.get("properties", {}).items():
            yield from one(f"{path}.{name}", own, name in part.get("required", ()))
        if "items" in part:
            yield from one(f"{path}[]", part["items"], False)

    def one(path, own, is_required):
        kind, part = resolved(whole, own)
        yield Property(path, is_required, kind, part, own)
        yield from walk(part, path)

    return list(walk(whole, ""))


def facts(whole):
    """What a schema promises, a line each. A later schema of the same version has these lines and may have more."""
    lines = set()
    for found in properties(whole):
        lines.add(f"{found.path}: {found.kind}")
        lines |= {f"{found.path}: always"} if found.is_required else set()
        lines |= {f'{found.path}: the word "{word}"' for word in found.schema.get("examples", ())}
        if "enum" in found.schema:
            lines.add(f"{found.path}: one of {', '.join(sorted(map(str, found.schema['enum'])))}")
        lines |= {f"{found.path}: {words} {found.own[key]}" for key, words in LIMITS.items() if key in found.own}
    for name, part in whole["$defs"].items():
        if part.get("type") not in (None, "object"):
            limits = "".join(f", {words} {part[key]}" for key, words in LIMITS.items() if key in part)
            lines.add(f"{name} is {part['type']}{limits}: {part['description']}")
    return lines


def values(report, path=""):
    """(place, value) of all that a report has, as `properties` names the places."""
    inner = ()
    if isinstance(report, dict):
        inner = [(f"{path}.{name}", value) for name, value in report.items()]
    elif isinstance(report, list):
        inner = [(f"{path}[]", value) for value in report]
    for place, value in inner:
        yield place, value
        yield from values(value, place)


def paths(report):
    """Every place that a report has."""
    return {place for place, _ in values(report)}


def complete(whole, part=None):
    """A report that has every property which the schema names."""
    _, part = resolved(whole, part or whole)
    words = part.get("enum") or part.get("examples")
    if words:
        return words[0]
    if part["type"] == "object":
        return {name: complete(whole, inner) for name, inner in part["properties"].items()}
    if part["type"] == "array":
        return [complete(whole, part["items"])]
    values = {"boolean": True, "integer": 7, "number": 1.5, "string": "2026-11"}
    return values[part["type"]]


if __name__ == "__main__":
    print("\n".join(sorted(facts(schema(sys.argv[1])))))
