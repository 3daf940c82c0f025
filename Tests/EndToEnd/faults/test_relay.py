"""The push relay under what befalls a server: thousands of devices at once, a process that stands still, wrong clocks."""

import asyncio
import signal
import time

import pytest
from faults.relay_traffic import in_thread, open_relay, traffic
from homing_rigs.faults.clock import Clock
from homing_rigs.relay_device import RelayDevice, RelaySocket
from homing_rigs.relay_keys import to_bytes
from homing_rigs.relay_posts import Poster


def own_address(number):
    """Ten devices may join from an address in an hour."""
    return f"127.1.{number // 2000}.{number // 10 % 200 + 1}"


async def at_most(count, works):
    """Does all of it, so many at a time."""
    gate = asyncio.Semaphore(count)

    async def one(work):
        async with gate:
            return await work

    return await asyncio.gather(*(one(work) for work in works))


async def open_socket(device):
    """A socket of a device that has proved its key; it tries until there is one."""
    while True:
        try:
            return await RelaySocket.open(device.keys, device.port, device.address)
        except OSError:
            await asyncio.sleep(0.05)


def test_thousands_of_devices_that_come_back_at_once_are_all_served(many_files, count, measured):
    """After a restart of the relay: each proves its key, and has what waits for it."""
    devices = count(500, 5000)
    if many_files < devices + 1000:
        pytest.skip(f"this machine allows {many_files} open files: raise the hard limit of open files")

    async def story(program):
        everybody = [RelayDevice(program.port, f"device {number}", own_address(number)) for number in range(devices)]
        await at_most(50, [device.join() for device in everybody])
        poster = Poster(program.port)
        for number, device in enumerate(everybody):
            status, _ = await poster.post({"message": f"text {number}", "push_token": device.token})
            assert status == 201
        before = await asyncio.gather(*(open_socket(device) for device in everybody))
        await in_thread(program.kill)
        for socket in before:
            socket.close()
        poster.close()
        coming = [asyncio.create_task(open_socket(device)) for device in everybody]
        await in_thread(program.start)
        began = time.monotonic()
        sockets = await asyncio.wait_for(asyncio.gather(*coming), 120)
        back = time.monotonic() - began
        posted = time.monotonic()
        status, _ = await poster.post({"message": "amid the storm", "push_token": everybody[0].token})
        assert status == 201
        posted = time.monotonic() - posted
        frames = await asyncio.wait_for(asyncio.gather(*(socket.next() for socket in sockets)), 60)
        for number, (device, frame) in enumerate(zip(everybody, frames)):
            assert f'"text {number}"'.encode() in device.keys.parcel(to_bytes(frame["parcel"])).body
        assert program.status()["connections"]["devices"] == devices
        for socket in sockets:
            socket.close()
        return (f"{devices} devices back {back:.1f} s after the start of the relay, each with what waited for it; a post "
                f"then took {1000 * posted:.0f} ms")

    with open_relay() as program:
        measured(asyncio.run(story(program)))


def test_a_relay_that_stands_still_for_a_while_loses_nothing(count, measured):
    """SIGSTOP and SIGCONT: shorter than Home Assistant's patience of 10 s, and longer."""
    pauses = count([3], [3, 8, 12, 60])

    async def story(program):
        async with traffic(program, devices=3) as posts:
            posts.begin(posters=4, pause=0.02)
            for seconds in pauses:
                await asyncio.sleep(1)
                taken = len(posts.taken)
                program.signal(signal.SIGSTOP)
                await asyncio.sleep(seconds)
                program.signal(signal.SIGCONT)
                await posts.until(lambda: len(posts.taken) > taken + 20, 15, "posts to be taken again")
            connections = max(device.connections for device in posts.devices)
            return (f"stood still for {', '.join(map(str, pauses))} s: {await posts.settle()}; each device on "
                    f"{connections} socket{'s' if connections > 1 else ''}")

    with open_relay() as program:
        measured(asyncio.run(story(program)))


@pytest.mark.parametrize("step", [600, -600, 10 * 365 * 86400, -10 * 365 * 86400])
def test_a_clock_that_is_stepped_and_back_keeps_the_order_and_lets_expire_no_more_than_it_says(step, measured):
    """What a message is told to live is told by the relay's clock: one that is years ahead ends what waits, and what is
    stored while it is years behind ends when it is right again. A device that is there has all."""
    clock = Clock()

    async def story(program):
        async with traffic(program, devices=2) as posts:
            sleeping, awake = posts.devices
            await sleeping.stop()
            poster = Poster(program.port)
            for offset in (0, step, 0):
                clock.step(offset)
                for device in posts.devices:
                    for _ in range(5):
                        assert (await posts.post(poster, device))[0] == 201
            sleeping.start()
            most = 5 if abs(step) > 86400 else 0
            await posts.until(lambda: len(posts.missing()) <= most, 20, "all to be shown that has not expired")
            await posts.until(lambda: program.waiting() == 0, 20, "nothing to wait any more")
            assert all(text.startswith(sleeping.name) for text in posts.missing()), "of who was there nothing expires"
            assert len(posts.missing()) == most
            for device in posts.devices:
                ids = [to_bytes(text) for text in device.shown]
                assert ids == sorted(ids) and len(set(ids)) == len(ids), "ids grow, whatever the clock says"
            return f"stepped by {step} s and back: ids in order, {len(posts.shown())} shown, {most} expired by that clock"

    with open_relay(clock.prefix) as program:
        measured(asyncio.run(story(program)))
