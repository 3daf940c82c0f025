"""The system's daemon, which has no desktop, and the helper in a person's session, which has one."""

import json
import os
import signal
import subprocess
import time

import pytest
from homing_rigs.processes import temporary_folder, wait_for
from session import DAEMON, GAMES, MAIL, MAN, Person, become, system_agent
from test_notifications import ACTION, EVENT_ID, QUIET, notify, push, wait_until_open, waits_for_picture

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="to be several users needs root")
ANNA, BERTA, GUEST = GAMES, MAN, MAIL
DOOR = [{"action": "OPEN_DOOR", "title": "Open"}, {"action": "IGNORE", "title": "Ignore"}]
PNG = bytes.fromhex("89504e470d0a1a0a0000000d494844520000000100000001080600000"
                    "01f15c4890000000d49444154789c6360f8cfc0000003010100c9fe92ef0000000049454e44ae426082")


@pytest.fixture
def home(bus):
    """A machine whose logind answers."""
    bus.logind_start()
    return bus


@pytest.fixture
def agent(newest, home, make_agent):
    """A daemon of the system whose channel is open."""
    agent = system_agent(make_agent, QUIET + "commands = command_screen_lock;command_suspend\n", home)
    agent.register(newest.local_url, newest.token)
    wait_until_open(agent)
    assert os.stat(f"/proc/{agent.pid}").st_uid == DAEMON
    return agent


@pytest.fixture
def anna(agent, home):
    with Person(home, agent, ANNA, "anna") as anna:
        yield anna


def test_the_desktop_of_who_sits_here_shows_it_and_the_answer_comes_home(newest, agent, anna):
    anna.start()
    folder = newest.config_dir / "www"
    folder.mkdir(exist_ok=True)
    (folder / "dot.png").write_bytes(PNG)
    with newest.events() as events:
        notify(newest, agent, "Who is it?", "Bell", tag="bell", confirmation=True, action_data={"room": "hall"},
               actions=DOOR)
        shown = anna.server.wait_for("Bell")
        assert shown.body == "Who is it?" and list(shown.buttons) == ["Open", "Ignore"]
        received = events.wait(lambda e: e["event_type"] == "mobile_app_notification_received")
        assert received["data"]["tag"] == "bell"
        assert anna.helper_in_status() == {"user": "anna", "version": "0.1.0", "in_use": True, "shown": 1}
        assert "shown on the desktop of anna, 1 unanswered" in agent.homing("status").stdout
        anna.server.press(shown, "Open")
        event = events.wait(lambda e: e["event_type"] == ACTION)
        data = dict(event["data"])
        assert EVENT_ID.fullmatch(data.pop("homing_id")) and abs(data.pop("homing_fired_at") - time.time()) < 30
        assert data == {
            "action": "OPEN_DOOR", "tag": "bell", "message": "Who is it?", "title": "Bell",
            "device_id": agent.registration["device_id"], "confirmation": True, "action_data": {"room": "hall"},
            "actions": DOOR}

        notify(newest, agent, "Say something", "Reply", actions=[{"action": "REPLY", "title": "Answer"}])
        anna.server.press(anna.server.wait_for("Reply"), "Answer", reply="I am coming <now>")
        event = events.wait(lambda e: e["event_type"] == ACTION and e["data"]["action"] == "REPLY")
        assert event["data"]["reply_text"] == "I am coming <now>"

        notify(newest, agent, "Put me away", "Close", tag="close")
        anna.server.dismiss(anna.server.wait_for("Close"))
        event = events.wait(lambda e: e["event_type"] == "mobile_app_notification_cleared")
        assert event["data"]["tag"] == "close"
    done = agent.homing("notify", "--title", "Trial", "text")
    assert done.stdout == "Shown on the desktop.\n"
    assert newest.token not in anna.log_text() and agent.registration["webhook_id"] not in anna.log_text()
    agent.assert_books_balance()


