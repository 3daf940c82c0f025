"""Swift tests with long forms, for the table of figures."""

import os
import re
import subprocess

from agent import REPOSITORY

RUNNER = REPOSITORY / ".build/release/homingPackageTests.xctest"


class SwiftTest:
    """One function of a Swift test target, run in its long form: its `figures`, and its `seed`."""

    def __init__(self, target, function, seconds=1800, **environment):
        command = [RUNNER, "--testing-library", "swift-testing", "--filter", rf"^{target}\.{function}\("]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              env={**os.environ, "HOMING_LONG": "1", **environment}, timeout=seconds)
        assert done.returncode == 0 and re.search(r"Test run with 1 test ", done.stdout), done.stdout[-4000:]
        self.figures = re.findall(r"^HOMING_FIGURE=(.*)$", done.stdout, re.MULTILINE)
        self.seed = re.search(r"HOMING_SEED=(\d+)", done.stdout)[1]
