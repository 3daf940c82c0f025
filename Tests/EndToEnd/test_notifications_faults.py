"""Notifications while clients freeze, and by real notification servers that other tests do not have."""

import os
import shutil
import time

import pytest
from homing_rigs.notification_server import NotificationServer
from homing_rigs.processes import wait_for
from homing_rigs.swaync import Swaync
from homing_rigs.tcp_gate import Gate
from test_notifications import QUIET, companion, notify, push, wait_until_open, waits_for_picture

pytestmark = pytest.mark.ends


def test_a_frozen_client_is_noticed_and_a_new_network_opens_a_new_channel(newest, bus, make_agent):
    with NotificationServer("mock", "body") as desktop, Gate(newest.port) as gate:
        agent = companion(make_agent, newest, desktop, gate.url, environment=bus.environment)
        gate.freeze()
        bus.wifi_off()
        time.sleep(1)
        gate.freeze(False)
        gate.cut()
        bus.wifi("HomeNet")
        wait_until_open(agent, 20)
        notify(newest, agent, "text", "Number 1")
        desktop.wait_for("Number 1")


def test_a_channel_that_waits_is_opened_as_soon_as_a_position_gets_through(newest, web, desktop, make_agent):
    configuration = f"{QUIET}[home_assistant]\nca_file = {web.certificates.ca}\n"
    # Over TLS: over plain HTTP the channel is not tried at all until the endpoint has proved itself.
    agent = companion(make_agent, newest, desktop, web.remote_ui.url, configuration)
    web.remote_ui.mode("portal-html")
    agent.homing("send-location", "--zone", "Work")
    wait_for(lambda: push(agent).get("next_attempt", 0) > 18, 40, "a wait that is worth shortening")
    web.remote_ui.mode("ok")
    agent.homing("send-location", "--zone", "Work")
    wait_until_open(agent, 9)


# A picture that never ends: pictures are fetched from Home Assistant itself, or from another machine.
NEVER = "/api/stream"


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_what_waits_for_its_picture_is_shown_though_the_daemon_ends(newest, make_agent, end):
    with NotificationServer("mock", "body", "actions") as desktop:
        agent = companion(make_agent, newest, desktop)
        with newest.events("mobile_app_notification_received") as events:
            notify(newest, agent, "text", "Camera", image=NEVER, confirmation=True)
            wait_for(lambda: waits_for_picture(agent, "Camera"), 5, "it waits for its picture")
            assert desktop.shown() == [], "the picture may still come"
            getattr(agent, end)()
            if end == "stop":
                assert desktop.wait_for("Camera", 1).hints.get("image-path") is None
            agent.start()
            assert desktop.wait_for("Camera").hints.get("image-path") is None
            assert events.wait(seconds=30)["data"]["title"] == "Camera"
        time.sleep(2)
        assert len(desktop.shown()) == 1, "once"


@pytest.mark.skipif(not os.path.exists("/usr/bin/dunst"), reason="no dunst here")
def test_a_button_of_a_real_notification_server_reaches_home_assistants_bus(ha, make_agent):
    with NotificationServer("dunst") as desktop:
        agent = companion(make_agent, ha, desktop)
        with ha.events("mobile_app_notification_action") as events:
            notify(ha, agent, "Somebody rings", "Door", actions=[{"action": "OPEN_DOOR", "title": "Open"}])
            wait_for(lambda: push(agent)["shown"] == 1, 15, "dunst shows it")
            desktop("press 0")
            event = events.wait()
            assert event["data"]["action"] == "OPEN_DOOR"


@pytest.mark.skipif(not os.path.exists("/usr/bin/dunst"), reason="no dunst here")
def test_what_is_put_away_and_what_is_cleared_is_gone_on_both_sides_of_a_real_notification_server(ha, make_agent):
    with NotificationServer("dunst") as desktop:
        agent = companion(make_agent, ha, desktop)
        with ha.events("mobile_app_notification_cleared") as events:
            notify(ha, agent, "Put away by its person", "One", tag="one")
            wait_for(lambda: desktop("displayed") == "1", 15, "dunst shows it")
            desktop("dismiss")
            event = events.wait()["data"]
            assert (event["tag"], event["message"]) == ("one", "Put away by its person")
            notify(ha, agent, "Cleared by Home Assistant", "Two", tag="two")
            wait_for(lambda: desktop("displayed") == "1", 15, "dunst shows the next")
            notify(ha, agent, "clear_notification", tag="two")
            wait_for(lambda: desktop("displayed") == "0", 15, "it is gone")
            time.sleep(1)
            assert len(events.all()) == 1, "nobody put the second one away"


