"""Calls of a real Home Assistant to several devices, and one after the other, with the relay behind them."""

import http.client
import json
import time
import urllib.error

import pytest
from homing_rigs.ha_websocket import Refused
from homing_rigs.home_assistant import HomeAssistant
from homing_rigs.notification_server import NotificationServer
from homing_rigs.processes import wait_for
from homing_rigs.recorder import Recorder
from homing_rigs.tcp_gate import Gate
from phone import Phone
from relay_program import RelayProgram
from test_notifications import QUIET, push, wait_until_open
from test_relay import post, shown, told
from test_relay_answers import joined_token

pytestmark = pytest.mark.ends


@pytest.fixture
def relay():
    with RelayProgram() as relay:
        yield relay


@pytest.fixture
def alone(ha):
    """A Home Assistant of that version that knows no device of another test."""
    with HomeAssistant(ha.version) as instance:
        yield instance


def notify_all(ha, title):
    """A call to all devices. Whether it went well."""
    try:
        ha.post("/api/services/notify/notify", {"message": "to all", "title": title})
        return True
    except urllib.error.HTTPError as error:
        assert error.code in (400, 500)
        return False


def by_entity(ha, agent, title):
    """What the notify entity of the machine says; None where Home Assistant is too old to have one."""
    entities = [one["entity_id"] for one in ha.entities_of(agent.registration["device_id"])]
    found = [one for one in entities if one.startswith("notify.")]
    if not found:
        return None
    try:
        with ha.websocket() as websocket:
            websocket.call("call_service", domain="notify", service="send_message", target={"entity_id": found[0]},
                           service_data={"message": "by the entity", "title": title})
        return "done"
    except Refused as error:
        return str(error)


def test_a_call_to_all_devices_fails_for_a_sleeping_machine_without_a_relay_and_not_with_one(
        alone, desktop, make_agent, relay):
    agent = make_agent(QUIET, desktop.environment).start()
    agent.register(alone.local_url, alone.token)
    wait_until_open(agent)
    assert notify_all(alone, "Awake")
    desktop.wait_for("Awake")
    agent.stop()
    assert not notify_all(alone, "Lost")
    assert "not connected" in (by_entity(alone, agent, "Lost") or "not connected")
    agent.start()
    agent.homing("relay", "join", relay.url, "-", input=relay.invite())
    wait_for(lambda: told(alone, agent).get("push_url") == relay.push_url, 20, "Home Assistant to be told of the relay")
    agent.stop()
    assert notify_all(alone, "Asleep")
    assert by_entity(alone, agent, "Asleep too") in (None, "done")
    agent.start()
    desktop.wait_for("Asleep")
    if by_entity(alone, agent, "Again"):
        desktop.wait_for("Asleep too")
    assert shown(desktop, "Asleep") == 1 and shown(desktop, "Lost") == 0


def test_connections_that_home_assistant_keeps_carry_the_next_notification(ha, make_agent, relay):
    token = joined_token(make_agent, ha, relay)
    with Gate(relay.port) as gate, Phone(ha, "Kept", f"{gate.url}/v1/push", token) as phone:
        kept = http.client.HTTPConnection("127.0.0.1", relay.port, timeout=10)
        kept.auto_open = 0
        kept.connect()
        assert check_over(kept, token) == 200
        phone.notify("first")
        opened = []
        for pause in (14, 14.9, 15.1, 15.5):
            time.sleep(pause)
            phone.notify(f"after {pause} s")
            opened.append(gate.accepted)
        assert relay.waiting() == 5
        assert check_over(kept, token) == 200, "the relay keeps a connection longer than Home Assistant does, by far"
        kept.close()
    assert opened[0] == 1, "Home Assistant keeps a connection for 15 s"
    assert opened[3] == opened[2] + 1, "and not longer"


def check_over(connection, token):
    """The status of a question over this very connection."""
    body = json.dumps({"push_token": token})
    connection.request("POST", "/v1/push/check", body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    answer.read()
    return answer.status


def test_in_a_call_to_several_devices_one_gets_the_others_id_and_may_be_shown_twice(
        alone, make_agent, relay):
    """Home Assistant builds the calls to all devices in one place. While the channel of one stands still, the other's
    id takes the place of its own there, and the relay brings the notification under that."""
    with NotificationServer("mock", "body") as frozens, NotificationServer("mock", "body") as others, \
            Gate(alone.port) as gate, Recorder(relay.port) as recorder:
        relay.stop()
        relay.write(listen={"public_url": recorder.url})
        relay.start()
        frozen = make_agent(f"{QUIET}relay = hold\n", frozens.environment).start()
        frozen.register(gate.url, alone.token, "--name", "Frozen")
        frozen.homing("relay", "join", relay.url, "-", input=relay.invite())
        wait_until_open(frozen)
        wait_for(lambda: "push_url" in told(alone, frozen), 20, "Home Assistant to be told of the relay")
        other = make_agent(QUIET, others.environment).start()
        other.register(alone.local_url, alone.token, "--new", "--name", "Other")
        wait_until_open(other)
        wait_for(lambda: push(frozen)["relay"]["state"] == "held", 20, "the relay's socket")
        # What Home Assistant says arrives; what is answered does not: the notification is shown, and not confirmed.
        gate.hold_clients()
        assert notify_all(alone, "Both")
        others.wait_for("Both")
        frozens.wait_for("Both")
        [handed] = recorder.wait(lambda exchanges: exchanges, 25, "Home Assistant to hand it to the relay")
        frozens.wait_for("Both", count=2)
        gate.hold_clients(False)
        assert shown(others, "Both") == 1
        assert push(frozen)["duplicates"] == 0
        status, repeated = post(relay.push_url, json.loads(handed.body))
        assert status == 201 and repeated["id"] == json.loads(handed.reply)["id"], "a proxy may send it again"
        time.sleep(1)
        assert shown(frozens, "Both") == 2


def test_a_machine_that_is_away_gets_the_id_of_one_whose_channel_is_open_and_is_shown_once(alone, make_agent, relay):
    with NotificationServer("mock", "body") as opens, NotificationServer("mock", "body") as aways, \
            Recorder(relay.port) as recorder:
        relay.stop()
        relay.write(listen={"public_url": recorder.url})
        relay.start()
        there = make_agent(QUIET, opens.environment).start()
        there.register(alone.local_url, alone.token, "--name", "There")
        wait_until_open(there)
        away = make_agent(f"{QUIET}mode = off\nrelay = hold\n", aways.environment).start()
        away.register(alone.local_url, alone.token, "--new", "--name", "Away")
        away.homing("relay", "join", relay.url, "-", input=relay.invite())
        wait_for(lambda: "push_url" in told(alone, away), 20, "Home Assistant to be told of the relay")
        wait_for(lambda: push(away)["relay"]["state"] == "held", 20, "the relay's socket")
        for title in ("One", "Two"):
            assert notify_all(alone, title)
            opens.wait_for(title)
            aways.wait_for(title)
        wait_for(lambda: relay.waiting() == 0, 10, "the acknowledgement")
        ids = [json.loads(exchange.body)["hass_confirm_id"] for exchange in recorder.exchanges if exchange.path == "/v1/push"]
        assert len(set(ids)) == 2 and set(ids) <= set(remembered(there)), "the ids are the other machine's"
        assert [shown(aways, title) for title in ("One", "Two")] == [shown(opens, title) for title in ("One", "Two")] == [1, 1]


def remembered(agent):
    """The ids of Home Assistant's that came to this machine; it is stopped for that."""
    agent.stop()
    return json.loads((agent.home / "arrived.json").read_text())
