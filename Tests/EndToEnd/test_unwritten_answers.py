"""A command whose answer could not be written says so, and does not end as if all were well."""

import os
import subprocess
import time

import pytest
from agent import BINARIES
from relay_program import RelayProgram

EX_IOERR = 74


def run(program, *words, stdout, **options):
    return subprocess.run([str(BINARIES / program), *words], stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=30,
                          stdin=subprocess.DEVNULL, **options)


@pytest.fixture
def full():
    with open("/dev/full", "wb") as full:
        yield full


@pytest.mark.parametrize("program, words", [
    ("homing", ["--help"]), ("homing", ["config", "example"]), ("homing-relay", ["--version"]), ("homing-relay", ["example"]),
    ("homingd", ["--help"]), ("homing-session", ["--version"]),
])
def test_a_full_disk_for_the_answer_is_told_by_each_program(program, words, full):
    done = run(program, *words, stdout=full)
    assert done.returncode == EX_IOERR
    assert done.stderr == f"{program}: the answer could not be written: No space left on device\n"


@pytest.mark.parametrize("program, words", [("homing", ["status"]), ("homing-relay", ["example"]), ("homingd", ["--help"])])
def test_output_that_is_closed_is_told_and_nothing_goes_elsewhere(program, words, make_agent):
    """Without it, the first socket would be standard output: the answer would go to the daemon as a request."""
    agent = make_agent().start()
    done = subprocess.run(["sh", "-c", 'exec "$0" "$@" >&-', BINARIES / program, *words], stderr=subprocess.PIPE, text=True,
                          timeout=30, env=agent.environment)
    assert done.returncode == EX_IOERR and "could not be written" in done.stderr, done


def test_a_reader_that_has_gone_is_told():
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = run("homing", "config", "example", stdout=pipe)
    assert done.returncode == EX_IOERR and "Broken pipe" in done.stderr


def test_a_command_that_failed_keeps_its_own_code(full):
    done = run("homing", "config", "check", "--config", "/nonexistent/agent.conf", stdout=full)
    assert done.returncode not in (0, EX_IOERR)


def test_an_invitation_that_nobody_could_read_is_no_success(full):
    with RelayProgram() as relay:
        done = subprocess.run(relay._words("invite"), env=relay.environment, stdout=full, stderr=subprocess.PIPE, text=True,
                              timeout=30)
        assert done.returncode == EX_IOERR and "could not be written" in done.stderr
        began = time.monotonic()
        done = subprocess.run(relay._words("status", "--watch"), env=relay.environment, stdout=full, stderr=subprocess.PIPE,
                              text=True, timeout=30)
        assert done.returncode == EX_IOERR and time.monotonic() - began < 5, "nobody is shown anything"
