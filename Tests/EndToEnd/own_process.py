"""What a daemon keeps from its own user, so that a test has to be root to look at it."""

import os
import pathlib

import pytest

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="the daemon keeps its memory from its own user: needs root")


def open_files(pid):
    """The folder of what it has open."""
    if os.geteuid() != 0:
        pytest.skip("the daemon keeps its open files from its own user: needs root")
    return pathlib.Path(f"/proc/{pid}/fd")
