"""`homing setup`, as a person at a terminal with a browser goes through it, and as a script does."""

import concurrent.futures
import json
import os
import pathlib
import re
import signal
import socket
import stat
import subprocess
import threading
import time
import urllib.error
import urllib.parse

import pytest
import zbar
from agent import BINARIES
from browser import Login, get
from homing_rigs.ha_config import post
from homing_rigs.processes import free_port, wait_for
from homing_rigs.tcp_gate import Gate
from listeners import serve_each
from terminal import Terminal

pytestmark = pytest.mark.ends

# systemd runs where an ordinary user tests on a booted machine.
HAS_SYSTEMD = pathlib.Path("/run/systemd/system").exists()
TESTED = "Test message sent and confirmed."
WITHOUT_DAEMON = ("Homing reports nothing until "
                  + ("its service runs. To start the service: systemctl" if HAS_SYSTEMD else "homingd runs."))
PAGE = re.compile(r"http://\S+/auth/authorize\?\S+")
# A systemctl that starts the daemon itself and waits for it, on a machine that systemd seems to run.
SYSTEMCTL = """#!/bin/sh
echo "$@" >> {log}
export STATE_DIRECTORY={agent.state} RUNTIME_DIRECTORY={agent.runtime} DBUS_SYSTEM_BUS_ADDRESS={bus}
setsid {binary} --config {agent.configuration} > {folder}/daemon.log 2>&1 &
echo $! > {folder}/daemon.pid
while [ ! -S {agent.runtime}/control.sock ]; do sleep 0.1; done
"""
BOOTED = "mount -t tmpfs none /run/systemd && mkdir /run/systemd/system && exec \"$@\""


@pytest.fixture
def agent(make_agent, bus):
    agent = make_agent("[gpsd]\nenabled = false\n", bus.environment)
    agent.environment = {name: value for name, value in agent.environment.items()
                         if name not in ("HOMING_TOKEN", "DISPLAY", "WAYLAND_DISPLAY")}
    return agent


@pytest.fixture
def setup(agent):
    """Runs `homing setup` on a terminal. Whether a service is wanted is asked only where systemd runs: here only if the
    test says so."""
    open_terminals = []

    def run(*words, prefix=(), service=False, size=None, takes_over=True):
        takes_over = takes_over and "--new" not in words
        words = [*words, *([] if service else ["--no-service"]), *(["--take-over"] if takes_over else [])]
        command = [*prefix, BINARIES / "homing", "--config", agent.configuration, "setup", *words]
        terminal = Terminal(command, agent.environment, size)
        open_terminals.append(terminal)
        return terminal

    yield run
    for terminal in open_terminals:
        terminal.__exit__()


def page_of(terminal):
    terminal.wait_for(r"Waiting for your login")
    return PAGE.findall(terminal.text)[-1]


def answer(terminal, question, text, times=1):
    terminal.wait_for(question, times)
    terminal.type(text + "\n")


def ended(terminal):
    code = terminal.report()
    terminal.shows("")
    return code


def tokens(ha):
    """The user's tokens by their names; a login has its client's name."""
    return [token["client_name"] or token["client_id"] for token in ha.command("auth/refresh_tokens")]


def test_a_person_with_a_browser_on_this_machine(ha, agent, setup):
    before = len(tokens(ha))
    terminal = setup("--url", ha.url, "--name", f"Van {ha.version}")
    login = Login(page_of(terminal), ha.username, ha.password)
    assert login.has_pkce == ha.version.startswith("2026.11")
    assert "Logged in" in login.follow()
    answer(terminal, r"Is this network \(HomeNet\) your home network", "y")
    assert ended(terminal) == "exited 0", terminal.text
    assert TESTED in terminal.text and WITHOUT_DAEMON in terminal.text and "HomeNet is home" in terminal.text
    registration = agent.registration
    assert registration["device_name"] == f"Van {ha.version}"
    assert registration["home_networks"] == [{"ssid": "HomeNet"}]
    assert registration["auth"]["kind"] == "long_lived"
    assert stat.S_IMODE((agent.home / "registration.json").stat().st_mode) == 0o600
    # The long-lived token is there, the login is forgotten, and no secret was shown.
    assert f"Homing on Van {ha.version}" in tokens(ha) and len(tokens(ha)) == before + 1
    assert registration["auth"]["token"] not in terminal.text and registration["secret"] not in terminal.text
    assert registration["auth"]["token"] not in agent.configuration.read_text()
    agent.start()
    agent.homing("send-location", "--zone", "Work")
    wait_for(lambda: ha.state(ha.tracker_of(registration["device_id"]))["state"] == "Work", 20, "the zone")


