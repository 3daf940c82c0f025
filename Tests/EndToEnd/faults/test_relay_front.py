"""A front and its far relay, killed while Home Assistant's notifications pass through both."""

import re
import time

from homing_rigs.notification_server import NotificationServer
from homing_rigs.processes import wait_for
from relay_program import RelayProgram
from test_relay import post, told
from test_relay_front import joined


def test_kills_of_front_and_far_relay_lose_nothing_and_show_nothing_twice(newest, make_agent, chance, count, measured):
    """By the shipped daemon, which opens what the front has signed."""
    kills = count(6, 100)
    with RelayProgram(limits={"maximum": 0}) as far, \
            RelayProgram(forward={"url": far.url}, limits={"maximum": 0}) as front, \
            NotificationServer("mock", "body", "actions") as desktop:
        agent = joined(make_agent, newest, desktop, front, far)
        address = {"push_token": told(newest, agent)["push_token"],
                   "registration_info": {"webhook_id": agent.registration["webhook_id"]}}
        taken = set()
        for number in range(kills * 4):
            if number % 4 == 2:
                time.sleep(chance.uniform(0, 0.1))
                program = chance.choice((front, far))
                program.kill()
                program.start()
            title = f"Number {number}"
            # A tag is not folded, and waits for its turn.
            body = {"message": "text", "title": title, "data": {"tag": title}, **address}
            status, _ = post(front.push_url, body)
            assert status == 201
            taken.add(title)
            time.sleep(0.8)  # the daemon writes the ids of 32 messages each 20 s
        wait_for(lambda: front.waiting() == 0 and far.waiting() == 0, 120, "the daemon to acknowledge")

        def titles():
            return [one.summary for one in desktop.shown() if re.fullmatch(r"Number \d+", one.summary)]

        wait_for(lambda: set(titles()) == taken, 60, "all to be shown")
        time.sleep(1)
        assert sorted(titles()) == sorted(taken), "a notification is shown twice"
        measured(f"{kills} kills of front or far relay: {len(taken)} of 201, {len(titles())} shown, each once")
