"""A program's wall clock can be stepped while it runs, and no other of its clocks moves."""

import subprocess
import sys
import time

from homing_rigs.faults.clock import Clock

SCRIPT = """
import sys, time
for line in sys.stdin:
    print(time.time(), time.monotonic(), time.clock_gettime(time.CLOCK_BOOTTIME), flush=True)
"""


def test_steps_are_seen_at_once_and_by_the_wall_clock_alone():
    clock = Clock()
    program = subprocess.Popen([*clock.prefix, sys.executable, "-c", SCRIPT], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)

    def ask():
        program.stdin.write("\n")
        program.stdin.flush()
        return [float(word) for word in program.stdout.readline().split()]

    for offset in (0, 315_360_000, -315_360_000, 0):
        clock.step(offset)
        wall, monotonic, boot = ask()
        assert abs(wall - time.time() - offset) < 1
        assert abs(monotonic - time.monotonic()) < 1
        assert abs(boot - time.clock_gettime(time.CLOCK_BOOTTIME)) < 1
    clock.be_in(0)
    assert abs(ask()[0]) < 1
    program.kill()
