"""Notifications of a real Home Assistant, from notify.mobile_app_… to the desktop and back to its bus."""

import contextlib
import json
import os
import re
import socket
import subprocess
import time
import urllib.request

import pytest
from agent import BINARIES
from homing_rigs.ha_config import post
from homing_rigs.processes import wait_for
from homing_rigs.tcp_gate import Gate

pytestmark = pytest.mark.ends

QUIET = "[gpsd]\nenabled = false\n[push]\n"
AS_NOBODY = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")
ACTION = "mobile_app_notification_action"
EVENT_ID = re.compile(r"[0-9a-f]{32}")


def service(agent):
    slug = re.sub(r"[^a-z0-9]+", "_", agent.registration["device_name"].lower()).strip("_")
    return f"/api/services/notify/mobile_app_{slug}"


def push(agent):
    return agent.status()["push"]


def wait_until_open(agent, seconds=30):
    wait_for(lambda: push(agent)["state"] == "open", seconds, "the channel to be open")


def companion(make_agent, ha, desktop, url=None, configuration=QUIET, environment=None):
    """An agent whose channel is open."""
    agent = make_agent(configuration, {**desktop.environment, **(environment or {})}).start()
    agent.register(url or ha.local_url, ha.token)
    wait_until_open(agent)
    return agent


def waits_for_picture(agent, title):
    file = agent.runtime / "pictured.json"
    return file.exists() and title in file.read_text()


def notify(ha, agent, message, title=None, **data):
    body = {"message": message, **({"title": title} if title else {}), **({"data": data} if data else {})}
    ha.post(service(agent), body)


def test_what_an_automation_writes_is_what_the_desktop_shows(ha, desktop, make_agent):
    agent = companion(make_agent, ha, desktop)
    notify(ha, agent, "The <b>door</b> & more", "Alarm", subtitle="Front", importance="max", timeout=7,
           clickAction="/lovelace/cameras", progress=30, progress_max=60,
           actions=[{"action": "OPEN", "title": "Open", "destructive": True}, {"action": "URI", "title": "Look",
                    "uri": "https://example.org/"}, {"action": "REPLY", "title": "Say", "textInputPlaceholder": "words",
                                                    "textInputButtonTitle": "Send it"}])
    shown = desktop.wait_for("Alarm")
    assert shown.application == "Home Assistant"
    assert shown.body == "Front\nThe &lt;b&gt;door&lt;/b&gt; &amp; more"
    assert list(shown.buttons) == ["", "⚠ Open", "Look", "Say"] and shown.keys[0] == "default"
    assert shown.hints["urgency"] == 2 and shown.hints["value"] == 50 and shown.timeout == 7000
    assert shown.hints["x-kde-reply-placeholder-text"] == "words"
    state = push(agent)
    assert state["shown"] == 1 and state["way"] == "instance" and state["duplicates"] == 0
    wait_for(lambda: push(agent).get("last_confirmed"), 5, "the confirmation")
    assert abs(push(agent)["last_confirmed"] - time.time()) < 60
    text = agent.homing("status").stdout
    assert "Notifications  connected by the instance URL for" in text and "1 shown" in text


