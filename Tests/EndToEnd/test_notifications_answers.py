"""Answers that need more than a button: a text, an unlocked session, a browser; and orders that logind carries out."""

import getpass
import os
import time

import pytest
from homing_rigs.notification_server import NotificationServer
from homing_rigs.processes import wait_for
from test_notifications import ACTION, QUIET, companion, notify, wait_until_open


@pytest.fixture
def programs(tmp_path):
    """programs(name, script): programs that are found before the machine's own."""
    folder = tmp_path / "bin"
    folder.mkdir()

    def make(name, script):
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
        return {"PATH": f"{folder}:{os.environ['PATH']}", "DISPLAY": ":99", "XDG_RUNTIME_DIR": str(tmp_path)}

    return make


def test_a_sticky_notification_takes_answer_after_answer_and_each_is_told_once(ha, make_agent):
    with NotificationServer("mock", "body", "actions", "persistence") as desktop:
        agent = companion(make_agent, ha, desktop)
        notify(ha, agent, "Radio", "Remote", sticky=True, tag="radio",
               actions=[{"action": "UP", "title": "Louder"}, {"action": "DOWN", "title": "Softer"}])
        shown = desktop.wait_for("Remote")
        with ha.events() as events:
            for label in ("Louder", "Softer"):
                for _ in range(3):  # some servers say it three times
                    desktop.press(shown, label)
            time.sleep(1)
            desktop.press(shown, "Louder")
            wait_for(lambda: len([one for one in events.all() if one["event_type"] == ACTION]) >= 3, 15, "the answers")
            time.sleep(1)
            desktop.dismiss(shown)
            cleared = events.wait(lambda e: e["event_type"] == "mobile_app_notification_cleared")
            assert cleared["data"]["tag"] == "radio"
            answers = [one["data"] for one in events.all() if one["event_type"] == ACTION]
            assert [one["action"] for one in answers] == ["UP", "DOWN", "UP"]
            assert len({one["homing_id"] for one in answers}) == 3


def test_a_server_that_cannot_ask_for_a_text_has_zenity_ask(newest, programs, make_agent, tmp_path):
    environment = programs("zenity", f'printf "%s\\n" "$@" > {tmp_path}/asked; echo "five minutes & more"')
    with NotificationServer("mock", "body", "actions") as desktop:
        agent = companion(make_agent, newest, desktop, environment=environment)
        notify(newest, agent, "When?", "Dinner", actions=[
            {"action": "REPLY", "title": "Say_when", "textInputButtonTitle": "Send"}])
        with newest.events(ACTION) as events:
            desktop.press(desktop.wait_for("Dinner"), "Say_when")
            assert events.wait()["data"]["reply_text"] == "five minutes & more"
    asked = (tmp_path / "asked").read_text()
    assert asked == "--entry\n--title=Home Assistant\n--text=Saywhen: Dinner\n--ok-label=Send\n"


def test_who_thinks_better_of_it_sends_nothing_and_where_nobody_can_ask_it_goes_without(newest, programs, make_agent):
    environment = programs("zenity", "exit 1")
    with NotificationServer("mock", "body", "actions") as desktop:
        agent = companion(make_agent, newest, desktop, environment=environment)
        notify(newest, agent, "When?", "Dinner", actions=[{"action": "REPLY", "title": "Say"}])
        with newest.events(ACTION) as events:
            desktop.press(desktop.wait_for("Dinner"), "Say")
            wait_for(lambda: "no text was entered" in agent.log_text(), 10, "the window is closed")
            assert events.all() == []
        agent.stop()
        agent.environment.pop("DISPLAY")
        agent.environment.pop("WAYLAND_DISPLAY", None)
        agent.start()
        wait_for(lambda: agent.status()["push"]["state"] == "open", 30, "the channel")
        notify(newest, agent, "When?", "Supper", actions=[{"action": "REPLY", "title": "Say"}])
        with newest.events(ACTION) as events:
            desktop.press(desktop.wait_for("Supper"), "Say")
            assert "reply_text" not in events.wait()["data"]
        assert "the answer goes without one" in agent.log_text()


