"""The example script for Signal K, installed and set as docs/boat.md says, in real Home Assistants.

The server is played. Its answer follows version 1.7.1 of the specification (github.com/SignalK/specification): the paths and
units of schemas/groups/tanks.json, electrical.json and environment.json, values as schemas/definitions.json has them and
mdbook/src/rest_api.md answers them.
"""

import datetime
import glob
import http.server
import json
import re
import subprocess
import threading

import pytest
from agent import sensor_entities
from homing_rigs.documents import REPOSITORY, block
from homing_rigs.processes import wait_for

EXAMPLE = REPOSITORY / "packaging/examples/sensors.d/signalk"
PAGE = "docs/boat.md"
CONFIGURATION = """\
[gpsd]
enabled = false
[sensors]
disable = all
enable = script
scripts = {folder}
[push]
mode = off
"""


def value(number, seconds_ago=0):
    """A value as a server has it: in SI units, with its time and source."""
    moment = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=seconds_ago)
    stamp = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return {"value": number, "$source": "n2k.35", "timestamp": stamp, "meta": {"zones": []},
            "values": {"n2k.35": {"value": number, "timestamp": stamp}}}


def boat():
    return {
        "uuid": "urn:mrn:signalk:uuid:c0d79334-4e25-4245-8892-54e8ccc8021d", "name": 'Möwe "2"\\',
        "navigation": {"position": value({"longitude": 7.89, "latitude": 54.18})},
        "environment": {
            "depth": {"belowKeel": value(3.4), "belowTransducer": value(None), "belowSurface": value(5.1, seconds_ago=3600)},
            "wind": {"speedApparent": value(7.25), "angleApparent": value(-0.785398), "directionTrue": value(3.141593)},
            "water": {"temperature": value(288.15)}},
        "electrical": {"batteries": {
            "0": {"voltage": value(12.634), "current": value(-3.2), "capacity": {"stateOfCharge": value(0.876)}},
            "house": {"name": "House Bänk", "voltage": value(26.1), "capacity": {"nominal": 4320000}}}},
        "tanks": {"freshWater": {"0": {"currentLevel": value(0.55), "capacity": value(0.2)},
                                 "1": {"currentLevel": value(0.5)}},
                  "fuel": {"port": {"name": "Port tank", "currentLevel": value(1)}}}}


# By the unique id: the state, unit and class in Home Assistant.
SHOWN = {
    "depth_below_keel": (3.4, "m", "distance"),
    "depth_below_transducer": ("unknown", "m", "distance"),
    "depth_below_surface": ("unknown", "m", "distance"),
    "apparent_wind_speed": (26.1, "km/h", "wind_speed"),  # from 7.25 m/s: its own choice
    "apparent_wind_angle": (-45, "°", None),
    "wind_direction": (180, "°", None),
    "battery_0_level": (87.6, "%", "battery"),
    "battery_0_voltage": (12.63, "V", "voltage"),
    "battery_0_current": (-3.2, "A", "current"),
    "battery_house_voltage": (26.1, "V", "voltage"),
    "tank_freshwater_0": (55, "%", None),
    "tank_freshwater_1": (50, "%", None),
    "tank_fuel_port": (100, "%", None),
    "temperature_water": (15, "°C", "temperature"),
}


def number(state):
    """A state as a number, if it is one: Home Assistants write as many digits as they like."""
    return state if state in ("unknown", "unavailable") else float(state)


class Server:
    """A Signal K server that is played; `answer` is the body of its answer, `asked` the paths that were asked for."""

    def __init__(self):
        self.answer, self.status, self.asked = b"", 200, []
        self.is_slow = threading.Event()
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                server.asked.append(self.path)
                self.send_response(server.status)
                self.end_headers()
                self.wfile.write(server.answer)
                if server.is_slow.is_set():
                    self.wfile.flush()
                    server.ended.wait(30)

            def log_message(self, *_):
                pass

        self.ended = threading.Event()
        self._http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._http.server_port
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    def says(self, document, status=200):
        self.answer, self.status = json.dumps(document, ensure_ascii=False).replace("Infinity", "1e999").encode(), status

    def end(self):
        self.ended.set()
        self._http.shutdown()


@pytest.fixture
def server():
    server = Server()
    yield server
    server.end()