def test_the_newest_notifications_are_listed_with_their_place_and_their_answer(newest, desktop, make_agent):
    agent = companion(make_agent, newest, desktop)
    assert agent.homing("notifications").stdout == "No notification to list since Homing started.\n"
    notify(newest, agent, "Who is it?\nSomebody rings.", "Bell", actions=[{"action": "OPEN_DOOR", "title": "Open"}])
    desktop.press(desktop.wait_for("Bell"), "Open")
    notify(newest, agent, "A letter", "Post")
    desktop.wait_for("Post")
    wait_for(lambda: all(text in agent.homing("notifications").stdout for text in ("Answer: Open", "A letter")), 10, "both in the list")
    first, second = agent.homing("notifications").stdout.split("\n\n")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d \(from Home Assistant\)  Bell\n    Who is it\?\n    Somebody rings\.\n"
                        r"  → Shown on the desktop\. Answer: Open\. Buttons: \"Open\"", first), first
    assert second.endswith("  Post\n    A letter\n  → Shown on the desktop\n"), second
    bell, post_ = json.loads(agent.homing("notifications", "--json").stdout)["notifications"]
    assert (bell["title"], bell["shown"], bell["answer"]) == ("Bell", "desktop", "Open") and "answer" not in post_
    assert bell["buttons"] == ["Open"] and "buttons" not in post_
    assert abs(post_["time"] - time.time()) < 60
    # A shell without a desktop, as over SSH, learns of the daemon's desktop.
    findings = json.loads(agent.homing("doctor", "--json", check=False).stdout)["findings"]
    (shown,) = [finding for finding in findings if finding["check"] == "notifications"]
    assert shown["outcome"] == "well" and "daemon's desktop" in shown["detail"]
    # The texts are private: strangers get none.
    if os.geteuid() == 0:
        agent.folder.chmod(0o755)
        refused = subprocess.run([*AS_NOBODY, BINARIES / "homing", "--config", agent.configuration, "notifications"],
                                 env=agent.environment, capture_output=True, text=True, timeout=60)
        assert refused.returncode == 77 and "Bell" not in refused.stdout + refused.stderr
    agent.homing("notify", "typed here")
    typed = json.loads(agent.homing("notifications", "--json").stdout)["notifications"][-1]
    assert (typed["message"], typed["sender"]) == ("typed here", "person")
    # Nothing of the list is on the disk. An answer is an event with the text of its notification.
    kept = [path for path in agent.state.rglob("*") if path.is_file() and b"A letter" in path.read_bytes()]
    assert kept == []


def test_each_answer_fires_the_event_that_the_phones_fire(ha, desktop, make_agent):
    agent = companion(make_agent, ha, desktop)
    device = agent.registration["device_id"]
    with ha.events() as events:
        notify(ha, agent, "Who is it?", "Bell", tag="bell", confirmation=True, action_data={"room": "hall"},
               actions=[{"action": "OPEN_DOOR", "title": "Open"}, {"action": "REPLY", "title": "Answer"}])
        shown = desktop.wait_for("Bell")
        received = events.wait(lambda e: e["event_type"] == "mobile_app_notification_received")
        assert received["data"]["tag"] == "bell" and received["data"]["device_id"] == device
        desktop.press(shown, "Open")
        event = events.wait(lambda e: e["event_type"] == ACTION)
        data = dict(event["data"])
        assert EVENT_ID.fullmatch(data.pop("homing_id"))
        assert abs(data.pop("homing_fired_at") - time.time()) < 30
        assert data == {
            "action": "OPEN_DOOR", "tag": "bell", "message": "Who is it?", "title": "Bell", "device_id": device,
            "confirmation": True, "action_data": {"room": "hall"},
            "actions": [{"action": "OPEN_DOOR", "title": "Open"}, {"action": "REPLY", "title": "Answer"}]}
        assert event["origin"] == "REMOTE" and event["context"]["user_id"]

        notify(ha, agent, "Say something", "Reply", actions=[{"action": "REPLY", "title": "Answer"}])
        desktop.press(desktop.wait_for("Reply"), "Answer", reply="I am coming <now>")
        event = events.wait(lambda e: e["event_type"] == ACTION and e["data"]["action"] == "REPLY")
        assert event["data"]["reply_text"] == "I am coming <now>" and event["data"]["title"] == "Reply"

        notify(ha, agent, "Put me away", "Close", tag="close")
        desktop.dismiss(desktop.wait_for("Close"))
        event = events.wait(lambda e: e["event_type"] == "mobile_app_notification_cleared")
        assert event["data"]["tag"] == "close" and event["data"]["message"] == "Put me away"

        notify(ha, agent, "Take me away", "Clear", tag="clear")
        shown = desktop.wait_for("Clear")
        notify(ha, agent, "clear_notification", tag="clear")
        wait_for(lambda: shown.id in desktop.closed(), 10, "it is taken away")
        time.sleep(1)
        mine = [e for e in events.all() if e["event_type"].startswith("mobile_app_notification")]
        assert len(mine) == 4, mine
    agent.wait_until_empty()
    assert agent.queue("events")["fates"]["delivered_live"] == 4
    agent.assert_books_balance()


