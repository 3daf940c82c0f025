"""`kill -9` of the push relay at any moment: nothing is lost after its 201, and nothing is shown twice."""

import asyncio
import re
import time

from faults.relay_traffic import assert_whole, in_thread, open_relay, traffic
from homing_rigs.engine import EngineNode
from homing_rigs.notification_server import NotificationServer
from homing_rigs.processes import wait_for
from test_notifications import push
from test_relay import AWAY, joined, post, told


def start_again(program):
    """After a kill; the file that it left is looked at before the start."""
    program.kill()
    assert_whole(program)
    program.start()


def test_kills_of_the_relay_at_random_moments_lose_nothing_and_repeat_nothing(chance, count, measured):
    kills = count(12, 1000)

    async def story(program):
        async with traffic(program, devices=4) as posts:
            posts.begin(posters=8)
            for _ in range(kills):
                await asyncio.sleep(chance.uniform(0.01, 0.4))
                await in_thread(start_again, program)
            figure = await posts.settle()
            repeats = sum(device.repeats for device in posts.devices)
            assert posts.unknown, "no kill met a post"
            return f"{kills} kills of the relay, {figure}; {repeats} came again by the same id"

    with open_relay() as program:
        measured(asyncio.run(story(program)))


def test_kills_of_relay_and_engine_at_random_moments_lose_nothing_and_repeat_nothing(chance, count, measured):
    """The engine has a message on its disk before it answers the relay."""
    kills = count(10, 2100)

    async def story(program, engine):
        killed = {program: 0, engine: 0}
        async with traffic(program, devices=4) as posts:
            # Slowly: what was posted makes each start of the engine longer.
            posts.begin(posters=4, pause=0.02)
            for _ in range(kills):
                await asyncio.sleep(chance.uniform(0.05, 0.4))
                one = chance.choice((program, engine))
                killed[one] += 1
                one.kill()
                await in_thread(one.start)
            figure = await posts.settle()
            assert all(killed.values()) and posts.unknown, "no kill met a post"
            return f"{killed[program]} kills of the relay and {killed[engine]} of Redis, {figure}"

    with EngineNode() as engine, open_relay(store={"engine": "valkey", "url": engine.url}) as program:
        measured(asyncio.run(story(program, engine)))


def test_kills_while_a_backlog_is_handed_over_lose_nothing_and_repeat_nothing(chance, count, measured):
    kills, backlog = count(6, 200), count(300, 3000)

    async def story(program):
        async with traffic(program, devices=1) as posts:
            device, = posts.devices
            await device.stop()
            posts.begin(posters=16)
            await posts.until(lambda: len(posts.taken) >= backlog, 120, "the backlog")
            await posts.end()
            device.start()
            felt = 0
            for _ in range(kills):
                await posts.until(device.is_attending.is_set, 30, "the device")
                await asyncio.sleep(chance.uniform(0, 0.05))
                felt += 0 < len(device.shown) < len(posts.taken)
                await in_thread(start_again, program)
            figure = await posts.settle()
            assert felt, "no kill met a delivery"
            return (f"{kills} kills, {felt} of them amid a backlog, {figure}; {device.repeats} came again by the "
                    "same id")

    with open_relay() as program:
        measured(asyncio.run(story(program)))


def test_kills_before_the_real_daemon_show_each_notification_once(newest, make_agent, chance, count, measured):
    """By the shipped daemon, which must connect, prove itself and tell what it knows."""
    kills = count(3, 60)
    with open_relay(join={"mode": "code"}) as program, NotificationServer("mock", "body", "actions") as desktop:
        agent = joined(make_agent, newest, desktop, program, AWAY)
        wait_for(lambda: push(agent)["relay"]["state"] == "held", 20, "the relay's socket")
        address = {"push_token": told(newest, agent)["push_token"],
                   "registration_info": {"webhook_id": agent.registration["webhook_id"]}}
        taken = set()
        for number in range(kills * 4):
            if number % 4 == 2:
                time.sleep(chance.uniform(0, 0.1))
                start_again(program)
            title = f"Number {number}"
            # What came together after a kill would be folded; a tag is not, and waits for its turn.
            status, _ = post(program.push_url, {"message": "text", "title": title, "data": {"tag": title}, **address})
            assert status == 201
            taken.add(title)
            time.sleep(0.8)  # the daemon writes the ids of 32 messages each 20 s
        wait_for(lambda: program.waiting() == 0, 120, "the daemon to acknowledge")

        def titles():
            return [one.summary for one in desktop.shown() if re.fullmatch(r"Number \d+", one.summary)]

        wait_for(lambda: set(titles()) == taken, 60, "all to be shown")
        time.sleep(1)
        shown = titles()
        assert sorted(shown) == sorted(taken), "a notification is shown twice"
        measured(f"{kills} kills of the relay before homingd: {len(taken)} of 201, {len(shown)} shown, each once")
