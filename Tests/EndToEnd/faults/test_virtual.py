"""What lasts for days: the whole agent in one process on a virtual clock (HomingAgentTests/Virtual), for the table of
figures. `make test` runs it with the other Swift tests."""

import re

import pytest
from faults.swift_tests import SwiftTest

ROWS = ["OutageTests/week", "OutageTests/bound", "OutageTests/restarts", "OutageTests/refused", "OutageTests/names",
        "ClockTests/steps", "ClockTests/queued", "ClockTests/epoch", "ClockTests/spills",
        "SuspendTests/night", "DrainTests/pace", "NoFixTests/hour"]


def largest_of_each_kind(figures):
    """Figures that differ in their numbers alone as one, with the largest of each number."""
    numbers = {}
    for figure in figures:
        kind = re.sub(r"-?\d+", "{}", figure)
        found = [int(number) for number in re.findall(r"-?\d+", figure)]
        numbers[kind] = [max(pair) for pair in zip(numbers.get(kind, found), found)]
    return "; ".join(kind.format(*largest) for kind, largest in numbers.items())


@pytest.mark.parametrize("row", ROWS)
def test_days_on_a_virtual_clock(row, only_long, measured, request):
    test = SwiftTest("HomingAgentTests", row)
    request.node.homing_seed = test.seed
    assert test.figures
    rounds = f" (the largest of {len(test.figures)} rounds)" if len(test.figures) > 1 else ""
    measured(f"{largest_of_each_kind(test.figures)}{rounds}", how="virtual")
