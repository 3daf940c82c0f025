"""Each notification once, whatever becomes of the sockets and of Home Assistant."""

import collections
import json
import os
import random
import shutil
import signal
import threading
import time
import urllib.error

import pytest
from homing_rigs.notification_server import NotificationServer
from homing_rigs.processes import temporary_folder, wait_for
from homing_rigs.relay import Relay
from homing_rigs.swaync import Swaync
from homing_rigs.tcp_gate import Gate
from test_notifications import QUIET, companion, notify, push, wait_until_open

pytestmark = pytest.mark.ends

LONG = os.environ.get("HOMING_LONG") == "1"


def with_relay(make_agent, ha, desktop, url, relay):
    """An agent that Home Assistant knows to have a relay, whose receiving end is here."""
    token = temporary_folder("relay") / "token"
    token.write_text("token")
    token.chmod(0o600)
    agent = make_agent(f"{QUIET}url = {relay.url}\ntoken_file = {token}\n", desktop.environment).start()
    relay.hand_on = lambda body: agent.homing("notifications", "receive", input=json.dumps(body))
    agent.register(url, ha.token)
    wait_until_open(agent)
    return agent


def numbers(desktop):
    return collections.Counter(one.summary for one in desktop.shown() if one.summary.startswith("Number "))


KINDS = {"cut": 80, "freeze": 5, "thaw": 5, "stop": 6, "restart": 4}  # percent
PATIENCE = 11  # Home Assistant waits 10 s for a confirmation


def disturb(kind, gate, ha, agent):
    """One of the faults."""
    if kind == "cut":
        gate.cut()
    elif kind in ("freeze", "thaw"):
        gate.freeze()
        time.sleep(PATIENCE)
        gate.freeze(False)
        if kind == "freeze":
            gate.cut()
    elif kind == "stop":
        agent.signal(signal.SIGSTOP)
        time.sleep(PATIENCE)
        agent.signal(signal.SIGCONT)
    elif kind == "restart":
        ha.restart()


def plan_of_faults(chance):
    """How many notifications, and which fault strikes with which of them."""
    count, faults = (1000, 100) if LONG else (40, 8)
    at = sorted(chance.sample(range(2, count), faults))
    kinds = chance.choices(list(KINDS), list(KINDS.values()), k=faults)
    if not LONG:
        kinds[:len(KINDS)] = list(KINDS)
    return count, dict(zip(at, kinds))


def test_each_notification_is_shown_once_through_cut_sockets_restarts_and_frozen_clients(ha, make_agent):
    """What Home Assistant hands to the relay is taken from there, so that each must be shown, and once."""
    seed = int(os.environ.get("HOMING_SEED", random.randrange(1 << 32)))
    print(f"HOMING_SEED={seed}")
    count, plan = plan_of_faults(random.Random(seed))
    with NotificationServer("mock", "body", "actions") as desktop, Gate(ha.port) as gate, Relay() as relay:
        agent = with_relay(make_agent, ha, desktop, gate.url, relay)
        sent = set()
        for number in range(count):
            if number in plan:
                fault = threading.Thread(target=disturb, args=(plan[number], gate, ha, agent))
                fault.start()
                if plan[number] == "restart":
                    fault.join()
            title = f"Number {number}"
            try:
                notify(ha, agent, "text", title)
                sent.add(title)
            except (OSError, urllib.error.URLError):
                pass  # whoever notifies knows that it was not sent
            time.sleep(0.25)
            if number in plan:
                fault.join()
                wait_until_open(agent, 90)
        wait_until_open(agent, 90)
        notify(ha, agent, "text", "Number last")
        desktop.wait_for("Number last")
        time.sleep(PATIENCE)
        relay.join()
        shown = numbers(desktop)
        figures = (f"{len(sent)} sent through {dict(collections.Counter(plan.values()))}: {sum(shown.values()) - 1} "
                   f"shown, {len(relay.bodies)} handed to push_url, {push(agent)['duplicates']} came by both ways")
        print(figures)
        assert [title for title, times in shown.items() if times > 1] == [], figures
        assert sent - set(shown) == set(), figures
        assert push(agent)["state"] == "open"


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


MATE = "/usr/lib/mate-notification-daemon/mate-notification-daemon"
WITH_MOUSE = os.path.exists(MATE) and shutil.which("xdotool")


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