MATE = [f"/usr/{folder}/mate-notification-daemon/mate-notification-daemon" for folder in ("lib", "libexec")]
WITH_MOUSE = any(map(os.path.exists, MATE)) and shutil.which("xdotool")


@pytest.mark.skipif(not WITH_MOUSE, reason="no mate-notification-daemon or no xdotool here")
def test_a_click_on_a_button_that_is_seen_reaches_home_assistants_bus(newest, make_agent):
    with NotificationServer("mate") as desktop:
        agent = companion(make_agent, newest, desktop)
        with newest.events("mobile_app_notification_action") as events:
            notify(newest, agent, "Somebody rings", "Door",
                   actions=[{"action": "OPEN_DOOR", "title": "Open the door for them"}])
            wait_for(lambda: push(agent)["shown"] == 1, 15, "the server shows it")
            time.sleep(1)  # it slides in
            desktop("click 360 93")
            assert events.wait()["data"]["action"] == "OPEN_DOOR"


def sticky_answers(home, agent, desktop, *commands):
    """What is fired when the button of a sticky notification is pressed by these commands in turn."""
    with home.events() as events:
        notify(home, agent, "Radio", "Remote", sticky=True,
               actions=[{"action": "UP", "title": "Open the door for them"}])
        wait_for(lambda: push(agent)["shown"] == 1, 15, "the server shows it")
        for command in commands:
            time.sleep(1)  # it slides in
            desktop(command)
        time.sleep(3)
        return [(one["event_type"], one["data"]["action"]) for one in events.all()
                if one["event_type"].startswith("mobile_app_notification")]


UP = ("mobile_app_notification_action", "UP")


@pytest.mark.skipif(not os.path.exists("/usr/bin/dunst"), reason="no dunst here")
def test_a_real_server_that_keeps_what_is_sticky_is_pressed_twice(newest, make_agent):
    with NotificationServer("dunst") as desktop:
        agent = companion(make_agent, newest, desktop)
        assert sticky_answers(newest, agent, desktop, "press 0", "press 0") == [UP, UP]


@pytest.mark.skipif(not WITH_MOUSE, reason="no mate-notification-daemon or no xdotool here")
def test_a_real_server_that_closes_what_is_sticky_has_put_nothing_away(newest, make_agent):
    with NotificationServer("mate") as desktop:
        agent = companion(make_agent, newest, desktop)
        assert sticky_answers(newest, agent, desktop, "click 360 93") == [UP], "nobody cleared it"


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("debootstrap"), reason="Debian 13's tree needs both")
def test_a_reply_entered_in_the_notification_itself_reaches_home_assistants_bus(ha, make_agent):
    """swaync's: Plasma's is the same interface. It says three times that a button was pressed."""
    with Swaync() as desktop:
        agent = companion(make_agent, ha, desktop)
        with ha.events("mobile_app_notification_action") as events:
            notify(ha, agent, "Who is there?", "Door", actions=[
                {"action": "REPLY", "title": "Say", "textInputButtonTitle": "Tell them"},
                {"action": "OPEN_DOOR", "title": "Open the door"}])
            wait_for(lambda: push(agent)["shown"] == 1, 30, "swaync shows it")
            desktop.reply("Say", "I am <coming> & soon")
            first = events.wait()["data"]
            assert (first["action"], first["reply_text"]) == ("REPLY", "I am <coming> & soon")
            notify(ha, agent, "Somebody waits", "Door", actions=[{"action": "OPEN_DOOR", "title": "Open the door"}])
            wait_for(lambda: push(agent)["shown"] == 2, 30, "swaync shows the next one")
            desktop.press("Open the door")
            second = events.wait(lambda event: event["data"]["action"] == "OPEN_DOOR")["data"]
            assert second["message"] == "Somebody waits" and "reply_text" not in second
            time.sleep(2)
            assert len(events.all()) == 2


def test_a_notification_server_that_comes_and_goes_loses_nothing(newest, make_agent):
    with NotificationServer("mock", "body", "actions") as desktop:
        agent = companion(make_agent, newest, desktop)
        desktop("stop")
        notify(newest, agent, "text", "In the journal")
        wait_for(lambda: "notification: In the journal: text" in agent.log_text(), 10, "the journal")
        desktop("start")
        notify(newest, agent, "text", "On the desktop")
        desktop.wait_for("On the desktop")
        assert "desktop_problem" not in push(agent)