def test_a_person_with_a_browser_elsewhere_pastes_the_last_address(ha, agent, setup):
    terminal = setup("--url", ha.url, "--headless", "--no-home-network", "--name", "Pasted")
    login = Login(page_of(terminal), ha.username, ha.password)
    terminal.type("nonsense\n")
    terminal.wait_for("Not the right address")
    terminal.type(ha.token + "\n")
    terminal.wait_for("That is a token")
    terminal.type(login.target.replace(login.query["state"], "0" * 32) + "\n")
    terminal.wait_for("another login")
    terminal.type(login.target + "\n")
    assert ended(terminal) == "exited 0", terminal.text
    assert agent.registration["home_networks"] == []


@pytest.mark.parametrize("answers, is_same", [("\nn\n", False), ("maybe\ny\n", True)])
def test_a_person_says_whether_the_machine_is_a_copy(newest, agent, setup, make_agent, answers, is_same):
    first = make_agent("[gpsd]\nenabled = false\n")
    first.register(newest.url, newest.token, "--name", "sbc")
    (agent.folder / "token").write_text(newest.token)
    terminal = setup("--url", newest.url, "--token-file", agent.folder / "token", "--name", "Laptop", "--no-home-network",
                     takes_over=False)
    terminal.wait_for("Home Assistant has a device with this machine's identity already: sbc")
    for text in answers.splitlines(keepends=True):
        terminal.type(text)
    assert ended(terminal) == "exited 0", terminal.text
    assert terminal.text.count("Please answer y or n") == 1
    assert (agent.registration["device_id"] == first.registration["device_id"]) == is_same
    assert agent.registration["device_name"] == "Laptop"


def test_a_device_keeps_its_name_if_nobody_types_another(newest, agent, setup, make_agent):
    first = make_agent("[gpsd]\nenabled = false\n")
    first.register(newest.url, newest.token, "--name", "Anna's Boat")
    (agent.folder / "token").write_text(newest.token)
    terminal = setup("--url", newest.url, "--token-file", agent.folder / "token", "--no-home-network", takes_over=False)
    answer(terminal, "The device's name", "")
    answer(terminal, "Is that device this machine?", "y")
    assert ended(terminal) == "exited 0", terminal.text
    assert "Registered as Anna's Boat" in terminal.text
    assert newest.registration(agent.registration["device_id"]).data["device_name"] == "Anna's Boat"


def read_code(text):
    """What a phone reads of the QR code on a terminal: white on black, two modules to a character."""
    rows = re.findall("\x1b\\[97;40m(.*?)\x1b\\[0m", text)
    assert rows and len({len(row) for row in rows}) == 1, text
    scale = 4
    lines = [[cell in pair for cell in row for _ in range(scale)] for row in rows for pair in ("█▀", "█▄")
             for _ in range(scale)]
    grey = bytes(255 * is_light for line in lines for is_light in line)
    image = zbar.Image(len(lines[0]), len(lines), "Y800", grey)
    zbar.ImageScanner().scan(image)
    (symbol,) = image
    return symbol.data


def test_a_phone_reads_the_page_of_the_login_from_the_terminal(newest, agent, setup):
    terminal = setup("--url", newest.url, "--headless", "--no-home-network", "--name", "Phone", size=(120, 60))
    page = page_of(terminal)
    assert read_code(terminal.text) == page
    # The error page at the end is announced before it comes.
    assert terminal.text.index("error page") < terminal.text.index("█")
    terminal.type(Login(page, newest.username, newest.password).target + "\n")
    assert ended(terminal) == "exited 0", terminal.text


def test_a_small_terminal_is_told_what_the_code_needs(newest, agent, setup):
    terminal = setup("--url", newest.url, "--headless", "--no-home-network", size=(80, 24))
    page_of(terminal)
    needed = re.search(r"A terminal of (\d+) columns and (\d+) rows shows this page as a QR code", terminal.text)
    assert needed and "█" not in terminal.text
    os.kill(terminal.pid, signal.SIGINT)
    assert ended(terminal) == f"killed {signal.SIGINT.value}"
    fitting = setup("--url", newest.url, "--headless", "--no-home-network", size=tuple(map(int, needed.groups())))
    page = page_of(fitting)
    assert read_code(fitting.text) == page


@pytest.mark.parametrize("size, kind", [(None, "vt100"), ((120, 60), "dumb")])
def test_a_terminal_without_a_size_or_without_colours_gets_no_code(newest, agent, setup, size, kind):
    agent.environment["TERM"] = kind
    terminal = setup("--url", newest.url, "--headless", "--no-home-network", size=size)
    page_of(terminal)
    assert "█" not in terminal.text and "\x1b" not in terminal.text, terminal.text
    assert "shows this page as a QR code" in terminal.text


def test_the_code_alone_is_enough(newest, agent, setup):
    terminal = setup("--url", newest.url, "--headless", "--home-network", "--name", "Code")
    terminal.type(Login(page_of(terminal), newest.username, newest.password).code + "\n")
    assert ended(terminal) == "exited 0", terminal.text


