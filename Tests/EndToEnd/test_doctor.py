"""`homing doctor`: each check finds its fault, on the real parts, with a daemon and without one."""

import json
import os
import re
import shutil
import socket
import subprocess
import threading

import pytest
from agent import BINARIES
from homing_rigs.faults.clock import Clock
from homing_rigs.faults.server import FaultServer
from homing_rigs.processes import free_port, wait_for
from homing_rigs.sealed import seal
from test_setup import WithoutWebSocket

pytestmark = pytest.mark.ends

WELL = {"configuration", "state", "files", "disk", "bus", "network_manager", "network", "registration", "name", "route",
        "answer", "key", "mobile_app", "home_assistant", "clock", "tracker"}


@pytest.fixture
def quiet(make_agent, bus):
    """Makes an agent on a bus with NetworkManager, without gpsd and without a desktop."""
    def make(configuration="[gpsd]\nenabled = false\n", **options):
        agent = make_agent(configuration, {**bus.environment, **options.pop("environment", {})}, **options)
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
            agent.environment.pop(name, None)
        return agent
    return make


class Report:
    """What the doctor says."""

    def __init__(self, agent, *words):
        done = agent.homing("doctor", "--json", *words, check=False)
        assert done.returncode in (0, 1), done.stderr
        self.text = done.stdout
        value = json.loads(done.stdout)
        self.findings = value["findings"]
        self.causes = value["causes"]
        self.well = {finding["check"] for finding in self.findings if finding["outcome"] == "well"}
        self.wrong = {(finding["check"], finding["code"]) for finding in self.findings if finding["outcome"] == "wrong"}
        assert value["well"] == (done.returncode == 0) == (not self.wrong)

    def detail(self, check):
        return next(finding["detail"] for finding in self.findings if finding["check"] == check)


def test_where_all_is_well_it_says_so(ha, quiet):
    agent = quiet().start()
    agent.register(ha.url, ha.token)
    agent.homing("send-location", "--zone", "Work")
    report = Report(agent)
    assert report.wrong == set() and report.causes == []
    assert WELL | {"daemon", "version", "warnings"} <= report.well, WELL - report.well
    assert report.detail("home_assistant") == ha.version
    assert "Nothing is wrong." in agent.homing("doctor").stdout


def test_without_a_daemon_it_looks_by_itself(ha, quiet):
    agent = quiet()
    agent.register(ha.url, ha.token)
    report = Report(agent)
    assert report.wrong == {("daemon", "daemon_not_running")}
    assert WELL <= report.well, WELL - report.well


def test_with_gps_the_place_is_compared(newest, gps, quiet):
    gps.start(speed=1, time="now")
    agent = quiet(f"[gpsd]\nport = {gps.port}\n[location]\nmin_distance = 10000\n").start()
    agent.register(newest.url, newest.token)
    wait_for(lambda: agent.fate("delivered_live") >= 1, 30, "the first fix")
    report = Report(agent)
    assert report.wrong == set() and {"gpsd", "receiver", "fix", "place"} <= report.well, report.text
    # Somebody with our secret says that this device is in Paris.
    registration = agent.registration
    body = {"type": "update_location", "encrypted": True, "encrypted_data":
            seal({"gps": [48.85, 2.35], "gps_accuracy": 5}, registration["secret"])}
    newest.post(f"/api/webhook/{registration['webhook_id']}", body)
    assert ("place", "tracker_elsewhere") in Report(agent).wrong


def change(agent, **values):
    file = agent.home / "registration.json"
    registration = {**agent.registration, **values}
    if "secret" not in values or values["secret"] != "no key":
        registration.pop("secret_fingerprint", None)  # it is of the former secret and the former address
    file.write_text(json.dumps(registration))
    file.chmod(0o600)


@pytest.mark.parametrize("fault, wanted", [
    (lambda agent, ha, web: change(agent, instance_url="http://nobody.invalid:8123"), ("name", "name_unresolved")),
    (lambda agent, ha, web: change(agent, instance_url=f"http://127.0.0.1:{free_port()}"), ("route", "no_route")),
    (lambda agent, ha, web: change(agent, instance_url=web.remote_ui.url), ("tls", "tls")),
    (lambda agent, ha, web: web.instance.mode("portal-html"), ("answer", "foreign")),
    (lambda agent, ha, web: web.instance.answer(403), ("answer", "unauthorized")),
    (lambda agent, ha, web: web.instance.answer(503), ("answer", "not_delivering")),
    (lambda agent, ha, web: change(agent, secret="ab" * 32), ("key", "key_refused")),
    (lambda agent, ha, web: change(agent, secret="no key"), ("registration", "registration_unusable")),
    (lambda agent, ha, web: change(agent, webhook_id="0" * 64), ("key", "unknown_webhook")),
    (lambda agent, ha, web: web.instance.answer(410), ("key", "gone")),
    (lambda agent, ha, web: (agent.home / "registration.json").unlink(), ("registration", "not_registered")),
    (lambda agent, ha, web: (agent.home / "registration.json").chmod(0o644), ("files", "files_exposed")),
    (lambda agent, ha, web: agent.configuration.write_text("[gpsd]\nprot = 1\n"), ("configuration", "configuration_wrong")),
    (lambda agent, ha, web: shutil.rmtree(agent.state) or agent.state.touch(), ("state", "state_unusable")),
])
def test_each_fault_is_found(newest, web, quiet, fault, wanted):
    agent = quiet()
    agent.register(web.instance.url, newest.token)
    fault(agent, newest, web)
    report = Report(agent)
    assert wanted in report.wrong, report.text
    # Nothing else is accused: only the daemon is away.
    assert set(report.causes) <= {wanted[1], "daemon_not_running", "not_registered", "registration_unusable"}
    hints = [finding["hint"] for finding in report.findings if finding["outcome"] == "wrong"]
    assert all(hints)


