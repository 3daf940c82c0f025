"""The real daemon and command, run in folders of their own."""

import json
import os
import pathlib
import re
import subprocess
import time

import pytest
from homing_rigs import schemas
from homing_rigs.processes import Child, temporary_folder, wait_for

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
BINARIES = pathlib.Path(os.environ.get("HOMING_BINARIES", REPOSITORY / ".build/release"))
# Seconds in which SIGTERM ends the daemon; a machine that does much else is given more.
PROMISED_END = 5 if os.environ.get("HOMING_LONG") == "1" else 20
ACCEPTED = re.compile(r"(?:debug: (?:([a-z0-9-]+): )?)?accepted (\d+) \(([a-z_]+)\): (-?[\d.e-]+),(-?[\d.e-]+)")


def skip_without_root(words):
    """Ends a test that needs a view of the system of its own, where an ordinary user runs the tests."""
    if words[:1] == ("unshare",) and os.geteuid() != 0:
        pytest.skip("a view of the system of its own needs root")


class Agent:
    """One `homingd` with its state, its configuration and its log."""

    def __init__(self, configuration="", environment=None, prefix=(), daemon_prefix=None, log_level="debug"):
        """`prefix` goes before the daemon and the command; `daemon_prefix` before the daemon instead."""
        self.folder = temporary_folder("agent")
        self.state = self.folder / "state"
        self.runtime = self.folder / "run"
        for folder in (self.state, self.runtime):
            folder.mkdir()
        self.configuration = self.folder / "agent.conf"
        # What is not a sensor's test sees positions alone, and what is not a notification's has no channel for them.
        quiet = "" if "[sensors]" in configuration else "\n[sensors]\ndisable = all\nscripts =\n"
        quiet += "" if "[push]" in configuration else "\n[push]\nmode = off\n"
        self.configuration.write_text(configuration + quiet)
        self.log = self.folder / "log"
        # No session's bus unless the test brings one: notifications must not reach whoever runs the tests.
        inherited = {name: value for name, value in os.environ.items()
                     if name not in ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "SUDO_USER", "SUDO_UID")}
        self.environment = {**inherited, "STATE_DIRECTORY": str(self.state), "RUNTIME_DIRECTORY": str(self.runtime),
                            # no bus unless the test brings one
                            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent", **(environment or {})}
        self._prefix = prefix
        self._daemon_prefix = prefix if daemon_prefix is None else daemon_prefix
        self._log_level = log_level
        self._child = None
        # All that run on this machine have one identity: a test's device may have the name of an earlier test.
        self.takes_over = True

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def begin_start(self):
        """Start it without waiting for it."""
        words = [*self._daemon_prefix, BINARIES / "homingd", "--config", self.configuration, "--log-level", self._log_level]
        self._child = Child([str(word) for word in words], self.log, env=self.environment)

    def start(self):
        self.begin_start()
        # The socket of a killed daemon is still there; the new one answers.
        wait_for(lambda: not self._child.alive or self.homing("status", check=False).returncode == 0, 40, "the daemon")
        assert self._child.alive, f"the daemon ended: {self._child.log_text()}"
        return self

    def put_before_daemon(self, *words):
        """From its next start on the daemon runs behind these words; without any, alone. `unshare` needs root."""
        skip_without_root(words)
        self._daemon_prefix = words

    def put_before_all(self, *words):
        """From now on the command, and from its next start on the daemon, run behind these words. `unshare` needs root."""
        skip_without_root(words)
        self._prefix = self._daemon_prefix = words

    def rename_machine(self, name):
        """From its next start on the daemon sees this host name. Needs root."""
        self.put_before_daemon("unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', name)

    @property
    def pid(self):
        return self._child.pid

    @property
    def alive(self):
        return self._child is not None and self._child.alive

    def signal(self, number):
        os.kill(self.pid, number)

    def kill(self):
        """As `kill -9`."""
        self._child.kill()
        self._child = None

    def stop(self, seconds=PROMISED_END):
        """SIGTERM; returns the exit status, within the time that is promised."""
        if self._child is None:
            return None
        self._child.signal(15)
        status = self._child.wait(seconds)
        self._child = None
        return status

    def homing(self, *words, input=None, check=True, timeout=60):
        """Runs the command; its output is text. A report for programs is as its schema says."""
        if self.takes_over and {"register", "setup"} & set(words) and not {"--new", "--take-over"} & set(words):
            words = [*words, "--take-over"]
        command = [*self._prefix, str(BINARIES / "homing"), "--config", str(self.configuration), *words]
        done = subprocess.run(command, env=self.environment, input=input, text=True, capture_output=True,
                              timeout=timeout, stdin=None if input is not None else subprocess.DEVNULL)
        if check:
            assert done.returncode == 0, f"{words}: {done.returncode}: {done.stdout}{done.stderr}"
        for report in schemas.VERSIONS:
            if {report, "--json"} <= set(words) and done.stdout:
                schemas.checked(report, json.loads(done.stdout))
        return done

    def register(self, url, token, *words, home=None):
        """Register with the Home Assistant there: of the only home, or of the home of the name."""
        chosen = ["--home", home] if home else []
        return self.homing(*chosen, "register", "--url", url, "--token-file", "-", *words, input=token)

    @property
    def home(self):
        """Where the state of the one home lies."""
        folder = self.state / "homes/home"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder

    @property
    def registration(self):
        return self.registration_of("home")

    def registration_of(self, home):
        return json.loads((self.state / "homes" / home / "registration.json").read_text())

    def whole_status(self, *words):
        """What `homing status --json` prints."""
        return json.loads(self.homing(*words, "status", "--json").stdout)

    def status(self, name=None):
        """The status of the machine with that of one home: the only one, or that of the name."""
        return of_home(self.whole_status(), name)

    def queue(self, stream="location", home=None):
        return next(queue for queue in self.status(home)["queues"] if queue["stream"] == stream)

    def fate(self, name):
        return self.queue()["fates"][name]

    def log_text(self):
        """The log of all runs so far."""
        return self.log.read_text(errors="replace")

    def accepted(self, home=None):
        """Every fix that the home accepted, the only home or the one of the name, in all runs: (number, latitude,
        longitude), each number once."""
        lines = ACCEPTED.finditer(self.log_text())
        found = {int(m[2]): (float(m[4]), float(m[5])) for m in lines if home is None or (m[1] or "home") == home}
        return [(number, *place) for number, place in sorted(found.items())]

    def wait_until_empty(self, seconds=170):
        """Single positions have their receipt after 145 s at the latest."""
        wait_for(lambda: self.queue()["queued"] == 0, seconds, "the queue to be empty")

    def assert_books_balance(self):
        for queue in self.status()["queues"]:
            assert queue["accepted"] == sum(queue["fates"].values()) + queue["queued"], queue


def of_home(machine, name=None):
    """The status of the machine with that of one home: the only one, or that of the name."""
    home = next(home for home in machine["homes"] if name in (None, home["name"]))
    skipped = {**machine["skipped"]}
    for reason, count in home["skipped"].items():
        skipped[reason] = skipped.get(reason, 0) + count
    return {**machine, **home, "skipped": skipped, "warnings": machine["warnings"] + home["warnings"],
            "network": {**machine["network"], "at_home": home.get("at_home"), "reason": home.get("reason")},
            "position": {**machine["position"], **({"zone": home["zone"]} if "zone" in home else {})}}


def sensor_entities(ha, agent):
    """Home Assistant's registry entries of the agent's sensors, by our unique id."""
    prefix = agent.registration["webhook_id"] + "_"
    return {entity["unique_id"].removeprefix(prefix): entity
            for entity in ha.entities_of(agent.registration["device_id"]) if entity["unique_id"].startswith(prefix)}


def wakeups(pid):
    """Voluntary context switches of all threads so far."""
    total = 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        match = re.search(r"^voluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text(), re.MULTILINE)
        total += int(match[1])
    return total


def seconds_until(condition, limit, what):
    """How long it took until the condition held."""
    start = time.monotonic()
    wait_for(condition, limit, what)
    return time.monotonic() - start
