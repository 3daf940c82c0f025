"""The push channel against each real Home Assistant: the Swift tests that otherwise run against a stand-in."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ["swift", "test", "--skip-build", "-c", "release", "-Xswiftc", "-enable-testing", "-Xswiftc",
         "-warnings-as-errors", "--filter", "HTTPTests/PushChannelTests"]


def test_the_channel_works_as_it_does_with_the_stand_in(ha):
    environment = {**os.environ, "HOMING_HA_URL": ha.local_url, "HOMING_HA_TOKEN": ha.token}
    run = subprocess.run(TESTS, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout[-3000:]
    assert "with 8 tests" in run.stdout, run.stdout[-500:]
