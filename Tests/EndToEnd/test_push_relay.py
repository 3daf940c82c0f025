"""`push_url` and `push_token`: what Home Assistant is told of a relay, and what comes back by it."""

import json
import os
import signal
import time

import pytest
from homing_rigs.processes import temporary_folder, wait_for
from homing_rigs.relay import Relay
from homing_rigs.tcp_gate import Gate
from test_notifications import notify, push, wait_until_open

pytestmark = pytest.mark.ends

TOKEN = "relay-token-0123456789"
NO_RELAY = {"push_websocket_channel": True}


@pytest.fixture
def relay():
    with Relay() as relay:
        yield relay


def token_file(text=TOKEN, mode=0o600):
    path = temporary_folder("relay") / "token"
    path.write_text(f"{text}\n")
    path.chmod(mode)
    return path


def configuration(relay, path, *more):
    return "\n".join(["[gpsd]", "enabled = false", "[push]", f"url = {relay.url}", f"token_file = {path}", *more, ""])


def known(ha, agent):
    """What Home Assistant keeps of push, the run's mark aside."""
    data = ha.registration(agent.registration["device_id"]).data["app_data"]
    return {key: value for key, value in data.items() if key != "homing_run"}


def receive(agent, body, **options):
    return agent.homing("notifications", "receive", input=json.dumps(body), **options)


def shown(desktop, title):
    return len([one for one in desktop.shown() if one.summary == title])


def test_home_assistant_is_told_of_the_relay_and_of_each_change(ha, desktop, make_agent, relay):
    path = token_file()
    agent = make_agent(configuration(relay, path), desktop.environment).start()
    agent.register(ha.local_url, ha.token)
    told = {**NO_RELAY, "push_url": relay.url, "push_token": TOKEN}
    assert known(ha, agent) == told, "with the registration"
    agent.homing("registration", "update", "--name", f"Relay {ha.port}")
    assert known(ha, agent) == told, "what is told replaces it as a whole"
    path.write_text("another-token")
    agent.signal(signal.SIGHUP)
    wait_for(lambda: known(ha, agent) == {**told, "push_token": "another-token"}, 20, "the other token")
    agent.stop()
    agent.configuration.write_text(agent.configuration.read_text().replace("url = ", "#").replace("token_file", "#"))
    agent.start()
    wait_for(lambda: known(ha, agent) == NO_RELAY, 20, "the relay to be taken back")
    everything = agent.log_text() + json.dumps(agent.registration) + agent.homing("status", "--json").stdout
    assert not [secret for secret in (TOKEN, "another-token", relay.url) if secret in everything]


def test_a_token_that_cannot_be_read_is_warned_of_and_not_taken_back(newest, desktop, make_agent, relay):
    path = token_file()
    agent = make_agent(configuration(relay, path), desktop.environment).start()
    agent.register(newest.local_url, newest.token)
    path.write_text("")
    agent.signal(signal.SIGHUP)
    wait_for(lambda: "push_relay_no_token" in str(agent.status()["warnings"]), 10, "the warning")
    assert known(newest, agent)["push_token"] == TOKEN
    path.chmod(0o644)
    assert "chmod 600" in agent.homing("config", "check", check=False).stderr


def test_the_token_may_be_a_credential_of_systemds(newest, desktop, make_agent, relay):
    folder = temporary_folder("credentials")
    (folder / "homing.push_token").write_text(TOKEN)
    agent = make_agent(f"[gpsd]\nenabled = false\n[push]\nurl = {relay.url}\n",
                       {**desktop.environment, "CREDENTIALS_DIRECTORY": str(folder)}).start()
    agent.register(newest.local_url, newest.token)
    assert known(newest, agent)["push_token"] == TOKEN


