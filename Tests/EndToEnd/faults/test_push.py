"""Each notification once, whatever becomes of the sockets, of Home Assistant and of this machine."""

import collections
import json
import os
import signal
import threading
import time
import urllib.error

import pytest
from homing_rigs.notification_server import NotificationServer
from homing_rigs.processes import temporary_folder, wait_for
from homing_rigs.relay import Relay
from homing_rigs.tcp_gate import Gate
from test_notifications import QUIET, companion, notify, push, wait_until_open
from test_push_relay import configuration, receive, shown, token_file

pytestmark = [pytest.mark.early, pytest.mark.ends]


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


def plan_of_faults(chance, count, faults):
    """Which fault strikes with which of the notifications; each kind once at least."""
    at = sorted(chance.sample(range(2, count), faults))
    kinds = [*KINDS, *chance.choices(list(KINDS), list(KINDS.values()), k=faults - len(KINDS))]
    return dict(zip(at, kinds))


def test_each_notification_is_shown_once_through_cut_sockets_restarts_and_frozen_clients(
        ha, make_agent, chance, count, measured):
    """What Home Assistant hands to the relay is taken from there, so that each must be shown, and once."""
    notifications = count(40, 1000)
    plan = plan_of_faults(chance, notifications, count(8, 100))
    with NotificationServer("mock", "body", "actions") as desktop, Gate(ha.port) as gate, Relay() as relay:
        agent = with_relay(make_agent, ha, desktop, gate.url, relay)
        sent = set()
        for number in range(notifications):
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
        assert [title for title, times in shown.items() if times > 1] == [], figures
        assert sent - set(shown) == set(), figures
        assert push(agent)["state"] == "open"
        measured(figures)


def test_a_machine_that_freezes_without_a_word_loses_nothing(ha, desktop, make_agent, count, measured):
    """Home Assistant takes 86 s to notice that a client which says nothing is gone."""
    seconds = count(25, 95)
    titles = [f"Frozen {number}" for number in range(seconds // 5)]
    with Relay() as relay:
        agent = make_agent(configuration(relay, token_file()), desktop.environment).start()
        agent.register(ha.local_url, ha.token)
        wait_until_open(agent)
        os.kill(agent.pid, signal.SIGSTOP)
        for title in titles:
            notify(ha, agent, "text", title)
            time.sleep(5)
        wait_for(lambda: all(relay.titled(title) for title in titles), 20, "Home Assistant to hand all over")
        os.kill(agent.pid, signal.SIGCONT)
        for body in list(relay.bodies):
            receive(agent, body)
            time.sleep(0.25)  # more than five a second are folded
        wait_until_open(agent, 60)
        for title in titles:
            desktop.wait_for(title)
        time.sleep(2)
    assert {title: shown(desktop, title) for title in titles} == dict.fromkeys(titles, 1)
    measured(f"frozen for {seconds} s: {len(titles)} of {len(titles)} shown, each once")


def test_a_socket_that_dies_in_silence_is_noticed_within_two_minutes(newest, desktop, make_agent, only_long, measured):
    with Gate(newest.port) as gate:
        agent = companion(make_agent, newest, desktop, gate.url)
        begin = time.monotonic()
        gate.freeze_websockets()
        wait_for(lambda: push(agent)["state"] == "open" and push(agent)["open_for"] < time.monotonic() - begin - 1, 120,
                 "another channel")
        measured(f"another channel after {time.monotonic() - begin:.0f} s of silence")
        notify(newest, agent, "text", "Number 1")
        desktop.wait_for("Number 1")
