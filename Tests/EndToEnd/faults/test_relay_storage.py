"""The push relay on disks that are full, broken or slow: a 503 in time and in words, and no 201 that does not hold."""

import asyncio
import collections
import json
import time

import pytest
from faults.relay_traffic import WIDE, in_thread, open_relay, traffic
from homing_rigs.faults.calls import Breaking, Slowing
from homing_rigs.faults.disk import SmallDisk
from homing_rigs.relay_posts import Poster
from own_process import as_root

needs_mounting = pytest.mark.skipif(not SmallDisk.possible(), reason="mounting needs root")
PATIENCE = 2  # seconds after which the relay answers
SYNCS = "fdatasync,fsync"


def files(program):
    return [program.state / "mailboxes.db", program.state / "mailboxes.db-wal"]


def assert_said(answer):
    """The relay's words for Home Assistant, of any version."""
    status, body = answer
    assert status == 503 and body["message"] == body["errorMessage"] != "", answer


async def timed(work):
    began = time.monotonic()
    return await work, time.monotonic() - began


async def seconds_until_taken(posts, poster):
    """How long it takes until a post is taken again."""
    began = time.monotonic()
    while (await posts.post(poster, posts.devices[0]))[0] != 201:
        assert time.monotonic() - began < 30, "nothing is taken any more"
        await asyncio.sleep(0.1)
    return time.monotonic() - began


@needs_mounting
def test_on_a_full_disk_posts_are_refused_in_words_and_what_waits_is_still_handed_over(measured):
    async def story(program, disk):
        async with traffic(program, devices=1) as posts:
            device, = posts.devices
            poster = Poster(program.port)
            await device.stop()
            for _ in range(40):
                await posts.post(poster, device)
            assert len(posts.taken) == 40
            disk.fill()
            filled = []
            while len(filled) < 20 or filled[-1][0] == 201:  # what is free within the store's own files may be used
                filled.append(await posts.post(poster, device))
                assert len(filled) < 2000
            refused = [answer for answer in filled if answer[0] != 201]
            for answer in refused:
                assert_said(answer)
            assert program.status()["is_store_failing"]
            device.start()
            await posts.until(lambda: not posts.missing(), 20, "what waited to be handed over, on the full disk")
            disk.empty()
            recovered = await seconds_until_taken(posts, poster)
            assert not program.status()["is_store_failing"]
            # What could not be deleted is deleted when the device comes again, or at the next look.
            await device.stop()
            device.start()
            figure = await posts.settle()
            return (f"disk full with {len(posts.taken) - 1} taken: {len(refused)} posts refused in words, all that "
                    f"waited handed over meanwhile; takes again {recovered:.1f} s after there was room; {figure}")

    program = open_relay()
    with SmallDisk(program.state, 2048) as disk, program:
        measured(asyncio.run(story(program, disk)))


@needs_mounting
def test_a_disk_that_the_mailboxes_fill_themselves_is_never_so_full_that_nothing_can_be_deleted(measured):
    async def story(program, disk):
        async with traffic(program, devices=1) as posts:
            device, = posts.devices
            poster = Poster(program.port)
            await device.stop()
            text = "x" * 20_000
            answers = []
            while not answers or answers[-1][0] == 201:
                answers.append(await poster.post({"message": text, "push_token": device.token}))
                assert len(answers) < 2000
            assert_said(answers[-1])
            assert "nearly full" in program.log_text()
            free = disk.free
            assert free > 1 << 20
            label = json.loads(program.run("mailbox", "list", "--json").stdout)["mailboxes"][0]["label"]
            program.run("mailbox", "forget", label, "--yes")
            assert program.waiting() == 0
            # The log is brought into the file by and by.
            for _ in range(20):
                assert (await poster.post({"message": text, "push_token": device.token}))[0] == 201
            return f"8 MiB: {len(answers) - 1} posts of 20 kB taken, {free >> 10} KiB left free; all deleted, 20 more taken"

    program = open_relay()
    with SmallDisk(program.state, 8192) as disk, program:
        measured(asyncio.run(story(program, disk)))