def test_a_sticky_notification_is_answered_again_and_again_over_restarts_of_both(newest, agent, anna):
    anna.start()
    notify(newest, agent, "Radio", "Remote", tag="radio", sticky=True, actions=DOOR)
    shown = anna.server.wait_for("Remote")
    wait_for(lambda: anna.helper_in_status()["shown"] == 1, 10, "it is known")
    with newest.events() as events:
        def answers():
            """The actions in order. An answer without a receipt at the daemon's end is told again, with its id."""
            told = [one["data"] for one in events.all() if one["event_type"] == ACTION]
            return list({data["homing_id"]: data["action"] for data in told}.values())

        anna.server.press(shown, "Open")
        anna.server.press(shown, "Ignore")
        wait_for(lambda: answers() == ["OPEN_DOOR", "IGNORE"], 15, "both answers")
        agent.stop()
        anna.server.press(shown, "Open")
        time.sleep(1)
        anna.server.press(shown, "Open")
        agent.start()
        wait_for(lambda: answers()[2:] == ["OPEN_DOOR", "OPEN_DOOR"], 60, "what was pressed meanwhile")
        anna.kill()
        anna.start()
        again = anna.server.wait_for("Remote", count=2)
        assert again.replaces == shown.id and again.hints["resident"] == 1
        anna.server.press(again, "Ignore")
        wait_for(lambda: answers()[4:] == ["IGNORE"], 15, "the answer by the next helper")
        time.sleep(1)
        assert anna.helper_in_status()["shown"] == 1
        anna.server.dismiss(again)
        events.wait(lambda e: e["event_type"] == "mobile_app_notification_cleared")
        wait_for(lambda: anna.helper_in_status()["shown"] == 0, 10, "it is closed")
        assert len(answers()) == 5


def test_a_tag_replaces_clears_and_brings_its_picture_to_a_file_of_hers(newest, agent, anna, tmp_path):
    anna.start()
    done = agent.homing("notify", "--title", "Wash", "--data", '{"tag": "wash"}', "10 %")
    assert done.stdout == "Shown on the desktop.\n"
    first = anna.server.wait_for("Wash")
    agent.homing("notify", "--title", "Wash", "--data", '{"tag": "wash"}', "20 %")
    assert anna.server.wait_for("Wash", count=2).replaces == first.id
    notify(newest, agent, "clear_notification", tag="wash")
    wait_for(lambda: first.id in anna.server.closed(), 10, "it is taken away")
    wait_for(lambda: anna.helper_in_status()["shown"] == 0, 10, "the daemon has forgotten it")
    folder = newest.config_dir / "www"
    folder.mkdir(exist_ok=True)
    (folder / "large.png").write_bytes(PNG + os.urandom(900_000))
    newest.restart()
    wait_until_open(agent, 60)
    notify(newest, agent, "With a picture", "Picture", image="/local/large.png")
    path = anna.server.wait_for("Picture").hints["image-path"]
    assert path.startswith(str(anna.folder)) and os.stat(path).st_uid == ANNA
    assert open(path, "rb").read() == (folder / "large.png").read_bytes()


def test_a_helper_that_is_killed_is_followed_by_one_that_knows_what_is_shown(newest, agent, anna):
    anna.start()
    notify(newest, agent, "Who is it?", "Bell", actions=DOOR)
    shown = anna.server.wait_for("Bell")
    wait_for(lambda: anna.helper_in_status()["shown"] == 1, 10, "it is known")
    anna.kill()
    wait_for(lambda: anna.helper_in_status() is None, 10, "the daemon has seen it go")
    with newest.events(ACTION) as events:
        anna.server.press(shown, "Open")  # nobody hears it
        anna.start()
        again = anna.server.wait_for("Bell", count=2)
        assert again.replaces == shown.id and again.hints["suppress-sound"] == 1
        anna.server.press(again, "Ignore")
        assert events.wait()["data"]["action"] == "IGNORE"
        time.sleep(1)
        assert len(events.all()) == 1
    assert anna.helper_in_status()["shown"] == 0


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_a_daemon_that_comes_back_takes_the_answer_that_was_given_meanwhile(newest, agent, anna, end):
    anna.start()
    notify(newest, agent, "Who is it?", "Bell", tag="bell", actions=DOOR)
    notify(newest, agent, "Stay", "Other", actions=DOOR)
    shown, other = anna.server.wait_for("Bell"), anna.server.wait_for("Other")
    wait_for(lambda: anna.helper_in_status()["shown"] == 2, 10, "they are known")
    getattr(agent, end)()
    with newest.events(ACTION) as events:
        anna.server.press(shown, "Open")
        time.sleep(1)
        agent.start()
        data = events.wait(seconds=60)["data"]
        assert (data["action"], data["tag"], data["message"], data["actions"]) == (
            "OPEN_DOOR", "bell", "Who is it?", DOOR)
        anna.server.press(other, "Ignore")
        assert events.wait(count=2)[1]["data"]["title"] == "Other"
    assert len(anna.server.shown()) == 2, "nothing was shown again"