def test_a_tag_replaces_and_alert_once_is_quiet_the_second_time(newest, desktop, make_agent):
    agent = companion(make_agent, newest, desktop)
    notify(newest, agent, "10 %", "Wash", tag="wash", alert_once=True)
    first = desktop.wait_for("Wash")
    notify(newest, agent, "20 %", "Wash", tag="wash", alert_once=True)
    second = desktop.wait_for("Wash", count=2)
    assert second.replaces == first.id and second.hints["suppress-sound"] == 1
    assert "suppress-sound" not in first.hints


def test_three_buttons_pressed_offline_arrive_in_order_once_the_network_is_back(ha, desktop, make_agent):
    with Gate(ha.port) as gate:
        agent = companion(make_agent, ha, desktop, gate.url)
        notify(ha, agent, "Three of them", "Buttons", sticky=True,
               actions=[{"action": name, "title": name} for name in ("ONE", "TWO", "THREE")])
        notify(ha, agent, "Three of them", "Buttons 2", actions=[{"action": "TWO", "title": "TWO"}])
        notify(ha, agent, "Three of them", "Buttons 3", actions=[{"action": "THREE", "title": "THREE"}])
        shown = [desktop.wait_for(title) for title in ("Buttons", "Buttons 2", "Buttons 3")]
        agent.wait_until_empty()
        with ha.events(ACTION) as events:
            gate.close()
            for one, label in zip(shown, ("ONE", "TWO", "THREE")):
                desktop.press(one, label)
                time.sleep(0.2)
            wait_for(lambda: agent.queue("events")["queued"] == 3, 10, "three answers in the queue")
            time.sleep(2)
            assert events.all() == []
            gate.open()
            found = events.wait(seconds=60, count=3)
            assert [event["data"]["action"] for event in found] == ["ONE", "TWO", "THREE"]
            assert len({event["data"]["homing_id"] for event in found}) == 3
        wait_for(lambda: agent.queue("events")["queued"] == 0, 20, "the receipt")
        agent.assert_books_balance()


def test_an_answer_that_would_come_too_late_is_dropped_and_told(newest, desktop, make_agent):
    with Gate(newest.port) as gate:
        agent = companion(make_agent, newest, desktop, gate.url, QUIET + "[push]\naction_expiry = 10\n")
        notify(newest, agent, "Now or never", "Gate", actions=[{"action": "OPEN", "title": "Open"}])
        shown = desktop.wait_for("Gate")
        with newest.events(ACTION) as events:
            gate.close()
            desktop.press(shown, "Open")
            told = desktop.wait_for("Not answered", 40)
            assert "“Open” to “Gate”" in told.body
            gate.open()
            agent.homing("send-location", "--zone", "Work")
            agent.wait_until_empty()
            assert events.all() == [] and agent.queue("events")["fates"]["expired"] == 1
        assert "answer_expired" in [warning["code"] for warning in agent.status()["warnings"]]
        agent.assert_books_balance()


def served(ha, path):
    try:
        urllib.request.urlopen(ha.local_url + path, timeout=5).close()
        return True
    except OSError:
        return False


def test_a_picture_is_fetched_with_the_token_and_only_from_home_assistant(newest, desktop, make_agent):
    agent = companion(make_agent, newest, desktop)
    png = bytes.fromhex("89504e470d0a1a0a0000000d494844520000000100000001080600000"
                        "01f15c4890000000d49444154789c6360f8cfc0000003010100c9fe92ef0000000049454e44ae426082")
    folder = newest.config_dir / "www"
    folder.mkdir(exist_ok=True)
    (folder / "dot.png").write_bytes(png)
    (folder / "not.png").write_bytes(b"<html>")
    if not served(newest, "/local/dot.png"):  # it is from the next start on
        newest.restart()
        wait_for(lambda: served(newest, "/local/dot.png"), 20, "Home Assistant serves its www folder")
        wait_until_open(agent, 60)
    notify(newest, agent, "With a picture", "Picture", image="/local/dot.png")
    path = desktop.wait_for("Picture").hints["image-path"]
    assert open(path, "rb").read() == png
    notify(newest, agent, "Without", "No picture", image="/local/not.png")
    assert "image-path" not in desktop.wait_for("No picture").hints
    notify(newest, agent, "Without", "Foreign", image="file:///etc/passwd")
    assert "image-path" not in desktop.wait_for("Foreign").hints
    notify(newest, agent, "With the token", "Page", image="/api/config")
    assert "image-path" not in desktop.wait_for("Page").hints
    log = agent.log_text()
    assert "the picture of the notification is not a picture" in log and "status 401" not in log
    assert newest.token not in log


