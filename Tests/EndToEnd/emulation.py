"""What qemu has no means for, where it runs the programs of another architecture (`make test-emulated`)."""

import os
import pathlib

import pytest

HERE = pathlib.Path(__file__).resolve().parent

# By the test's file and name, without its parameters.
REASONS = {
    "test_control.py::test_the_group_homing_may_do_everything_without_a_user_database":
        "qemu-user does not know SO_PEERGROUPS, by which the daemon learns of the groups of who asks",
}


def skip_what_cannot_be(items):
    """Skips these tests, each with its reason. A reason for a test that is no more is an error."""
    if not os.environ.get("HOMING_EMULATED"):
        return
    for item in items:
        if reason := REASONS.get(f"{item.path.name}::{item.originalname}"):
            item.add_marker(pytest.mark.skip(reason=reason))
    for file, name in (place.split("::") for place in REASONS):
        if f"def {name}(" not in (HERE / file).read_text():
            raise pytest.UsageError(f"emulation.py: there is no test {name} in {file}")
