"""The code blocks of the documents for people, for the tests that run them as they stand there."""

import gzip
import pathlib
import re
import subprocess
from typing import NamedTuple

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
DOCUMENTS = sorted([*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").glob("*.md")])
PART = re.compile(r"^#+ (?P<heading>[^\n]+)$|^```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block. `number` counts those of its kind below its heading, from 1."""

    document: str
    heading: str
    kind: str
    number: int
    text: str

    @property
    def name(self):
        """Such as `docs/boat.md: An anchor watch: yaml`; a block of no language is a `picture`."""
        number = f" {self.number}" if self.number > 1 else ""
        return f"{self.document}: {self.heading}: {self.kind or 'picture'}{number}"


def blocks_of(document, text):
    """Every block of a page."""
    found, heading = [], ""
    for part in PART.finditer(text):
        if part["heading"]:
            heading = part["heading"]
        else:
            before = [one for one in found if (one.heading, one.kind) == (heading, part["kind"])]
            found.append(Block(document, heading, part["kind"], len(before) + 1, part["text"]))
    return found


def blocks(documents=None):
    """Every block of all documents, or of some."""
    return [block for path in documents or DOCUMENTS
            for block in blocks_of(str(path.relative_to(REPOSITORY)), path.read_text())]


def block(document, heading, kind, number=1):
    """The text of one of them."""
    wanted = (document, heading, kind, number)
    found = [one.text for one in blocks([REPOSITORY / document]) if one[:4] == wanted]
    if not found:
        raise LookupError(f"{document} has no {kind} block {number} under {heading!r}")
    return found[0]


def without_blocks(document):
    """A page without its blocks."""
    return re.sub(r"^```.*?^```$", "", (REPOSITORY / document).read_text(), flags=re.MULTILINE | re.DOTALL)


def codes(text):
    """All code in the sentences of a text."""
    return set(re.findall(r"`([^`\n]+)`", text))


def dead_links(folder):
    """(page, link) of each link to a file that is not there. Debian compresses long pages: `x.md` is then `x.md.gz`."""
    return [(str(page.relative_to(folder)), link) for page in sorted(folder.rglob("*.md*"))
            for link in re.findall(r"\]\(([^)#]+)[^)]*\)", _text(page))
            if "://" not in link and not any((page.parent / f"{link}{end}").exists() for end in ("", ".gz"))]


def _text(page):
    data = page.read_bytes()
    return (gzip.decompress(data) if page.suffix == ".gz" else data).decode()


def command(document, heading, words):
    """The command in a sentence below a heading that begins with these words, such as `homing network forget`."""
    sections = re.split(r"^#+ ([^\n]+)$", without_blocks(document), flags=re.MULTILINE)
    below = dict(zip(sections[1::2], sections[2::2])).get(heading, "")
    found = {code for code in codes(below) if f"{code} ".startswith(f"{words} ")}
    if words not in found and len(found) != 1:
        raise LookupError(f"{document} has {len(found)} commands {words!r} in words under {heading!r}")
    return words if words in found else found.pop()


def commands(text):
    """The lines of a `console` block that somebody types."""
    return [line.removeprefix("$ ") for line in text.splitlines() if line.startswith("$ ")]


class Shell:
    """A shell in a folder of its own, in which blocks run as they stand: `homing` is the program under test with its
    arguments before, `sudo` has nothing to do."""

    def __init__(self, folder, homing, environment):
        self.folder = folder
        programs = folder / "programs"
        programs.mkdir()
        quoted = " ".join(f"'{word}'" for word in homing)
        for name, script in (("homing", f'exec {quoted} "$@"'), ("sudo", 'exec "$@"')):
            (programs / name).write_text(f"#!/bin/sh\n{script}\n")
            (programs / name).chmod(0o755)
        self.environment = {**environment, "PATH": f"{programs}:{environment['PATH']}"}

    def run(self, text, check=True, timeout=120):
        """Run a block; the first command that fails ends it, unless its failing is part of it."""
        options = [] if not check or "$?" in text else ["-euo", "pipefail"]
        done = subprocess.run(["bash", *options, "-c", text], cwd=self.folder, env=self.environment, text=True,
                              capture_output=True, stdin=subprocess.DEVNULL, timeout=timeout)
        assert not check or done.returncode == 0, f"{text}\n{done.returncode}: {done.stdout}{done.stderr}"
        return done