def test_what_is_shown_on_a_persons_wish_is_shown_as_a_real_one_is(newest, desktop, make_agent):
    agent = companion(make_agent, newest, desktop)
    with newest.events(ACTION) as events:
        done = agent.homing("notify", "--title", "Trial", "--data",
                            '{"actions": [{"action": "YES", "title": "Yes"}, {"title": "No id"}]}', "A text")
        assert done.stdout == "Note: action 2 has no usable id\nShown on the desktop.\n"
        shown = desktop.wait_for("Trial")
        assert shown.body == "A text" and list(shown.buttons) == ["Yes"]
        desktop.press(shown, "Yes")
        assert events.wait()["data"]["action"] == "YES"
    assert agent.homing("notify", "--data", "[]", "x", check=False).returncode == 64


def test_where_no_desktop_is_the_journal_and_the_hook_are_told(newest, make_agent, tmp_path):
    hook = tmp_path / "hook"
    hook.write_text(f"#!/bin/sh\ncat > {tmp_path}/told.new && mv {tmp_path}/told.new {tmp_path}/told\n")
    hook.chmod(0o755)
    agent = make_agent(QUIET + f"[push]\nhook = tell\n[command.tell]\nargv = {hook}\n").start()
    agent.register(newest.local_url, newest.token)
    wait_until_open(agent)
    notify(newest, agent, "Is anybody\nthere?", "Hello")
    wait_for((tmp_path / "told").exists, 10, "the hook")
    assert (tmp_path / "told").read_text() == (
        '{"home":"home","message":"Is anybody\\nthere?","title":"Hello","urgency":"normal"}\n')
    assert "notification: Hello: Is anybody / there?" in agent.log_text()
    assert push(agent)["shown"] == 1 and push(agent)["desktop_problem"]


def test_orders_are_carried_out_where_the_configuration_permits_them(newest, desktop, bus, make_agent, tmp_path):
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho \"$@\" > {tmp_path}/ran\n")
    program.chmod(0o755)
    configuration = QUIET + f"""[push]
commands = command_run;command_update_sensors
[command.lamp]
argv = {program};on;; rm -rf /
[sensors]
disable = all
enable = battery_level
"""
    configuration = configuration.replace(";; rm -rf /", r";\; rm -rf /")
    agent = companion(make_agent, newest, desktop, configuration=configuration, environment=bus.environment)
    notify(newest, agent, "command_run", command="lamp")
    wait_for((tmp_path / "ran").exists, 10, "the program")
    assert (tmp_path / "ran").read_text() == "on ; rm -rf /\n"
    notify(newest, agent, "command_run", command="/bin/sh")
    notify(newest, agent, "command_suspend")
    notify(newest, agent, "command_flashlight")
    wait_for(lambda: agent.log_text().count("from Home Assistant refused") == 3, 10, "three refusals")
    before = agent.queue("sensors")["accepted"]
    notify(newest, agent, "command_update_sensors")
    wait_for(lambda: agent.queue("sensors")["accepted"] > before, 15, "the sensors are told anew")
    assert desktop.shown() == []


def test_the_socket_is_closed_before_sleep_and_opened_after(newest, desktop, bus, make_agent):
    bus.logind_start()
    with Gate(newest.port) as gate:
        agent = companion(make_agent, newest, desktop, gate.url, environment=bus.environment)
        wait_for(lambda: bus.inhibitors(), 10, "the lock that makes sleep wait")
        bus.prepare_for_sleep(True)
        wait_for(lambda: not bus.inhibitors(), 5, "the machine may sleep")
        wait_for(lambda: gate.count == 0, 2, "the connections to be closed")
        accepted = gate.accepted
        agent.homing("zones")
        assert gate.accepted > accepted
        wait_for(lambda: gate.count == 0, 2, "the connection of a late request to be closed")
        assert push(agent)["state"] == "asleep"
        bus.prepare_for_sleep(False)
        wait_until_open(agent, 10)
        notify(newest, agent, "Good morning", "Awake")
        desktop.wait_for("Awake")


