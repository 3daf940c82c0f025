"""A wall clock of a program's own, which can be stepped while it runs (libfaketime). The clocks that count the time since
boot go on as they are, as they do when a real clock is stepped.

By hand (from Tests/rigs): /usr/bin/python3 -m homing_rigs.faults.clock COMMAND…
"""

import pathlib
import subprocess
import sys
import time

from .. import processes
from . import hand

LIBRARIES = "/usr/lib/*/faketime/libfaketimeMT.so.1"


class Clock:
    """The clock. `prefix` is to be put before the command that shall live by it."""

    def __init__(self):
        library = next(pathlib.Path("/").glob(LIBRARIES[1:]), None)
        if library is None:
            raise RuntimeError("libfaketime is not installed (package libfaketime)")
        self._file = processes.temporary_folder("clock") / "offset"
        # The second `env` is preloaded first: the library sets a variable at its first start, and Swift would not find
        # the arguments of a program whose environment was moved before it began.
        self.prefix = ("env", f"LD_PRELOAD={library}", f"FAKETIME_TIMESTAMP_FILE={self._file}", "FAKETIME_NO_CACHE=1",
                       "FAKETIME_DONT_FAKE_MONOTONIC=1", "env")
        self.offset = 0.0
        self.step(0)
        processes.at_end(_tidy_up)

    def step(self, seconds):
        """Be so many seconds ahead of the real clock from now on (negative: behind)."""
        fresh = self._file.with_name("offset.new")
        fresh.write_text(f"{seconds:+.3f}\n")
        fresh.rename(self._file)
        self.offset = seconds

    def be_in(self, unix_time):
        """Show that time now."""
        self.step(unix_time - time.time())

    def now(self):
        """What the program takes the time for."""
        return time.time() + self.offset


def _tidy_up():
    """Remove what the library leaves in shared memory; each file bears the number of the process that made it."""
    for file in pathlib.Path("/dev/shm").glob("*faketime_s*_*"):
        if not pathlib.Path("/proc", file.name.rpartition("_")[2]).exists():
            file.unlink(missing_ok=True)


def _main(*command):
    clock = Clock()
    child = subprocess.Popen([*clock.prefix, *command], stdin=subprocess.DEVNULL)
    hand.obey({"step": lambda seconds: clock.step(float(seconds)), "be_in": lambda moment: clock.be_in(float(moment)),
               "now": clock.now})
    child.terminate()
    child.wait()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    _main(*sys.argv[1:])