def test_mobile_app_that_is_not_loaded_is_told_from_a_deleted_device(newest, quiet):
    agent = quiet()
    agent.register(newest.url, newest.token)
    with NotFound(newest.port) as proxy:
        change(agent, instance_url=proxy.url, webhook_id="0" * 64)
        assert ("mobile_app", "mobile_app_missing") in Report(agent).wrong


def test_of_several_ways_the_broken_one_is_named_and_the_others_are_well(newest, web, bus, quiet):
    newest.cloud.offer(web.cloudhook.url, web.remote_ui.url)
    agent = quiet(f"[home_assistant]\nca_file = {web.certificates.ca}\n[gpsd]\nenabled = false\n").start()
    agent.register(web.instance.url, newest.token)
    web.cloudhook.set_webhook(agent.registration["webhook_id"])
    agent.homing("send-location", "--zone", "Work")
    endpoints = {"instance URL", "cloudhook", "remote UI"}
    for front, mode, broken in [(web.instance, "refuse", ("instance URL", "route", "no_route")),
                                (web.cloudhook, "503", ("cloudhook", "answer", "not_delivering")),
                                (web.remote_ui, "tls-expired", ("remote UI", "tls", "tls"))]:
        front.mode(mode)
        report = Report(agent)
        wrong = {(finding.get("subject"), finding["check"], finding["code"]) for finding in report.findings
                 if finding["outcome"] == "wrong"}
        assert wrong == {broken} and report.causes == [broken[2]], report.text
        proved = {finding["subject"] for finding in report.findings
                  if finding["check"] == "key" and finding["outcome"] == "well"}
        assert proved == endpoints - {broken[0]}, report.text
        front.mode("ok")
    assert Report(agent).wrong == set()


@pytest.mark.parametrize("version, is_old", [("2023.11.3", True), ("2024.2.5", True), ("2024.3.0", False)])
def test_a_home_assistant_that_is_older_than_those_tested_is_named(version, is_old, quiet):
    with FaultServer(version) as server:
        agent = quiet().start()
        agent.register(server.url, server.token)
        agent.homing("send-location", "--zone", "Work")
        report = Report(agent)
        assert report.wrong == ({("home_assistant", "home_assistant_old")} if is_old else set()), report.text
        assert report.detail("home_assistant") == version


def test_a_disabled_tracker_is_found(newest, quiet):
    agent = quiet().start()
    agent.register(newest.url, newest.token)
    tracker = newest.tracker_of(agent.registration["device_id"])
    newest.command("config/entity_registry/update", entity_id=tracker, disabled_by="user")
    try:
        wait_for(lambda: ("tracker", "tracker_missing") in Report(agent).wrong, 60, "the tracker to be missed")
    finally:
        # The next test's device is the same to Home Assistant.
        newest.command("config/entity_registry/update", entity_id=tracker, disabled_by=None)


def test_a_clock_that_is_wrong_is_found(newest, quiet):
    clock = Clock()
    agent = quiet(prefix=clock.prefix)
    agent.register(newest.url, newest.token)
    clock.step(-7200)
    report = Report(agent)
    assert ("clock", "clock_wrong") in report.wrong and "behind" in report.detail("clock")


def test_the_bus_and_what_is_on_it(newest, bus, quiet):
    agent = quiet(environment={"DBUS_SESSION_BUS_ADDRESS": bus.address})
    agent.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
    assert ("notifications", "notifications_missing") not in Report(agent).wrong, "a login by SSH has such a bus too"
    agent.environment["DISPLAY"] = ":0"
    assert ("notifications", "notifications_missing") in Report(agent).wrong
    bus.connectivity("portal")
    assert ("network", "portal") in Report(agent).wrong
    bus.connectivity("full")
    bus.wifi_lost()
    assert ("network", "network_unreadable") in Report(agent).wrong
    bus.network_manager_stop()
    report = Report(agent)
    assert "network_manager_missing" not in report.causes, "a server needs none"
    assert report.detail("network_manager") == "not running, so networks have no name here and show no location"
    with open(agent.configuration, "a") as configuration:
        configuration.write("[home_network]\nssid = HomeNet\n")
    assert ("network_manager", "network_manager_missing") in Report(agent).wrong
    agent.environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/nonexistent"
    report = Report(agent)
    assert ("bus", "system_bus_missing") in report.wrong and "network_manager_missing" not in report.causes