def test_where_the_mode_says_so_a_metered_network_has_no_channel(newest, desktop, bus, make_agent):
    agent = companion(make_agent, newest, desktop, configuration=QUIET + "[push]\nmode = unmetered\n",
                      environment=bus.environment)
    bus.metered(True)
    wait_for(lambda: push(agent)["state"] == "off", 15, "the channel to be closed")
    assert push(agent)["problem"] == "the network is metered"
    bus.metered(False)
    wait_until_open(agent)
    notify(newest, agent, "text", "Cheap again")
    desktop.wait_for("Cheap again")


def test_a_refused_token_is_tried_three_times_and_then_told(newest, desktop, make_agent):
    agent = companion(make_agent, newest, desktop)
    agent.stop()
    path = agent.home / "registration.json"
    path.write_text(path.read_text().replace(newest.token, newest.token[:-4] + "AAAA"))
    agent.start()
    wait_for(lambda: "refuses the token" in (push(agent).get("problem") or ""), 20, "the refusal")
    assert push(agent)["state"] == "waiting" and push(agent)["next_attempt"] > 60


def use_login(agent, ha, client):
    """Has an agent that was stopped use the refresh token of a login, under this client id. Returns the token."""
    flow = post(f"{ha.local_url}/auth/login_flow", {"client_id": client, "handler": ["homeassistant", None],
                                                   "redirect_uri": client})
    code = post(f"{ha.local_url}/auth/login_flow/{flow['flow_id']}",
                {"client_id": client, "username": ha.username, "password": ha.password})["result"]
    grant = post(f"{ha.local_url}/auth/token",
                 {"grant_type": "authorization_code", "code": code, "client_id": client}, form=True)
    path = agent.home / "registration.json"
    registration = json.loads(path.read_text())
    registration["auth"] = {"kind": "refresh", "token": grant["refresh_token"], "client_id": client}
    path.write_text(json.dumps(registration))
    return grant["refresh_token"]


def test_a_refresh_token_opens_the_channel_too(ha, desktop, make_agent):
    agent = companion(make_agent, ha, desktop)
    agent.stop()
    token = use_login(agent, ha, f"http://127.0.0.1:{ha.port}/")
    agent.start()
    wait_until_open(agent)
    notify(ha, agent, "text", "By a token of half an hour")
    desktop.wait_for("By a token of half an hour")
    assert token not in agent.log_text()


@contextlib.contextmanager
def in_the_house(ha, desktop, bus, make_agent):
    """An agent at home, whose Home Assistant has a name that leads to this machine and is not known to."""
    name = socket.gethostname()
    with Gate(ha.port, socket.gethostbyname(name)) as gate:
        agent = make_agent(QUIET, {**desktop.environment, **bus.environment}).start()
        agent.register(f"http://{name}:{gate.port}", ha.token, "--allow-plain-http")
        wait_until_open(agent)
        yield agent


def test_what_is_fetched_over_plain_http_has_home_assistant_prove_itself_first(newest, desktop, bus, make_agent):
    with in_the_house(newest, desktop, bus, make_agent) as agent:
        time.sleep(3)  # what follows the opening
        receipts = agent.log_text().count("asking a receipt")
        notify(newest, agent, "With the token", "Page", image="/api/config")
        desktop.wait_for("Page")
        log = agent.log_text()
        assert log.count("asking a receipt") == receipts + 1 and "status 401" not in log
        assert "the picture of the notification is not a picture" in log
        assert agent.homing("notifications", "refresh").stdout.startswith("Home Assistant has no categories")


def test_the_token_goes_over_plain_http_at_home_only_after_a_receipt(newest, desktop, bus, make_agent):
    with in_the_house(newest, desktop, bus, make_agent) as agent:
        log = agent.log_text()
        assert log.index("asking a receipt by the instance URL") < log.index("notifications: connected by the instance URL")
        bus.wifi("Cafe", "02:00:00:00:09:00")
        wait_for(lambda: push(agent)["state"] == "off", 15, "the channel to be closed away from home")
        assert push(agent)["problem"]
        bus.wifi("HomeNet")
        wait_until_open(agent)
        agent.configuration.write_text(agent.configuration.read_text() + "[push]\nplain_http = never\n")
        agent.signal(1)
        wait_for(lambda: push(agent)["state"] == "off", 15, "the channel to be closed")
        assert "plain_http" in push(agent)["problem"]
