"""What the checks of the packaging's files share."""

import pathlib
import subprocess

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def packaging():
    return REPOSITORY / "packaging"


@pytest.fixture
def built(tmp_path):
    """A folder with a program of each name, for what is installed beside the programs."""
    folder = tmp_path / "built"
    folder.mkdir()
    for program in ("homing", "homingd", "homing-relay", "homing-session"):
        (folder / program).write_text("#!/bin/sh\n")
        (folder / program).chmod(0o755)
    return folder


@pytest.fixture
def run():
    """Runs a command; its output is text."""
    def run(*words, **options):
        return subprocess.run([str(word) for word in words], **{
            "text": True, "capture_output": True, "timeout": 60, "stdin": subprocess.DEVNULL, **options})
    return run


@pytest.fixture
def quiet(run):
    """Runs a command that must succeed without a word."""
    def quiet(*words, **options):
        done = run(*words, **options)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return quiet
