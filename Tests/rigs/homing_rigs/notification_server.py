"""A session bus with a notification server on it: the mock, or one of Debian's on a display that nobody sees."""

import json
import pathlib
import subprocess

from . import processes

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "HomingNotificationsTests/Rig/server.py"


class NotificationServer:
    """`NotificationServer("mock", "body", "actions")`, `NotificationServer("dunst")`. Use it with `with`.

    With `user`, a number, bus and server are that user's, and nobody else may join the bus."""

    def __init__(self, *words, user=None):
        self.words = words
        self.prefix = [] if user is None else [
            "setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups", "--"]
        self.address = self._child = None

    def __enter__(self):
        self._child = subprocess.Popen(
            [*self.prefix, "setpriv", "--pdeathsig", "KILL", "/usr/bin/python3", str(SCRIPT), *self.words],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        line = self._child.stdout.readline()
        assert line.startswith("ready "), f"the notification server did not start: {line!r}"
        self.address = line[6:].strip()
        return self

    def __exit__(self, *_):
        self._child.stdin.close()
        self._child.wait(10)

    @property
    def environment(self):
        """The variables of a program that is to use it."""
        return {"DBUS_SESSION_BUS_ADDRESS": self.address}

    def __call__(self, command):
        """Have it do something; its answer."""
        self._child.stdin.write(command + "\n")
        self._child.stdin.flush()
        answer = self._child.stdout.readline().strip()
        assert answer and not answer.startswith("failed"), f"{command}: {answer}"
        return answer

    def shown(self):
        """What the mock was told to show, oldest first."""
        return [Shown(call) for call in json.loads(self("calls")) if call[0] == "Notify"]

    def closed(self):
        """The ids that the mock was told to close."""
        return [call[1] for call in json.loads(self("calls")) if call[0] == "CloseNotification"]

    def wait_for(self, summary, seconds=15, count=1):
        """The newest notification with this summary, once there are so many."""
        def newest():
            shown = self.shown()
            found = [one for one in shown if one.summary == summary]
            if len(found) < count:
                raise LookupError(f"shown are {[one.summary for one in shown]}")
            return found[-1]

        return processes.wait_for(newest, seconds, f"a notification {summary!r}")

    def press(self, shown, label, reply=None):
        """Press the button with this label, or enter a text behind it."""
        key = shown.key(label)
        if reply is not None:
            assert key == "inline-reply", shown.buttons
            self(f"emit NotificationReplied {shown.id} {reply}")
        else:
            self(f"emit ActionInvoked {shown.id} {key}")

    def dismiss(self, shown):
        """Put it away as a person does."""
        self(f"emit NotificationClosed {shown.id} 2")


class Shown:
    """A call of `Notify`."""

    def __init__(self, call):
        _, self.application, self.replaces, self.summary, self.body, actions, self.hints, self.timeout, self.id = call
        self.buttons = dict(zip(actions[1::2], actions[::2]))  # label -> key
        self.keys = actions[::2]

    def key(self, label):
        return self.buttons[label]
