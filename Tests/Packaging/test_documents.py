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
    for path in DOCUMENTS:
        if path.name in STORIES:
            continue
        text = path.read_text()
        lines = [line.removeprefix("$ ") for match in BLOCK.finditer(text) if match[1] in ("sh", "console")
                 for line in match[2].splitlines()]
        lines += re.findall(r"`([^`\n]+)`", BLOCK.sub("", text))
        for line in lines:
            for part in re.split(r"\||&&|;|>", line.split(" #")[0]):
                part = part.strip().removeprefix("sudo ")
                if re.match(r"homing(d)?( [a-z-]|$)", part):
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


def check_configuration(text, folder):
    """Files that are named in it are made here: whether they exist is no matter of the document."""
    def file(match):
        made = folder / pathlib.Path(match[1]).name
        made.touch(0o600)
        return f"= {made}"

    configuration = folder / "agent.conf"
    configuration.write_text(re.sub(r"= (/\S+)", file, text))
    done = subprocess.run([BINARIES / "homing", "config", "check", "--config", configuration], text=True,
                          capture_output=True, timeout=20)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("document, text", blocks("ini"))
def test_every_configuration_is_right(document, text, tmp_path):
    check_configuration(text, tmp_path)


def test_a_wrong_configuration_is_noticed(tmp_path):
    with pytest.raises(AssertionError):
        check_configuration("[gpsd]\nprot = 1\n", tmp_path)


def keys():
    """section -> keys, as the program knows them."""
    example = subprocess.run([BINARIES / "homing", "config", "example"], text=True, capture_output=True, check=True,
                             timeout=20).stdout
    known, section = {}, None
    for line in example.splitlines():
        if match := re.fullmatch(r"\[(\w+)(?: [^\]]*)?\]", line):
            section = known.setdefault(match[1], set())
        elif match := re.match(r"#?(\w+) =", line):
            section.add(match[1])
    return known


MENTIONS = sorted({(name_of(path), section, key) for path in DOCUMENTS if path.name not in STORIES
                   for text in [BLOCK.sub("", path.read_text())]
                   for section, key in [
                       *re.findall(r"`\[(\w+)\] (\w+)", text),
                       *[(section, key) for key, section in re.findall(r"`(\w+)(?: = [^`]*)?` under `\[(\w+)\]`", text)]]})


def test_the_documents_mention_keys():
    assert len(MENTIONS) > 10


@pytest.mark.parametrize("document, section, key", MENTIONS)
def test_every_key_that_is_mentioned_exists(document, section, key):
    known = keys()
    assert section in known, f"no section [{section}]"
    assert key in known[section], f"no key {key} in [{section}]"


def test_every_code_in_troubleshooting_is_a_warnables_and_every_check_is_there():
    source = "".join(path.read_text() for path in (REPOSITORY / "Sources/HomingCore/Health").glob("Warnable*.swift"))
    codes = {match[2] or match[1] for match in re.finditer(r'^    case (\w+)(?: = "(\w+)")?$', source, re.MULTILINE)}
    assert len(codes) > 30
    page = (REPOSITORY / "docs/troubleshooting.md").read_text()
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    named = {code for row in rows for code in re.findall(r"`([a-z]+(?:_[a-z]+)*)`", row)}
    assert named <= codes, named - codes
    # What the doctor itself can find has a line.
    checks = (REPOSITORY / "Sources/HomingCore/Health/Check.swift").read_text().split("warnables", 1)[1]
    found = {re.sub(r"([A-Z])", lambda letter: "_" + letter[1].lower(), name)
             for line in checks.splitlines() if "case ." in line for name in re.findall(r"\.([a-zA-Z]+)", line)[1:]}
    assert found & codes <= named | {"not_registered", "registration_unusable", "unencrypted", "clock_wrong",
                                     "home_assistant_old", "configuration_wrong", "rejected"}


def anchors(path):
    """What GitHub makes of a page's headings."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
            for heading in re.findall(r"^#+ (.+)$", BLOCK.sub("", path.read_text()), re.MULTILINE)}


LINKS = [(name_of(path), link) for path in DOCUMENTS
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
    named = {word for path in DOCUMENTS for word in re.findall(r"^(?:sudo )?make ([a-z-]+)|`make ([a-z-]+)",
                                                               path.read_text(), re.MULTILINE) for word in word if word}
    assert named and named <= targets, named - targets


def test_every_script_and_folder_of_the_repository_that_is_named_exists():
    named = {word for path in DOCUMENTS if path.name not in STORIES for match in BLOCK.finditer(path.read_text())
             if match[1] in ("", "sh") for word in re.findall(r"(?<![\w./-])(?:scripts|Tests|packaging)/[\w./-]+", match[2])}
    # A file that the page has made is none of the repository's.
    made = {word for word in named if word.endswith("entropy_avail") or word.endswith("laptop/proc/sys/kernel/random")}
    assert "scripts/unit-tests" in named and {word for word in named - made if not (REPOSITORY / word).exists()} == set()


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
    (tmp_path / "nginx.conf").write_text(f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{ access_log off;\n{text}}}\n")
    done = subprocess.run(["nginx", "-t", "-e", "stderr", "-c", tmp_path / "nginx.conf"], text=True, capture_output=True,
                          timeout=20)
    assert done.returncode == 0, done.stderr