def test_what_is_shown_while_no_daemon_runs_is_told_to_the_next(newest, agent, anna):
    anna.start()
    anna.signal(signal.SIGSTOP)
    with newest.events() as events:
        notify(newest, agent, "Who is it?", "Bell", actions=DOOR, confirmation=True)
        wait_for(lambda: "Bell" in (agent.runtime / "shown.json").read_text(), 8, "it is on its way")
        agent.status()  # the daemon has ended the turn in which it told the helper
        agent.kill()
        anna.signal(signal.SIGCONT)
        shown = anna.server.wait_for("Bell")
        agent.start()
        events.wait(lambda e: e["event_type"] == "mobile_app_notification_received", 60)
        anna.server.press(shown, "Open")
        events.wait(lambda e: e["event_type"] == ACTION)
    assert len(anna.server.shown()) == 1 and "notification: Bell" not in agent.log_text()


def test_an_answer_that_waited_too_long_for_the_daemon_is_dropped_and_told(newest, home, make_agent):
    agent = system_agent(make_agent, QUIET + "action_expiry = 10\n", home)
    agent.register(newest.local_url, newest.token)
    wait_until_open(agent)
    with Person(home, agent, ANNA, "anna") as anna, newest.events(ACTION) as events:
        anna.start()
        notify(newest, agent, "Who is it?", "Bell", actions=DOOR)
        shown = anna.server.wait_for("Bell")
        agent.stop()
        anna.server.press(shown, "Open")
        time.sleep(11)
        agent.start()
        assert "to “Bell”" in anna.server.wait_for("Not answered", 60).body
        assert events.all() == []


def test_the_one_in_front_is_told_and_after_the_logout_the_journal_is(newest, agent, home, anna):
    anna.start()
    with Person(home, agent, BERTA, "berta", active=False) as berta:
        berta.start()
        agent.homing("notify", "--title", "One", "--data", '{"tag": "t"}', "text")
        first = anna.server.wait_for("One")
        anna.change(Active=False)
        berta.change(Active=True)
        wait_for(lambda: berta.helper_in_status()["in_use"], 10, "the switch is seen")
        agent.homing("notify", "--title", "Two", "--data", '{"tag": "t"}', "text")
        berta.server.wait_for("Two")
        wait_for(lambda: first.id in anna.server.closed(), 10, "what it replaces is taken away from the other")
        assert [one.summary for one in anna.server.shown()] == ["One"]
        assert [one.summary for one in berta.server.shown()] == ["Two"]
        berta.change(State="closing", Active=False)
        wait_for(lambda: berta.helper_in_status() is None, 10, "the logout is seen")
        anna.change(State="closing")
        done = agent.homing("notify", "--title", "Three", "text")
        assert "no desktop session on this machine" in done.stdout
        assert "notification: Three: text" in agent.log_text()
        wait_for(lambda: "are for the person at this machine" in anna.log_text(), 30, "the helper is told why")


