"""A real systemd-journald of a test's own, and programs connected to it as systemd connects a service."""

import json
import os
import pathlib
import shutil
import subprocess

from . import processes

JOURNALD = pathlib.Path("/lib/systemd/systemd-journald")
# The configuration of this journald alone.
MARK = "/run/systemd/journald.conf.d/rig.conf"
# Seen by journald and by what runs in `inside` alone: its sockets, its files, and no kernel messages.
START = f"""\
set -e
mkdir -p /run/systemd
mount -t tmpfs tmpfs /run/systemd
mount -t tmpfs tmpfs "$0"
mkdir -p /run/systemd/journal /run/systemd/journald.conf.d /run/log "$0/journal"
mount --bind "$0" /run/log
mount --bind /dev/null /dev/kmsg
printf '[Journal]\\nStorage=volatile\\nReadKMsg=no\\n' > {MARK}
exec "$1"
"""
# What systemd does for StandardError=journal (the header is sd_journal_stream_fd(3)'s), then the program.
CONNECT = """\
import os, socket, sys
stream = socket.socket(socket.AF_UNIX)
stream.connect("/run/systemd/journal/stdout")
stream.sendall(b"program\\n\\n6\\n1\\n0\\n0\\n0\\n")
status = os.fstat(stream.fileno())
os.environ["JOURNAL_STREAM"] = f"{status.st_dev}:{status.st_ino}"
if sys.argv[1] == "connected":
    os.dup2(stream.fileno(), 2)
else:
    os.set_inheritable(stream.fileno(), True)
os.execvp(sys.argv[2], sys.argv[2:])
"""


class Journal:
    """journald, in a mount namespace. `inside` is the prefix of a command that sees it; `connected` of one whose stderr
    it is; `inherited` of one that has JOURNAL_STREAM from its parent and another stderr."""

    @staticmethod
    def possible():
        """Whether this user and this machine can run it."""
        return os.geteuid() == 0 and JOURNALD.exists() and shutil.which("journalctl") is not None

    def __init__(self):
        self.folder = processes.temporary_folder("journal")
        self.files = self.folder / "files"
        self.files.mkdir()
        self._child = processes.Child(
            ["unshare", "--mount", "--propagation", "private", "sh", "-c", START, self.files, JOURNALD],
            self.folder / "journald.log")
        self.inside = ("nsenter", "--target", str(self._child.pid), "--mount")
        python = (*self.inside, "/usr/bin/python3", "-c", CONNECT)
        self.connected, self.inherited = (*python, "connected"), (*python, "inherited")
        processes.wait_for(self._answers, 40, "journald answers")

    def _answers(self):
        """Whether this journald, not the machine's, answers. It opens its sockets one after the other; what is sent to
        a socket before that is lost without an error."""
        self._child.must_live()
        sync = f"test -e {MARK} && exec journalctl --sync"
        return subprocess.run([*self.inside, "sh", "-c", sync], stderr=subprocess.DEVNULL, timeout=60).returncode == 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """End it; its files go with its namespace."""
        self._child.stop()

    def entries(self, **fields):
        """The entries with these fields, oldest first, each a dictionary."""
        matches = [f"{name}={value}" for name, value in fields.items()]
        subprocess.run([*self.inside, "journalctl", "--sync"], check=True, timeout=60)
        done = subprocess.run([*self.inside, "journalctl", "--directory", "/run/log/journal", "--output", "json", *matches],
                              check=True, stdout=subprocess.PIPE, text=True, timeout=60)
        return [json.loads(line) for line in done.stdout.splitlines()]
