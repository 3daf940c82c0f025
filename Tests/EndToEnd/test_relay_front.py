"""A front at home: Home Assistant, the front, the far relay and the daemon, all real."""

import json
import pathlib
import re
import subprocess

import pytest
from homing_rigs.processes import wait_for
from relay_program import RelayProgram
from test_notifications import ACTION, notify, push
from test_relay import AWAY, post, shown, told
from own_process import as_root

pytestmark = pytest.mark.ends


@pytest.fixture
def far():
    with RelayProgram() as far:
        yield far


@pytest.fixture
def front(far):
    with RelayProgram(forward={"url": far.url}) as front:
        yield front


def fingerprint(front):
    return front.status()["front"]["fingerprint"]


def join(agent, front, far, *words, check=True):
    """As the front's `invite` says, with a code for the far relay."""
    return agent.homing("relay", "join", front.url, "-", "--far-code", far.invite(), *words, input=front.invite(),
                        check=check)


def memory_map(relay):
    """What the relay's process has mapped."""
    return pathlib.Path(f"/proc/{relay.pid}/maps").read_text()


def joined(make_agent, ha, desktop, front, far):
    agent = make_agent(AWAY, desktop.environment).start()
    agent.register(ha.local_url, ha.token)
    join(agent, front, far, "--fingerprint", fingerprint(front))
    wait_for(lambda: told(ha, agent).get("push_url") == front.push_url, 20, "Home Assistant to be told of the front")
    wait_for(lambda: push(agent)["relay"]["state"] == "held", 20, "the socket of the far relay")
    return agent


def test_a_notification_passes_the_far_relay_sealed_and_is_answered(ha, desktop, make_agent, front, far):
    agent = joined(make_agent, ha, desktop, front, far)
    with ha.events(ACTION) as events:
        notify(ha, agent, "Wombat under the porch 🚐", "Quokka alarm", tag="numbat",
               actions=[{"action": "OPEN_DOOR", "title": "Open"}])
        there = desktop.wait_for("Quokka alarm")
        assert there.body == "Wombat under the porch 🚐"
        desktop.press(there, "Open")
        assert events.wait()["data"]["action"] == "OPEN_DOOR"
    wait_for(lambda: front.waiting() == 0 and far.waiting() == 0, 20, "the device to acknowledge")
    assert shown(desktop, "Quokka alarm") == 1
    token = told(ha, agent)["push_token"]
    words = ["Wombat", "porch", "Quokka", "numbat", token, agent.registration["webhook_id"], "HomeAssistant/"]
    for program in (front, far):
        kept = program.files() + program.log_text().encode()
        assert not [word for word in words if word.encode() in kept]
    assert front.status()["front"]["forwarded"] == 1 and far.status()["posts"]["accepted"] == 1


@as_root
def test_libcurl_is_loaded_by_a_front_and_not_by_a_relay_without_an_engine(front, far):
    assert "/libcurl.so.4" in memory_map(front) and "/libcurl.so.4" not in memory_map(far)


@pytest.mark.parametrize("kind", ["no library", "without its functions"])
def test_without_libcurl_a_front_says_so_and_another_relay_serves(kind, tmp_path, monkeypatch):
    library = tmp_path / "libcurl.so.4"
    if kind == "no library":
        library.write_text(kind)
    else:
        subprocess.run(["gcc", "-shared", "-x", "c", "/dev/null", "-o", library], check=True)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    with RelayProgram() as relay, RelayProgram(forward={"url": relay.url}) as front:
        assert relay.run("check").returncode == 0 and post(relay.push_url, {})[0] == 403
        checked = front.run("check", check=False)
        assert "The far relay cannot be used: libcurl.so.4 is missing" in checked.stdout, checked.stdout