def test_without_a_helper_the_journal_is_told_and_the_status_says_what_is_missing(agent, anna):
    wait_for(lambda: "in front" in push(agent)["absence"], 10, "logind has told")
    reason = "no session helper (package homing-desktop) runs in the session in front"
    assert reason in agent.homing("notify", "--title", "Hello", "text").stdout
    assert push(agent)["helpers"] == [] and push(agent)["absence"] == reason
    assert f"shown in the journal: {reason}" in agent.homing("status").stdout
    assert "notification: Hello: text" in agent.log_text()


def test_a_helper_that_hangs_gives_way_to_the_journal(agent, anna):
    anna.start()
    anna.signal(signal.SIGSTOP)
    done = agent.homing("notify", "--title", "Hello", "text")
    assert "the session helper does not answer" in done.stdout
    assert "notification: Hello: text" in agent.log_text()
    anna.signal(signal.SIGCONT)
    wait_for(lambda: anna.helper_in_status() is not None, 20, "the helper is back")
    shown = anna.server.wait_for("Hello")
    wait_for(lambda: shown.id in anna.server.closed(), 10, "what was told elsewhere is not left without an answer")


def test_a_locked_session_holds_what_needs_its_person(newest, agent, anna):
    anna.start()
    anna.change(LockedHint=True)
    secured = [{"action": "UNLOCK", "title": "Unlock", "authenticationRequired": True}]
    with newest.events(ACTION) as events:
        notify(newest, agent, "text", "Door", actions=secured)
        anna.server.press(anna.server.wait_for("Door"), "Unlock")
        wait_for(lambda: "until the session is unlocked" in agent.log_text(), 10, "the answer is held")
        # Unlocked, but with a greeter or somebody else in front: it cannot have been she.
        anna.change(Active=False)
        anna.change(LockedHint=False)
        time.sleep(2)
        assert events.all() == []
        anna.change(Active=True)
        assert events.wait()["data"]["action"] == "UNLOCK"


def test_an_answer_that_waits_for_her_to_unlock_outlives_the_daemon(newest, agent, anna):
    anna.start()
    anna.change(LockedHint=True)
    secured = [{"action": "UNLOCK", "title": "Unlock", "authenticationRequired": True}]
    with newest.events(ACTION) as events:
        notify(newest, agent, "text", "Door", actions=secured)
        anna.server.press(anna.server.wait_for("Door"), "Unlock")
        wait_for(lambda: "until the session is unlocked" in agent.log_text(), 10, "the answer is held")
        assert (agent.runtime / "held.json").stat().st_mode & 0o777 == 0o600
        agent.kill()
        agent.start()
        wait_until_open(agent)
        wait_for(lambda: anna.helper_in_status() is not None, 40, "the helper is back")
        time.sleep(2)
        assert events.all() == [], "she has not unlocked it"
        anna.change(LockedHint=False)
        assert events.wait()["data"]["action"] == "UNLOCK"
        wait_for(lambda: agent.queue("events")["queued"] == 0, 30, "the receipt")
        agent.kill()
        agent.start()
        wait_until_open(agent)
        time.sleep(2)
        assert len({one["data"]["homing_id"] for one in events.all()}) == 1, "a repeat has the same id"


def test_what_waits_for_its_picture_when_the_daemon_is_killed_comes_to_her_screen(newest, agent, anna):
    anna.start()
    notify(newest, agent, "text", "Camera", image="/api/stream")  # which never ends
    wait_for(lambda: waits_for_picture(agent, "Camera"), 5, "it waits for its picture")
    assert (agent.runtime / "pictured.json").stat().st_mode & 0o777 == 0o600
    agent.kill()
    agent.start()
    anna.server.wait_for("Camera", 60)
    assert "notification: Camera" not in agent.log_text()


