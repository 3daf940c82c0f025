"""`homing doctor` on what the daemon alone knows: the way it may take here, the registration it works with, its channel
for notifications, and that it is another than the command takes it for."""

import json
import signal
import socket

import pytest
from homing_rigs.faults.clock import Clock
from homing_rigs.processes import wait_for
from homing_rigs.tcp_gate import Gate
from listeners import serve_each
from test_commands import register_plain
from test_doctor import Report, change, quiet  # noqa: F401 (a fixture)
from test_notifications import QUIET, push, use_login, wait_until_open
from test_setup import WithoutWebSocket

pytestmark = pytest.mark.ends

CAFE = ("Cafe", "02:00:00:00:09:00")
MINUTE = 60


def told(agent):
    """The codes of the daemon's own warnings."""
    return {warning["code"] for warning in agent.status()["warnings"]}


def test_a_registration_by_plain_http_has_no_way_away_from_home(newest, bus, quiet):  # noqa: F811
    # A name that leads to this machine, and does not say so.
    name = socket.gethostname()
    with Gate(newest.port, socket.gethostbyname(name)) as gate:
        agent = quiet().start()
        agent.register(f"http://{name}:{gate.port}", newest.token, "--allow-plain-http")
        agent.homing("send-location", "--zone", "Work")
        assert Report(agent).wrong == set()
        bus.wifi(*CAFE)
        wait_for(lambda: "no_endpoint" in told(agent), 30, "the daemon to notice")
        report = Report(agent)
        assert report.wrong == {("warnings", "no_endpoint"), ("route", "no_endpoint")}, report.text
        left_out = [finding for finding in report.findings if finding.get("subject") == "instance URL"]
        assert [finding["outcome"] for finding in left_out] == ["skipped"]
        assert "home network only" in left_out[0]["detail"]
        assert "Nothing is sent" not in agent.homing("network", "forget", check=False).stdout, "no network is known here"
        bus.addresses("10.99.0.7", "10.99.0.1")
        bus.join(*CAFE)
        wait_for(lambda: "Cafe" in agent.homing("network").stdout, 30, "the network")
        forgotten = agent.homing("network", "forget").stdout
        assert "Nothing is sent from this network now: instance URL: plain HTTP is used on a home network only." in forgotten
        bus.wifi("HomeNet")
        wait_for(lambda: Report(agent).wrong == set(), 30, "at home it is over")


def test_a_registration_without_a_secret_is_named_until_it_has_one(newest, web, quiet):  # noqa: F811
    agent = quiet()
    register_plain(newest, agent, web.instance.url)
    report = Report(agent)
    unsealed = {("registration", "unencrypted"), ("key", "unencrypted")}
    assert report.wrong == unsealed | {("daemon", "daemon_not_running")}, report.text
    # A daemon asks for a secret by itself, if it is heard.
    web.instance.mode("refuse")
    agent.start()
    wanted = {("warnings", "unencrypted"), ("registration", "unencrypted")}
    assert wanted <= Report(agent).wrong
    web.instance.mode("ok")
    agent.homing("send-location", "--zone", "Work")
    wait_for(lambda: Report(agent).wrong == set(), 30, "it is sealed")


def test_a_registration_without_a_token_gets_no_notifications(newest, quiet):  # noqa: F811
    agent = quiet(QUIET)
    agent.register(newest.local_url, newest.token)
    change(agent, auth=None)
    agent.start()
    agent.homing("send-location", "--zone", "Work")
    report = Report(agent)
    assert report.wrong == {("warnings", "push_no_token")}
    assert channel(report) == ("skipped", "off: the registration has no token")
    agent.register(newest.local_url, newest.token, "--again")
    wait_for(lambda: Report(agent).wrong == set(), 30, "it is over with a token")
    wait_for(lambda: channel(Report(agent)) == ("well", "connected"), 30, "the channel")


def test_a_channel_that_is_switched_off_is_no_fault(newest, quiet):  # noqa: F811
    agent = quiet().start()
    agent.register(newest.local_url, newest.token)
    report = Report(agent)
    assert report.wrong == set() and channel(report)[0] == "skipped" and channel(report)[1].startswith("off: "), report.text


def channel(report):
    """The outcome and the detail of the channel for notifications."""
    return next((row["outcome"], row["detail"]) for row in report.findings if row["check"] == "channel")