def test_what_the_far_relay_cannot_take_waits_at_the_front_and_is_shown_once(newest, desktop, make_agent, front, far):
    agent = joined(make_agent, newest, desktop, front, far)
    far.stop()
    for number in range(3):
        notify(newest, agent, "text", f"Waiting {number}")
    wait_for(lambda: front.status()["front"].get("problem"), 20, "the front to notice")
    assert front.waiting() == 3
    front.kill()
    front.start()
    assert front.waiting() == 3
    checked = front.run("check", check=False)
    assert checked.returncode == 1 and "The far relay cannot be used: " in checked.stdout
    far.start()
    for number in range(3):
        desktop.wait_for(f"Waiting {number}", 60)
    wait_for(lambda: front.waiting() == 0 and far.waiting() == 0, 60, "the device to acknowledge")
    assert [shown(desktop, f"Waiting {number}") for number in range(3)] == [1, 1, 1]
    assert front.run("check").stdout.endswith("The relay runs.\n")
    text = front.run("status").stdout
    assert re.search(r"^Far relay http://127\.0\.0\.1:\d+, answers$", text, re.M), text


def test_who_runs_the_far_relay_cannot_send(newest, desktop, make_agent, front, far):
    agent = joined(make_agent, newest, desktop, front, far)
    [kept] = agent.folder.rglob("relay.json")
    membership = json.loads(kept.read_text())
    body = {"message": "Open the door", "title": "By the far relay", "push_token": membership["token"],
            "registration_info": {"webhook_id": agent.registration["webhook_id"]}}
    assert post(far.push_url, body)[0] == 201
    wait_for(lambda: push(agent)["relay"]["refused"] == 1, 20, "the device to refuse it")
    assert far.waiting() == 0 and shown(desktop, "By the far relay") == 0
    assert "did not come through" in agent.log_text()
    notify(newest, agent, "text", "By the front")
    desktop.wait_for("By the front")


def test_a_wrong_fingerprint_or_far_code_is_refused_and_costs_no_code(newest, desktop, make_agent, front, far):
    agent = make_agent(AWAY, desktop.environment).start()
    agent.register(newest.local_url, newest.token)
    wrong = join(agent, front, far, "--fingerprint", "0000-1111-2222-3333-4444-5555-6666-7777", check=False)
    assert wrong.returncode != 0 and "fingerprint" in wrong.stderr and not list(agent.folder.rglob("relay.json"))
    code = front.invite()
    words = ("relay", "join", front.url, code, "--fingerprint", fingerprint(front))
    without = agent.homing(*words, check=False)
    assert without.returncode != 0 and "--far-code" in without.stderr, without.stderr
    agent.homing(*words, "--far-code", far.invite())
    assert fingerprint(front) in agent.homing("relay").stdout
    assert fingerprint(front) in front.run("invite").stdout
    assert front.run("mailbox", "list").stdout.rstrip().endswith("forwarded")
    assert re.search("connected|away", far.run("mailbox", "list").stdout)


def test_the_test_command_goes_through_front_and_far_relay(newest, desktop, make_agent, front, far):
    agent = joined(make_agent, newest, desktop, front, far)
    assert re.search(r"\d+ ms", agent.homing("relay", "test").stdout)
    front.stop()
    failed = agent.homing("relay", "test", check=False)
    assert failed.returncode == 69 and "run the test at home" in failed.stderr + failed.stdout


def test_both_rotations_reach_the_device(newest, desktop, make_agent, front, far):
    agent = joined(make_agent, newest, desktop, front, far)
    far.run("rotate-key", "--yes")
    front.run("rotate-key", "--yes")
    before = told(newest, agent)["push_token"]
    agent.stop()
    agent.start()
    wait_for(lambda: told(newest, agent)["push_token"] != before, 60, "Home Assistant to get the front's new token")
    notify(newest, agent, "text", "After both")
    desktop.wait_for("After both")
    wait_for(lambda: front.waiting() == 0 and far.waiting() == 0, 20, "the device to acknowledge")


def test_leaving_takes_the_front_back_from_home_assistant(newest, desktop, make_agent, front, far):
    agent = joined(make_agent, newest, desktop, front, far)
    token = told(newest, agent)["push_token"]
    agent.homing("relay", "leave", "--yes")
    wait_for(lambda: "push_url" not in told(newest, agent), 20, "Home Assistant to be told")
    assert post(front.push_url, {"message": "late", "push_token": token})[0] == 201
    wait_for(lambda: "does not take the token" in front.log_text(), 20, "the far relay to refuse the token")
    assert front.waiting() == 1, "it waits until its time is over"