def test_an_answer_with_another_state_is_refused_and_the_right_one_taken(newest, agent, setup):
    terminal = setup("--url", newest.url, "--home-network", "--name", "State")
    login = Login(page_of(terminal), newest.username, newest.password)
    assert "not the expected answer" in get(login.target.replace(login.query["state"], "f" * 32))
    terminal.wait_for("Refused the answer to another login")
    assert "not the expected answer" in get(login.query["redirect_uri"].replace("/callback", "/favicon.ico"))
    assert not (agent.home / "registration.json").exists()
    assert "Logged in" in login.follow()
    assert ended(terminal) == "exited 0", terminal.text


def test_the_pages_address_holds_no_secret_and_its_code_is_for_this_setup_alone(newest, agent, setup):
    terminal = setup("--url", newest.url, "--home-network", "--name", "Code of one")
    login = Login(page_of(terminal), newest.username, newest.password)
    hash_of_pkce = {"code_challenge", "code_challenge_method"} if login.has_pkce else set()
    assert login.query.keys() == {"response_type", "client_id", "redirect_uri", "state", *hash_of_pkce}
    assert urllib.parse.urlsplit(login.query["redirect_uri"]).hostname == "127.0.0.1"
    assert re.fullmatch(r"[0-9a-f]{32}", login.query["state"])
    grant = {"grant_type": "authorization_code", "code": login.code, "client_id": login.query["client_id"]}
    port = urllib.parse.urlsplit(login.query["redirect_uri"]).port
    listening = subprocess.run(["ss", "-Hltn", f"sport = {port}"], text=True, capture_output=True, check=True).stdout
    assert [line.split()[3] for line in listening.splitlines()] == [f"127.0.0.1:{port}"]
    if login.has_pkce:
        with pytest.raises(urllib.error.HTTPError):
            post(f"{newest.url}/auth/token", grant, form=True)
        terminal.type("\x03")
        return
    assert "Logged in" in login.follow()
    assert ended(terminal) == "exited 0", terminal.text
    with pytest.raises(urllib.error.HTTPError):
        post(f"{newest.url}/auth/token", grant, form=True)


def test_a_code_that_is_not_taken_leads_to_another_login(newest, agent, setup):
    terminal = setup("--url", newest.url, "--home-network", "--name", "Again")
    page_of(terminal)
    terminal.type("0" * 32 + "\n")
    answer(terminal, "Press Enter to log in again", "")
    terminal.wait_for("Waiting for your login", 2)
    Login(page_of(terminal), newest.username, newest.password).follow()
    assert ended(terminal) == "exited 0", terminal.text


def test_a_wrong_address_is_corrected_without_starting_over(newest, web, agent, setup):
    web.instance.mode("portal-html")
    terminal = setup("--url", f"http://127.0.0.1:{free_port()}", "--name", "Corrected", "--home-network")
    answer(terminal, "refuses the connection(.|\n)*Press Enter", "not an address")
    answer(terminal, "is not the address(.|\n)*Address of Home Assistant", web.instance.url)
    answer(terminal, "not Home Assistant(.|\n)*Press Enter to try again", "")
    terminal.wait_for("what answers there is not", 2)
    web.instance.mode("ok")
    terminal.type("\n")
    Login(page_of(terminal), newest.username, newest.password).follow()
    assert ended(terminal) == "exited 0", terminal.text
    assert agent.registration["instance_url"] == web.instance.url


def test_a_home_assistant_without_a_user_says_so(newest, web, agent, setup):
    web.instance.answer(400, '{"message":"Onboarding not finished","code":"onboarding_required"}', "application/json")
    terminal = setup("--url", web.instance.url)
    terminal.wait_for("has no user yet")
    terminal.type("\x04")
    assert ended(terminal) == "exited 64"


@pytest.mark.parametrize("number", [2, 15, 1])
def test_a_setup_that_is_given_up_after_the_login_leaves_no_token(newest, agent, setup, number):
    before = sorted(tokens(newest))
    terminal = setup("--url", newest.url)
    Login(page_of(terminal), newest.username, newest.password).follow()
    terminal.wait_for("The device's name")
    assert sorted(tokens(newest)) != before
    os.kill(terminal.pid, number)
    assert ended(terminal) == f"killed {number}", terminal.text
    assert sorted(tokens(newest)) == before


def test_a_second_setup_revokes_the_token_of_the_first_and_unregister_that_of_the_second(ha, agent, setup):
    before = sorted(tokens(ha))
    name = f"Twice {ha.version}"
    agent.start()

    terminal = setup("--url", ha.url, "--name", name, "--home-network", "--no-service")
    Login(page_of(terminal), ha.username, ha.password).follow()
    assert ended(terminal) == "exited 0", terminal.text
    assert sorted(tokens(ha)) == sorted([*before, f"Homing on {name}"])
    assert agent.registration["auth"]["made_by_homing"]
    terminal = setup("--url", ha.url, "--home-network", "--no-service")
    answer(terminal, "Register this machine again", "y")
    Login(page_of(terminal), ha.username, ha.password).follow()
    answer(terminal, "The device's name", "")
    assert ended(terminal) == "exited 0", terminal.text
    agent.homing("send-location", "--zone", "Work")
    agent.wait_until_empty()
    wait_for(lambda: len(tokens(ha)) == len(before) + 1, 30, "the first token to be revoked, after a receipt")
    assert f"Homing on {name}" not in tokens(ha) and "retired_auths" not in agent.registration
    assert "revoked" in agent.homing("unregister", "--yes").stdout
    assert sorted(tokens(ha)) == before


