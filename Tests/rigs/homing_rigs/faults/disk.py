"""Disks that are full or read-only; root is needed. For disks that fail at a call see `calls`."""

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
