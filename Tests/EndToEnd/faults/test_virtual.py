"""What lasts for days: the whole agent in one process on a virtual clock (HomingAgentTests/Virtual), for the table of
figures. `make test` runs it with the other Swift tests."""

import os
import re
import subprocess

import pytest
from agent import REPOSITORY

RUNNER = REPOSITORY / ".build/release/homingPackageTests.xctest"
ROWS = ["OutageTests/week", "OutageTests/bound", "OutageTests/restarts", "OutageTests/refused", "OutageTests/names",
        "ClockTests/steps", "ClockTests/queued", "ClockTests/epoch", "ClockTests/spills",
        "SuspendTests/night", "DrainTests/pace", "NoFixTests/hour"]


def numbers(figure):
    """What figures of one test are compared by: their numbers, the last first."""
    return [int(number) for number in reversed(re.findall(r"\d+", figure))]


@pytest.mark.parametrize("row", ROWS)
def test_days_on_a_virtual_clock(row, only_long, measured):
    command = [RUNNER, "--testing-library", "swift-testing", "--filter", rf"^HomingAgentTests\.{row}\("]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          env={**os.environ, "HOMING_LONG": "1"}, timeout=1800)
    assert done.returncode == 0 and re.search(r"Test run with 1 test ", done.stdout), done.stdout[-4000:]
    figures = re.findall(r"^HOMING_FIGURE=(.*)$", done.stdout, re.MULTILINE)
    # Twenty rounds: the one whose figure says most.
    measured(f"{max(figures, key=numbers)} ({len(figures)} rounds)" if figures else "passed")
