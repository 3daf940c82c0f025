"""System calls that fail, of programs that do not know: by strace.

By hand (from Tests/rigs), for a program that runs, and for one that is started:

    /usr/bin/python3 -m homing_rigs.faults.calls CALL[,CALL…] ERROR PID PATH…
    /usr/bin/python3 -m homing_rigs.faults.calls CALL[,CALL…] ERROR FIRST..LAST PATH… -- COMMAND…

The first begins broken, and obeys `break` and `mend`. The second has the FIRST to the LAST of the calls on these paths fail, and says at the
end of the program how many did."""

import subprocess
import sys

from .. import processes
from . import hand


class FailingCalls:
    """A disk that breaks and recovers: from the `first` to the `last` such system call of a program on these paths it
    fails with that error. `words` are to be put before the program."""

    def __init__(self, call, error, first, last, *paths):
        self._log = processes.temporary_folder("strace") / "log"
        # -D: the program stays the child of who started it, who can kill it and await its end.
        self.words = ["strace", "-D", "-f", "-qq", "-o", str(self._log), "-e", f"trace={call}",
                      "-e", f"inject={call}:error={error}:when={first}..{last}",
                      *(word for path in paths for word in ("-P", str(path)))]

    @property
    def failed(self):
        """How many calls were made to fail so far."""
        return self._log.read_text(errors="replace").count("(INJECTED)") if self._log.exists() else 0


class KillingCall:
    """A kill at the `number`-th such system call of a program on these paths, which is not made any more. `words` are to
    be put before the program."""

    def __init__(self, call, number, *paths):
        self.words = ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}",
                      "-e", f"inject={call}:error=EIO:signal=KILL:when={number}",
                      *(word for path in paths for word in ("-P", str(path)))]


class Injecting:
    """While it lasts, such system calls of a running process on these paths go as `what` says; also a context."""

    def __init__(self, pid, calls, what, *paths):
        self._words = ["strace", "-f", "-p", str(pid), "-o", "/dev/null", "-e", f"trace={calls}",
                       "-e", f"inject={calls}:{what}", *(word for path in paths for word in ("-P", path))]
        self._strace = None

    def start(self):
        if self._strace is None:
            log = processes.temporary_folder("strace") / "log"
            strace = processes.Child(self._words, log)
            processes.wait_for(lambda: strace.must_live() or "attached" in log.read_text(), 40, "strace")
            self._strace = strace

    def stop(self):
        if self._strace is not None:
            self._strace.stop()
            self._strace = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()


class Breaking(Injecting):
    """They fail with an error."""

    def __init__(self, pid, calls, error, *paths):
        super().__init__(pid, calls, f"error={error}", *paths)


class Slowing(Injecting):
    """They take so many seconds longer, and then succeed."""

    def __init__(self, pid, calls, seconds, *paths):
        super().__init__(pid, calls, f"delay_enter={seconds * 1000:.0f}ms", *paths)


def _main(calls, error, which, *words):
    if which.isdigit():
        with Breaking(which, calls, error, *words) as breaking:
            hand.obey({"break": breaking.start, "mend": breaking.stop})
        return 0
    first, last = which.split("..")
    end = words.index("--")
    failing = FailingCalls(calls, error, int(first), int(last), *words[:end])
    status = subprocess.run([*failing.words, *words[end + 1:]]).returncode
    print(f"{failing.failed} calls failed", flush=True)
    return status


if __name__ == "__main__":
    if len(sys.argv) < 5 or not sys.argv[3].isdigit() and ("--" not in sys.argv or ".." not in sys.argv[3]):
        sys.exit(__doc__)
    sys.exit(_main(*sys.argv[1:]))