@pytest.fixture
def script(server, tmp_path):
    """The script, installed and set by the commands of the page."""
    folder = tmp_path / "sensors.d"
    commands = block(PAGE, "Tanks, batteries, depth and wind", "sh")
    commands = commands.replace("/etc/homing/sensors.d", str(folder)).replace("sudo ", "")
    commands = commands.replace("/usr/share/doc/homing/examples/sensors.d/signalk", str(EXAMPLE))
    subprocess.run(["bash", "-euc", commands], check=True)
    installed = folder / "signalk"
    text = installed.read_text()
    assert text != EXAMPLE.read_text(), "the page sets the host"
    text, count = re.subn(r"^(my \(\$host, \$port\) = )\('signalk\.local', 3000\);", rf"\1('127.0.0.1', {server.port});", text,
                          flags=re.MULTILINE)
    assert count == 1
    installed.write_text(text.replace('"interval": 60', '"interval": 10'))
    return installed


def run(script):
    """As the daemon runs it, with nothing but perl-base."""
    modules, = glob.glob("/usr/lib/*/perl-base")
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
    words = ["perl", f"-I{modules}", "-e", f"@INC = ('{modules}'); $0 = shift; do $0; die $@ if $@", script]
    return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=30)


def test_a_boat_s_tanks_batteries_depth_and_wind_are_in_home_assistant(ha, make_agent, server, script):
    server.says(boat())
    agent = make_agent()
    agent.configuration.write_text(CONFIGURATION.format(folder=script.parent))
    agent.start()
    agent.register(ha.url, ha.token)

    def shown():
        entities = sensor_entities(ha, agent)
        states = {unique_id.removeprefix("script_signalk_"): ha.state(entity["entity_id"])
                  for unique_id, entity in entities.items()}
        return {unique_id: (number(state["state"]), *map(state["attributes"].get, ("unit_of_measurement", "device_class")))
                for unique_id, state in states.items()}

    def is_shown():
        assert shown() == SHOWN
        return True

    wait_for(is_shown, 40, "every sensor")
    assert set(server.asked) == {"/signalk/v1/api/vessels/self"}
    # Some Home Assistants put the device's name before.
    names = [entity["original_name"] for entity in sensor_entities(ha, agent).values()]
    for name in ("Battery 0 voltage", "House Bänk voltage", "Fresh water tank 1 level", "Port tank level"):
        assert any(each.endswith(name) for each in names), names
    assert "sensors.d/signalk" not in agent.log_text().replace(str(script.parent), ""), agent.log_text()

    agent.wait_until_empty()
    agent.assert_books_balance()


@pytest.mark.parametrize("document", [{}, {"environment": None}, {"tanks": [], "electrical": {"batteries": {"0": 7}}},
                                      {"tanks": {"fuel": {"0": {"currentLevel": 0.5}}}},
                                      {"tanks": {"fuel": {"0": {"currentLevel": {"value": "full"}}}}},
                                      {"environment": {"depth": {"belowKeel": {"value": float("inf")}}}}])
def test_what_is_missing_or_strange_is_no_number(server, script, document):
    server.says(document)
    done = run(script)
    assert (done.returncode, done.stderr) == (0, "")
    assert [sensor["state"] for sensor in json.loads(done.stdout)["sensors"]] in ([], [None])


def test_ids_that_differ_by_case_alone_and_many_tanks_are_taken(server, script):
    tanks = {f"t{number}": {"currentLevel": value(0.5)} for number in range(60)}
    server.says({"tanks": {"fuel": {"A": {"currentLevel": value(0)}, "a": {"currentLevel": value(1)}, **tanks}}})
    sensors = json.loads(run(script).stdout)["sensors"]
    ids = [sensor["unique_id"] for sensor in sensors]
    assert len(sensors) == len(set(ids)) == 50 and ids[:2] == ["tank_fuel_a", "tank_fuel_a_2"]


@pytest.mark.parametrize("answer, status, reason", [
    (b"", 401, "wants a login"), (b"", 404, "answers 404"), (b"{", 200, "does not answer as Signal K does"),
    (b"[]", 200, "does not answer as Signal K does"), (b'{"a": "\xff"}', 200, "not answer in UTF-8"),
    (b"[" * 3_000_000, 200, "does not answer as Signal K does"), (b" " * 5_000_000, 200, "more than 4000000 bytes")],
    ids=["login", "no boat", "half", "list", "bytes", "nested", "long"])
def test_an_answer_that_is_none_is_named(server, script, answer, status, reason):
    server.answer, server.status = answer, status
    done = run(script)
    assert done.returncode != 0 and done.stdout == ""
    assert reason in done.stderr.splitlines()[-1]


def test_a_server_that_does_not_end_its_answer_is_given_up(server, script):
    server.answer = b'{"tanks": '
    server.is_slow.set()
    done = run(script)
    assert done.returncode != 0 and "has not answered within 8 s" in done.stderr
