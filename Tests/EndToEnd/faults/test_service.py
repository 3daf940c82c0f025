"""Signals at the wrong moment, and a service manager that watches."""

import dataclasses
import os
import select
import signal
import socket
import time

from faults.flight import CONFIGURATION, Flight
from homing_rigs.faults import toxics
from homing_rigs.faults.server import misdeeds
from homing_rigs.processes import wait_for


class SpoiltAnswer:
    """An answer that takes longer than the daemon lives: when it is due, and when it has gone, if it goes."""

    def __init__(self, server, kind, toxic, skip):
        self.begun, self.ended = [], []
        misdeed = dataclasses.replace(misdeeds.spoilt(toxic), before=self.begun.append, after=self.ended.append)
        server.misbehave(misdeed, on=kind, skip=skip, times=1)

    @property
    def is_under_way(self):
        """Whether somebody waits for it."""
        return bool(self.begun) and not self.ended


def test_sigterm_in_flight_ends_it_in_time_and_loses_nothing(flight, chance, count, measured):
    """Arranged before the daemon starts, as the questions and the receipt are what it begins with."""
    ends, slowest, under_way = count(15, 300), 0.0, 0
    for _ in range(ends):
        assert flight.send() == "delivered"
        flight.hang_up()
        flight.agent.stop()
        kind = chance.choice(["update_location", "render_template", "get_config"])
        toxic = chance.choice([toxics.StallAt(0), toxics.StallAt(100), toxics.Latency(1)])
        spoilt = SpoiltAnswer(flight.server, kind, toxic, chance.randrange(4) if kind == "update_location" else 0)
        flight.agent.start()
        flight.begin_to_send()
        flight.stream(200)
        wait_for(lambda: spoilt.begun, 20, f"a request for {kind}", every=0.002)
        time.sleep(chance.uniform(0, 0.15))
        under_way += spoilt.is_under_way
        began = time.monotonic()
        assert flight.agent.stop() == 0
        slowest = max(slowest, time.monotonic() - began)
        flight.hang_up()
        flight.gpsd.hold()
        flight.server.behave()
        flight.agent.start()
    assert flight.send() == "delivered"
    wait_for(lambda: flight.queue()["queued"] == 0, 60, "everything home")
    flight.assert_sound(duplicates=ends)
    assert slowest < count(20, 2), f"{slowest:.1f} s"
    # Answers that stall are under way in any case; one that is a second late has gone now and then.
    assert under_way >= ends * count(0.5, 0.9), f"only {under_way} of {ends}"
    measured(f"{ends} SIGTERMs, {under_way} of them with a request under way: ended after {slowest:.2f} s at most, "
             "0 lost")


def test_a_storm_of_sighups_loses_nothing(flight, chance, count, measured):
    hangups = count(60, 2000)
    assert flight.send() == "delivered"
    before = flight.descriptors()
    flight.stream(100)
    for _ in range(hangups):
        flight.agent.signal(signal.SIGHUP)
        time.sleep(chance.uniform(0, 0.04))
        flight.note_memory()
    flight.gpsd.hold()
    assert flight.send() == "delivered"
    wait_for(lambda: flight.queue()["queued"] == 0, 60, "everything home")
    flight.assert_sound(duplicates=hangups, growth=1024)
    wait_for(lambda: flight.descriptors() <= before + 1, 20, "as few descriptors as before")
    live = flight.server.live()
    measured(f"{hangups} reloads over {flight.queue()['accepted']} positions: 0 lost, "
             f"{len(live) - len(set(live))} told twice")


class Manager:
    """systemd's side of a notify socket."""

    def __init__(self, agent):
        path = str(agent.folder / "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(path)
        agent.environment["NOTIFY_SOCKET"] = path

    def told(self, word, seconds):
        """How often it was told this within so many seconds."""
        end, times = time.monotonic() + seconds, 0
        while (left := end - time.monotonic()) > 0:
            if select.select([self.socket], [], [], left)[0]:
                times += word in self.socket.recv(4096).decode()
        return times


def test_the_watchdog_is_fed_while_the_loop_turns_and_not_when_it_hangs(make_agent, fake_gpsd, server):
    agent = make_agent(CONFIGURATION.format(gpsd=fake_gpsd))
    manager = Manager(agent)
    agent.environment |= {"WATCHDOG_USEC": "4000000", "SWIFT_BACKTRACE": "enable=no"}  # as the unit file has it
    agent.start().register(server.url, server.token)
    flight = Flight(agent, fake_gpsd, server)
    assert flight.send() == "delivered"
    assert manager.told("WATCHDOG=1", 12) >= 2
    agent.signal(signal.SIGSTOP)  # a loop that hangs
    manager.told("WATCHDOG=1", 0.2)
    assert manager.told("WATCHDOG=1", 5) == 0
    flight.hang_up()
    os.kill(agent.pid, signal.SIGABRT)  # what systemd does then
    agent.signal(signal.SIGCONT)
    wait_for(lambda: not agent.alive, 20, "its end")
    flight.restart(kill=True)
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound(duplicates=1)


def test_freezes_lose_nothing(flight, chance, count, measured):
    """Frozen as by a suspend, though its clocks go on; the server takes its connections away meanwhile."""
    freezes = count(6, 200)
    for _ in range(freezes):
        flight.stream(100)
        time.sleep(chance.uniform(0.05, 0.3))
        flight.agent.signal(signal.SIGSTOP)
        if chance.random() < 0.5:
            flight.server.stop()
            flight.server.start()
        time.sleep(chance.uniform(0.05, 0.5))
        flight.agent.signal(signal.SIGCONT)
        flight.note_memory()
    flight.gpsd.hold()
    assert flight.send() == "delivered"
    wait_for(lambda: flight.queue()["queued"] == 0, 60, "everything home")
    flight.assert_sound(duplicates=freezes, growth=count(None, 1024))
    measured(f"{freezes} freezes over {flight.queue()['accepted']} positions: 0 lost")


def test_a_broken_pipe_is_survived(flight):
    assert flight.send() == "delivered"
    flight.agent.signal(signal.SIGPIPE)
    assert flight.send() == "delivered"
