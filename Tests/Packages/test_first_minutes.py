"""The first minutes: from an empty machine to a dot that moves in Home Assistant, with the commands of the pages.
docs/install.md says what is done in the reader's place, and not timed. With HOMING_MEASUREMENTS the figures go there."""

import datetime
import json
import os
import pathlib
import subprocess
import time

import pytest
from homing_rigs.documents import REPOSITORY
from homing_rigs.machine import Machine
from homing_rigs.processes import wait_for
from readme import Person, lines, setup_of_a_script
from scenes import tracker

pytestmark = [pytest.mark.skipif(not Machine.possible(), reason="needs root and systemd-nspawn"),
              pytest.mark.home_assistant]
GPS_PORT = 29555
PATIENCE = 120  # seconds, for what takes a few


def place(ha, name):
    """Where Home Assistant shows the device."""
    state = tracker(ha, name)
    attributes = state["attributes"] if state else {}
    return (attributes["latitude"], attributes["longitude"]) if "latitude" in attributes else None


def seconds_until(condition, what):
    began = time.monotonic()
    wait_for(condition, PATIENCE, what)
    return time.monotonic() - began


def test_from_an_empty_machine_to_a_dot_that_moves(machine, receiver, ha, packages, capsys):
    assert machine.run("sh", "-c", "command -v homing || command -v gpsd", check=False).returncode, "it is empty"
    name = f"first-{packages.release}"
    machine.run("hostname", name)
    machine.write("/root/homing/token", ha.token)
    person, figures = Person(machine), {}

    build, install = lines("docs/install.md", "Build the packages")
    assert build == "make deb", "which has been done for this release"
    person.types(install)
    figures["install"] = person.seconds.popitem()[1]
    # The receiver is plugged in, on its way to work.
    receiver.feed("goto 200")
    packages.feed_gpsd(machine, GPS_PORT)

    pair, = lines("README.md", "Pair")
    done = person.types(f"{pair} {setup_of_a_script(ha.url, 'token')}")
    assert "Homing reports to Home Assistant" in done.stdout
    figures["pair"] = person.seconds.popitem()[1]
    figures["dot"] = seconds_until(lambda: place(ha, name), "a dot on the map")
    first = place(ha, name)
    figures["moves"] = seconds_until(lambda: place(ha, name) != first, "the dot moves")

    check, = [line.removeprefix("$ ") for line in lines("README.md", "Check", "console") if line.startswith("$ ")]
    assert f"{name}, encrypted" in person.types(check).stdout
    figures["status"] = person.seconds.popitem()[1]
    assert machine.show("homing", "ActiveState", "UnitFileState") == {"ActiveState": "active", "UnitFileState": "enabled"}
    with capsys.disabled():
        print(f"\n{packages.release}: " + ", ".join(f"{what} {seconds:.1f} s" for what, seconds in figures.items()))
    record(packages, ha, figures)


def record(packages, ha, figures, **more):
    """Appends a row, if a file is named."""
    if not os.environ.get("HOMING_MEASUREMENTS"):
        return
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=REPOSITORY, check=True, text=True,
                            stdout=subprocess.PIPE).stdout.strip()
    row = {"release": packages.release, "seconds": {what: round(seconds, 1) for what, seconds in figures.items()},
           "home_assistant": ha.version, "package": packages.homing.name,
           "date": datetime.date.today().isoformat(), "commit": commit, "architecture": packages.architecture, **more}
    with pathlib.Path(os.environ["HOMING_MEASUREMENTS"]).open("a") as file:
        print(json.dumps(row), file=file)