def test_a_token_that_was_given_is_never_revoked(newest, agent):
    token = newest.command("auth/long_lived_access_token", client_name=f"Given {agent.folder.name}", lifespan=1)
    agent.start()
    agent.register(newest.url, token)
    agent.homing("register", "--again", "--url", newest.url, "--token-file", "-", input=newest.token)
    agent.homing("send-location", "--zone", "Work")
    agent.wait_until_empty()
    assert "in your profile, Security" in agent.homing("unregister", "--yes").stdout
    assert f"Given {agent.folder.name}" in tokens(newest)


def test_a_token_that_cannot_be_revoked_is_said_with_where_to_click(newest, web, agent, setup):
    terminal = setup("--url", web.instance.url, "--name", "Left", "--home-network", "--no-service")
    Login(page_of(terminal), newest.username, newest.password).follow()
    assert ended(terminal) == "exited 0", terminal.text
    web.instance.mode("refuse")
    said = agent.homing("unregister", "--yes").stdout
    assert "could not be revoked" in said and "profile, Security" in said
    assert "Homing on Left" in tokens(newest)


def test_a_registration_that_another_daemon_took_is_deleted_at_once_and_no_device_is_to_be_deleted(newest, agent, setup, make_agent):
    agent.start()
    terminal = setup("--url", newest.url, "--name", "Taken", "--home-network", "--no-service")
    Login(page_of(terminal), newest.username, newest.password).follow()
    assert ended(terminal) == "exited 0", terminal.text
    other = make_agent("[gpsd]\nenabled = false\n")
    other.register(newest.url, newest.token, "--name", "Other")
    start = time.monotonic()
    said = agent.homing("unregister", "--yes").stdout
    assert time.monotonic() - start < 5, "no receipt is waited for that cannot come"
    assert "did not know the registration: the device Taken was deleted there, another daemon uses the device" in said
    assert "a Home Assistant that knows the registration" in said and "is still in Home Assistant" not in said
    assert "Homing on Taken" in tokens(newest)


def test_without_a_daemon_unregister_names_no_device_to_delete_that_another_daemon_took(newest, agent, make_agent):
    agent.register(newest.url, newest.token, "--name", "Taken")
    other = make_agent("[gpsd]\nenabled = false\n")
    other.register(newest.url, newest.token, "--name", "Other")
    said = agent.homing("unregister", "--yes").stdout
    assert "did not know the registration: the device Taken was deleted there, another daemon uses the device" in said
    assert "The device Other is still in Home Assistant." in other.homing("unregister", "--yes").stdout


def test_without_a_daemon_unregister_revokes_all_that_homing_made(newest, agent, setup):
    before = sorted(tokens(newest))
    for number in (1, 2):
        terminal = setup("--url", newest.url, "--name", f"Offline {number}", "--home-network", "--no-service")
        if number == 2:
            answer(terminal, "Register this machine again", "y")
        Login(page_of(terminal), newest.username, newest.password).follow()
        assert ended(terminal) == "exited 0", terminal.text
    # Nobody has given a receipt for the second one, so the first is kept until then.
    assert len(tokens(newest)) == len(before) + 2 and len(agent.registration["retired_auths"]) == 1
    assert "revoked" in agent.homing("unregister", "--yes").stdout
    assert sorted(tokens(newest)) == before


def test_without_a_daemon_unregister_revokes_the_token_of_a_registration_that_lost_its_key(newest, agent, setup):
    terminal = setup("--url", newest.url, "--name", "Keyless", "--home-network", "--no-service")
    Login(page_of(terminal), newest.username, newest.password).follow()
    assert ended(terminal) == "exited 0", terminal.text
    path = agent.home / "registration.json"
    path.write_text(json.dumps({**agent.registration, "secret": None}))
    assert "its token is revoked" in agent.homing("unregister", "--yes").stdout
    assert "Homing on Keyless" not in tokens(newest)