def test_a_token_that_was_revoked_is_found(newest, bus, quiet):  # noqa: F811
    token = newest.command("auth/long_lived_access_token", client_name="Revoked", lifespan=1)
    agent = quiet(QUIET).start()
    agent.register(newest.local_url, token)
    wait_until_open(agent)
    revoked, = [each["id"] for each in newest.command("auth/refresh_tokens") if each["client_name"] == "Revoked"]
    newest.command("auth/delete_refresh_token", refresh_token_id=revoked)
    # It is shown three times: at once, and then ten minutes later or on another network.
    wait_for(lambda: "refuses the token" in (push(agent).get("problem") or ""), 60, "the first refusal")
    assert Report(agent).wrong == {("warnings", "push_token_refused")}, "the first one is told"
    for network in (CAFE, ("HomeNet",)):
        bus.wifi(*network)
        wait_for(lambda: network[0] in agent.status()["network"]["connection"], 20, "the daemon to notice")
        # A new network forgets the problem of the one before.
        wait_for(lambda: "refuse" in (push(agent).get("problem") or ""), 20, "the next refusal")
        assert "push_token_refused" in told(agent)
    wait_for(lambda: push(agent)["state"] == "stopped", 20, "the third refusal")
    agent.homing("send-location", "--zone", "Work")
    assert Report(agent).wrong == {("warnings", "push_token_refused")}
    agent.configuration.write_text(agent.configuration.read_text().replace("[push]\n", "[push]\nmode = off\n"))
    agent.signal(signal.SIGHUP)
    wait_for(lambda: "push_token_refused" not in told(agent), 20, "no notifications are wanted")
    agent.configuration.write_text(agent.configuration.read_text().replace("mode = off\n", ""))
    agent.signal(signal.SIGHUP)
    wait_for(lambda: "push_token_refused" in told(agent), 20, "notifications are wanted again")
    assert "Home Assistant accepts the token" not in agent.log_text()
    agent.register(newest.local_url, newest.token, "--again")
    wait_until_open(agent)
    wait_for(lambda: Report(agent).wrong == set(), 30, "it is over with another token")


def test_a_login_that_was_revoked_stays_refused_while_home_assistant_is_away(newest, bus, web, quiet):  # noqa: F811
    # Over https the token is exchanged before Home Assistant has given a receipt.
    agent = quiet(f"{QUIET}[home_assistant]\nca_file = {web.certificates.ca}\n").start()
    agent.register(web.remote_ui.url, newest.token)
    agent.stop()
    client = "http://127.0.0.1:4711/"
    use_login(agent, newest, client)
    login, = [each["id"] for each in newest.command("auth/refresh_tokens") if each["client_id"] == client]
    newest.command("auth/delete_refresh_token", refresh_token_id=login)
    # This daemon has no access token from before: the login's own token is refused.
    agent.start()
    wait_for(lambda: "push_token_refused" in told(agent), 60, "the refusal")
    web.remote_ui.mode("502")
    bus.wifi(*CAFE)
    wait_for(lambda: "502" in (push(agent).get("problem") or ""), 60, "a try without Home Assistant")
    assert "push_token_refused" in told(agent)
    assert "Home Assistant accepts the token" not in agent.log_text()


def test_a_proxy_that_passes_no_websocket_on_is_found_after_a_quarter_of_an_hour(newest, quiet):  # noqa: F811
    clock = Clock()
    # The clock that counts the time since boot goes with the other here.
    ahead = [word for word in clock.prefix if not word.startswith("FAKETIME_DONT_FAKE_MONOTONIC")]
    with WithoutWebSocket(newest.port) as proxy:
        agent = quiet(QUIET, daemon_prefix=ahead).start()
        agent.register(proxy.url, newest.token)
        wait_for(lambda: push(agent).get("problem"), 30, "the channel cannot be opened")
        clock.step(14 * MINUTE)
        wait_for(lambda: agent.status()["uptime"] > 14 * MINUTE, 20, "the time to have passed")
        assert "push_unreachable" not in told(agent)
        clock.step(16 * MINUTE)
        wait_for(lambda: ("warnings", "push_unreachable") in Report(agent).wrong, 20, "it is told")
        agent.register(newest.local_url, newest.token, "--again")
        wait_until_open(agent)
        assert "push_unreachable" not in told(agent)


def test_a_daemon_of_another_version_is_named(newest, quiet):  # noqa: F811
    agent = quiet().start()
    agent.register(newest.url, newest.token)
    agent.homing("send-location", "--zone", "Work")
    version = agent.status()["version"]
    with OtherVersion(agent.runtime / "control.sock", "0.0.9"):
        report = Report(agent)
        assert report.wrong == {("version", "versions_differ")} and report.causes == ["versions_differ"]
        assert report.detail("version") == f"the daemon is 0.0.9, the command {version}"
    assert Report(agent).wrong == set()


class OtherVersion:
    """A daemon's control socket, at which it calls itself another version."""

    def __init__(self, path, version):
        self._path, self._real, self._version = path, path.with_name("real.sock"), version

    def __enter__(self):
        self._path.rename(self._real)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self._path))
        self._listener.listen()
        serve_each(self._listener, self._serve)
        return self

    def __exit__(self, *_):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._real.rename(self._path)

    def _serve(self, client):
        """One answer to each request, as the doctor asks."""
        with client, socket.socket(socket.AF_UNIX) as daemon:
            daemon.connect(str(self._real))
            answers = daemon.makefile()
            for request in client.makefile():
                daemon.sendall(request.encode())
                answer = json.loads(answers.readline())
                if "version" in (answer.get("result") or {}):
                    answer["result"]["version"] = self._version
                client.sendall(json.dumps(answer).encode() + b"\n")
