"""The push relay between a real Home Assistant and the real daemon."""

import json
import re
import time
import urllib.error
import urllib.request

import pytest
from homing_rigs.processes import wait_for
from relay_program import RelayProgram
from test_notifications import ACTION, QUIET, notify, push, wait_until_open

pytestmark = pytest.mark.ends

AWAY = f"{QUIET}mode = off\nrelay = hold\n"
SLOW_LOOKS = f"{QUIET}mode = off\nrelay = look\n"


@pytest.fixture
def relay():
    with RelayProgram() as relay:
        yield relay


def joined(make_agent, ha, desktop, relay, configuration=AWAY):
    """An agent that Home Assistant knows to be reached by the relay."""
    agent = make_agent(configuration, desktop.environment).start()
    agent.register(ha.local_url, ha.token)
    agent.homing("relay", "join", relay.url, "-", input=relay.invite())
    wait_for(lambda: told(ha, agent).get("push_url") == relay.push_url, 20, "Home Assistant to be told of the relay")
    return agent


def told(ha, agent):
    """What Home Assistant keeps of push."""
    return ha.registration(agent.registration["device_id"]).data["app_data"]


def post(url, body):
    """Answer and status of a POST, as Home Assistant would make it."""
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def shown(desktop, title):
    return len([one for one in desktop.shown() if one.summary == title])


def test_a_machine_without_a_channel_gets_notifications_and_answers_them(ha, desktop, make_agent, relay):
    agent = joined(make_agent, ha, desktop, relay)
    wait_for(lambda: push(agent)["relay"]["state"] == "held", 20, "the relay's socket")
    with ha.events(ACTION) as events:
        notify(ha, agent, "Schöne Grüße: <b>ä</b> & 🚐", "Door", tag="door",
               actions=[{"action": "OPEN_DOOR", "title": "Open"}])
        there = desktop.wait_for("Door")
        assert there.body == "Schöne Grüße: &lt;b&gt;ä&lt;/b&gt; &amp; 🚐"
        desktop.press(there, "Open")
        assert events.wait()["data"]["action"] == "OPEN_DOOR"
    wait_for(lambda: relay.waiting() == 0, 10, "the device to acknowledge")
    assert shown(desktop, "Door") == 1
    assert re.search(r"^Relay +127\.0\.0\.1: connected", agent.homing("status").stdout, re.M)


def test_what_comes_while_the_machine_is_off_waits_in_the_relay_and_is_shown_once(ha, desktop, make_agent, relay):
    agent = joined(make_agent, ha, desktop, relay)
    agent.stop()
    for number in range(3):
        notify(ha, agent, "text", f"Waiting {number}")
    wait_for(lambda: relay.waiting() == 3, 10, "Home Assistant to hand them over")
    relay.kill()
    relay.start()
    assert relay.waiting() == 3, "what was answered 201 is on the disk"
    agent.start()
    for number in range(3):
        desktop.wait_for(f"Waiting {number}")
    wait_for(lambda: relay.waiting() == 0, 10, "the device to acknowledge")
    agent.kill()
    agent.start()
    time.sleep(2)
    assert [shown(desktop, f"Waiting {number}") for number in range(3)] == [1, 1, 1]


def test_the_relay_stores_and_logs_no_word_of_a_notification(newest, desktop, make_agent, relay):
    agent = joined(make_agent, newest, desktop, relay)
    agent.stop()
    notify(newest, agent, "Wombat under the porch", "Quokka alarm", tag="numbat")
    wait_for(lambda: relay.waiting() == 1, 10, "Home Assistant to hand it over")
    token, webhook = told(newest, agent)["push_token"], agent.registration["webhook_id"]
    kept = relay.files() + relay.log_text().encode()
    words = ["Wombat", "porch", "Quokka", "numbat", token, webhook, "127.0.0.1:5", "HomeAssistant/"]
    assert not [word for word in words if word.encode() in kept]


