"""The courier's messages over the WebSocket of the notifications: that they go there, and what they do when it ends."""

import time

import pytest
from homing_rigs.processes import wait_for
from homing_rigs.tcp_gate import Gate
from test_notifications import companion, push, wait_until_open

pytestmark = pytest.mark.ends


def webhooks(recorder):
    return len([one for one in recorder.exchanges if one.is_webhook])


def place(ha, agent):
    """Where Home Assistant holds the machine to be."""
    return ha.state(ha.tracker_of(agent.registration["device_id"]))["state"]


def report(ha, agent, zone):
    agent.homing("send-location", "--zone", zone, "--unknown-zone")
    wait_for(lambda: place(ha, agent) == zone, 20, f"the machine to be at {zone}")


def settled(agent):
    """Rows that Home Assistant has proved to hold."""
    return agent.fate("delivered_live")


@pytest.fixture
def by_recorder(ha, recorder, desktop, make_agent):
    """An agent whose channel is open, through the recorder, which sees HTTP alone."""
    agent = companion(make_agent, ha, desktop, recorder.url)
    agent.wait_until_empty()
    return agent


def test_while_the_socket_is_open_nothing_goes_by_http(ha, recorder, by_recorder):
    agent = by_recorder
    before, proved = webhooks(recorder), settled(agent)
    for zone in ("Work", "Nowhere in particular", "Work"):
        report(ha, agent, zone)
    agent.homing("event", "by_socket", "level=5", "--wait")
    agent.wait_until_empty()
    assert settled(agent) == proved + 3, "receipts came by the socket too"
    assert webhooks(recorder) == before
    agent.assert_books_balance()


def test_without_the_socket_all_goes_by_http_and_back_again(ha, desktop, make_agent):
    with Gate(ha.port) as gate:
        agent = companion(make_agent, ha, desktop, gate.url)
        zones = ["Work", "Elsewhere"] * 6
        for number, zone in enumerate(zones):
            if number % 3 == 1:
                gate.cut()
            report(ha, agent, zone)
            wait_until_open(agent, 60)
        agent.wait_until_empty()
        assert agent.queue()["fates"]["delivered_live"] >= len(zones)
        agent.assert_books_balance()


def test_a_socket_that_says_nothing_is_left_for_http(newest, desktop, make_agent):
    with Gate(newest.port) as gate:
        agent = companion(make_agent, newest, desktop, gate.url)
        report(newest, agent, "Work")
        gate.freeze_websockets()
        began = time.monotonic()
        report(newest, agent, "Elsewhere")
        assert 9 < time.monotonic() - began < 19, "after 10 s"
        assert push(agent)["state"] == "open", "nobody has noticed yet"
        began = time.monotonic()
        report(newest, agent, "Work")
        assert time.monotonic() - began < 8, "that socket is not tried again"
        agent.wait_until_empty()
        agent.assert_books_balance()


def test_what_a_socket_took_and_did_not_prove_is_sent_again(ha, desktop, make_agent):
    """Home Assistant restarts under it: what it took and lost is not called delivered."""
    with Gate(ha.port) as gate:
        agent = companion(make_agent, ha, desktop, gate.url)
        with ha.events("before_restart") as events:
            agent.homing("event", "before_restart", "--wait")
            events.wait()
        for number in range(3):
            agent.homing("event", f"sent_{number}")
        ha.restart()
        wait_until_open(agent, 90)
        report(ha, agent, "Work")
        wait_for(lambda: agent.queue("events")["queued"] == 0, 60, "all events to be proved")
        agent.assert_books_balance()