def test_gpsd_and_its_receiver(gps, quiet):
    agent = quiet(f"[gpsd]\nport = {free_port()}\n")
    assert ("gpsd", "gpsd_unreachable") in Report(agent).wrong
    gps.start(speed=1, time="now")
    agent.configuration.write_text(f"[gpsd]\nport = {gps.port}\n[location]\nmax_accuracy = 1\n")
    report = Report(agent)
    assert {"gpsd", "receiver"} <= report.well and ("fix", "fixes_skipped") in report.wrong, report.text


@pytest.mark.skipif(os.geteuid() != 0, reason="a file system of its own needs root")
def test_a_full_disk_is_found(quiet, tmp_path):
    agent = quiet(prefix=["unshare", "-m", "sh", "-c",
                          f'mount -t tmpfs -o size=4m none {tmp_path} && STATE_DIRECTORY={tmp_path} exec "$@"', "sh"])
    assert ("disk", "disk_full") in Report(agent).wrong


def test_what_is_wrong_in_the_daemons_eyes_is_passed_on(newest, quiet):
    agent = quiet().start()
    report = Report(agent)
    assert {("warnings", "not_registered"), ("registration", "not_registered")} <= report.wrong
    assert report.causes == ["not_registered"]
    agent.register(newest.url, newest.token)
    agent.configuration.write_text("[gpsd]\nprot = 1\n")
    agent.signal(1)
    wait_for(lambda: ("warnings", "configuration_kept") in Report(agent).wrong, 10, "the daemon's warning")


def test_a_redacted_report_names_nobody_and_no_place(newest, gps, web, quiet):
    gps.start(speed=1, time="now")
    agent = quiet(f"[gpsd]\nport = {gps.port}\n")
    agent.register(web.instance.url.replace("127.0.0.1", "localhost"), newest.token, "--name", "Ada's van")
    registration = agent.registration
    plain = Report(agent).text
    report = Report(agent, "--redact")
    text = report.text + agent.homing("doctor", "--redact", check=False).stdout
    assert "HomeNet" in plain and "localhost" in plain and "Ada's van" in plain
    for secret in ("HomeNet", "localhost", "Ada", registration["webhook_id"], registration["secret"], newest.token,
                   "02:00:00"):
        assert secret not in text, secret
    assert not re.search(r"\d+\.\d{4,}", text)
    assert "<host 1>" in text and "<network 1>" in text and "<device 1>" in text


@pytest.mark.skipif(os.geteuid() != 0, reason="to be another user needs root")
def test_a_stranger_sees_what_a_stranger_may(newest, quiet):
    agent = quiet().start()
    agent.register(newest.url, newest.token)
    agent.folder.chmod(0o755)
    words = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", BINARIES / "homing",
             "--config", agent.configuration, "doctor"]
    done = subprocess.run([str(word) for word in words], env=agent.environment, text=True, capture_output=True,
                          timeout=60)
    if done.returncode == 126:
        pytest.skip("the programs are in a folder that others may not enter")
    assert "127.0.0.1" not in done.stdout and "sudo" in done.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="to be another user needs root")
def test_whoever_asks_it_is_the_files_of_the_daemon_that_answers_that_are_judged(quiet):
    agent = quiet().start()
    agent.folder.chmod(0o755)
    own = agent.folder / "home/.config/homing/agent.conf"
    own.parent.mkdir(parents=True)
    own.write_text("[gpsd]\nprot = 1\n")
    environment = {**agent.environment, "HOME": str(agent.folder / "home")}
    for name in ("STATE_DIRECTORY", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        environment.pop(name, None)

    def found():
        done = subprocess.run(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", BINARIES / "homing",
                               "doctor", "--json"], env=environment, text=True, capture_output=True, timeout=60)
        if done.returncode == 126:
            pytest.skip("the programs are in a folder that others may not enter")
        return {finding["check"]: finding for finding in json.loads(done.stdout)["findings"]}

    findings = found()
    assert findings["configuration"]["detail"].startswith("/etc/homing/agent.conf"), findings["configuration"]
    assert findings["state"]["detail"].startswith("/var/lib/homing")
    agent.stop()
    findings = found()
    assert findings["configuration"]["code"] == "configuration_wrong", "with no daemon there it is one's own"
    assert findings["state"]["detail"].startswith(f"{agent.folder}/home/.local/state/homing")


class NotFound(WithoutWebSocket):
    """Home Assistant as it is before mobile_app is loaded: webhooks answer with nothing, its paths with 404."""

    def _serve(self, client):
        with client, socket.create_connection(("127.0.0.1", self._port)) as server:
            threading.Thread(target=self._pump, args=(server, client), daemon=True).start()
            while data := client.recv(65536):
                if b"/api/mobile_app/" in data:
                    client.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                    return
                server.sendall(data)