def test_the_days_limit_is_told_to_who_posts_and_once_to_the_machine(ha, desktop, make_agent):
    with RelayProgram(limits={"maximum": 2}) as relay:
        agent = joined(make_agent, ha, desktop, relay)
        agent.stop()
        for number in range(4):
            notify(ha, agent, "text", f"Number {number}")
        token = told(ha, agent)["push_token"]
        status, answer = post(relay.push_url, {"message": "once more", "push_token": token})
        assert status == 429 and answer["message"] and answer["rateLimits"]["maximum"] == 2
        assert answer["rateLimits"]["successful"] == 2 and answer["rateLimits"]["remaining"] == 0
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT00:00:00\.000Z", answer["rateLimits"]["resetsAt"])
        agent.start()
        desktop.wait_for("Number 0")
        desktop.wait_for("Number 1")
        notice = desktop.wait_for("No more notifications by the relay today")
        assert "2 notifications" in notice.body
        wait_for(lambda: relay.waiting() == 0, 10, "the device to acknowledge")
        assert shown(desktop, notice.summary) == 1 and shown(desktop, "Number 2") == 0


@pytest.mark.parametrize("body, status", [
    (b"{", 400), (b"[]", 400), (b"[" * 100 + b"]" * 100, 400), (b"{}", 403),
    (b'{"push_token": "hr1.nonsense"}', 403), (b'{"push_token": 5}', 403)])
def test_a_request_that_is_wrong_is_answered_in_json(relay, body, status):
    request = urllib.request.Request(relay.push_url, body, {"Content-Type": "application/json"})
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request, timeout=10)
    answer = json.load(caught.value)
    assert caught.value.code == status and answer["message"] == answer["errorMessage"] != ""
    assert "rateLimits" not in answer


def test_a_code_is_good_for_one_machine(newest, desktop, make_agent, relay):
    code = relay.invite()
    first = make_agent(AWAY, desktop.environment).start()
    first.register(newest.local_url, newest.token)
    without = first.homing("relay", "join", relay.url, check=False)
    assert without.returncode == 76 and "code" in without.stderr
    first.homing("relay", "join", relay.url, code)
    second = make_agent(AWAY, desktop.environment).start()
    second.register(newest.local_url, newest.token)
    refused = second.homing("relay", "join", relay.url, code, check=False)
    assert refused.returncode == 76 and "works once" in refused.stderr


def test_the_test_command_goes_the_whole_way_and_shows_nothing(newest, desktop, make_agent, relay):
    agent = joined(make_agent, newest, desktop, relay)
    wait_for(lambda: push(agent)["relay"]["state"] == "held", 20, "the relay's socket")
    before = len(desktop.shown())
    text = agent.homing("relay", "test").stdout
    assert re.search(r"\d+ ms", text)
    assert len(desktop.shown()) == before
    relay.stop()
    failed = agent.homing("relay", "test", check=False)
    assert failed.returncode == 69 and "check that the relay is running" in failed.stderr
    reason = failed.stderr.splitlines()[0].removeprefix("homing: ")
    assert reason in agent.homing("relay").stdout


def test_a_flood_after_a_sleep_is_folded_and_what_matters_is_not(newest, desktop, make_agent, relay):
    agent = joined(make_agent, newest, desktop, relay)
    agent.stop()
    for number in range(17):
        notify(newest, agent, "text", f"Plain {number}")
    for number in range(3):
        notify(newest, agent, "text", f"Critical {number}", importance="max")
        notify(newest, agent, "text", f"Button {number}", actions=[{"action": "OK", "title": "OK"}])
        notify(newest, agent, "text", f"Tagged {number}", tag=f"t{number}")
    wait_for(lambda: relay.waiting() == 26, 20, "Home Assistant to hand them over")
    agent.start()
    wait_for(lambda: relay.waiting() == 0, 20, "the device to take them")
    for kind in ("Critical", "Button", "Tagged"):
        for number in range(3):
            desktop.wait_for(f"{kind} {number}")
    folded = 17 - len([one for one in desktop.shown() if one.summary.startswith("Plain")])
    assert folded >= 10
    summary = desktop.wait_for(f"{folded} more notifications")
    assert summary.body.splitlines()[-1] == "Plain 16: text"
    assert [shown(desktop, f"{kind} {number}") for kind in ("Critical", "Button", "Tagged") for number in range(3)] == [1] * 9


