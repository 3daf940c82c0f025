"""What a real relay tells monitoring, read by Prometheus's own tool; what the operator is asked and warned of."""

import json
import subprocess
import urllib.error
import urllib.request

import pytest
from homing_rigs.ports import free_port
from relay_program import RelayProgram
from terminal import Terminal

PAGES = ("health", "ready", "metrics")


@pytest.fixture
def relay():
    """A relay with monitoring at `monitor`."""
    port = free_port()
    with RelayProgram(listen={"metrics": f"127.0.0.1:{port}"}) as relay:
        relay.monitor = f"http://127.0.0.1:{port}"
        yield relay


def read(url):
    """Status and text."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_prometheus_reads_the_metrics_and_finds_nothing_to_say(relay):
    status, text = read(f"{relay.monitor}/metrics")
    assert status == 200
    done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0 and done.stdout + done.stderr == ""
    broken = text.replace("# TYPE homing_relay_sockets gauge", "# TYPE homing_relay_sockets counter")
    done = subprocess.run(["promtool", "check", "metrics"], input=broken, capture_output=True, text=True, timeout=30)
    assert done.returncode != 0, "promtool finds what is wrong"


def test_monitoring_is_apart_from_the_relay(relay):
    for page in PAGES:
        assert read(f"{relay.url}/{page}")[0] == 404, "not where clients come"
        assert read(f"{relay.monitor}/{page}")[0] == 200
    assert read(f"{relay.monitor}/v1/push")[0] == 404
    assert json.loads(read(f"{relay.monitor}/v1/push")[1])["message"]


def test_a_second_rotation_asks_as_it_makes_tokens_worthless(relay):
    assert "new key" in relay.run("rotate-key").stdout, "the first drops nothing"
    asked = relay.run("rotate-key", check=False)
    assert asked.returncode == 64 and "must join again" in asked.stderr and "--yes" in asked.stderr
    assert relay.status()["keys"] == [2, 1], "nothing was changed"
    with Terminal(relay._words("rotate-key"), relay.environment) as terminal:
        terminal.wait_for("Drop key 1?")
        terminal.type("n\n")
        assert terminal.report() == "exited 1"
    assert relay.status()["keys"] == [2, 1]
    relay.run("rotate-key", "--yes")
    assert relay.status()["keys"] == [3, 2]
