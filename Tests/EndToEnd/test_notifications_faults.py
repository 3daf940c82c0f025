"""Each notification once, whatever becomes of the sockets and of Home Assistant."""

import collections
import http.server
import json
import os
import random
import shutil
import threading
import time
import urllib.error
import urllib.request

import pytest
from homing_rigs import sealed
from homing_rigs.notification_server import NotificationServer
from homing_rigs.processes import wait_for
from homing_rigs.tcp_gate import Gate
from test_notifications import companion, notify, push, wait_until_open

pytestmark = pytest.mark.ends

LONG = os.environ.get("HOMING_LONG") == "1"


class Relay:
    """The `push_url` to which Home Assistant hands what was not confirmed."""

    def __init__(self):
        self.bodies = []
        relay = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                relay.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(201)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/push"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def relay():
    relay = Relay()
    yield relay
    relay.close()


def add_relay(ha, agent, relay):
    """Has Home Assistant know the relay, as `update_registration` does."""
    known = agent.registration
    data = {"app_version": "1", "device_name": known["device_name"], "manufacturer": "m", "model": "m",
            "app_data": {"push_websocket_channel": True, "push_token": "token", "push_url": relay.url}}
    body = {"type": "update_registration", "encrypted": True,
            "encrypted_data": sealed.seal(data, known["secret"])}
    request = urllib.request.Request(f"{ha.local_url}/api/webhook/{known['webhook_id']}", json.dumps(body).encode(),
                                     {"Content-Type": "application/json"})
    reply = json.loads(urllib.request.urlopen(request, timeout=10).read())
    assert reply["encrypted"], reply


def numbers(desktop):
    return collections.Counter(one.summary for one in desktop.shown() if one.summary.startswith("Number "))


def disturb(kind, gate, ha):
    """One of the faults."""
    if kind == "cut":
        gate.cut()
    elif kind == "freeze":
        gate.freeze()
        time.sleep(11)  # Home Assistant waits 10 s for a confirmation
        gate.freeze(False)
        gate.cut()
    elif kind == "restart":
        ha.restart()


def test_each_notification_is_shown_once_through_cut_sockets_and_restarts(ha, make_agent, relay):
    count, faults = (1000, 100) if LONG else (36, 6)
    seed = int(os.environ.get("HOMING_SEED", random.randrange(1 << 32)))
    print(f"HOMING_SEED={seed}")
    chance = random.Random(seed)
    at = sorted(chance.sample(range(2, count), faults))
    kinds = [chance.choices(["cut", "freeze", "restart"], [86, 10, 4])[0] for _ in at]
    if not LONG:
        kinds[:3] = ["cut", "freeze", "restart"]
    plan = dict(zip(at, kinds))
    with NotificationServer("mock", "body", "actions") as desktop, Gate(ha.port) as gate:
        agent = companion(make_agent, ha, desktop, gate.url)
        add_relay(ha, agent, relay)
        sent = set()
        for number in range(count):
            if number in plan:
                fault = threading.Thread(target=disturb, args=(plan[number], gate, ha))
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
        time.sleep(11)
        shown = numbers(desktop)
        handed = {body.get("title") for body in relay.bodies}
        figures = (f"{len(sent)} sent through {kinds}: {sum(shown.values())} shown, "
                   f"{len(handed - set(shown))} handed to push_url alone")
        print(figures)
        assert [title for title, times in shown.items() if times > 1] == [], figures
        assert sent - set(shown) - handed == set(), figures
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
