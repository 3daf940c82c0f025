"""What is in the packages, and what is not."""

import os
import pathlib

import pytest

BINARIES = pathlib.Path(os.environ.get("HOMING_BINARIES", pathlib.Path(__file__).resolve().parents[2] / ".build/release"))


@pytest.mark.parametrize("program", ["homingd", "homing"])
def test_what_is_shipped_has_no_failpoints(installed, program):
    shipped = (installed.root / "usr/bin" / program).read_bytes()
    assert len(shipped) > 100_000 and b"HOMING_FAILPOINT" not in shipped
    # And this would find one.
    assert b"HOMING_FAILPOINT" in (BINARIES / "homingd").read_bytes()
