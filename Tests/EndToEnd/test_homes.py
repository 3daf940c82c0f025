"""Several Home Assistants on one machine: each has its own, and none is told what is another's."""

import json
import os

import pytest
from conftest import VERSIONS, home_assistant
from homing_rigs.processes import wait_for

GPS = "[gpsd]\nport = {port}\n"
OFF = "[gpsd]\nenabled = false\n"


@pytest.fixture
def both():
    """The oldest and the newest."""
    return home_assistant(VERSIONS[0]), home_assistant(VERSIONS[-1])


def register(agent, home, ha, *words):
    return agent.homing("--home", home, "register", "--url", ha.local_url, "--token-file", "-", *words, input=ha.token)


def names(agent):
    return [line.split()[0] for line in agent.homing("homes").stdout.splitlines()]


def place(ha, device):
    return ha.state(ha.tracker_of(device))


def registration(agent, home):
    return json.loads((agent.state / "homes" / home / "registration.json").read_text())


def test_a_second_home_is_added_and_removed_while_the_daemon_runs(both, gps, make_agent):
    first, second = both
    agent = make_agent(GPS.format(port=gps.port)).start()
    agent.register(first.local_url, first.token)
    register(agent, "cabin", second)
    assert names(agent) == ["home", "cabin"]
    gps.start(speed=10, time="now")
    for home, ha in (("home", first), ("cabin", second)):
        device = registration(agent, home)["device_id"]
        wait_for(lambda: place(ha, device)["attributes"].get("latitude"), 60, f"a position in {home}")
    for home in ("home", "cabin"):
        wait_for(lambda: agent.status(home)["queues"][0]["accepted"] > 3, 60, "positions")
    text = agent.homing("status").stdout
    assert "Home         home" in text and "Home         cabin" in text

    refused = agent.homing("zones", check=False)
    assert refused.returncode == 64 and "home and cabin" in refused.stderr and "--home" in refused.stderr
    assert agent.homing("--home", "cabin", "zones").stdout
    unknown = agent.homing("--home", "villa", "zones", check=False)
    assert unknown.returncode == 64 and "villa" in unknown.stderr

    assert "Forgotten" in agent.homing("homes", "remove", "cabin").stdout
    assert names(agent) == ["home"] and not (agent.state / "homes/cabin").exists()
    before = agent.status()["queues"][0]["accepted"]
    wait_for(lambda: agent.status()["queues"][0]["accepted"] > before, 30, "the first home to go on")


def test_a_home_is_renamed_with_its_queue(newest, make_agent):
    agent = make_agent(OFF).start()
    agent.register(newest.local_url, newest.token)
    agent.homing("send-location", "--zone", "Work")
    agent.wait_until_empty()
    accepted = agent.status()["queues"][0]["accepted"]
    agent.homing("homes", "rename", "home", "villa")
    assert names(agent) == ["villa"] and agent.status()["queues"][0]["accepted"] == accepted
    agent.homing("send-location", "--zone", "home")
    wait_for(lambda: agent.status()["queues"][0]["queued"] == 0, 30, "the report")
    agent.stop()
    agent.start()
    assert names(agent) == ["villa"]


@pytest.mark.parametrize("name", ["Villa", "", "a b", "../x", "a" * 33])
def test_a_name_that_is_none_is_refused_before_a_path_is_made(newest, make_agent, name):
    agent = make_agent(OFF).start()
    refused = agent.homing("--home", name, "register", "--url", newest.local_url, "--token-file", "-", check=False,
                           input=newest.token)
    if name:
        assert refused.returncode == 64 and "no name of a home" in refused.stderr
    assert [entry.name for entry in (agent.state / "homes").iterdir()] == ["home"]


def test_the_state_of_an_earlier_version_is_moved_and_delivered(newest, make_agent):
    agent = make_agent(OFF).start()
    agent.register(newest.local_url, newest.token)
    agent.stop()
    for file in list(agent.home.iterdir()):
        file.rename(agent.state / file.name)
    agent.home.rmdir()
    agent.start()
    agent.homing("send-location", "--zone", "Work")
    agent.wait_until_empty()
    assert (agent.home / "registration.json").exists() and not (agent.state / "registration.json").exists()
    assert not list(agent.state.glob("outbox*"))


def test_keys_of_a_home_are_its_own(both, make_agent):
    first, second = both
    agent = make_agent(OFF + "[home_assistant]\ninstance_url_away = http://127.0.0.1:1\nplain_http_away = true\n").start()
    agent.register(first.local_url, first.token)
    register(agent, "cabin", second)
    for home in ("home", "cabin"):
        agent.homing("--home", home, "send-location", "--zone", "Work")
    folder = agent.configuration.parent / "homes"
    folder.mkdir()
    (folder / "cabin.conf").write_text("[gpsd]\nenabled = true\n")
    wrong = agent.homing("config", "check", check=False)
    assert wrong.returncode == 78 and "cabin.conf:2: gpsd.enabled: holds for the whole machine" in wrong.stderr
    (folder / "cabin.conf").write_text("[sensors]\ndisable =\n")
    agent.homing("config", "check")
    agent.signal(1)
    wait_for(lambda: any(queue["stream"] == "sensors" and queue["accepted"] for queue in agent.status("cabin")["queues"]),
             30, "sensors in the cabin")
    assert not any(queue["stream"] == "sensors" and queue["accepted"] for queue in agent.status("home")["queues"])
    os.remove(folder / "cabin.conf")