def test_without_a_channel_the_relay_brings_it_and_its_answer_gets_home(ha, desktop, make_agent, relay):
    agent = make_agent(configuration(relay, token_file(), "mode = off"), desktop.environment).start()
    agent.register(ha.local_url, ha.token)
    notify(ha, agent, "Somebody rings", "Door", actions=[{"action": "OPEN_DOOR", "title": "Open"}])
    wait_for(lambda: relay.bodies, 15, "Home Assistant to hand it over")
    body = relay.bodies[0]
    assert body["push_token"] == TOKEN and "hass_confirm_id" not in body
    assert receive(agent, body).stdout == "The notification is taken.\n"
    with ha.events("mobile_app_notification_action") as events:
        desktop.press(desktop.wait_for("Door"), "Open")
        assert events.wait()["data"]["action"] == "OPEN_DOOR"
    elsewhere = {**body, "registration_info": {**body["registration_info"], "webhook_id": "another"}}
    refused = receive(agent, elsewhere, check=False)
    assert refused.returncode == 76 and "another registration" in refused.stderr
    assert agent.homing("notifications", "receive", input="<html>", check=False).returncode == 64
    assert shown(desktop, "Door") == 1


def test_what_comes_by_the_relay_and_then_by_the_socket_is_shown_once(ha, desktop, make_agent, relay):
    with Gate(ha.port) as gate:
        agent = make_agent(configuration(relay, token_file()), desktop.environment).start()
        agent.register(gate.url, ha.token)
        wait_until_open(agent)
        gate.freeze()
        notify(ha, agent, "text", "Both")
        wait_for(lambda: relay.titled("Both"), 20, "Home Assistant to give up after 10 s")
        assert relay.titled("Both")[0]["hass_confirm_id"]
        assert receive(agent, relay.titled("Both")[0]).stdout == "The notification is taken.\n"
        desktop.wait_for("Both")
        gate.freeze(False)
        wait_for(lambda: push(agent)["duplicates"] == 1, 15, "the socket to bring what it held")
        assert shown(desktop, "Both") == 1
        # Home Assistant closed the channel without a word: the late confirmation has found that out.
        time.sleep(6)
        notify(ha, agent, "text", "After")
        desktop.wait_for("After")
        assert not relay.titled("After")


def test_what_comes_by_the_socket_and_then_by_the_relay_is_shown_once(ha, desktop, make_agent, relay):
    agent = make_agent(configuration(relay, token_file()), desktop.environment).start()
    agent.register(ha.local_url, ha.token)
    wait_until_open(agent)
    os.kill(agent.pid, signal.SIGSTOP)
    notify(ha, agent, "text", "Both")
    wait_for(lambda: relay.titled("Both"), 20, "Home Assistant to give up after 10 s")
    os.kill(agent.pid, signal.SIGCONT)
    desktop.wait_for("Both")
    assert receive(agent, relay.titled("Both")[0]).stdout == "The notification was taken before.\n"
    assert shown(desktop, "Both") == 1 and push(agent)["duplicates"] == 1
    agent.stop()
    agent.start()
    assert receive(agent, relay.titled("Both")[0]).stdout == "The notification was taken before.\n", "the next daemon knows it too"


def test_while_the_machine_sleeps_the_relay_gets_what_comes_at_once(ha, desktop, bus, make_agent, relay):
    bus.logind_start()
    agent = make_agent(configuration(relay, token_file()), {**desktop.environment, **bus.environment}).start()
    agent.register(ha.local_url, ha.token)
    wait_until_open(agent)
    wait_for(lambda: bus.inhibitors(), 10, "the lock that makes sleep wait")
    bus.prepare_for_sleep(True)
    wait_for(lambda: push(agent)["state"] == "asleep", 10, "the channel to be closed")
    notify(ha, agent, "text", "Asleep")
    wait_for(lambda: relay.titled("Asleep"), 5, "Home Assistant to hand it over without waiting")
    assert "hass_confirm_id" not in relay.titled("Asleep")[0]
    bus.prepare_for_sleep(False)
    wait_until_open(agent)
    notify(ha, agent, "text", "Awake")
    desktop.wait_for("Awake")
    assert not relay.titled("Awake")