@pytest.mark.parametrize("network, more, refusal", [
    ("HomeNet", "", None), ("Cafe", "", "plain HTTP is used on a home network only"),
    ("Bar", "[home_assistant]\nplain_http_away = true\n", "the token goes over plain HTTP on a home network only"),
])
def test_without_a_daemon_unregister_sends_the_token_over_plain_http_at_home_alone(newest, bus, agent, setup, network, more, refusal):
    name = socket.gethostname()
    with Gate(newest.port, socket.gethostbyname(name)) as gate:
        terminal = setup("--url", f"http://{name}:{gate.port}", "--name", f"House {network}", "--home-network")
        answer(terminal, r"Continue anyway", "y")
        Login(page_of(terminal), newest.username, newest.password).follow()
        assert ended(terminal) == "exited 0", terminal.text
        assert f"Homing on House {network}" in tokens(newest)
        bus.wifi(network, "02:00:00:00:09:00")
        agent.configuration.write_text(agent.configuration.read_text() + more)
        said = agent.homing("unregister", "--yes").stdout
        assert (refusal or "its token is revoked") in said
        assert (f"Homing on House {network}" in tokens(newest)) == (refusal is not None)


def test_where_no_long_lived_token_is_given_the_login_serves(newest, agent, setup):
    with WithoutWebSocket(newest.port) as proxy:
        terminal = setup("--url", proxy.url, "--home-network", "--name", "Refresh")
        Login(page_of(terminal), newest.username, newest.password).follow()
        assert ended(terminal) == "exited 0", terminal.text
        auth = agent.registration["auth"]
        assert auth["kind"] == "refresh" and auth["client_id"].startswith("http://127.0.0.1:")
        assert auth["client_id"] in [token["client_id"] for token in newest.command("auth/refresh_tokens")]
        first = agent.registration["webhook_id"]
        agent.homing("register", "--again")
        assert agent.registration["webhook_id"] != first and agent.registration["auth"] == auth


@pytest.fixture
def service(agent, bus, tmp_path):
    """A systemctl that starts the daemon; the file that it writes its arguments to."""
    systemctl = tmp_path / "systemctl"
    systemctl.write_text(SYSTEMCTL.format(log=tmp_path / "asked", binary=BINARIES / "homingd",
                                          agent=agent, bus=bus.address, folder=tmp_path))
    systemctl.chmod(0o755)
    agent.environment["PATH"] = f"{tmp_path}:{os.environ['PATH']}"
    yield tmp_path / "asked"
    os.kill(int((tmp_path / "daemon.pid").read_text()), 15)


@pytest.mark.skipif(os.geteuid() != 0, reason="a file system of its own needs root")
def test_the_service_is_started_and_the_proof_goes_through_it(newest, agent, setup, service):
    terminal = setup("--url", newest.url, "--home-network", "--name", "Service",
                     prefix=["unshare", "-m", "sh", "-c", BOOTED, "sh"], service=True)
    Login(page_of(terminal), newest.username, newest.password).follow()
    answer(terminal, "Start Homing now, and whenever this machine starts", "")
    assert ended(terminal) == "exited 0", terminal.text
    assert "Homing is running, and starts when this machine starts" in terminal.text
    assert service.read_text() == "enable --now homing.service\n"
    assert agent.status()["registration"]["device_name"] == "Service"


@pytest.mark.skipif(os.geteuid() != 0, reason="a file system of its own needs root")
def test_a_daemon_that_has_just_started_gets_time_for_its_first_message(newest, web, agent, setup, service):
    """It does not know the network yet, for example."""
    agent.register(web.instance.url, newest.token, "--name", "Kept")
    web.instance.mode("refuse")
    terminal = setup(prefix=["unshare", "-m", "sh", "-c", BOOTED, "sh"], service=True, takes_over=False)
    answer(terminal, "Register this machine again", "n")
    answer(terminal, "Start Homing now", "y")
    terminal.wait_for("Sending a test message")
    time.sleep(2)
    web.instance.mode("ok")
    terminal.wait_for(TESTED)
    assert "Try again" not in terminal.text
    assert ended(terminal) == "exited 0", terminal.text


@pytest.mark.skipif(os.geteuid() != 0, reason="a file system of its own needs root")
def test_a_service_that_does_not_start_is_told(newest, agent, setup, tmp_path):
    systemctl = tmp_path / "systemctl"
    systemctl.write_text("#!/bin/sh\necho 'Unit homing.service not found.' >&2\nexit 1\n")
    systemctl.chmod(0o755)
    agent.environment["PATH"] = f"{tmp_path}:{os.environ['PATH']}"
    terminal = setup("--url", newest.url, "--home-network", "--name", "Failing", "--yes",
                     prefix=["unshare", "-m", "sh", "-c", BOOTED, "sh"], service=True)
    Login(page_of(terminal), newest.username, newest.password).follow()
    assert ended(terminal) == "exited 1", terminal.text
    assert "not found" in terminal.text and "systemctl enable --now homing" in terminal.text
    assert "Test message sent and confirmed" in terminal.text and "Homing reports to Home Assistant" not in terminal.text


