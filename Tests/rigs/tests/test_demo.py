"""What the demo says for a person: where to watch, how to log in, and what stays on the machine, also after ^C."""

import http.server
import importlib.machinery
import importlib.util
import pathlib
import re
import signal
import subprocess
import sys
import threading
import types

import pytest
from homing_rigs.ha_install import cache

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
DEMO = REPOSITORY / "Tests/rigs/demo"
# The demo as a command. In place of its first step, the fetching of the pages, it says so and waits.
INTERRUPTED = """
import runpy, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, sys.argv[1])
from homing_rigs import ha_pages
def wait(version):
    print("begun", flush=True)
    time.sleep(60)
ha_pages.configuration = wait
runpy.run_path(sys.argv[1] + "/demo", run_name="__main__")
"""


@pytest.fixture
def demo(monkeypatch):
    """The command, with a version of Home Assistant that need not be installed here."""
    monkeypatch.setenv("HOMING_DEMO_HA", "2025.4.4")
    monkeypatch.setattr(sys, "path", list(sys.path))
    loader = importlib.machinery.SourceFileLoader("demo", str(DEMO))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("demo", loader))
    loader.exec_module(module)
    return module


@pytest.fixture
def home_assistant():
    """`home_assistant(page)` serves this page in place of a Home Assistant, and keeps the commands that it gets."""
    servers = []

    def serve(page):
        class Pages(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
        servers.append(server)
        threading.Thread(target=server.serve_forever).start()
        commands = []
        return types.SimpleNamespace(
            local_url=f"http://127.0.0.1:{server.server_port}", username="owner", password="correct horse", commands=commands,
            command=lambda name, **fields: commands.append((name, fields)))

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def test_the_first_dashboard_is_a_map_of_the_drive(demo, home_assistant):
    ha = home_assistant(b"<script src=/frontend_latest/app.js>")
    demo.show_in_a_browser(ha, "device_tracker.car")
    [(name, fields)] = ha.commands
    [view] = fields["config"]["views"]
    [card] = view["cards"]
    assert name == "lovelace/config/save" and view["type"] == "panel" and card["type"] == "map"
    assert card["entities"] == ["device_tracker.car", "zone.home", "zone.work"]
    assert card["hours_to_show"] >= 1 and card["auto_fit"]


def test_address_and_login_are_printed(demo, home_assistant, capsys):
    ha = home_assistant(b"<script src=/frontend_latest/app.js>")
    demo.show_in_a_browser(ha, "device_tracker.car")
    said = [line.partition("  ")[2] for line in capsys.readouterr().out.splitlines()]
    assert said == [
        f"Watch the drive in a browser: {ha.local_url}/lovelace/0",
        "Login: owner, password: correct horse",
        "The streets on the map come from the internet, the rest from this machine."]


def test_no_address_is_printed_that_shows_nothing(demo, home_assistant, capsys):
    """The rigs' stand-in for the pages is empty."""
    with pytest.raises(AssertionError, match="serves its pages"):
        demo.show_in_a_browser(home_assistant(b""), "device_tracker.car")
    assert capsys.readouterr().out == ""


def must_say_what_stays(text):
    """Asserts that the text ends with what stays, and with the command that removes each."""
    stays = text.partition("\nWhat stays on this machine:\n")[2].splitlines()
    build = REPOSITORY / ".build"
    assert stays[:2] == [
        f"- Home Assistant and its pages, in {cache()}. To remove them: rm -r {cache()}",
        f"- The build, in {build}. To remove the build: rm -r {build}"]
    assert stays[2].startswith("- Debian packages, ") and stays[-1] == "  To remove a package: sudo apt purge PACKAGE"


def test_the_end_says_what_stays_and_how_to_remove_it(demo, capsys):
    demo.say_what_stays()
    must_say_what_stays(capsys.readouterr().out)


def test_the_packages_can_be_listed_as_the_end_says(demo, capsys):
    demo.say_what_stays()
    command = re.search(r"To list them: (.*)", capsys.readouterr().out)[1]
    packages = subprocess.run(command.split(), cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout.split()
    assert {"gpsd", "nginx-light", "mate-notification-daemon"} <= set(packages)


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 1)])
def test_the_end_comes_also_after_an_interruption(number, code, monkeypatch):
    monkeypatch.setenv("HOMING_DEMO_HA", "2025.4.4")
    child = subprocess.Popen([sys.executable, "-c", INTERRUPTED, str(DEMO.parent)], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "begun\n"
        child.send_signal(number)
        said, problems = child.communicate(timeout=20)
    finally:
        child.kill()
    assert (child.returncode, problems) == (code, "")
    must_say_what_stays("\n" + said)


def test_the_pictures_show_the_demo(demo):
    """The notification and the drive have one source."""
    assert demo.LastScene.SHOWN is demo.demo_scene.GARAGE
    for script, words in (("picture-notification", ["GARAGE.title", "GARAGE.text", "GARAGE.data"]),
                          ("picture-map", ["demo_scene.DEVICE", "demo_scene.SPEED", "demo_scene.show_the_drive("])):
        text = (REPOSITORY / "scripts" / script).read_text()
        assert [word for word in words if word not in text] == []
