"""The two programs that are compared: how each is built, set up and started."""

import json
import os
import pathlib
import shlex
import socket
import subprocess
import time

from homing_rigs import processes

from .stand_ins import SECRET, WEBHOOK_ID

ROOT = pathlib.Path(__file__).resolve().parents[2]
NO_BUS = {"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"}


def build_baseline(folder):
    """Compile the C client; returns its path."""
    libraries = subprocess.run(["pkg-config", "--cflags", "--libs", "libgps", "libcurl", "libsodium", "libnm"],
                               check=True, capture_output=True, text=True).stdout
    program = folder / "baseline"
    subprocess.run(["cc", "-std=gnu11", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-o", program,
                    ROOT / "Benchmarks/baseline/baseline.c", *shlex.split(libraries), "-lm"], check=True)
    return program


class Homing:
    """A homingd with folders, registration and configuration of its own. `state` is copied if given."""

    def __init__(self, programs, server_port, gpsd_port, configuration="", environment=NO_BUS):
        self.programs = programs
        self.folder = processes.temporary_folder("bench")
        self.state = self.folder / "state"
        self.state.mkdir()
        self.home = self.state / "homes/home"
        self.home.mkdir(mode=0o700, parents=True)
        (self.folder / "run").mkdir()
        self.child = None
        self.environment = {
            **os.environ, **environment, "STATE_DIRECTORY": str(self.state),
            "RUNTIME_DIRECTORY": str(self.folder / "run"), "SWIFT_DETERMINISTIC_HASHING": "1",
            "SWIFT_BACKTRACE": "enable=no"}
        self.configure(gpsd_port, configuration)
        self.register(server_port)

    def configure(self, gpsd_port, configuration):
        """Write agent.conf. The plain client knows neither sensors nor notifications, so they are off unless asked for."""
        sensors = "" if "[sensors]" in configuration else "[sensors]\ndisable=all\nscripts=\n"
        (self.folder / "agent.conf").write_text(
            f"[gpsd]\nport={gpsd_port}\n{sensors}[push]\nmode=off\n{configuration}")

    def register(self, server_port):
        """Write the registration that `homing register` would have made."""
        file = self.home / "registration.json"
        file.write_text(json.dumps({
            "version": 1, "instance_url": f"http://127.0.0.1:{server_port}", "webhook_id": WEBHOOK_ID,
            "secret": SECRET, "device_id": "bench", "device_name": "Bench", "home_networks": []}))
        file.chmod(0o600)

    @property
    def command(self):
        """How it is started."""
        return [self.programs / "homingd", "--config", self.folder / "agent.conf"]

    def start(self, prefix=()):
        """Start it, by `prefix` if there is one. Returns the child."""
        self.child = processes.Child([*prefix, *self.command], self.folder / "log", env=self.environment)
        return self.child

    def status(self):
        """What `homing status --json` tells of the one home."""
        shown = subprocess.run([self.programs / "homing", "status", "--json"], env=self.environment,
                               capture_output=True, text=True)
        return json.loads(shown.stdout)["homes"][0]

    def seconds_to_ready(self):
        """Start it, wait for READY=1, and end it."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
            path = self.folder / "notify"
            path.unlink(missing_ok=True)
            listener.bind(str(path))
            listener.settimeout(20)
            begin = time.perf_counter()
            child = subprocess.Popen([str(word) for word in self.command], stderr=subprocess.DEVNULL,
                                     env={**self.environment, "NOTIFY_SOCKET": str(path)})
            try:
                while b"READY=1" not in listener.recv(4096):
                    pass
                return time.perf_counter() - begin
            finally:
                child.terminate()
                child.wait(20)


class Baseline:
    """The C client."""

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
