"""Each command in a sentence of a guide is typed by a test, or has a reason here why no test can type it. The commands in
blocks are in test_blocks.py."""

import pathlib
import re
import sys

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "Tests/rigs"), str(pathlib.Path(__file__).parent)]

from homing_rigs.documents import blocks, inline  # noqa: E402
from test_blocks import defines  # noqa: E402

LAPTOP, PI, BOAT = "docs/getting-started-laptop.md", "docs/raspberry-pi-gps.md", "docs/boat.md"
FLEET, APPLIANCE = "docs/fleet.md", "docs/home-assistant-os.md"
GUIDES = [LAPTOP, PI, BOAT, FLEET, APPLIANCE]
# Programs that people type. `homing` alone is the product's name.
PROGRAM = re.compile(r"(sudo|homing|systemctl|journalctl|loginctl|nmcli|apt|dpkg|cgps|chronyc|ansible-playbook) \S|cgps$")

PAGES, MINUTES = "Packages/test_pages_installed.py::", "Packages/test_first_minutes.py::"
METRICS = "Packages/test_metrics.py::"
ON_LAPTOP = PAGES + "test_a_laptop_gets_started_as_its_page_says"
ON_PI = PAGES + "test_a_raspberry_pi_is_set_up_as_its_page_says"
ON_BOAT = PAGES + "test_a_boat_is_set_up_as_its_page_says"
FIRST = MINUTES + "test_from_an_empty_machine_to_a_dot_that_moves"
TYPED = {
    (LAPTOP, "loginctl enable-linger"): ON_LAPTOP,
    (LAPTOP, "homing network"): ON_LAPTOP,
    (LAPTOP, "homing network forget"): ON_LAPTOP,
    (LAPTOP, "sudo systemctl reload homing"): ON_BOAT,
    (PI, "dpkg --print-architecture"):
        "Packages/test_arm64.py::test_the_service_runs_in_its_sandbox_on_the_pages_of_the_kernel",
    (PI, "systemctl is-active homing"): ON_PI,
    (PI, "sudo systemctl restart gpsd"): ON_PI,
    (PI, "cgps"): ON_PI,
    (PI, "sudo systemctl restart chrony"): ON_PI,
    (PI, "chronyc sources"): ON_PI,
    (PI, "sudo systemctl restart homing"): ON_PI,
    (BOAT, "sudo homing setup --name Boat"): ON_BOAT,
    (BOAT, "sudo systemctl reload homing"): ON_BOAT,
    (FLEET, "homing metrics"): METRICS + "test_the_service_in_its_sandbox_writes_what_the_command_prints",
    (FLEET, "sudo homing metrics --output FILE.prom"):
        METRICS + "test_the_service_in_its_sandbox_writes_what_the_command_prints",
}
README = "the README's command, which Packages/test_first_minutes.py types"
REASONS = {
    (LAPTOP, "sudo homing setup"): README,
    (PI, "sudo raspi-config"): "a program of Raspberry Pi OS, which Debian does not have",
    (FLEET, "homing setup"): README,
    (APPLIANCE, "sudo homing setup"): README,
    (APPLIANCE, "sudo homing setup --url http://192.168.1.10:8123"): README,
}


def steps(guide):
    """The commands in a guide's sentences, without those that one of its blocks has too."""
    typed = {line.split(" #")[0].strip() for block in blocks([REPOSITORY / guide]) for line in block.text.splitlines()}
    return {code for code in inline(guide) if PROGRAM.match(code)} - typed


EVERY = {(guide, code) for guide in GUIDES for code in steps(guide)}


def types(text, code):
    """Whether a test names the command: by its words, its first two or more of them, or as arguments."""
    words = code.split()
    beginnings = {" ".join(words[:count]) for count in range(min(2, len(words)), len(words) + 1)}
    arguments = ", ".join(f'"{word}"' for word in words)
    return arguments in text or any(f'"{beginning}"' in text for beginning in beginnings)


def test_every_command_in_a_guides_sentence_is_typed_or_has_a_reason():
    assert EVERY - TYPED.keys() - REASONS.keys() == set()


def test_no_command_is_accounted_for_that_no_guide_has():
    assert (TYPED.keys() | REASONS.keys()) - EVERY == set()
    assert TYPED.keys() & REASONS.keys() == set()


@pytest.mark.parametrize("guide, code", sorted(TYPED))
def test_the_named_test_is_there_and_types_the_command(guide, code):
    file, _, function = TYPED[guide, code].partition("::")
    text = (REPOSITORY / "Tests" / file).read_text()
    assert defines(text, function), f"{file} has no {function}"
    assert types(text, code), f"{file} does not type {code}"


def test_a_command_that_no_test_types_is_noticed():
    typed = 'person.types(command(PI, "The receiver", "sudo systemctl restart gpsd"))'
    assert types(typed, "sudo systemctl restart gpsd")
    assert not types(typed, "sudo systemctl restart chrony") and not types(typed, "cgps")
    assert types('machine.say("homing", "metrics")', "homing metrics")
    assert not PROGRAM.match("homing") and PROGRAM.match("homing status") and PROGRAM.match("cgps")
