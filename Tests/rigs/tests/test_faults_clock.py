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


def clocks():
    return time.time(), time.monotonic(), time.clock_gettime(time.CLOCK_BOOTTIME)


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
        before, told, after = clocks(), ask(), clocks()
        for moved, least, clock_of_program, most in zip((offset, 0, 0), before, told, after):
            assert least - 1 < clock_of_program - moved < most + 1
    began = time.monotonic()
    clock.be_in(0)
    assert -1 < ask()[0] < time.monotonic() - began + 1
    program.kill()
