"""The schemas of what programs read are sound, say what the sources say, and keep what they promised. Real reports are
compared with them in EndToEnd/test_schemas.py, and wherever a test asks the command for a report."""

import copy
import json
import pathlib
import re
import subprocess
import sys
from typing import NamedTuple

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "Tests/rigs"), str(REPOSITORY / "scripts/lib")]

import swift_source  # noqa: E402
import swift_types  # noqa: E402
from homing_rigs import schemas  # noqa: E402
from homing_rigs.documents import block  # noqa: E402

SOURCES = REPOSITORY / "Sources"
PAGE, HEADING = "docs/fleet.md", "Reports for programs"
# What was promised, a line each.
PROMISED = REPOSITORY / "Tests/Packaging/Promised"
EACH = pytest.mark.parametrize("name", schemas.VERSIONS)
# How a description names the unit of a property.
UNITS = {"seconds": r"\bseconds\b", "time": r"seconds since 1970", "metres": r"\bmetres\b", "degrees": r"\bdegrees\b",
         "bytes": r"\bbytes\b", "count": r"\bnumber of\b"}


@EACH
def test_a_schema_is_a_schema_and_says_its_version(name):
    whole = schemas.schema(name)
    Draft202012Validator.check_schema(whole)
    assert whole["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    assert whole["$id"] == f"urn:homing:{name}:{schemas.VERSIONS[name]}"
    assert whole["title"] == f"What homing {name} --json prints, version {schemas.VERSIONS[name]}"


def test_what_is_no_schema_is_noticed():
    with pytest.raises(SchemaError):
        Draft202012Validator.check_schema({"type": "seconds"})


def test_each_file_is_the_schema_of_a_report():
    assert {path.name for path in schemas.FOLDER.iterdir()} == {schemas.file(name).name for name in schemas.VERSIONS}


def references(whole):
    return re.findall(r'"\$ref": "#/\$defs/(\w+)"', json.dumps(whole))


@EACH
def test_every_part_of_a_schema_is_used_and_every_part_that_is_named_is_there(name):
    whole = schemas.schema(name)
    assert set(references(whole)) == whole["$defs"].keys()
    assert json.dumps(whole).count('"$ref"') == len(references(whole))


@EACH
def test_what_may_be_absent_is_never_null(name):
    assert '"null"' not in json.dumps(schemas.schema(name)) and "never null" in schemas.schema(name)["description"]


def test_both_schemas_promise_the_same():
    promise, other = (schemas.schema(name)["description"] for name in schemas.VERSIONS)
    assert promise == other
    for words in ("properties may be added", "None is removed or renamed", "its type, its unit or its meaning",
                  "ignore properties and words that it does not know"):
        assert words in promise, words


def faults_of_a_description(found):
    """What is wrong with the description of a property."""
    text = found.own.get("description", "")
    if found.path.endswith("[]"):
        return []
    faults = [f"{found.path}: no sentence"] if not text.endswith(".") else []
    faults += [f"{found.path}: a long sentence: {each}" for each in re.split(r"(?<=\.) ", text) if len(each.split()) > 20]
    unit = UNITS.get(found.kind)
    if unit and not re.search(unit, text, re.IGNORECASE):
        faults.append(f"{found.path}: no unit ({found.kind})")
    return faults


@EACH
def test_every_property_has_a_description_with_its_unit(name):
    found = schemas.properties(schemas.schema(name))
    assert len(found) > 10 and [fault for each in found for fault in faults_of_a_description(each)] == []


@pytest.mark.parametrize("own, fault", [
    ({}, "no sentence"), ({"description": "Seconds"}, "no sentence"), ({"description": "For how long."}, "no unit"),
    ({"description": f"Seconds {'and ' * 20}more."}, "a long sentence")])
def test_a_description_that_says_too_little_or_too_much_is_noticed(own, fault):
    assert fault in faults_of_a_description(schemas.Property(".age", True, "seconds", own, own))[0]


# What the sources say.

class Field(NamedTuple):
    """A stored property of a Swift type: its name in JSON, its type, and whether it may be absent."""

    name: str
    type: str
    is_optional: bool


STORED = re.compile(r"^( *)(?:public )?(?:internal\(set\) )?var (\w+)(?:: ([\w.\[\]: ]+?)(\??))?(?: = (0|true|false))?$",
                    re.MULTILINE)
CASES = re.compile(r"^ *case (.+)$", re.MULTILINE)
DEFAULTS = {"0": "Int", "true": "Bool", "false": "Bool"}
JSON_TYPES = {"String": "string", "Bool": "boolean", "Double": "number", "Int": "integer", "Int32": "integer"}


def snake_case(name):
    """As JSONValueEncoder.swift makes it: `processID` is `process_id`."""
    return re.sub(r"(?<!^)(?<![A-Z_])(?=[A-Z])|(?<!^)(?<!_)(?=[A-Z][a-z])", "_", name).lower()


def declared(text):
    """type -> its fields, for each type of a Swift source that has stored properties."""
    code, found = swift_source.code_of(text), {}
    kinds = swift_types.types(code)
    for kind in kinds:
        body = code[kind.opening:kind.closing]
        for inner in kind.inner:
            body = body.replace(code[inner.start:inner.closing], "")
        indent = len(code[kind.start:kind.opening]) - len(code[kind.start:kind.opening].lstrip(" ")) + 4
        names = coding_keys(text, kind)
        fields = [Field(snake_case(names.get(name, name)), swift or DEFAULTS[value], bool(mark))
                  for space, name, swift, mark, value in STORED.findall(body) if len(space) == indent and (swift or value)]
        if fields:
            found[kind.name] = fields
    return found


def coding_keys(text, kind):
    """name -> name in JSON, where a type has names of its own for that."""
    keys = next((inner for inner in kind.inner if inner.name.endswith(".CodingKeys")), None)
    cases = CASES.findall(text[keys.opening:keys.closing]) if keys else []
    return dict(re.findall(r'(\w+) = "(\w+)"', " ".join(cases)))


def found_type(name, scope, types):
    """The full name of a type that is named within another."""
    while scope and f"{scope}.{name}" not in types:
        scope = scope.rpartition(".")[0]
    return f"{scope}.{name}" if scope else name


def said_by_sources(types, kind, path=""):
    """(place, JSON's type, whether it may be absent) of all that a Swift type is written as. Of a dictionary the names are
    data: it is an object."""
    for field in types[kind]:
        place, swift = f"{path}.{field.name}", field.type
        if swift.startswith("[String: "):
            yield place, "object", field.is_optional
            continue
        if swift.startswith("["):
            yield place, "array", field.is_optional
            place, swift = f"{place}[]", swift.strip("[]")
        if swift in JSON_TYPES:
            yield place, JSON_TYPES[swift], field.is_optional and not place.endswith("[]")
        else:
            yield place, "object", field.is_optional and not place.endswith("[]")
            yield from said_by_sources(types, found_type(swift, kind, types), place)


def said_by_schema(name):
    """The same of a schema, whose maps are given without their known names."""
    found = schemas.properties(schemas.schema(name))
    maps = {each.path for each in found if "additionalProperties" in each.schema}
    return {(each.path, each.schema["type"], not each.is_required and not each.path.endswith("[]")) for each in found
            if each.path.rpartition(".")[0] not in maps}


REPORTS = {
    "status": ("StatusReport", [*sorted(SOURCES.glob("HomingControl/StatusReport*.swift")),
                                SOURCES / "HomingLocation/HeldFixes.swift"]),
    "doctor": ("Examination.Report", [SOURCES / "HomingDoctor/ExaminationText.swift"]),
}


def types_of(name):
    kind, files = REPORTS[name]
    return kind, {key: fields for file in files for key, fields in declared(file.read_text()).items()}


@EACH
def test_a_schema_names_what_the_sources_write_with_its_type_and_nothing_else(name):
    kind, types = types_of(name)
    said = set(said_by_sources(types, kind))
    assert len(said) > 10 and said_by_schema(name) - said == set(), "the sources do not write it so"
    assert said - said_by_schema(name) == set(), "the schema does not name it so"


SAMPLE = """\
extension Report {
    /// It has a `var` in its comment.
    public struct Part: Codable {
        public var isTold = false
        public var count = 0
        public var openFor: Double?
        var told: Inner.Kind?
        public internal(set) var names: [String]
        public var total: Int { count + 1 }

        private enum CodingKeys: String, CodingKey {
            case count, openFor, told, names
            case isTold = "told_of"
        }
        public struct Inner {
            public var fates: [String: Int]
            public struct Kind {
                public var processID: Int32
                public init() {
                    var local: Int?
                }
            }
        }
    }
}
struct Report {
    var parts: [Part]?
}
"""


def test_sources_are_read_as_the_compiler_reads_them():
    assert list(said_by_sources(declared(SAMPLE), "Report")) == [
        (".parts", "array", True), (".parts[]", "object", False), (".parts[].told_of", "boolean", False),
        (".parts[].count", "integer", False), (".parts[].open_for", "number", True),
        (".parts[].told", "object", True), (".parts[].told.process_id", "integer", False),
        (".parts[].names", "array", False), (".parts[].names[]", "string", False)]


@pytest.mark.parametrize("name, words", [
    ("processID", "process_id"), ("homeURLKept", "home_url_kept"), ("lookUp", "look_up"), ("held", "held"), ("x_Y", "x_y")])
def test_names_are_written_as_the_encoder_writes_them(name, words):
    assert snake_case(name) == words


def cases(file, enumeration):
    """The words of a Swift enumeration: its raw values, else the names of its cases."""
    text = (SOURCES / file).read_text()
    kind, = [each for each in swift_types.types(swift_source.code_of(text)) if each.name == enumeration]
    found = [re.match(r'(\w+)(?: = "(\w+)")?', case.strip()).groups() for line in
             re.findall(rf"^ {{{4 * enumeration.count('.') + 4}}}case (.+)$", text[kind.opening:kind.closing], re.MULTILINE)
             for case in line.split(",")]
    return {word or snake_case(case) for case, word in found}


def literals(file, start, pattern):
    """The words that match in one member of a Swift source, from its first line to its last."""
    text = (SOURCES / file).read_text()
    body = re.search(rf"^    [^\n]*\b{re.escape(start)}.*?^    }}$", text, re.MULTILINE | re.DOTALL)
    return set(re.findall(pattern, body[0]))


SOURCE = cases("HomingLocation/PositionReport.swift", "PositionSource")
KIND = cases("HomingRoutes/Endpoint.swift", "Endpoint.Kind")
SKIPPED = cases("HomingLocation/SkipReason.swift", "SkipReason")
SEVERITY = cases("HomingHealth/Warnable.swift", "Warnable.Severity")
BUILDER, STATE = "HomingAgent/Control/StatusBuilder.swift", r'\bstate(?:: | = )"([\w ]+)"'
# The words of each place, as the sources have them: a closed set, words that may grow, or the names of a map.
WORDS = {
    "status": {
        ".network.connectivity": cases("HomingMachine/NetworkState.swift", "Connectivity"),
        ".position.mode": {2, 3},
        ".position.source": SOURCE,
        ".position.time_source": cases("HomingLocation/PositionReport.swift", "TimeSource"),
        ".skipped": SKIPPED,
        ".look_up.state": literals(BUILDER, "var lookUp:", STATE),
        ".data.bytes": cases("HomingMachine/Thrift/DataUse.swift", "DataUse.Kind"),
        ".warnings[].severity": SEVERITY,
        ".homes[].endpoints[].kind": KIND,
        ".homes[].known_place.state": literals(BUILDER, "var knownPlace:", STATE),
        ".homes[].known_place.evidence": cases("HomingMachine/Places/Place.swift", "Place.Evidence"),
        ".homes[].location_tell": cases("HomingLocation/Disclosure.swift", "Disclosure"),
        ".homes[].location_source": SOURCE,
        ".homes[].queues[].stream": cases("HomingDelivery/Outbox/OutboxEntry.swift", "Stream"),
        ".homes[].queues[].fates": cases("HomingDelivery/Outbox/Ledger.swift", "Fate"),
        ".homes[].skipped": SKIPPED,
        ".homes[].push.state": literals(BUILDER, "var push:", STATE),
        # The push channel knows no cloudhook: that is for webhooks.
        ".homes[].push.way": KIND - {"cloudhook"},
        ".homes[].push.relay.state": literals("HomingAgent/Control/RelayReport.swift", "var word:", r'"(\w+)"')
        | literals("HomingAgent/Control/RelayReport.swift", "func report()", STATE.replace(" = ", "")),
        ".homes[].push.relay.mode": cases("HomingPush/Decisions/RelayMode.swift", "RelayMode"),
        ".homes[].warnings[].severity": SEVERITY,
    },
    "doctor": {
        ".findings[].check": cases("HomingHealth/Check.swift", "Check"),
        ".findings[].outcome": cases("HomingHealth/Finding.swift", "Finding.Outcome"),
        ".findings[].severity": SEVERITY,
    },
}


def words_of(schema):
    """place -> the words that a schema knows there."""
    found = {}
    for each in schemas.properties(schema):
        words = each.schema.get("enum") or each.schema.get("examples") or ()
        if "additionalProperties" in each.schema:
            words = each.schema["properties"]
        if words:
            found[each.path] = set(words)
    return found


@EACH
def test_a_schema_knows_the_words_that_the_sources_have(name):
    known = words_of(schemas.schema(name))
    assert known.keys() == WORDS[name].keys()
    assert {place: known[place] ^ words for place, words in WORDS[name].items() if known[place] != words} == {}
    assert all(len(words) > 1 for words in WORDS[name].values())


@EACH
def test_a_word_without_examples_is_a_code_of_the_page_about_what_is_wrong(name):
    silent = {each.path for each in schemas.properties(schemas.schema(name))
              if each.kind == "word" and "examples" not in each.schema}
    assert silent == {"status": {".warnings[].code", ".homes[].warnings[].code"},
                      "doctor": {".causes[]", ".findings[].code"}}[name]


# What is promised.

def codes():
    """Of all that can be wrong."""
    tables = (SOURCES / "HomingHealth").glob("Warnable*.swift")
    return {code for table in tables for code in
            re.findall(r'^    public static let \w+ = Warnable\(\s*"(\w+)"', table.read_text(), re.MULTILINE)}


# file of promises -> what holds now.
PROMISES = {PROMISED / "codes": codes(),
            **{PROMISED / schemas.file(name).stem: schemas.facts(schemas.schema(name)) for name in schemas.VERSIONS}}
EACH_PROMISE = pytest.mark.parametrize("file", PROMISES, ids=lambda file: file.name)


def lines(text):
    return {line for line in text.splitlines() if line and not line.startswith("#")}


def test_each_list_of_promises_is_kept():
    assert set(PROMISED.iterdir()) == PROMISES.keys()


@EACH_PROMISE
def test_nothing_that_was_promised_is_gone_and_what_is_new_is_promised_too(file):
    kept, now = lines(file.read_text()), PROMISES[file]
    assert kept - now == set(), f"promised in {file}: only a new version may take it back"
    assert now - kept == set(), f"add these lines to {file}"


def released(repository, file):
    """(tag, lines) of each release that had the file."""
    def git(*words):
        return subprocess.run(["git", "-C", repository, *words], text=True, capture_output=True, timeout=20)

    for tag in git("tag", "--list").stdout.split():
        shown = git("show", f"{tag}:{file}")
        if shown.returncode == 0:
            yield tag, lines(shown.stdout)


@EACH_PROMISE
def test_the_list_of_promises_has_all_that_a_release_had(file):
    gone = {tag: then - lines(file.read_text()) for tag, then in released(REPOSITORY, file.relative_to(REPOSITORY))}
    assert {tag: each for tag, each in gone.items() if each} == {}, "a released promise is kept"


def test_a_promise_that_a_release_had_is_missed(tmp_path):
    def git(*words):
        subprocess.run(["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@example.org", *words], check=True,
                       capture_output=True, timeout=20)

    git("init")
    (tmp_path / "status-1").write_text("# A remark\n.uptime: seconds\n.version: name\n")
    git("add", ".")
    git("commit", "-m", "one")
    assert list(released(tmp_path, "status-1")) == []
    git("tag", "v1")
    assert list(released(tmp_path, "status-1")) == [("v1", {".uptime: seconds", ".version: name"})]
    assert list(released(tmp_path, "doctor-1")) == []


def without(parts, name):
    del parts["properties"][name]


BREAKS = {
    "a property is removed": lambda whole: without(whole["$defs"]["queue"], "oldest_age"),
    "another type": lambda whole: whole["properties"].update(uptime={"type": "string"}),
    "another unit": lambda whole: whole["$defs"]["endpoint"]["properties"].update(last_success={"$ref": "#/$defs/seconds"}),
    "the unit of all": lambda whole: whole["$defs"]["seconds"].update(description="A span of time in minutes."),
    "a number for a whole one": lambda whole: whole["$defs"]["count"].update(type="number"),
    "not always there any more": lambda whole: whole["required"].remove("process_id"),
    "a word more in a closed set": lambda whole: whole["$defs"]["warning"]["properties"]["severity"]["enum"].append("note"),
    "a word that was known": lambda whole: whole["$defs"]["relay"]["properties"]["state"]["examples"].remove("held"),
    "a wider range": lambda whole: whole["properties"]["process_id"].update(minimum=0),
    "another form": lambda whole: whole["$defs"]["data"]["properties"]["month"].update(pattern="."),
    "not a list any more": lambda whole: whole["properties"].update(homes={"$ref": "#/$defs/home"}),
}


@pytest.mark.parametrize("change", BREAKS.values(), ids=BREAKS.keys())
def test_a_promise_that_is_broken_is_noticed(change):
    whole = copy.deepcopy(schemas.schema("status"))
    change(whole)
    assert schemas.facts(schemas.schema("status")) - schemas.facts(whole)


def test_what_is_added_breaks_no_promise():
    whole = copy.deepcopy(schemas.schema("status"))
    whole["properties"]["more"] = {"$ref": "#/$defs/count"}
    whole["required"].append("more")
    whole["$defs"]["relay"]["properties"]["state"]["examples"].append("lost")
    added = schemas.facts(whole) - schemas.facts(schemas.schema("status"))
    assert added == {".more: count", ".more: always", '.homes[].push.relay.state: the word "lost"'}
    assert schemas.facts(schemas.schema("status")) <= schemas.facts(whole)


# Reports.

@EACH
def test_a_report_that_has_everything_satisfies_its_schema(name):
    report = schemas.complete(schemas.schema(name))
    assert schemas.problems(name, report) == []
    assert schemas.paths(report) == {each.path for each in schemas.properties(schemas.schema(name))}


SPOILT = {
    "$: 'well' is a required property": lambda report: report.pop("well"),
    "$.well: 1 is not of type 'boolean'": lambda report: report.update(well=1),
    "$.findings[0].outcome: 'good' is not one of": lambda report: report["findings"][0].update(outcome="good"),
    "$.findings[0].subject: None is not of type": lambda report: report["findings"][0].update(subject=None),
    "$.findings[0]: Additional properties": lambda report: report["findings"][0].update(place="cabin"),
}


@pytest.mark.parametrize("problem, spoil", SPOILT.items())
def test_a_report_that_is_not_as_its_schema_says_is_noticed(problem, spoil):
    report = schemas.complete(schemas.schema("doctor"))
    spoil(report)
    found, = schemas.problems("doctor", report)
    assert found.startswith(problem)


def test_programs_may_read_a_later_report_by_the_schema_that_they_know():
    report = schemas.complete(schemas.schema("status"))
    report["more"] = report["homes"][0]["more"] = {"is": "new"}
    report["skipped"]["bored"] = 1
    report["homes"][0]["push"]["state"] = "dreaming"
    assert schemas.problems("status", report, is_strict=False) == []
    assert len(schemas.problems("status", report)) == 3


def test_what_is_added_to_a_map_is_what_its_values_are():
    report = schemas.complete(schemas.schema("status"))
    report["skipped"]["bored"] = "often"
    assert schemas.problems("status", report, is_strict=False) == ["$.skipped.bored: 'often' is not of type 'integer'"]


def test_the_report_of_the_page_satisfies_its_schema():
    report = json.loads(block(PAGE, HEADING, "json"))
    assert schemas.problems("doctor", report) == []
    wrong = [each for each in report["findings"] if each["outcome"] == "wrong"]
    assert report["causes"] == [each["code"] for each in wrong]
    known = "".join(file.read_text() for file in (SOURCES / "HomingHealth").glob("Warnable*.swift"))
    assert wrong and all(f'"{each[key]}"' in known for each in wrong for key in ("code", "text", "hint"))
