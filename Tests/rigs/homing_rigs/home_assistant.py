"""A real Home Assistant Core on loopback: fresh, owned by a user, with mobile_app, recorder and zones.

By hand (from Tests/rigs, with /usr/bin/python3 -m homing_rigs.home_assistant …):
    install 2024.3.3 2026.11.0       put versions into the cache
    versions                         what is installed, and what could be
    possible 2024.3.3 2025.4.4       those of them that this machine can run, one a line
    run 2024.3.3                     start one and wait for ^C
"""

import datetime
import http.client
import json
import os
import pathlib
import shutil
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from . import ha_config, ha_install, processes
from .ha_install import CannotInstall, available_versions, install  # noqa: F401 (part of this module's face)
from .ha_registrations import Registrations
from .ha_websocket import Events, WebSocket
from .nmea_track import HOME, WORK

NOT_YET = (OSError, ValueError, http.client.HTTPException)


class HomeAssistant(Registrations):
    """One Home Assistant. `start()` makes it ready to use; after `stop(keep=True)` or `kill()` a `start()`
    goes on with the same data, port and token. Also a context manager."""

    def __init__(self, version, config_dir=None, extra_yaml="", host="127.0.0.1", port=None,
                 home=HOME, zones=(WORK,), debug=False):
        """`host` is an address to listen on besides loopback. `home` and `zones` are the track's Zone values."""
        self.version = version
        self.host = host
        self.port = port or processes.free_port()
        self.url = f"http://{host}:{self.port}"  # as an agent reaches it
        self.local_url = f"http://127.0.0.1:{self.port}"  # as this process does
        self.config_dir = pathlib.Path(config_dir or processes.temporary_folder(f"ha-{version}")).resolve()
        self.token = self.username = self.password = None
        self.seconds_to_ready = None
        self._yaml = ha_config.configuration_yaml(
            dict.fromkeys(["127.0.0.1", host]), self.port, (home.latitude, home.longitude), zones, debug, extra_yaml)
        self._child = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    # Its life

    def start(self, seconds=180):
        """Start it and wait until mobile_app is loaded; the first time, make its owner. Returns self."""
        installation = install(self.version)
        fresh = not (self.config_dir / ".storage").exists()
        self.config_dir.mkdir(parents=True, exist_ok=True)
        (self.config_dir / "configuration.yaml").write_text(self._yaml)
        words = [installation.venv / "bin/python", "-m", "homeassistant", "-c", self.config_dir,
                 "--skip-pip", "--log-no-color"]
        # Without PYTHON…: Home Assistant must keep its compiled modules, they halve the time of a start.
        environment = {k: v for k, v in os.environ.items()
                       if not k.lower().endswith("_proxy") and not k.startswith("PYTHON")}
        began = time.monotonic()
        self._child = processes.Child(installation.command(*words, bind=self.config_dir),
                                      self.config_dir / "output.log", {**environment, "PYTHONUNBUFFERED": "1"})
        if fresh or not self.token:
            processes.wait_for(self._answers_onboarding, seconds, f"Home Assistant {self.version} answers")
            self.token, self.username, self.password = ha_config.onboard(self.local_url, "127.0.0.1", self.port)
        processes.wait_for(self.is_ready, seconds, f"Home Assistant {self.version} is ready")
        self.seconds_to_ready = time.monotonic() - began
        return self

    def is_ready(self):
        """Whether it is running and has loaded mobile_app. Raises when the process has ended."""
        if self._child:
            self._child.must_live()
        try:
            config = self.get("/api/config")
        except NOT_YET:
            return False
        return config["state"] == "RUNNING" and "mobile_app" in config["components"]

    def _answers_onboarding(self):
        self._child.must_live()
        try:
            urllib.request.urlopen(self.local_url + "/api/onboarding", timeout=5).close()
            return True
        except NOT_YET:
            return False

    @property
    def running(self):
        """Whether its process is there."""
        return bool(self._child and self._child.alive)

    @property
    def pid(self):
        """Its process id."""
        return self._child.pid

    def stop(self, keep=False):
        """End it as systemd would (it writes its storage); without `keep` its folder goes too."""
        if self._child:
            self._child.stop(30)
        if not keep and not os.environ.get("HOMING_RIGS_KEEP"):
            shutil.rmtree(self.config_dir, ignore_errors=True)
            self.token = None

    def kill(self):
        """kill -9: what it had not written is lost. `start()` brings it back."""
        self._child.kill()

    def restart(self):
        """Stop and start on the same data; returns when it is ready again."""
        self.stop(keep=True)
        self.start()

    # Its APIs

    def request(self, method, path, body=None, timeout=30):
        """An authorised REST request; returns the JSON reply. HTTP errors raise urllib.error.HTTPError."""
        headers = {"Authorization": "Bearer " + (self.token or ""), "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.local_url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=timeout) as reply:
            return json.loads(reply.read() or b"null")

    def get(self, path):
        """GET a path such as /api/states."""
        return self.request("GET", path)

    def post(self, path, body=None):
        """POST JSON to a path such as /api/services/notify/mobile_app_x."""
        return self.request("POST", path, {} if body is None else body)

    def websocket(self):
        """A new authenticated WebSocket (use it with `with`)."""
        return WebSocket("127.0.0.1", self.port, self.token)

    def command(self, type_, **fields):
        """One WebSocket command on a connection of its own; returns the result."""
        with self.websocket() as websocket:
            return websocket.call(type_, **fields)

    def events(self, event_type=None):
        """A collector of events: `with ha.events("homing_track") as events: …; events.wait(seconds=5)`."""
        return Events(self.websocket(), event_type)

    def state(self, entity_id):
        """The state object of an entity, None if there is none."""
        try:
            return self.get(f"/api/states/{entity_id}")
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise

    def states(self, prefix=""):
        """All state objects whose entity id begins with `prefix`, by entity id."""
        return {state["entity_id"]: state for state in self.get("/api/states")
                if state["entity_id"].startswith(prefix)}

    def history(self, entity_id, since):
        """What the recorder holds of an entity from `since` (seconds since 1970) on: a list of (time, state,
        attributes). Waits until the present state is recorded. Equal states in a row are one entry: Home
        Assistant makes no new state of a position that is equal in all attributes."""
        present = self.state(entity_id)
        if present is None:
            return []
        latest = _seconds(present["last_updated"])

        def rows():
            found = self._recorded(entity_id, since)
            # Later ones may have come meanwhile: they are recorded in order.
            return latest < since or (found and found[-1][0] > latest - 0.001) and found

        result = processes.wait_for(rows, 60, f"the recorder holds the last state of {entity_id}", every=0.1)
        return [] if result is True else result

    def _recorded(self, entity_id, since):
        start = datetime.datetime.fromtimestamp(since, datetime.timezone.utc).isoformat()
        end = datetime.datetime.fromtimestamp(time.time() + 60, datetime.timezone.utc).isoformat()
        query = urllib.parse.urlencode({"filter_entity_id": entity_id, "end_time": end,
                                        "significant_changes_only": "0", "skip_initial_state": ""})
        lists = self.get(f"/api/history/period/{urllib.parse.quote(start)}?{query}")
        return [(_seconds(row["last_updated"]), row["state"], row["attributes"])
                for row in (lists[0] if lists else [])]

    def log_text(self):
        """Home Assistant's log since its first start."""
        return (self.config_dir / "output.log").read_text(errors="replace")


def _seconds(text):
    return datetime.datetime.fromisoformat(text).timestamp()


def _install_all(versions):
    """Install one after the other; a version that has no Python here is skipped, other failures are told at the end."""
    problems = []
    for version in versions:
        try:
            print(f"Home Assistant {version}: {install(version).path}", flush=True)
        except ha_install.NoPython as problem:
            print(f"Home Assistant {version}: skipped: {problem}", flush=True)
        except CannotInstall as problem:
            problems.append(f"Home Assistant {version}: {problem}")
    if problems:
        raise CannotInstall("\n".join(problems))


def _main(words):
    if words[:1] == ["install"] and len(words) > 1:
        _install_all(words[1:])
    elif words == ["versions"]:
        for version in ha_install.KNOWN_VERSIONS:
            it = ha_install.Installation(version)
            print(version, "installed" if it.ready else "can be installed" if it.possible else "not possible here")
    elif words[:1] == ["possible"]:
        for version in words[1:]:
            if ha_install.Installation(version).possible:
                print(version)
    elif words[:1] == ["run"] and len(words) == 2:
        with HomeAssistant(words[1]) as ha:
            secret = ha.config_dir / "owner.json"
            secret.touch(0o600)
            secret.write_text(json.dumps({"token": ha.token, "username": ha.username, "password": ha.password}))
            print(f"Home Assistant {ha.version} at {ha.url} after {ha.seconds_to_ready:.1f} s\n"
                  f"log: {ha.config_dir}/output.log\ntoken and password: {secret}\n^C ends it", flush=True)
            while ha.running:
                time.sleep(1)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    try:
        _main(sys.argv[1:])
    except CannotInstall as problem:
        sys.exit(str(problem))
    except KeyboardInterrupt:
        pass