def test_pages_open_and_texts_are_asked_for_in_the_persons_session(newest, agent, home):
    programs = temporary_folder("programs")
    programs.chmod(0o777)
    opened = programs / "opened"
    (programs / "xdg-open").write_text(f'#!/bin/sh\nid -u >> {opened}; echo "$@" >> {opened}\n')
    (programs / "zenity").write_text('#!/bin/sh\nid -u\n')
    for program in programs.iterdir():
        program.chmod(0o755)
    environment = {"PATH": f"{programs}:/usr/bin:/bin", "DISPLAY": ":99"}
    with Person(home, agent, ANNA, "anna", "mock", "body", "actions", environment=environment) as anna:
        anna.start()
        notify(newest, agent, "text", "Click", clickAction="/lovelace/cameras")
        anna.server(f"emit ActionInvoked {anna.server.wait_for('Click').id} default")
        wait_for(opened.exists, 10, "the page is opened")
        wait_for(lambda: opened.read_text() == f"{ANNA}\n{newest.local_url}/lovelace/cameras\n", 10,
                 "it is she who opens it")
        with newest.events(ACTION) as events:
            notify(newest, agent, "When?", "Dinner", actions=[{"action": "REPLY", "title": "Say"}])
            anna.server.press(anna.server.wait_for("Dinner"), "Say")
            assert events.wait()["data"]["reply_text"] == str(ANNA)


def test_her_session_is_locked_by_her(newest, agent, home, anna):
    anna.start()
    notify(newest, agent, "command_screen_lock")
    wait_for(lambda: home.asked_of_logind("LockSessions") == 1, 10, "the session is locked")
    notify(newest, agent, "command_suspend")
    wait_for(lambda: home.asked_of_logind("Suspend ") == 1, 10, "the machine is suspended")


def test_a_helper_that_hangs_does_not_keep_her_session_open(newest, agent, home, anna):
    anna.start()
    anna.signal(signal.SIGSTOP)
    notify(newest, agent, "command_screen_lock")
    wait_for(lambda: home.asked_of_logind("LockSessions") == 1, 30, "the daemon locks it")
    wait_for(lambda: "the daemon has locked the screen" in agent.log_text(), 10, "it says so")
    anna.signal(signal.SIGCONT)
    time.sleep(3)
    assert home.asked_of_logind("LockSessions") == 1, "who unlocks it is not locked out by the late helper"
    assert anna.helper_in_status() is not None


def test_what_a_helper_has_to_show_is_bounded_and_the_newest_is_kept(agent, anna):
    anna.start()
    for number in range(36):
        agent.homing("notify", "--title", f"Number {number}", "--data", json.dumps({"actions": DOOR}), "text")
    assert anna.helper_in_status()["shown"] == 32
    wait_for(lambda: "Number 35" in (agent.runtime / "shown.json").read_text(), 10, "the newest is stored")
    (kept,) = [one["entries"] for one in json.loads((agent.runtime / "shown.json").read_text())]
    assert len(kept) == 32


SPEAK = """
import json, socket, sys, time
s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.settimeout(5); f = s.makefile("rw")
for number, line in enumerate(sys.argv[2:], 1):
    method, params = json.loads(line)
    f.write(json.dumps({"v": 1, "id": number, "method": method, "params": params}) + "\\n"); f.flush()
    try:
        while True:
            answer = json.loads(f.readline() or '{"id": -1, "error": {"code": 0, "message": "ended"}}')
            print(json.dumps(answer), flush=True)
            if answer["id"] in (number, -1): break
    except (TimeoutError, ValueError, KeyError):
        print('{"id": -2}', flush=True)
"""
ATTEND = ["attend_desktop", {"version": "0.1.0", "shown": [], "reports": []}]