@pytest.mark.skipif(os.geteuid() != 0, reason="a file system of its own needs root")
def test_a_registration_that_stays_is_tested_once(newest, agent, setup, make_agent, tmp_path):
    agent.register(newest.url, newest.token, "--name", "Stale")
    make_agent("[gpsd]\nenabled = false\n").register(newest.url, newest.token, "--name", "Taken")
    systemctl = tmp_path / "systemctl"
    systemctl.write_text("#!/bin/sh\nexit 1\n")
    systemctl.chmod(0o755)
    agent.environment["PATH"] = f"{tmp_path}:{os.environ['PATH']}"
    terminal = setup("--url", newest.url, prefix=["unshare", "-m", "sh", "-c", BOOTED, "sh"], service=True)
    answer(terminal, "Register this machine again", "n")
    answer(terminal, "Start Homing now", "n")
    start = time.monotonic()
    answer(terminal, "Somebody deleted the device there(.|\n)*Register this machine again", "n")
    assert time.monotonic() - start < 5, "a device that Home Assistant sets up is waited for"
    assert ended(terminal) == "exited 1" and "does not know this machine" in terminal.text, terminal.text


def test_a_script_is_asked_nothing(newest, agent):
    words = ["setup", "--url", newest.url, "--token-file", "-", "--no-home-network", "--no-service", "--name", "Script"]
    done = agent.homing(*words, input=newest.token)
    assert TESTED in done.stdout and WITHOUT_DAEMON in done.stdout and "Homing reports to Home Assistant" not in done.stdout
    assert agent.registration["auth"]["token"] == newest.token
    again = agent.homing(*words, input=newest.token, check=False)
    assert again.returncode == 64 and "--yes" in again.stderr
    first = agent.registration
    agent.start()
    assert "Homing reports to Home Assistant" in agent.homing(*words, "--yes", input=newest.token).stdout
    assert agent.registration["device_id"] == first["device_id"]
    assert agent.registration["webhook_id"] != first["webhook_id"]


@pytest.mark.parametrize("words, input, code, text", [
    (["--url", "http://127.0.0.1:1", "--token-file", "-"], "x" * 20, 69, "refuses"),
    (["--url", "HA", "--token-file", "-"], "x" * 20, 76, "401"),
    (["--url", "HA"], "", 64, "--token-file"),
    (["--token-file", "-"], "x" * 20, 64, "--url"),
    (["--url", "ha ha", "--token-file", "-"], "x" * 20, 64, "not the address"),
    (["--url", "http://ha.example", "--token-file", "-"], "x" * 20, 64, "unencrypted"),
    (["--home-network", "--no-home-network"], "", 64, "exclude"),
    (["--home", "--yes"], "", 64, "--home-network"),
    (["--home", "Cabin"], "", 64, "a-z"),
])
def test_a_script_that_cannot_go_on_ends_with_the_reason(newest, agent, words, input, code, text):
    done = agent.homing("setup", *[newest.url if word == "HA" else word for word in words], input=input, check=False)
    assert done.returncode == code and text in done.stderr, (done.returncode, done.stderr)
    assert not (agent.home / "registration.json").exists()


def test_a_setup_that_comes_to_nothing_leaves_nothing_behind(newest, agent):
    home = agent.folder / "home"
    agent.environment["STATE_DIRECTORY"] = str(home / "state/homing")
    command = [BINARIES / "homing", "--config", agent.configuration, "setup"]
    closed = subprocess.run(["sh", "-c", 'exec "$@" <&-', "sh", *map(str, command)], env=agent.environment, text=True,
                            capture_output=True, timeout=60)
    assert closed.returncode == 64 and "--url" in closed.stderr
    words = ["setup", "--url", newest.url, "--token-file", "-", "--no-home-network", "--no-service", "--name", "Nothing"]
    assert agent.homing(*words, input="x" * 20, check=False).returncode == 76
    assert not home.exists()
    agent.homing(*words, input=newest.token)
    assert (home / "state/homing/homes/home/registration.json").exists()


def test_secret_and_token_may_come_from_systemds_credentials(newest, agent, tmp_path):
    agent.register(newest.url, newest.token, "--name", "Sealed")
    whole = agent.registration
    (tmp_path / "homing.secret").write_text(whole["secret"] + "\n")
    (tmp_path / "homing.token").write_text(whole["auth"]["token"] + "\n")
    agent.environment["CREDENTIALS_DIRECTORY"] = str(tmp_path)
    for _ in range(2):
        agent.start()
        text = (agent.home / "registration.json").read_text()
        assert whole["secret"] not in text and newest.token not in text
        agent.homing("send-location", "--zone", "Work")
        agent.wait_until_empty()
        assert agent.status()["registration"]["encrypted"]
        agent.stop()
    # Another registration brings another secret, which is kept in the file.
    agent.start()
    agent.homing("register", "--again")
    assert agent.registration["secret"] not in (None, whole["secret"])
    agent.homing("send-location", "--zone", "home")
    agent.wait_until_empty()


