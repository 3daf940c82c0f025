"""What lasts for days: the whole agent in one process on a virtual clock (HomingAgentTests/Virtual), for the table of
figures. `make test` runs it with the other Swift tests."""

import re

import pytest
from faults.swift_tests import SwiftTest

ROWS = ["OutageTests/week", "OutageTests/bound", "OutageTests/restarts", "OutageTests/refused", "OutageTests/names",
        "ClockTests/steps", "ClockTests/queued", "ClockTests/epoch", "ClockTests/spills",
        "SuspendTests/night", "DrainTests/pace", "NoFixTests/hour"]


def numbers(figure):
    """What figures of one test are compared by: their numbers, the last first."""
    return [int(number) for number in reversed(re.findall(r"\d+", figure))]


@pytest.mark.parametrize("row", ROWS)
def test_days_on_a_virtual_clock(row, only_long, measured, request):
    test = SwiftTest("HomingAgentTests", row)
    request.node.homing_seed = test.seed
    # Twenty rounds: the one whose figure says most.
    measured(f"{max(test.figures, key=numbers)} ({len(test.figures)} rounds)", how="virtual")
