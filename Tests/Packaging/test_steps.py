"""A test types each command in a sentence of a guide, or a reason here says why no test can. test_blocks.py has the blocks."""

import pathlib
import re
import sys

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "Tests/rigs"), str(pathlib.Path(__file__).parent)]

from homing_rigs.documents import blocks, codes, without_blocks  # noqa: E402
from test_blocks import defines  # noqa: E402

LAPTOP, PI, BOAT = "docs/getting-started-laptop.md", "docs/raspberry-pi-gps.md", "docs/boat.md"
FLEET, APPLIANCE, DATA = "docs/fleet.md", "docs/home-assistant-os.md", "docs/data.md"
GUIDES = [LAPTOP, PI, BOAT, FLEET, APPLIANCE, DATA]
# Programs that people type. `homing` alone is the product's name.
PROGRAM = re.compile(r"(sudo|homing|systemctl|journalctl|loginctl|nmcli|apt|dpkg|cgps|chronyc|ansible-playbook) \S|cgps$")

PAGES, METRICS = "Packages/test_pages_installed.py::", "Packages/test_metrics.py::"
ON_LAPTOP = PAGES + "test_a_laptop_gets_started_as_its_page_says"
ON_PI = PAGES + "test_a_raspberry_pi_is_set_up_as_its_page_says"
ON_BOAT = PAGES + "test_a_boat_is_set_up_as_its_page_says"
METERED = PAGES + "test_a_network_becomes_metered_as_the_page_about_data_says"
WITH_APPLIANCE = PAGES + "test_home_assistant_os_is_found_as_its_page_says"
TYPED = {
    (LAPTOP, "loginctl enable-linger"): ON_LAPTOP,
    (LAPTOP, "homing network"): ON_LAPTOP,
    (LAPTOP, "homing network forget"): ON_LAPTOP,
    (PI, "dpkg --print-architecture"):
        "Packages/test_arm64.py::test_the_machine_has_the_architecture_that_the_page_wants",
    (PI, "systemctl is-active homing"): ON_PI,
    (PI, "sudo systemctl restart gpsd"): ON_PI,
    (PI, "cgps"): ON_PI,
    (PI, "sudo systemctl restart chrony"): ON_PI,
    (PI, "chronyc sources"): ON_PI,
    (PI, "sudo systemctl restart homing"): ON_PI,
    (PI, "sudo homing config check"): ON_PI,
    (BOAT, "sudo homing setup --name Boat"): ON_BOAT,
    (BOAT, "sudo systemctl reload homing"): ON_BOAT,
    (FLEET, "homing metrics"): METRICS + "test_the_service_in_its_sandbox_writes_what_the_command_prints",
    (FLEET, "sudo homing metrics --output FILE.prom"):
        METRICS + "test_the_service_in_its_sandbox_writes_what_the_command_prints",
    (APPLIANCE, "sudo homing setup"): WITH_APPLIANCE,
    (APPLIANCE, "sudo homing setup --url http://192.168.1.10:8123"): WITH_APPLIANCE,
    (DATA, "homing status"): METERED,
    (DATA, "nmcli connection"): METERED,
    (DATA, "sudo nmcli connection modify NAME connection.metered yes"): METERED,
}
SETUP = "Packages/test_first_minutes.py types the README's `sudo homing setup`"
REASONS = {
    (LAPTOP, "sudo homing setup"): SETUP,
    (LAPTOP, "sudo homing unregister"): "Packages/test_fleet.py types the same with --yes",
    (LAPTOP, "sudo systemctl reload homing"): "the test of the boat's page types the same for the system's service",
    (PI, "sudo raspi-config"): "a program of Raspberry Pi OS, which Debian does not have",
    (FLEET, "homing setup"): f"{SETUP}; here a copy of a disk is what the page is about",
}


def steps(guide):
    """The commands in a guide's sentences, without those that one of its blocks has too."""
    typed = {line.split(" #")[0].strip() for block in blocks([REPOSITORY / guide]) for line in block.text.splitlines()}
    return {code for code in codes(without_blocks(guide)) if PROGRAM.match(code)} - typed


EVERY = {(guide, code) for guide in GUIDES for code in steps(guide)}


def body(text, function):
    """The lines of one function of a file."""
    return re.search(rf"^def {function}\(.*?(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL)[0]


def types(text, code, others=frozenset()):
    """Tells whether a text has the command: its words, its first two or more words, or its words as arguments. `others` are
    commands of their own, and no beginnings of it."""
    words = code.split()
    beginnings = {" ".join(words[:count]) for count in range(min(2, len(words)), len(words) + 1)} - (set(others) - {code})
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
    assert types(body(text, function), code, {other for _, other in EVERY}), f"{file}: {function} does not type {code}"


def test_a_command_that_no_test_types_is_noticed():
    text = """def test_one(machine):
    person.types(command(PI, "The receiver", "sudo systemctl restart gpsd"))

    machine.say("homing", "metrics")


def test_two(machine):
    person.types("cgps")
"""
    one = body(text, "test_one")
    assert types(one, "sudo systemctl restart gpsd") and types(one, "homing metrics")
    assert not types(one, "sudo systemctl restart chrony") and not types(one, "cgps")
    assert types(body(text, "test_two"), "cgps")
    assert not types('types("homing network")', "homing network forget", {"homing network"})
    assert not PROGRAM.match("homing") and PROGRAM.match("homing status") and PROGRAM.match("cgps")