def test_the_number_of_notifications_that_a_full_mailbox_dropped_is_shown_once(newest, desktop, make_agent):
    with RelayProgram(limits={"messages": 3}) as relay:
        agent = joined(make_agent, newest, desktop, relay)
        agent.stop()
        for number in range(10):
            notify(newest, agent, "text", f"Many {number}")
        wait_for(lambda: relay.status()["posts"]["accepted"] == 10, 20, "Home Assistant to hand them over")
        agent.start()
        desktop.wait_for("Many 9")
        desktop.wait_for("Notifications were dropped")
        wait_for(lambda: relay.waiting() == 0, 20, "the device to take them over")
        agent.stop()
        agent.start()
        wait_for(lambda: push(agent)["relay"]["state"] == "held", 20, "the relay to be reached again")
        assert shown(desktop, "Notifications were dropped") == 1
        told_once = [one for one in desktop.shown() if one.summary == "Notifications were dropped"]
        assert told_once[0].body == "7 notifications were dropped by the relay: too many waited, or they were too old."


def test_the_doctor_sees_the_relay_work_and_costs_no_notification(newest, desktop, make_agent, relay):
    agent = joined(make_agent, newest, desktop, relay)
    text = agent.homing("doctor", check=False).stdout
    assert "127.0.0.1 opens the mailbox, and takes the token in" in text
    assert relay.status()["posts"]["accepted"] == 0
    token = told(newest, agent)["push_token"]
    status, answer = post(f"{relay.push_url}/check", {"push_token": token})
    assert status == 200 and answer["rateLimits"]["successful"] == 0
    relay.stop()
    assert "opens the mailbox" not in agent.homing("doctor", check=False).stdout


def test_what_is_no_notification_is_passed_over_and_counted(newest, desktop, make_agent, relay):
    agent = joined(make_agent, newest, desktop, relay)
    before, entry = len(desktop.shown()), newest.registration(agent.registration["device_id"])
    body = {"push_token": told(newest, agent)["push_token"], "now_playing": {"title": "Wombat song"},
            "registration_info": {"webhook_id": entry.webhook_id, "app_id": "x", "app_version": "1"}}
    assert post(relay.push_url, body)[0] == 201
    assert post(relay.push_url, {**body, "registration_info": {"webhook_id": "another"}})[0] == 201
    wait_for(lambda: relay.waiting() == 0, 20, "the device to take them over")
    state = push(agent)["relay"]
    assert state["others"] == 1 and state["refused"] == 1 and len(desktop.shown()) == before
    assert "1 refused, 1 not notifications" in agent.homing("relay").stdout
    assert "Wombat" not in agent.log_text() and "passes it over" in agent.log_text()


def test_leaving_takes_the_relay_back_from_home_assistant(newest, desktop, make_agent, relay):
    agent = joined(make_agent, newest, desktop, relay)
    token = told(newest, agent)["push_token"]
    agent.homing("relay", "leave", "--yes")
    wait_for(lambda: "push_url" not in told(newest, agent), 20, "Home Assistant to be told")
    status, answer = post(relay.push_url, {"message": "late", "push_token": token})
    assert status == 403 and "token" in answer["message"]
    assert agent.homing("relay", "test", check=False).returncode != 0


def test_while_the_channel_is_open_the_relay_is_left_alone(newest, desktop, make_agent, relay):
    agent = joined(make_agent, newest, desktop, relay, QUIET)
    wait_until_open(agent)
    notify(newest, agent, "text", "By the channel")
    desktop.wait_for("By the channel")
    assert relay.status()["posts"]["accepted"] == 0


def test_a_blocked_machine_is_told_so(newest, desktop, make_agent, relay):
    agent = joined(make_agent, newest, desktop, relay)
    wait_for(lambda: push(agent)["relay"]["state"] == "held", 20, "the relay's socket")
    notify(newest, agent, "text", "Before")
    desktop.wait_for("Before")
    [mailbox] = json.loads(relay.run("mailbox", "list", "--json").stdout)["mailboxes"]
    relay.run("mailbox", "block", mailbox["label"])
    status, answer = post(relay.push_url, {"message": "text", "push_token": told(newest, agent)["push_token"]})
    assert status == 403 and answer["message"]
    wait_for(lambda: "relay_refused" in str(agent.status()["warnings"]), 30, "the warning")
