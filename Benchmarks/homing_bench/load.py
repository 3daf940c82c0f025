"""Whether the machine did anything else while something was measured.

A figure that shares the machine with a build is a figure of that build too. So each window of measuring is watched:
processor time that is neither of the bench nor of what it started, and time that the host took away (steal).
"""

import collections
import contextlib
import dataclasses
import os
import pathlib
import threading
import time

# Cores: of a whole window, and of its worst slice. A quiet Debian takes a hundredth of one.
MEAN, WORST = 0.10, 0.50
SLICE = 5  # seconds
TICK = os.sysconf("SC_CLK_TCK")


@dataclasses.dataclass(frozen=True)
class Reading:
    """What the kernel has counted so far, in seconds: `at` by the clock, the others of processor time."""

    at: float
    all: float
    ours: float
    stolen: float


@dataclasses.dataclass(frozen=True)
class Load:
    """What others took in a window, in cores."""

    seconds: float
    mean: float
    worst: float

    @property
    def problem(self):
        """Why figures of this window are not to be compared; None if it was quiet."""
        if self.mean <= MEAN and self.worst <= WORST:
            return None
        return f"others took {self.mean:.2f} cores, {self.worst:.2f} at worst; {MEAN:.2f} and {WORST:.2f} are allowed"


def judge(readings):
    """The load of a window, by readings at its begin, at each slice's end, and at its end."""
    slices = [(_others(before, after), after.at - before.at) for before, after in zip(readings, readings[1:])]
    # A last slice of a moment is no slice: a tick of the kernel's would be half of it.
    whole = [others / seconds for others, seconds in slices if seconds >= SLICE / 2]
    seconds = readings[-1].at - readings[0].at
    mean = _others(readings[0], readings[-1]) / seconds
    return Load(seconds, mean, max(whole, default=mean))


def _others(before, after):
    """Seconds of processor time that were not the bench's. Two clocks of the kernel's count them, so they may differ by
    a tick: less than nothing is nothing."""
    taken = (after.all - before.all) - (after.ours - before.ours) + (after.stolen - before.stolen)
    return max(0.0, taken)


@contextlib.contextmanager
def watched(report):
    """Watches what is done meanwhile, and calls `report(load)` at its end."""
    readings, over = [reading()], threading.Event()

    def watch():
        while not over.wait(SLICE):
            readings.append(reading())

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        readings.append(reading())
    report(judge(readings))


def reading():
    """What is so now."""
    at = time.monotonic()
    ours = _ours(processes(), os.getpid())
    fields = pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    user, nice, system, *_ = (int(field) / TICK for field in fields)
    # Interrupts are nobody's: what the bench's own traffic makes of them is among them.
    return Reading(at, user + nice + system, ours / TICK, int(fields[7]) / TICK)


def processes():
    """{pid: (parent, ticks of it and of its children that have ended)}."""
    found = {}
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            # The name stands in parentheses, and may have some itself.
            fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        found[int(folder.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    return found


def _ours(found, root):
    """Ticks of a process and all below it."""
    children = collections.defaultdict(list)
    for pid, (parent, _) in found.items():
        children[parent].append(pid)
    total, left = 0, [root]
    while left:
        pid = left.pop()
        total += found.get(pid, (0, 0))[1]
        left += children[pid]
    return total