def speak(agent, user, *requests):
    """What the daemon answers to a program of this user's."""
    done = subprocess.run([*become(user), "/usr/bin/python3", "-c", SPEAK, agent.runtime / "control.sock",
                           *map(json.dumps, requests)], capture_output=True, text=True, timeout=60, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


STAY = """
import json, socket, sys
s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); f = s.makefile("rw")
f.write(json.dumps({"v": 1, "id": 1, "method": "attend_desktop", "params": json.loads(sys.argv[2])}) + "\\n"); f.flush()
print(f.readline(), end="", flush=True)
sys.stdin.read()
"""


def test_the_doctor_names_a_helper_of_another_version(agent, anna):
    greeting = json.dumps({**ATTEND[1], "version": "0.0.9"})
    words = ["/usr/bin/python3", "-c", STAY, agent.runtime / "control.sock", greeting]
    with subprocess.Popen([*become(ANNA), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as helper:
        assert "welcome" in helper.stdout.readline()
        findings = json.loads(agent.homing("doctor", "--json", check=False).stdout)["findings"]
        helper.stdin.close()
    wrong = [(finding["code"], finding["detail"]) for finding in findings
             if finding["check"] == "version" and finding["outcome"] == "wrong"]
    assert wrong == [("versions_differ", "the session helper of anna is 0.0.9")]


def test_who_does_not_sit_here_is_shown_nothing_and_answers_for_nobody(newest, agent, home, anna):
    anna.start()
    notify(newest, agent, "Who is it?", "Bell", actions=DOOR)
    shown = anna.server.wait_for("Bell")
    wait_for(lambda: anna.helper_in_status()["shown"] == 1, 10, "it is known")
    (refused,) = speak(agent, GUEST, ATTEND)
    assert refused["error"]["code"] == 77 and "the person at this machine" in refused["error"]["message"]
    far = home.session(GUEST, "guest")
    home.change_session(far, Remote=True)
    time.sleep(1)
    (refused,) = speak(agent, GUEST, ATTEND)
    assert refused["error"]["code"] == 77
    stolen = json.loads((agent.runtime / "shown.json").read_text())[0]["entries"][0]["key"]
    assert (agent.runtime / "shown.json").stat().st_mode & 0o777 == 0o600
    forged = ["report_desktop", {"chosen": {"key": stolen, "button": 0, "age": 0}}]
    with newest.events(ACTION) as events:
        (refused,) = speak(agent, GUEST, forged)
        assert refused["error"]["code"] == 77
        with Person(home, agent, BERTA, "berta", active=False):
            # Even one who may have notifications answers only what she herself was shown.
            welcome, refused = speak(agent, BERTA, ATTEND, forged)
            assert "welcome" in welcome["event"] and refused["error"]["code"] == 77
        # And she herself only with a button that is there.
        wrong = ["report_desktop", {"chosen": {"key": stolen, "button": 7, "age": 0}}]
        (refused,) = speak(agent, ANNA, wrong)
        assert refused["error"]["code"] == 77, "it is not the connection that attends"
        anna.server.press(shown, "Open")
        assert events.wait()["data"]["action"] == "OPEN_DOOR"
        time.sleep(1)
        assert len(events.all()) == 1
    (status,) = speak(agent, GUEST, ["status", {}])
    assert "push" not in status["result"], "strangers do not learn who sits here"


def test_who_sits_in_front_may_try_how_a_notification_looks_and_no_more(newest, agent, home, anna):
    anna.start()
    text = ["notify", {"message": "text", "title": "Hers", "data": json.dumps({"actions": DOOR, "confirmation": True})}]
    order = ["notify", {"message": "command_screen_lock"}]
    relayed = ["receive_notification", {"body": "{}"}]
    with newest.events() as events:
        shown, *refused = speak(agent, ANNA, text, order, relayed)
        assert shown["result"]["outcome"] == "desktop"
        assert [answer["error"]["code"] for answer in refused] == [77, 77]
        anna.server.press(anna.server.wait_for("Hers"), "Open")
        time.sleep(2)
        ours = [event for event in events.all() if event["event_type"].startswith("mobile_app_notification")]
        assert ours == [], "she cannot make events of her own"
    agent.homing("notify", "--title", "Door", "--data", '{"tag": "door"}', "Home Assistant's")
    flood = ["notify", {"message": "text", "title": "Flood", "data": '{"tag": "door"}'}]
    answers = speak(agent, ANNA, *[flood] * 12)
    assert {answer["error"]["code"] for answer in answers if "error" in answer} == {75}, "too many at once"
    assert 5 <= sum("result" in answer for answer in answers) < 12
    assert agent.homing("notify", "--title", "Later", "text").stdout == "Shown on the desktop.\n"
    door = anna.server.wait_for("Door")
    assert not [one for one in anna.server.shown() if one.replaces == door.id], "hers replaces hers alone"
    with Person(home, agent, BERTA, "berta", active=False):
        for user in (BERTA, GUEST):
            (refused,) = speak(agent, user, text)
            assert refused["error"]["code"] == 77, "she is not in front"


def test_what_she_tries_is_for_the_journal_and_not_the_hook_where_no_desktop_shows_it(home, make_agent):
    folder = temporary_folder("hook")
    folder.chmod(0o777)
    hook = folder / "hook"
    hook.write_text(f"#!/bin/sh\ncat >> {folder}/told\n")
    hook.chmod(0o755)
    agent = system_agent(make_agent, QUIET + f"hook = tell\n[command.tell]\nargv = {hook}\n", home)
    home.session(ANNA, "anna", True)
    hers = ["notify", {"message": "text", "title": "Hers"}]
    wait_for(lambda: "result" in speak(agent, ANNA, hers)[0], 10, "logind has told who is in front")
    assert "notification: Hers: text" in agent.log_text()
    agent.homing("notify", "--title", "Trusted", "text")
    wait_for(lambda: (folder / "told").exists() and "Trusted" in (folder / "told").read_text(), 10, "the hook")
    assert "Hers" not in (folder / "told").read_text()


def test_however_many_strangers_hold_the_socket_her_helper_gets_in(agent, home, anna):
    hold = ("import socket, sys, time\n"
            "all = [socket.socket(socket.AF_UNIX) for _ in range(8)]\n"
            "for one in all:\n"
            " try: one.connect(sys.argv[1]); one.send(b'{\"v\":1,\"id\":1,\"method\":\"watch_status\"}\\n')\n"
            " except BrokenPipeError: pass\n"
            "print('held', flush=True); time.sleep(60)\n")
    crowd = [subprocess.Popen([*become(user), "/usr/bin/python3", "-c", hold, agent.runtime / "control.sock"],
                              stdout=subprocess.PIPE, text=True) for user in (GUEST, GUEST + 1, GUEST + 2)]
    try:
        assert all(one.stdout.readline() == "held\n" for one in crowd)
        anna.start()
        assert anna.helper_in_status()["in_use"]
    finally:
        for one in crowd:
            one.kill()
            one.wait()


def test_a_second_helper_takes_the_place_of_the_first(agent, anna):
    anna.start()
    first = anna._child
    anna.start(ready=False)
    wait_for(lambda: not first.alive, 10, "the first has ended")
    assert first.wait(1) == 0
    wait_for(lambda: anna.helper_in_status() is not None, 10, "the second is there")
    assert agent.homing("notify", "--title", "Hello", "text").stdout == "Shown on the desktop.\n"
    assert len(anna.server.shown()) == 1


@pytest.mark.skipif(not os.path.exists("/usr/bin/dunst"), reason="no dunst here")
def test_a_real_notification_server_shows_it_and_its_button_comes_home(newest, agent, home):
    with Person(home, agent, ANNA, "anna", "dunst") as anna:
        anna.start()
        with newest.events(ACTION) as events:
            notify(newest, agent, "Who is it?", "Bell", actions=DOOR[:1])
            wait_for(lambda: anna.helper_in_status()["shown"] == 1, 15, "dunst shows it")
            # dunst tells whoever sent it alone: the next helper has to send it again, in its own place.
            anna.kill()
            anna.start()
            time.sleep(1)
            anna.server("press 0")
            data = events.wait()["data"]
            assert (data["title"], data["action"]) == ("Bell", "OPEN_DOOR")
            wait_for(lambda: anna.helper_in_status()["shown"] == 0, 5, "it is answered")


def test_the_doctor_says_whose_desktop_shows_them(agent, anna):
    def about():
        report = json.loads(agent.homing("doctor", "--json", check=False).stdout)
        return next(finding for finding in report["findings"] if finding["check"] == "notifications")

    agent.environment.pop("DISPLAY", None)
    agent.environment.pop("WAYLAND_DISPLAY", None)
    assert "no session helper" in about()["detail"]
    anna.start()
    assert "anna" in about()["detail"]
