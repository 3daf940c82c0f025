"""A person at the machine: a session of logind's, a session bus that is theirs alone, and the helper in it."""

import os

from agent import BINARIES
from homing_rigs.notification_server import NotificationServer
from homing_rigs.processes import Child, temporary_folder, wait_for

FULL = ("body", "actions", "inline-reply")
# Users that every Debian has: a bus ends the connection of one that is in no database.
DAEMON, GAMES, MAN, MAIL = 1, 5, 6, 8


def become(user):
    """What goes before a program that runs as the user with this number."""
    return ["setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups", "--"]


def system_agent(make_agent, configuration, bus, **variables):
    """A daemon that runs as a service of the system does: as a user of its own, without a session."""
    agent = make_agent(configuration, {**bus.environment, **variables}, daemon_prefix=become(DAEMON))
    for folder in (agent.state, agent.runtime):
        os.chown(folder, DAEMON, DAEMON)
    return agent.start()


class Person:
    """Use it with `with`: it logs in; `helper()` starts the helper, `server` is what shows notifications."""

    def __init__(self, bus, agent, user, name, *server, environment=None, active=True):
        self.bus, self.agent, self.user, self.name = bus, agent, user, name
        self.server = NotificationServer(*(server or ("mock", *FULL)), user=user)
        self.folder = temporary_folder(name)
        os.chown(self.folder, user, user)
        self.session = bus.session(user, name, active)
        self._environment = environment or {}
        self._child = None

    def __enter__(self):
        self.server.__enter__()
        return self

    def __exit__(self, *_):
        if self._child:
            self._child.kill()
        self.server.__exit__()

    def start(self, ready=True):
        """Start the helper; with `ready`, until the daemon has welcomed it."""
        inherited = {name: value for name, value in os.environ.items()
                     if name not in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR")}
        environment = {**inherited, **self.server.environment, **self.bus.environment,
                       "RUNTIME_DIRECTORY": str(self.folder), "HOME": str(self.folder), **self._environment}
        before = self.log_text().count("shows notifications") if self._child else 0
        self._child = Child([*become(self.user), BINARIES / "homing-session", "--log-level", "debug", "--socket",
                             self.agent.runtime / "control.sock"], self.folder / "log", environment)
        if ready:
            wait_for(lambda: self.log_text().count("shows notifications") > before, 20, "the helper is welcome")
        return self

    def kill(self):
        """As `kill -9`."""
        self._child.kill()

    def signal(self, number):
        self._child.signal(number)

    @property
    def alive(self):
        return self._child.alive

    def log_text(self):
        return self._child.log_text()

    def change(self, **properties):
        """Change properties of the session: Active, LockedHint, Remote, State."""
        self.bus.change_session(self.session, **properties)

    def helper_in_status(self):
        """What the daemon's status says of this person's helper; None if there is none."""
        helpers = self.agent.status()["push"]["helpers"]
        return next((helper for helper in helpers if helper["user"] == self.name), None)
