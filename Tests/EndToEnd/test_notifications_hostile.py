"""Somebody who may notify, and means ill: floods, and notifications that want to be more than text."""

import concurrent.futures
import time

import pytest
from homing_rigs.processes import own_memory, wait_for
from test_notifications import companion, notify, push

pytestmark = pytest.mark.ends

COUNT = 600


def test_a_flood_is_folded_and_the_daemon_stays_what_it_is(newest, desktop, make_agent):
    agent = companion(make_agent, newest, desktop)
    notify(newest, agent, "before", "Before")
    desktop.wait_for("Before")
    memory = own_memory(agent.pid)
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        sending = [pool.submit(notify, newest, agent, "text", f"Flood {number}") for number in range(COUNT)]
        slowest = 0
        while not all(one.done() for one in sending):
            asked = time.monotonic()
            agent.homing("status")
            slowest = max(slowest, time.monotonic() - asked)
        for one in sending:
            one.result()
    wait_for(lambda: push(agent)["shown"] + push(agent)["folded"] > COUNT, 20, "all of them are counted")
    seconds = time.monotonic() - begin
    wait_for(lambda: desktop.wait_for(f"{push(agent)['folded']} more notifications"), 15, "the summary")
    single = [one for one in desktop.shown() if one.summary.startswith("Flood ")]
    assert len(single) <= 5 * (seconds + 1), f"{len(single)} shown in {seconds:.1f} s"
    assert push(agent)["state"] == "open" and push(agent)["duplicates"] == 0
    assert slowest < 5, "people are answered meanwhile"
    assert own_memory(agent.pid) < memory + 4096, "kB"


def test_what_a_notification_must_not_be_is_text_or_nothing(newest, desktop, make_agent):
    agent = companion(make_agent, newest, desktop)
    evil = "\x1b[2J\x1b]0;owned\x07<script>alert(1)</script><img src=file:///etc/shadow>\u202e$(reboot)`id`"
    notify(newest, agent, "large", "x" * 1_000_000, actions=[{"action": "A", "title": "A"}])
    wait_for(lambda: desktop.shown(), 15, "it is shown all the same")
    assert 0 < len(desktop.shown()[-1].summary) <= 600
    notify(newest, agent, evil, "Evil", image="file:///etc/passwd", icon_url="../../etc/passwd",
           clickAction="javascript:alert(1)", tag="t" * 5000, group=evil, timeout=1e300, progress=-1e300,
           actions=[{"action": "URI", "title": evil, "uri": "file:///bin/sh"},
                    {"action": "A" * 5000, "title": "long"}, {"action": "GOOD", "title": evil * 50}],
           url={"GOOD": "smb://host/share"})
    shown = desktop.wait_for("Evil")
    assert "\x1b" not in shown.body and "\u202e" not in shown.body
    assert "<script>" not in shown.body, "markup is shown as it was written"
    assert "image-path" not in shown.hints and len(shown.buttons) == 1, "what opens a file is no button"
    assert all("\x1b" not in button and len(button) <= 200 for button in shown.buttons)
    assert push(agent)["state"] == "open" and "\x1b" not in agent.log_text()
