"""An agent of the desktop, whom geoclue asks before it tells a program of that user's where the machine is."""

import json
import pathlib
import pwd
import shutil

from . import processes

PROGRAM = pathlib.Path(__file__).with_name("geoclue_answers.py")
EXACT = 8


class Agent:
    """The agent of the user `uid` on `bus`, for each geoclue that comes. Its `answer` is "yes", "no" or "never" and may
    change at any time. With accuracy 0 this user has switched location off."""

    def __init__(self, bus, uid, answer="yes", accuracy=EXACT):
        self._bus, self._uid, self._accuracy = bus, uid, accuracy
        self.folder = processes.temporary_folder("agent")
        self._file = self.folder / "answer"
        self._child = None
        self.answer = answer

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    @property
    def answer(self):
        """What geoclue is told."""
        return self._file.read_text()

    @answer.setter
    def answer(self, word):
        if word not in ("yes", "no", "never"):
            raise ValueError(word)
        self._file.write_text(word)

    def start(self):
        """Start it; returns when geoclue knows it."""
        program = shutil.copy(PROGRAM, self.folder)  # where every user may read it
        self._child = processes.Child(as_user(self._uid, "/usr/bin/python3", program, self._file, self._accuracy),
                                      self.folder / "agent.log", {**self._bus.environment, "PATH": "/usr/bin:/bin"})
        self.wait_until_known()
        return self

    def stop(self):
        """End it."""
        self._child.stop()

    def wait_until_known(self, times=1):
        """Wait until geoclue has accepted it so often: once for each of geoclue's lives."""
        def is_known():
            self._child.must_live()
            return len(self._told("known")) >= times

        processes.wait_for(is_known, 15, "geoclue knows the agent")

    @property
    def asked(self):
        """Who asked so far: a list of (desktop id, accuracy level)."""
        return [tuple(value) for value in self._told("asked")]

    def _told(self, key):
        lines = [line for line in self._child.log_text().splitlines() if line.startswith("{")]
        return [told[key] for told in map(json.loads, lines) if key in told]


def as_user(uid, *words):
    """The command line that runs a command as this user, and ends with its parent. The bus turns away users whom this
    machine does not know."""
    pwd.getpwuid(uid)
    return ["setpriv", "--reuid", uid, "--regid", uid, "--clear-groups", "--pdeathsig", "KILL", "--", *words]