def test_without_the_credential_of_a_sealed_registration_nothing_is_sent(newest, recorder, agent, tmp_path):
    agent.register(recorder.url, newest.token, "--name", "Lost")
    secret = tmp_path / "homing.secret"
    secret.write_text(agent.registration["secret"])
    agent.environment["CREDENTIALS_DIRECTORY"] = str(tmp_path)
    agent.start()
    agent.stop()
    assert "secret" not in agent.registration and agent.registration["sealed"]
    time.sleep(1)  # what was under way at the end is recorded
    before = len(recorder.exchanges)
    for content in (None, "cd" * 32):
        secret.unlink() if content is None else secret.write_text(content)
        agent.start()
        assert "Queued" in agent.homing("send-location", "--zone", "Work").stdout
        warning = next(each for each in agent.status()["warnings"] if each["code"] == "registration_unusable")
        assert "homing.secret" in warning["detail"] and "register --again" in warning["hint"]
        assert agent.homing("registration", "encrypt", "--yes", check=False).returncode == 76
        assert "homing.secret" in agent.homing("doctor", check=False).stdout
        agent.stop()
    assert len(recorder.exchanges) == before, "nothing was sent, sealed or not"
    secret.write_text(newest.registration(agent.registration["device_id"]).secret)
    agent.start()
    agent.wait_until_empty()


@pytest.mark.skipif(os.geteuid() != 0, reason="to be another user needs root")
def test_on_a_desktop_the_browser_is_opened(newest, agent, setup):
    programs = agent.folder / "programs"
    programs.mkdir()
    opened = programs / "opened"
    program = programs / "xdg-open"
    program.write_text(f'#!/bin/sh\necho "$1" > {opened}.new && mv {opened}.new {opened}\n')
    program.chmod(0o755)
    for folder in (programs, agent.state):
        os.chown(folder, 65534, 65534)
    agent.folder.chmod(0o755)
    agent.environment |= {"PATH": f"{programs}:{os.environ['PATH']}", "DISPLAY": ":99"}
    person = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    terminal = setup("--url", newest.url, "--home-network", "--name", "Desktop", prefix=person)
    page = page_of(terminal)
    wait_for(opened.exists, 10, "the browser")
    assert opened.read_text().strip() == page
    login = Login(page, newest.username, newest.password)
    # Whose page this is can be read in the list of processes.
    for stranger in (0, 65533):
        assert "runs as another user" in login.follow(user=stranger)
    login.follow(user=65534)
    assert ended(terminal) == "exited 0", terminal.text
    assert "No browser" not in terminal.text


@pytest.mark.skipif(os.geteuid() != 0, reason="to be another user needs root")
def test_a_stranger_is_told_before_the_login(newest, agent, setup):
    agent.start()
    agent.folder.chmod(0o755)
    terminal = setup("--url", newest.url, prefix=["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"])
    assert ended(terminal) == "exited 77", terminal.text
    assert "type the command with sudo" in terminal.text and "Log in" not in terminal.text


