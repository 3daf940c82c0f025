"""What qemu has no means for, where it runs the programs of another architecture (`make test-arm64`)."""

import os

import pytest

# By the test's file and name, without its parameters.
REASONS = {
    "test_control.py::test_the_group_homing_may_do_everything_without_a_user_database":
        "qemu-user does not know SO_PEERGROUPS, by which the daemon learns of the groups of who asks",
}


def skip_what_cannot_be(items):
    """Skips these tests, each with its reason. A reason for a test that is no more is an error."""
    if not os.environ.get("HOMING_EMULATED"):
        return
    found = {}
    for item in items:
        found.setdefault(f"{item.path.name}::{item.originalname}", []).append(item)
    files = {item.path.name for item in items}
    for name, reason in REASONS.items():
        if name in found:
            for item in found[name]:
                item.add_marker(pytest.mark.skip(reason=reason))
        elif name.split("::")[0] in files:
            raise pytest.UsageError(f"emulation.py: there is no test {name}")
