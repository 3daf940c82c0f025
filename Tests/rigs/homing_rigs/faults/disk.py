"""Disks that are full, read-only, or fail at the n-th call; root is needed for the first two, strace for the third."""

import os
import pathlib
import subprocess

from .. import processes


class SmallDisk:
    """A tmpfs of so many kB, mounted on a folder."""

    def __init__(self, folder, kilobytes=1024):
        self.folder = pathlib.Path(folder)
        self.kilobytes = kilobytes
        self._ballast = self.folder / "ballast"
        self._at_end = None

    def __enter__(self):
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={self.kilobytes}k,mode=700", "homing-rig", self.folder],
                       check=True)
        self._at_end = processes.at_end(self.__exit__)
        return self

    def __exit__(self, *_):
        processes.not_at_end(self._at_end)
        subprocess.run(["umount", "-l", self.folder], capture_output=True)

    @staticmethod
    def possible():
        """Whether this process may mount."""
        return os.geteuid() == 0 and subprocess.run(
            ["unshare", "--mount", "mount", "-t", "tmpfs", "x", "/mnt"], capture_output=True).returncode == 0

    @property
    def free(self):
        """Bytes that are left."""
        status = os.statvfs(self.folder)
        return status.f_bavail * status.f_bsize

    def fill(self, leave=0):
        """Leave only so many bytes free."""
        with open(self._ballast, "ab") as ballast:
            while (left := self.free - leave) > 0:
                ballast.write(bytes(min(left, 4096)))
                ballast.flush()

    def empty(self):
        """Take away what `fill` has put there."""
        self._ballast.unlink(missing_ok=True)

    def read_only(self, yes=True):
        """Remount it so that nothing can be written, or so that it can. Nobody may have a file open for writing."""
        subprocess.run(["mount", "-o", f"remount,{'ro' if yes else 'rw'}", self.folder], check=True)


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


class Breaking:
    """While it lasts, such system calls of a running process on these paths fail with an error; also a context."""

    def __init__(self, pid, calls, error, *paths):
        self._words = ["strace", "-f", "-p", pid, "-o", "/dev/null", "-e", f"trace={calls}",
                       "-e", f"inject={calls}:error={error}", *(word for path in paths for word in ("-P", path))]
        self._log = processes.temporary_folder("strace") / "log"
        self._strace = None

    def __enter__(self):
        self._strace = processes.Child(self._words, self._log)
        processes.wait_for(lambda: self._strace.must_live() or "attached" in self._log.read_text(), 40, "strace")
        return self

    def __exit__(self, *_):
        self._strace.stop()


def _main(folder, kilobytes=1024):
    """By hand (from Tests/rigs): /usr/bin/python3 -m homing_rigs.faults.disk FOLDER [KILOBYTES]"""
    from . import hand
    with SmallDisk(folder, int(kilobytes)) as disk:
        hand.obey({"fill": lambda leave=0: disk.fill(int(leave)), "empty": disk.empty, "read_only": lambda: disk.read_only(),
                   "writable": lambda: disk.read_only(False), "free": lambda: f"{disk.free} bytes"})


if __name__ == "__main__":
    import sys
    if len(sys.argv) < 2:
        sys.exit(_main.__doc__)
    _main(*sys.argv[1:])
