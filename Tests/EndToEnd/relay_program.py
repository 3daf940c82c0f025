"""The real push relay, run in folders of its own."""

import json
import os
import subprocess

from agent import BINARIES
from homing_rigs.ports import free_port
from homing_rigs.processes import Child, temporary_folder, wait_for


class RelayProgram:
    """One `homing-relay` with its state, its configuration and its log. `with RelayProgram() as relay:`"""

    def __init__(self, prefix=(), **sections):
        """`sections` are keys of relay.conf by section: `limits={"maximum": 3}`. `prefix` goes before the program that
        serves, not before its commands."""
        self.prefix = prefix
        self.folder = temporary_folder("relay")
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.push_url = f"{self.url}/v1/push"
        self.state = self.folder / "state"
        self.runtime = self.folder / "run"
        for folder in (self.state, self.runtime):
            folder.mkdir(mode=0o700)
        self.configuration = self.folder / "relay.conf"
        self.log = self.folder / "log"
        self.environment = {**os.environ, "STATE_DIRECTORY": str(self.state), "RUNTIME_DIRECTORY": str(self.runtime)}
        self._child = None
        self.write(**sections)

    def write(self, **sections):
        """Writes relay.conf anew."""
        listen = {"address": f"127.0.0.1:{self.port}", "public_url": self.url, **sections.pop("listen", {})}
        lines = []
        for name, keys in {"listen": listen, **sections}.items():
            lines += [f"[{name}]", *(f"{key} = {value}" for key, value in keys.items())]
        self.configuration.write_text("\n".join([*lines, ""]))

    def __enter__(self):
        if not (self.state / "relay.keys").exists():
            self.run("init")
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def _words(self, *words):
        return [str(BINARIES / "homing-relay"), "--config", str(self.configuration), *words]

    def start(self):
        self._child = Child([*self.prefix, *self._words("serve", "--log-level", "debug")], self.log, env=self.environment)
        wait_for(lambda: not self._child.alive or self.run("status", check=False).returncode == 0, 40, "the relay")
        assert self._child.alive, f"the relay ended: {self._child.log_text()}"
        return self

    @property
    def pid(self):
        return self._child.pid

    @property
    def alive(self):
        return self._child is not None and self._child.alive

    def signal(self, number):
        self._child.signal(number)

    def kill(self):
        """As `kill -9`."""
        self._child.kill()
        self._child = None

    def stop(self, seconds=20):
        """SIGTERM; returns the exit status."""
        if self._child is None:
            return None
        self._child.signal(15)
        status = self._child.wait(seconds)
        self._child = None
        return status

    def run(self, *words, check=True, input=None):
        """Runs a command of the program's; its output is text."""
        done = subprocess.run(self._words(*words), env=self.environment, input=input, text=True, capture_output=True,
                              timeout=60, stdin=None if input is not None else subprocess.DEVNULL)
        if check:
            assert done.returncode == 0, f"{words}: {done.returncode}: {done.stdout}{done.stderr}"
        return done

    def invite(self, *words):
        """A new code."""
        return json.loads(self.run("invite", "--json", *words).stdout)["code"]

    def status(self):
        return json.loads(self.run("status", "--json").stdout)

    def waiting(self):
        """How many messages wait for all devices."""
        return self.status()["store"]["messages"]

    def log_text(self):
        """The log of all runs so far."""
        return self.log.read_text(errors="replace")

    def files(self):
        """The bytes of all that the relay has stored."""
        return b"".join(path.read_bytes() for path in sorted(self.state.rglob("*")) if path.is_file())