class WithoutWebSocket:
    """A proxy that hands everything on but a WebSocket, as some do that nobody told of them."""

    def __init__(self, port):
        self._port = port

    def __enter__(self):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        serve_each(self._listener, self._serve)
        return self

    def __exit__(self, *_):
        self._listener.close()

    def _serve(self, client):
        with client, socket.create_connection(("127.0.0.1", self._port)) as server:
            threading.Thread(target=self._pump, args=(server, client), daemon=True).start()
            while data := client.recv(65536):
                if b"/api/websocket" in data:
                    return
                server.sendall(data)

    @staticmethod
    def _pump(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass


def test_a_script_registers_where_that_is_needed_and_changes_nothing_after_that(agent, newest):
    """As a playbook runs it again and again. The token is read once."""
    agent.start()
    words = ["setup", "--if-needed", "--json", "--url", newest.url]
    done = agent.homing(*words, "--token-file", "-", "--no-home-network", input=newest.token)
    first = json.loads(done.stdout)
    assert first == {"changed": True, "device_name": agent.registration["device_name"], "home": "home", "proven": True}
    assert "Registered as" in done.stderr
    identity = agent.registration["webhook_id"]
    for more in ([], ["--token-file", "/nonexistent"], ["--yes"], ["--new"]):
        again = agent.homing(*words, *more)
        assert json.loads(again.stdout) == {"changed": False, "device_name": first["device_name"], "home": "home"}
        assert again.stderr == ""
    assert "Nothing was changed" in agent.homing("setup", "--if-needed").stdout
    elsewhere = agent.homing("setup", "--if-needed", "--json", "--url", "http://127.0.0.1:1", "--token-file", "-",
                             input=newest.token, check=False)
    assert elsewhere.returncode == 64 and elsewhere.stdout == "" and "--home" in elsewhere.stderr, elsewhere
    assert agent.registration["webhook_id"] == identity
    agent.stop()
    # Also where no daemon runs.
    assert json.loads(agent.homing(*words, "--no-service").stdout)["changed"] is False


@pytest.mark.parametrize("daemon_runs", [True, False])
def test_scripts_at_the_same_moment_register_once(agent, newest, daemon_runs):
    if daemon_runs:
        agent.start()
    words = ["setup", "--if-needed", "--json", "--no-service", "--url", newest.url, "--token-file", "-"]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        runs = [pool.submit(agent.homing, *words, input=newest.token) for _ in range(4)]
        results = [json.loads(run.result().stdout) for run in runs]
    assert sorted(result["changed"] for result in results) == [False, False, False, True], results
    if not daemon_runs:
        agent.start()
    assert agent.homing("template", "{{ 40 + 2 }}").stdout.strip() == "42", "Home Assistant knows the registration that was kept"


def test_an_interruption_is_heard_while_the_daemon_does_not_answer(agent, newest, setup):
    agent.start()
    (agent.folder / "token").write_text(newest.token)
    terminal = setup("--url", newest.url, "--token-file", agent.folder / "token", "--no-home-network")
    terminal.wait_for("The device's name")
    agent.signal(signal.SIGSTOP)
    try:
        terminal.type("Hanging\n")
        terminal.wait_for("Registering this machine …")
        terminal.type("\x03")
        terminal.wait_for("Setup ends after this step …")
        terminal.type("\x03")
        assert ended(terminal) == "killed 2"
    finally:
        agent.signal(signal.SIGCONT)
    # What a person gave up is not carried out later.
    time.sleep(3)
    assert not (agent.home / "registration.json").exists()


def test_a_daemon_that_starts_during_a_registration_uses_the_registration(agent, newest, web):
    web.instance.mode("slow", 4)
    # Its first request is the registration.
    words = [BINARIES / "homing", "--config", agent.configuration, "register", "--url", web.instance.url, "--token-file", "-",
             "--name", "Meanwhile", "--take-over"]
    register = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=agent.environment, text=True)
    register.stdin.write(newest.token)
    register.stdin.close()
    wait_for(lambda: web.instance.connections >= 1, 30, "the registration")
    agent.start()
    assert register.wait(90) == 0 and "No daemon runs" not in register.stdout.read()
    web.instance.mode("ok")
    assert agent.homing("template", "{{ 40 + 2 }}").stdout.strip() == "42"


@pytest.mark.skipif(os.geteuid() != 0, reason="a file system of its own needs root")
def test_a_question_after_the_registration_keeps_no_script_waiting(agent, newest, setup, tmp_path):
    systemctl, token = tmp_path / "systemctl", tmp_path / "token"
    systemctl.write_text("#!/bin/sh\nexit 1\n")
    systemctl.chmod(0o755)
    token.write_text(newest.token)
    agent.environment["PATH"] = f"{tmp_path}:{os.environ['PATH']}"
    terminal = setup("--url", newest.url, "--token-file", token, "--name", "Asked", "--no-home-network",
                     prefix=["unshare", "-m", "sh", "-c", BOOTED, "sh"], service=True)
    terminal.wait_for("Start Homing now")
    began = time.monotonic()
    again = agent.homing("setup", "--if-needed", "--json", "--no-service", "--url", newest.url)
    assert json.loads(again.stdout)["changed"] is False and time.monotonic() - began < 30
    terminal.type("\x03")
    assert ended(terminal) == "killed 2"


def test_a_script_is_told_that_the_registration_does_not_work(agent, newest):
    agent.start()
    agent.register(newest.url, newest.token)
    agent.stop()
    (agent.home / "registration.json").write_text(json.dumps({**agent.registration, "secret": "no key"}))
    agent.start()
    unusable = agent.homing("setup", "--if-needed", "--json", check=False)
    assert (unusable.returncode, unusable.stdout) == (76, "") and "cannot be used" in unusable.stderr, unusable
    # A file that cannot be read: to be repaired by a person, and to be forgotten.
    agent.stop()
    (agent.home / "registration.json").write_text("{}")
    damaged = agent.homing("setup", "--if-needed", "--json", check=False)
    assert (damaged.returncode, damaged.stdout) == (78, "") and "homing unregister" in damaged.stderr, damaged
    gone = json.loads(agent.homing("unregister", "--yes", "--json").stdout)
    assert gone["token"] == "left" and "cannot be read" in gone["text"], gone
    assert not (agent.home / "registration.json").exists()


def test_a_script_is_told_what_stands_in_the_way(agent, newest):
    agent.start()
    words = ["setup", "--if-needed", "--json", "--token-file", "-"]
    wrong = agent.homing(*words, "--url", newest.url, input="wrong", check=False)
    assert (wrong.returncode, wrong.stdout) == (76, "") and "token" in wrong.stderr
    away = agent.homing(*words, "--url", f"http://127.0.0.1:{free_port()}", input="t", check=False)
    assert (away.returncode, away.stdout) == (69, "")
    missing = agent.homing("setup", "--if-needed", "--json", check=False)
    assert missing.returncode == 64 and missing.stderr
