"""The programs that are compared: how each is built, set up and started."""

import json
import os
import pathlib
import shlex
import socket
import subprocess
import tempfile
import threading
import time

from homing_rigs import processes

from .stand_ins import DEVICE_ID, SECRET, WEBHOOK_ID

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLOORS = ROOT / "Benchmarks/baseline"
NO_BUS = {"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"}
# Of packaging/systemd/homing.service.
SERVICE = {"SWIFT_BACKTRACE": "enable=no", "GNUTLS_NO_IMPLICIT_INIT": "1", "WATCHDOG_USEC": "180000000"}
AUTHORIZATION = {"kind": "long_lived", "token": "t" * 183}


def build_floor(folder, name):
    """Compile one of the C clients, baseline or lean; returns its path."""
    libraries = subprocess.run(["pkg-config", "--cflags", "--libs", "libgps", "libcurl", "libsodium", "libnm"],
                               check=True, capture_output=True, text=True).stdout
    program = folder / name
    subprocess.run(["cc", "-std=gnu11", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-o", program,
                    FLOORS / "client.c", FLOORS / f"{name}.c", *shlex.split(libraries), "-lm"], check=True)
    return program


class Homing:
    """A homingd as its service runs it, but for the sandbox: with a watchdog, its state on a disk and its runtime folder
    in memory. It has a home for each port of `servers`. With `channel` it has a token, and so opens the channel for
    notifications; else it has none and is told to open none. `host` is that of its Home Assistants: one on this machine
    is tried without a network, too."""

    def __init__(self, programs, servers, gpsd_port, configuration="", environment=NO_BUS, channel=False,
                 host="127.0.0.1"):
        self.programs, self.host = programs, host
        self.folder = processes.temporary_folder("bench")
        self.state, self.channel = self.folder / "state", channel
        self.state.mkdir()
        self.child = None
        self._notified = _Notified(self.folder / "notify")
        self.environment = {
            **os.environ, **environment, **SERVICE, "STATE_DIRECTORY": str(self.state),
            "RUNTIME_DIRECTORY": str(_in_memory()), "NOTIFY_SOCKET": str(self._notified.path)}
        self.configure(gpsd_port, configuration)
        for number, port in enumerate([servers] if isinstance(servers, int) else servers):
            self.register(port, ("home", "second")[number])

    def configure(self, gpsd_port, configuration):
        """Write agent.conf. The C clients know no sensors, so they are off unless asked for."""
        sensors = "" if "[sensors]" in configuration else "[sensors]\ndisable=all\nscripts=\n"
        push = "" if self.channel else "[push]\nmode=off\n"
        (self.folder / "agent.conf").write_text(f"[gpsd]\nport={gpsd_port}\n{sensors}{push}{configuration}")

    def register(self, server_port, name="home"):
        """Write the registration that `homing register` would have made."""
        folder = self.state / "homes" / name
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = folder / "registration.json"
        token = {"auth": AUTHORIZATION} if self.channel else {}
        file.write_text(json.dumps({
            "version": 2, "sealed": True, "instance_url": f"http://{self.host}:{server_port}", "webhook_id": WEBHOOK_ID,
            "secret": SECRET, "device_id": DEVICE_ID, "device_name": "Bench", "home_networks": [], **token}))
        file.chmod(0o600)

    @property
    def command(self):
        """How it is started."""
        return [self.programs / "homingd", "--config", self.folder / "agent.conf"]

    def start(self, prefix=(), **more):
        """Start it, by `prefix` if there is one, with `more` in its environment. Returns the child."""
        self.child = processes.Child([*prefix, *self.command], self.folder / "log", env={**self.environment, **more})
        return self.child

    def status(self):
        """What `homing status --json` tells of the one home."""
        shown = subprocess.run([self.programs / "homing", "status", "--json"], env=self.environment,
                               capture_output=True, text=True)
        return json.loads(shown.stdout)["homes"][0]

    def prove_an_event(self):
        """Have it send an event to each home, and wait for the receipts."""
        for home in sorted(folder.name for folder in (self.state / "homes").iterdir()):
            subprocess.run([self.programs / "homing", "--home", home, "event", "homing_bench", "--wait"], check=True,
                           env=self.environment, capture_output=True, timeout=60)

    def seconds_to_ready(self):
        """Start it, wait for READY=1, and end it."""
        self._notified.ready.clear()
        begin = time.perf_counter()
        child = subprocess.Popen([str(word) for word in self.command], stderr=subprocess.DEVNULL, env=self.environment)
        try:
            if not self._notified.ready.wait(20):
                raise TimeoutError("no READY=1 within 20 s")
            return self._notified.ready_at - begin
        finally:
            child.terminate()
            child.wait(20)


class _Notified:
    """systemd's end of sd_notify: reads all that is said, or the daemon would wait."""

    def __init__(self, path):
        self.path, self.ready, self.ready_at = path, threading.Event(), 0.0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while True:
            if b"READY=1" in self._socket.recv(4096):
                self.ready_at = time.perf_counter()
                self.ready.set()


def _in_memory():
    """A folder like those below /run: what is written there reaches no disk."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="homing-bench-", dir="/dev/shm"))
    processes.at_end(lambda: subprocess.run(["rm", "-rf", folder]))
    return folder


class Floor:
    """One of the C clients."""

    def __init__(self, program, environment=NO_BUS):
        self.program = program
        self.folder = processes.temporary_folder("bench")
        self.environment = {**os.environ, **environment}
        self.child = None

    def start(self, server, *mode, prefix=()):
        """Start it on a stand-in. Returns the child."""
        self.child = processes.Child([*prefix, self.program, server.webhook, SECRET, *mode], self.folder / "log",
                                     env=self.environment)
        return self.child

    def run(self, server, *mode):
        """Run it to its end; returns what it printed, as a dictionary."""
        shown = subprocess.run([str(word) for word in (self.program, server.webhook, SECRET, *mode)], check=True,
                               capture_output=True, text=True, env=self.environment)
        return {name: float(value) for name, value in map(str.split, shown.stdout.splitlines())}
