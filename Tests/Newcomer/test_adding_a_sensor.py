"""docs/adding-a-sensor.md, followed to the letter: its file, its line and its commands, in a copy of this repository.

The copy is an overlay at the repository's own place, which only the processes in it see: what was built is built there
already, and only what the sensor changes is compiled. Nothing of it is left.
"""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="an overlay needs root")
MOUNT = 'mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$1"; cd "$1"; shift 2; exec "$@"'


class Page:
    """What the page has somebody do."""

    def __init__(self, text):
        self.sections = dict(re.findall(r"^## \d\. The (\w+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))

    def path(self, section, ending):
        """The first file with that ending that a section names."""
        return re.search(rf"`([\w/-]+\.{ending})`", self.sections[section])[1]

    def block(self, section):
        """The first block of code of a section."""
        return re.search(r"^```\w*\n(.*?)^```$", self.sections[section], re.MULTILINE | re.DOTALL)[1]


class Copy:
    """The copy; what is changed in it lies in `folder`."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("upper", "work"):
            (folder / name).mkdir()

    def run(self, script, input=None):
        """Run lines of a shell in it, at its top."""
        words = ["unshare", "--mount", "--propagation", "private", "sh", "-ec", MOUNT, "sh", REPOSITORY, self.folder]
        return subprocess.run([*map(str, words), "bash", "-euo", "pipefail", "-c", script], input=input, text=True,
                              stdin=None if input is not None else subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=1800, env={**os.environ, "GIT_OPTIONAL_LOCKS": "0"})

    def must(self, script, input=None):
        done = self.run(script, input)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def read(self, path):
        return self.must(f"cat '{path}'")

    def write(self, path, text):
        self.must(f"cat > '{path}'", input=text)

    def tests(self):
        """Build, and run the sensors' tests: exit status and what they said."""
        done = self.run("make test-build && scripts/unit-tests HomingSensorsTests")
        return done.returncode, done.stdout


@pytest.fixture(scope="module")
def page():
    return Page((REPOSITORY / "docs/adding-a-sensor.md").read_text())


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("copy")
    yield Copy(folder)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def followed(copy, page):
    """A copy in which the page has been followed, and what its commands said."""
    copy.write(page.path("file", "swift"), page.block("file"))
    catalogue = copy.read(page.path("line", "swift"))
    line = page.block("line")
    kernel = "        KernelSensor.self,\n"
    assert kernel in catalogue and line not in catalogue
    copy.write(page.path("line", "swift"), catalogue.replace(kernel, line + kernel))
    copy.must(page.block("recording"))
    copy.said = copy.must(page.block("tests"))
    return copy


@pytest.fixture
def left_out(followed):
    """Changes a file of the copy for one test."""
    changed = []

    def change(path, old):
        text = followed.read(path)
        assert old in text
        changed.append((path, text))
        followed.write(path, text.replace(old, ""))

    yield change
    for path, text in changed:
        followed.write(path, text)


def test_who_follows_the_page_sees_the_new_row_and_the_new_state_and_is_done(followed):
    assert re.search(r"^\+\| `entropy` \| Entropy \|", followed.said, re.MULTILINE), followed.said
    assert re.search(r"^\+entropy: \d+ bit ", followed.said, re.MULTILINE), followed.said
    assert followed.tests()[0] == 0
    assert not (REPOSITORY / "Sources/HomingSensors/Catalog/EntropySensor.swift").exists(), "it is a copy"


def test_a_row_that_is_left_out_is_named(followed, left_out):
    row = re.search(r"^\| `entropy`.*\n", followed.read("docs/sensors.md"), re.MULTILINE)[0]
    left_out("docs/sensors.md", row)
    status, said = followed.tests()
    assert status != 0 and "entropy: docs/sensors.md has no such row" in said, said


def test_a_recording_that_is_left_out_is_named(followed, left_out):
    path = "Tests/HomingSensorsTests/Machines/laptop/proc/sys/kernel/random/entropy_avail"
    left_out(path, followed.read(path))
    status, said = followed.tests()
    assert status != 0 and "entropy: record what it reads in Tests/HomingSensorsTests/Machines" in said, said


def test_a_line_that_is_left_out_is_named(followed, page, left_out):
    left_out(page.path("line", "swift"), page.block("line"))
    status, said = followed.tests()
    assert status != 0 and "EntropySensor.swift has no line in SensorCatalog" in said, said
