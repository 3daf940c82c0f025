"""What the parts of the bench share: how long each takes, the programs, and watching the machine."""

import contextlib
import dataclasses
import sys
import time

from . import load

MIB = "MiB"
CLIENT, LEAN = "C client", "leaner C client"
PARTS = ["start", "moving", "instructions", "draining", "fast", "waiting", "location", "sensors"]


@dataclasses.dataclass(frozen=True)
class Size:
    """How long each part takes. `…_age` are the seconds before a window."""

    fewer: int = 100
    more: int = 600
    moving_age: int = 65  # what the start needed has been given back by then
    moving: int = 60
    fast: int = 45
    drain: int = 10050  # whole receipts of 150: the last positions of another number wait for theirs
    idle_age: int = 122
    idle: int = 240
    located_age: int = 122
    located: int = 240
    written: int = 600  # two of the track log's writes
    sensors_age: int = 120
    sensors: int = 780


QUICK = Size(fewer=50, more=250, moving_age=4, moving=15, fast=10, drain=3000, idle=25, located_age=60, located=60, written=300,
             sensors_age=30, sensors=60)
HOUR = Size(sensors_age=120, sensors=3480)


class Bench:
    """The programs, and the report that is written."""

    def __init__(self, report, programs, with_symbols, floors, size):
        self.report, self.programs, self.with_symbols, self.size = report, programs, with_symbols, size
        self.client, self.lean = floors
        self._begin = time.monotonic()

    def say(self, text):
        """Progress."""
        print(f"[{time.monotonic() - self._begin:4.0f} s] {text} …", file=sys.stderr, flush=True)

    @contextlib.contextmanager
    def watched(self, window):
        """Watches the machine while a window is open."""
        with load.watched(lambda found: self.report.add_load(window, found)):
            yield

    def quietly(self, window, measure, times=2):
        """Measures a short window, once more if the machine was busy."""
        for left in range(times - 1, -1, -1):
            found = measure()
            if window not in self.report.busy or not left:
                return found
            self.say(f"{window}: the machine was busy: again")


def threads(figures):
    """Context switches by thread, the most first."""
    counts = sorted(figures["switches_by_thread"].items(), key=lambda item: -item[1])
    return ", ".join(f"{name} {count}" for name, count in counts)
