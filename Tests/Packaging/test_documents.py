"""What the documents for people say must be so: commands, options, keys, codes, links, and what can be run is run."""

import os
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "Tests/rigs"))

from homing_rigs.documents import Shell, block  # noqa: E402

BINARIES = pathlib.Path(os.environ.get("HOMING_BINARIES", REPOSITORY / ".build/release"))
DOCUMENTS = sorted([*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").glob("*.md")])
# Why things are as they are, and how they are tested: they too name commands and keys that must be there.
FURTHER = [*sorted((REPOSITORY / "docs/decisions").glob("*.md")), REPOSITORY / "Fuzz/README.md",
           REPOSITORY / "Tests/rigs/README.md", REPOSITORY / "docs/measurements/reliability.md"]
EVERY = [*DOCUMENTS, *FURTHER]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Documents that speak of things to come, or of what was: not of what people type now.
STORIES = {"CHANGELOG.md"}


def name_of(path):
    return str(path.relative_to(REPOSITORY))


def blocks(kind, documents=None):
    """(document, text) of each code block of a kind."""
    return [(name_of(path), match[2]) for path in documents or DOCUMENTS for match in BLOCK.finditer(path.read_text())
            if match[1] == kind]


def commands():
    """(document, words) of each command line of ours, in blocks and in running text."""
    for path in EVERY:
        if path.name in STORIES:
            continue
        text = path.read_text()
        lines = [line.removeprefix("$ ") for match in BLOCK.finditer(text) if match[1] in ("sh", "console")
                 for line in match[2].splitlines()]
        lines += re.findall(r"`([^`\n]+)`", BLOCK.sub("", text))
        for line in lines:
            for part in re.split(r"\||&&|;|>", line.split(" #")[0]):
                part = part.strip().removeprefix("sudo ")
                if re.match(r"homing(d|-relay)?( [a-z-]|$)", part):
                    yield name_of(path), part


def help_of(*words):
    done = subprocess.run([BINARIES / words[0], *words[1:], "--help"], text=True, capture_output=True, timeout=20)
    return done.stdout if done.returncode == 0 else None


COMMANDS = sorted(set(commands()))


def test_the_documents_have_commands():
    assert len(COMMANDS) > 30


@pytest.mark.parametrize("document, line", COMMANDS)
def test_every_command_and_option_exists(document, line):
    check_command(line)


def check_command(line):
    program, *words = shlex.split(line, comments=True)
    name = [word for word in words[:2] if re.fullmatch(r"[a-z-]+", word) and not word.startswith("-")]
    shown = None
    while shown is None:
        shown = help_of(program, *name)
        if shown is None:
            assert len(name) > 1, f"{program} has no command {' '.join(words)}"
            name.pop()
    known = shown + (help_of(program) or "")
    for word in words:
        if word.startswith("--"):
            assert re.search(rf"(^|[ ,]){re.escape(word.split('=')[0])}\b", known), f"{line}: no option {word}"


@pytest.mark.parametrize("line", ["homing frobnicate", "homing status --frobnicate", "homingd --frobnicate"])
def test_a_command_that_does_not_exist_is_noticed(line):
    with pytest.raises(AssertionError):
        check_command(line)


RELAYS = "# /etc/homing/relay.conf\n"


def config_check(text, folder):
    """Files that are named in it are made here: whether they exist is no matter of the document."""
    def file(match):
        made = folder / pathlib.Path(match[1]).name
        made.touch(0o600)
        return f"= {made}"

    configuration = folder / "agent.conf"
    configuration.touch()
    home = re.match(r"# /etc/homing/(homes/\w+\.conf)\n", text)
    told = folder / home[1] if home else configuration
    told.parent.mkdir(exist_ok=True)
    told.write_text(re.sub(r"= (/\S+)", file, text))
    if text.startswith(RELAYS):
        return relay_check(told)
    return subprocess.run([BINARIES / "homing", "config", "check", "--config", configuration], text=True,
                          capture_output=True, timeout=20)


def relay_check(configuration):
    """The same for a relay, which may lack its keys here."""
    words = [BINARIES / "homing-relay", "--config", configuration, "check"]
    done = subprocess.run(words, text=True, capture_output=True, timeout=20,
                          env={**os.environ, "STATE_DIRECTORY": str(configuration.parent)})
    return subprocess.CompletedProcess(words, int("the configuration is wrong" in done.stderr), done.stdout, done.stderr)


def check_configuration(text, folder):
    done = config_check(text, folder)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("document, text", blocks("ini"))
def test_every_configuration_is_right(document, text, tmp_path):
    check_configuration(text, tmp_path)


def test_a_wrong_configuration_is_noticed(tmp_path):
    with pytest.raises(AssertionError):
        check_configuration("[gpsd]\nprot = 1\n", tmp_path)
    with pytest.raises(AssertionError):
        check_configuration("# /etc/homing/homes/cabin.conf\n[gpsd]\nport = 1\n", tmp_path)
    with pytest.raises(AssertionError):
        check_configuration(f"{RELAYS}[listen]\nadress = 127.0.0.1:1\n", tmp_path)


# What prints each program's keys.
EXAMPLES = {"": ["homing", "config", "example"], RELAYS: ["homing-relay", "example"]}


def keys(program=""):
    """section -> keys, as the program knows them."""
    command, *words = EXAMPLES[program]
    example = subprocess.run([BINARIES / command, *words], text=True, capture_output=True, check=True, timeout=20).stdout
    known, section = {}, None
    for line in example.splitlines():
        if match := re.fullmatch(r"\[(\w+)(?:\.\w+)?\]", line):
            section = known.setdefault(match[1], set())
        elif match := re.match(r"#?(\w+) =", line):
            section.add(match[1])
    return known


def mentions(text):
    """(section, key, value) of each key in running text. Without a section it is any that has the key, such as
    `heartbeat = 600`; without a value, any value."""
    text = BLOCK.sub("", text)
    found = {*re.findall(r"`\[(\w+)\] (\w+)(?: = ([^`]+))?", text)}
    found |= {(section, key, value) for key, value, section in
              re.findall(r"`([a-z_]+)(?: = ([^`]+))?` under `\[(\w+)\]`", text)}
    # An equation is none.
    return found | {("", key, value) for key, value in re.findall(r"`([a-z_]+) = ([^`+]+)`", text)}


def check_mention(section, key, value, folder):
    sections = [(program, name) for program in EXAMPLES for name, known in keys(program).items()
                if key in known and section in ("", name)]
    assert sections, f"no key {key} in [{section}]"
    if value:
        done = [config_check(f"{program}[{name}]\n{key} = {value}\n", folder) for program, name in sections]
        assert any(each.returncode == 0 for each in done), done[0].stderr


MENTIONS = sorted({(name_of(path), *mention) for path in EVERY if path.name not in STORIES
                   for mention in mentions(path.read_text())})


def test_the_documents_mention_keys():
    assert len(MENTIONS) > 30
    assert any(document.startswith("docs/decisions/") for document, *_ in MENTIONS)


@pytest.mark.parametrize("document, section, key, value", MENTIONS)
def test_every_key_that_is_mentioned_exists_and_takes_the_value(document, section, key, value, tmp_path):
    check_mention(section, key, value, tmp_path)


@pytest.mark.parametrize("text", ["`[gpsd] prot`", "`[gspd] port`", "`[gpsd] backlog`", "`prot` under `[gpsd]`",
                                  "set `hartbeat = 600`", "set `heartbeat = soon`", "`[push] mode = sometimes`"])
def test_a_key_that_does_not_exist_is_noticed(text, tmp_path):
    mention, = sorted(mentions(text))[:1]
    with pytest.raises(AssertionError):
        check_mention(*mention, tmp_path)


def test_an_equation_and_a_block_mention_no_key():
    assert mentions("`accepted = queued + delivered`\n\n```python\nx = `a = 1`\n```\n") == set()


def codes():
    """Of everything that can be wrong: the first word of each entry."""
    tables = (REPOSITORY / "Sources/HomingHealth").glob("Warnable*.swift")
    return {code for table in tables for code in
            re.findall(r'^    public static let \w+ = Warnable\(\s*"(\w+)"', table.read_text(), re.MULTILINE)}


def named(page):
    """The codes at the beginning of a table's row."""
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    return {code for row in rows for code in re.findall(r"`([a-z]+(?:_[a-z]+)*)`", row)}


def test_everything_that_can_be_wrong_has_a_row_in_troubleshooting_and_nothing_else_has():
    page = (REPOSITORY / "docs/troubleshooting.md").read_text()
    assert len(codes()) > 30
    assert codes() - named(page) == set(), "they have no row"
    assert named(page) - codes() == set(), "there are no such codes"


def test_a_code_without_a_row_and_a_row_without_a_code_are_noticed():
    page = "| you see | do |\n|---|---|\n| `no_fix`, `no_route` | wait, or set `wall` |\n| `no_luck` here | hope |\n"
    assert named(page) == {"no_fix", "no_route", "no_luck"} and not named(page) <= codes()


def anchors(path):
    """What GitHub makes of a page's headings."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
            for heading in re.findall(r"^#+ (.+)$", BLOCK.sub("", path.read_text()), re.MULTILINE)}


LINKS = [(name_of(path), link) for path in EVERY
         for link in re.findall(r"\]\(([^)\s]+)\)", BLOCK.sub("", path.read_text())) if "://" not in link]


@pytest.mark.parametrize("document, link", LINKS)
def test_every_link_leads_somewhere(document, link):
    path, _, anchor = link.partition("#")
    target = (REPOSITORY / document).parent / path if path else REPOSITORY / document
    assert target.exists(), target
    if anchor:
        assert anchor in anchors(target), f"{target} has no heading #{anchor}"


def test_every_target_of_make_that_is_named_exists():
    targets = set(re.findall(r"^([a-z-]+):", (REPOSITORY / "Makefile").read_text(), re.MULTILINE))
    named = {word for path in EVERY for words in
             re.findall(r"^(?:sudo )?make ([a-z-]+)|`make ([a-z-]+)", path.read_text(), re.MULTILINE) for word in words if word}
    assert named and named <= targets, named - targets


def test_every_script_and_folder_of_the_repository_that_is_named_exists():
    named = {word for path in DOCUMENTS if path.name not in STORIES for match in BLOCK.finditer(path.read_text())
             if match[1] in ("", "sh") for word in re.findall(r"(?<![\w./-])(?:scripts|Tests|packaging)/[\w./-]+", match[2])}
    # A file that the page has made is none of the repository's.
    made = {word for word in named if word.endswith("entropy_avail") or word.endswith("laptop/proc/sys/kernel/random")}
    assert "scripts/unit-tests" in named and {word for word in named - made if not (REPOSITORY / word).exists()} == set()


def test_every_source_file_that_a_test_reads_exists():
    """Tests of packages run rarely: a renamed source file is to be noticed before."""
    tests = [path for path in (REPOSITORY / "Tests").rglob("*.py") if path != pathlib.Path(__file__)]
    named = {word for path in tests for word in re.findall(r"([\w+-][\w/+-]*/[\w+-]+\.swift)\"", path.read_text())}
    files = [str(path) for path in (REPOSITORY / "Sources").rglob("*.swift")]
    # A test makes the file of this name in its copy.
    missing = {word for word in named - {"Sources/HomingSensors/Catalog/EntropySensor.swift"}
               if not any(file.endswith(f"/{word}") for file in files)}
    assert "HomingAgent/Failpoint.swift" in named and missing == set()


# What the threat model does not promise, it need not show.
WITHOUT_TESTS = ("What is worth protecting", "A stolen SD card", "What is not defended")
# One test holds all rows of a table; the text before it names that.
BY_ONE_TEST = {"What is kept of all this, and how much of it": "HomingBoundTests"}
SUITE = re.compile(r"`((?:Homing\w*|HomeAssistantAPI)Tests(?:/\w+)*)`")
TEST_FILE = re.compile(r"`((?:[\w-]+/)*test_\w+\.py)`")


def named_tests(text):
    """What a text calls a test: Swift's suites as `Target/Suite`, Python's files."""
    return [*SUITE.findall(text), *TEST_FILE.findall(text)]


def exists(test, near):
    """Whether a test is there; `near`: the folder below Tests of a file that is named without one."""
    tests = REPOSITORY / "Tests"
    if test.endswith(".py"):
        folders = [tests / near] if "/" not in test else [REPOSITORY, tests, tests / "EndToEnd"]
        return any((folder / test).is_file() for folder in folders)
    target, _, suite = test.partition("/")
    if not suite or (tests / test).is_dir():
        return (tests / target).is_dir()
    declared = re.compile(rf"\b(?:struct|class) {suite.rpartition('/')[2]}\b")
    return any(declared.search(file.read_text()) for file in (tests / target).rglob("*.swift"))


def promises(page):
    """(heading, line) of each bullet and each row of a table, but for parts that promise nothing."""
    heading, is_promise = "", True
    for before, line in zip(["", *page.splitlines()], page.splitlines()):
        if match := re.match(r"#+ (.+)", line):
            heading, is_promise = match[1], not match[1].startswith(WITHOUT_TESTS)
        elif line.startswith("**Does not hold.**"):
            is_promise = False
        is_row = line.startswith("| ") and before.startswith("|")
        if is_promise and (line.startswith("- ") or is_row):
            yield heading, line


TESTED = [("docs/threat-model.md", "EndToEnd"), ("docs/reliability.md", "EndToEnd/faults")]


@pytest.mark.parametrize("document, near", TESTED)
def test_every_test_that_is_named_exists(document, near):
    named = named_tests((REPOSITORY / document).read_text())
    assert len(named) > 30 and [test for test in named if not exists(test, near)] == []


def test_each_promise_of_the_threat_model_names_its_test():
    page = (REPOSITORY / "docs/threat-model.md").read_text()
    found = list(promises(page))
    for heading, test in BY_ONE_TEST.items():
        assert test in named_tests(page.partition(f"## {heading}\n")[2].partition("\n|")[0])
    untested = [line for heading, line in found if heading not in BY_ONE_TEST and not named_tests(line)]
    assert len(found) > 50 and untested == []


@pytest.mark.parametrize("test", ["HomingHealthTests/NoTests", "HomingNoTests", "HomingHealthTests/TLSTests", "test_no.py",
                                  "faults/test_setup.py"])
def test_a_test_that_does_not_exist_is_noticed(test):
    assert named_tests(f"(`{test}`)") == [test] and not exists(test, "EndToEnd")


def test_a_promise_without_a_test_is_noticed():
    page = ("## Who\n\n| they try | what happens |\n|---|---|\n| a | b |\n| c | d (`test_x.py`) |\n\n"
            "- e\n\n**Does not hold.** f\n\n- g\n\n## What is not defended\n\n- h\n\n## More\n\n- i (`scripts/x`)\n")
    assert [line for _, line in promises(page) if not named_tests(line)] == ["| a | b |", "- e", "- i (`scripts/x`)"]


def printed_by_setup(text):
    """The words that a page says setup prints."""
    return re.findall(r"\bsetup\b[^.`]* prints `([^`]+)`", text)


def test_setup_prints_the_words_for_which_a_person_looks():
    words = [each for page in (REPOSITORY / "docs").glob("*.md") for each in printed_by_setup(page.read_text())]
    program = "".join(path.read_text() for path in (REPOSITORY / "Sources/HomingPairing").rglob("*.swift"))
    assert len(words) >= 2 and [each for each in words if each not in program] == []
    assert printed_by_setup("*Check:* setup prints `all is well`, and names") == ["all is well"]


def test_the_recording_of_a_new_sensor_is_made_as_its_page_says(tmp_path):
    Shell(tmp_path, [BINARIES / "homing"], dict(os.environ)).run(block("docs/adding-a-sensor.md", "3. The recording", ""))
    recorded = tmp_path / "Tests/HomingSensorsTests/Machines/laptop/proc/sys/kernel/random/entropy_avail"
    assert recorded.read_text().strip().isdigit()
    assert (REPOSITORY / "Tests/HomingSensorsTests/Machines/laptop").is_dir()


def test_the_warning_of_a_wrong_script_is_one_that_was_seen():
    shown = block("docs/sensors.md", "Scripts as sensors", "").strip()
    seen = (REPOSITORY / "Tests/EndToEnd/test_script_sensors.py").read_text()
    assert shown.startswith("/etc/homing/sensors.d/van: ") and shown.split(": ", 1)[1] in seen


def test_the_certificates_of_the_reverse_proxy_are_made_as_it_says_and_nginx_takes_them(tmp_path):
    document = [REPOSITORY / "docs/reverse-proxy.md"]
    script = next(text for _, text in blocks("sh", document) if text.startswith("openssl"))
    subprocess.run(["sh", "-e", "-c", script], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    check = subprocess.run(["openssl", "verify", "-CAfile", "ca.pem", "van.pem"], cwd=tmp_path, text=True,
                           capture_output=True)
    assert check.stdout == "van.pem: OK\n", check.stderr
    server, asking = [text for _, text in blocks("nginx", document)]
    for name in ("server.pem", "server.key"):
        (tmp_path / name).write_bytes((tmp_path / name.replace("server", "van")).read_bytes())
    text = (server.rstrip().removesuffix("}") + asking + "}").replace("/etc/nginx", str(tmp_path)).replace("443", "18443")
    # Its usual folders are root's.
    folders = "".join(f"{kind}_temp_path {tmp_path};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (tmp_path / "nginx.conf").write_text(
        f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{ access_log off;\n{folders}{text}}}\n")
    done = subprocess.run(["nginx", "-t", "-e", "stderr", "-c", tmp_path / "nginx.conf"], text=True, capture_output=True,
                          timeout=20)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["docs/limits.md", "docs/boat.md", "docs/sensors.md"])
def test_where_people_look_for_the_altitude_it_says_why_there_may_be_none(name):
    lines = [line for line in (REPOSITORY / name).read_text().splitlines() if "altitude" in line and "tracker" in line]
    assert any("gps_altitude" in line and re.search("greater than 0|below 0.5 m", line) for line in lines), lines


def test_a_unit_that_registers_is_not_tried_again_where_another_try_cannot_help():
    """The unit of docs/fleet.md names each code of `homing setup` that the page does not name as worth a repetition."""
    codes = set(re.findall(r"^  (\d+)  ", help_of("homing", "setup").split("Exit codes:\n")[1].split("\n\n")[0], re.MULTILINE))
    page = (REPOSITORY / "docs/fleet.md").read_text()
    repeated = set(re.findall(r"\d+", page.split("(commands.md#exit-codes)")[1].split(".")[0]))
    unit = block("docs/fleet.md", "Register by a script", "systemd")
    ends = set(re.search(r"^RestartPreventExitStatus=(.*)$", unit, re.MULTILINE)[1].split())
    assert repeated and ends == codes - repeated - {"0"}