def test_links_open_the_web_and_home_assistant_and_nothing_else(newest, desktop, programs, make_agent, tmp_path):
    environment = programs("xdg-open", f'echo "$@" >> {tmp_path}/opened')
    agent = companion(make_agent, newest, desktop, environment=environment)
    opened = tmp_path / "opened"

    def lines():
        return opened.read_text().splitlines() if opened.exists() else []

    notify(newest, agent, "text", "Click", clickAction="/lovelace/cameras")
    desktop(f"emit ActionInvoked {desktop.wait_for('Click').id} default")
    wait_for(lambda: lines() == [f"{newest.local_url}/lovelace/cameras"], 10, "a page of Home Assistant's")
    with newest.events(ACTION) as events:
        notify(newest, agent, "text", "Look", actions=[
            {"action": "URI", "title": "Page", "uri": "https://example.org/?a=$(id)&b='x'"},
            {"action": "URI", "title": "Good", "uri": "https://example.org/a?b=c&d"},
            {"action": "URI", "title": "File", "uri": "file:///etc/passwd"},
            {"action": "URI", "title": "Script", "uri": "javascript:alert(1)"},
            {"action": "OPEN", "title": "Foreground", "activationMode": "foreground"}])
        shown = desktop.wait_for("Look")
        assert list(shown.buttons) == ["Good", "Foreground"]
        desktop.press(shown, "Good")
        wait_for(lambda: lines()[1:] == ["https://example.org/a?b=c&d"], 10, "a web page")
        notify(newest, agent, "text", "Front", actions=[
            {"action": "OPEN", "title": "Foreground", "activationMode": "foreground"}])
        desktop.press(desktop.wait_for("Front"), "Foreground")
        assert events.wait()["data"]["action"] == "OPEN"
        wait_for(lambda: lines()[2:] == [f"{newest.local_url}/"], 10, "Home Assistant")
        time.sleep(1)
        assert len(events.all()) == 1


def test_an_answer_that_needs_its_person_waits_until_the_session_is_unlocked(newest, desktop, bus, make_agent):
    bus.logind_start()
    session = bus.session(os.geteuid(), getpass.getuser())
    bus.lock(session)
    agent = companion(make_agent, newest, desktop, environment=bus.environment)
    secured = [{"action": "UNLOCK", "title": "Unlock", "authenticationRequired": True}]
    with newest.events(ACTION) as events:
        notify(newest, agent, "text", "Door", actions=secured)
        desktop.press(desktop.wait_for("Door"), "Unlock")
        wait_for(lambda: "until the session is unlocked" in agent.log_text(), 10, "the answer is held")
        time.sleep(2)
        assert events.all() == []
        bus.lock(session, False)
        assert events.wait()["data"]["action"] == "UNLOCK"
        notify(newest, agent, "text", "Gate", actions=secured)
        desktop.press(desktop.wait_for("Gate"), "Unlock")
        assert events.wait(count=2)[1]["data"]["title"] == "Gate"


def test_where_nobody_knows_of_locks_an_answer_that_needs_one_expires(newest, desktop, make_agent):
    agent = companion(make_agent, newest, desktop, configuration=QUIET + "[push]\naction_expiry = 10\n")
    with newest.events(ACTION) as events:
        notify(newest, agent, "text", "Door", actions=[
            {"action": "UNLOCK", "title": "Unlock", "authenticationRequired": True}])
        desktop.press(desktop.wait_for("Door"), "Unlock")
        told = desktop.wait_for("Not answered", 20)
        assert "“Unlock”" in told.body and events.all() == []


def test_logind_locks_and_suspends_where_the_configuration_permits_it(newest, desktop, bus, make_agent):
    bus.logind_start()
    configuration = QUIET + "[push]\ncommands = command_screen_lock;command_suspend\n"
    agent = companion(make_agent, newest, desktop, configuration=configuration, environment=bus.environment)
    notify(newest, agent, "command_screen_lock")
    wait_for(lambda: bus.asked_of_logind("LockSessions") == 1, 10, "the sessions are locked")
    notify(newest, agent, "command_suspend")
    wait_for(lambda: bus.asked_of_logind("Suspend ") == 1, 10, "the machine is suspended")
    notify(newest, agent, "request_location_update")
    wait_for(lambda: "from Home Assistant refused" in agent.log_text(), 10, "what is not listed is not done")


def test_a_position_is_reported_when_home_assistant_asks_for_it(newest, gps, desktop, bus, make_agent):
    agent = make_agent(f"[gpsd]\nport = {gps.port}\n[push]\n", {**desktop.environment, **bus.environment}).start()
    agent.register(newest.local_url, newest.token)
    gps.start(speed=1, time="now")  # it stands at home for two minutes
    wait_for(lambda: agent.fate("delivered_live") >= 1, 60, "the first position")
    wait_until_open(agent)
    time.sleep(2)
    accepted = agent.queue("location")["accepted"]
    notify(newest, agent, "request_location_update")
    wait_for(lambda: agent.queue("location")["accepted"] == accepted + 1, 15, "a machine that stands still reports")
    assert "from Home Assistant refused" not in agent.log_text()
