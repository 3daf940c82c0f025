"""`kill -9` at random moments of a drive: nothing accepted is lost, and at most one thing a kill is told twice."""

import os
import random
import shutil
import time

import pytest
from homing_rigs import checker
from homing_rigs.processes import wait_for
from test_drive import received

KILLS = int(os.environ.get("HOMING_KILLS", "100"))


@pytest.mark.parametrize("durability", ["grouped", "power-loss", "crash"])
def test_a_hundred_kills_lose_nothing(durability, newest, recorder, gps, make_agent):
    seed = int(os.environ.get("HOMING_SEED", time.time_ns() % 2**32))
    print(f"HOMING_SEED={seed}, {KILLS} kills")
    chance = random.Random(seed)
    agent = make_agent(f"[gpsd]\nport = {gps.port}\n[outbox]\ndurability = {durability}\n"
                       "[location]\nmin_distance = 1\nmax_accuracy = 500\n").start()
    agent.register(recorder.url, newest.token)
    gps.start(speed=20, time="now")
    wait_for(lambda: agent.fate("delivered_live") >= 1, 60, "the first delivery")
    for _ in range(KILLS):
        time.sleep(chance.uniform(0.05, 0.5))
        agent.kill()
        agent.start()
    gps.feed("hold")
    time.sleep(1)
    agent.wait_until_empty()
    live, track = received(recorder, agent)
    verdict = checker.judge(agent.accepted(), live, track)
    assert not verdict.lost, verdict
    assert not verdict.swapped, verdict
    assert len(verdict.duplicated) <= KILLS, verdict
    agent.assert_books_balance()
    print(f"{len(agent.accepted())} accepted, {len(verdict.duplicated)} told twice")


def test_sigterm_ends_it_within_five_seconds_with_the_outbox_safe(newest, web, gps, make_agent):
    agent = make_agent(f"[gpsd]\nport = {gps.port}\n[outbox]\ndurability = crash\n").start()
    agent.register(web.instance.url, newest.token)
    web.instance.mode("timeout")
    gps.start(speed=20, time="now")
    wait_for(lambda: agent.queue()["queued"] >= 5, 60, "a queue")
    accepted = agent.queue()["accepted"]
    assert agent.stop() == 0
    shutil.rmtree(agent.runtime)  # as a reboot empties /run
    agent.runtime.mkdir(mode=0o700)
    gps.stop()
    agent.start()
    assert agent.queue()["accepted"] >= accepted and agent.queue()["queued"] >= 5
    agent.assert_books_balance()
