"""swaync, a notification server that asks for replies in the notification itself, on an output that nobody sees.

Debian 12's is too old for that, so Debian 13's runs in a tree of its own (debian_tree.to_show), with a compositor and
a session bus. What is pressed and entered goes in by the desktop's accessibility, as a screen reader's user does it.
"""

import pathlib
import subprocess

from . import debian_tree, processes

SCRIPT = pathlib.Path(__file__).resolve().parent / "swaync_session.py"


class Swaync:
    """`with Swaync() as desktop:`, which takes a minute the first time a machine does it."""

    def __init__(self):
        self.folder = processes.temporary_folder("swaync")
        self.folder.chmod(0o700)
        self._child = None

    def __enter__(self):
        words, environment = debian_tree.command_in_tree(
            debian_tree.to_show("trixie"), "python3", "/homing-rig/swaync_session.py", self.folder,
            binds=[(self.folder, self.folder), (SCRIPT.parent, "/homing-rig")])
        self._child = subprocess.Popen(words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        line = self._child.stdout.readline()
        assert line == "ready\n", f"swaync did not start: {line!r}; see {self.folder}"
        return self

    def __exit__(self, *_):
        self._child.stdin.close()
        self._child.wait(30)

    @property
    def environment(self):
        """The variables of a program that is to use it."""
        return {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.folder}/bus"}

    def _tell(self, command):
        self._child.stdin.write(command + "\n")
        self._child.stdin.flush()
        answer = self._child.stdout.readline().strip()
        assert answer == "ok", f"{command}: {answer}"

    def press(self, label):
        """The button with this label, once it is seen."""
        self._tell(f"press {label}")

    def reply(self, label, text):
        """Enter a text, and press the button beside it, which has this label."""
        self._tell(f"reply {label}\t{text}")

    def picture(self, path):
        """What the output shows, as PNG."""
        self._tell(f"picture {self.folder}/picture.png")
        pathlib.Path(path).write_bytes((self.folder / "picture.png").read_bytes())