@as_root
@pytest.mark.parametrize("error", ["EIO", "EROFS"])
def test_on_a_disk_that_breaks_posts_are_refused_in_words_until_it_is_mended(error, measured):
    async def story(program):
        async with traffic(program, devices=1) as posts:
            poster = Poster(program.port)
            assert (await posts.post(poster, posts.devices[0]))[0] == 201
            breaking = Breaking(program.pid, f"pwrite64,{SYNCS},ftruncate", error, *files(program))
            await in_thread(breaking.start)
            for _ in range(10):
                assert_said(await posts.post(poster, posts.devices[0]))
            await in_thread(breaking.stop)
            recovered = await seconds_until_taken(posts, poster)
            return f"10 posts refused in words; takes again {recovered:.1f} s after it was mended; {await posts.settle()}"

    with open_relay() as program:
        measured(asyncio.run(story(program)))


@as_root
def test_a_slow_disk_is_told_in_two_seconds_and_what_it_takes_after_all_is_delivered(count, measured):
    """Each sync takes longer than the relay's patience."""
    sync, rounds = count(3, 8), count(3, 20)

    async def story(program):
        async with traffic(program, devices=2) as posts:
            posters = [Poster(program.port) for _ in range(12)]
            assert (await posts.post(posters[0], posts.devices[0]))[0] == 201
            slowing = Slowing(program.pid, SYNCS, sync, *files(program))
            await in_thread(slowing.start)
            waits, forged = [], []
            for number in range(rounds):
                answers, wrong = await asyncio.gather(
                    asyncio.gather(*(timed(posts.post(poster, posts.devices[index % 2]))
                                     for index, poster in enumerate(posters))),
                    forge_while_waiting(program))
                for answer, seconds in answers:
                    assert_said(answer)
                    waits.append(seconds)
                forged += wrong
            await in_thread(slowing.stop)
            recovered = await seconds_until_taken(posts, posters[0])
            await posts.until(lambda: set(posts.refused) <= set(posts.shown()), 30, "what was taken after its 503")
            assert max(waits) < PATIENCE + 0.8 and min(waits) > PATIENCE - 0.2, (min(waits), max(waits))
            assert max(forged) < 0.5, "a bad token waits for nobody's disk"
            return (f"each sync takes {sync} s longer: {len(waits)} posts answered 503 after {min(waits):.2f} to "
                    f"{max(waits):.2f} s, a bad token refused within {1000 * max(forged):.0f} ms meanwhile; takes again "
                    f"after {recovered:.1f} s; {await posts.settle()}")

    with open_relay() as program:
        measured(asyncio.run(story(program)))


async def forge_while_waiting(program):
    """Posts with a token that the relay has not given, while others wait; returns the seconds of each."""
    poster, waits = Poster(program.port), []
    for _ in range(3):
        await asyncio.sleep(0.4)
        (status, body), seconds = await timed(poster.post({"message": "text", "push_token": "hr1.forged"}))
        assert status in (403, 429) and body["message"], (status, body)
        waits.append(seconds)
    poster.close()
    return waits


def test_a_mailbox_that_is_full_keeps_the_newest_and_tells_how_many_were_dropped(measured):
    async def story(program):
        async with traffic(program, devices=1) as posts:
            device, = posts.devices
            await device.stop()
            poster = Poster(program.port)
            for _ in range(250):
                assert (await posts.post(poster, device))[0] == 201
            device.start()
            await posts.until(lambda: program.waiting() == 0, 20, "the device to have all")
            kept = [text for text in posts.taken if text in set(posts.shown())]
            assert kept == posts.taken[-len(kept):] and device.notices
            told = sum(int.from_bytes(notice.body, "big") for notice in device.notices.values())
            assert told == 250 - len(kept), (told, len(kept))
            assert collections.Counter(posts.shown()).most_common(1)[0][1] == 1
            return f"250 for a mailbox of 200: the newest {len(kept)} shown, {told} told as dropped"

    with open_relay(limits={**WIDE, "messages": 200}) as program:
        measured(asyncio.run(story(program)))
