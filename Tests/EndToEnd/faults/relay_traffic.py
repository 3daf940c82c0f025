"""Posts to a relay without end, and light devices that receive them, so that what each has can be compared."""

import asyncio
import contextlib
import pathlib
import shutil
import sqlite3
import tempfile

from homing_rigs.relay_device import RelayDevice
from homing_rigs.relay_posts import LOST, Poster
from relay_program import RelayProgram

# No bound of a day or of a mailbox is met: these have tests of their own.
WIDE = {"burst": 0, "maximum": 0, "per_address": 12_000, "connections": 20_000, "messages": 10_000, "mailbox_kib": 65_536}


def open_relay(prefix=(), **sections):
    """A relay that anybody may join, whose bounds are wide."""
    return RelayProgram(prefix, **{"join": {"mode": "open"}, "limits": WIDE, **sections})


class Traffic:
    """Posters and devices. A text is posted once: by the answer it is taken (201), refused (503), or unknown, where no
    answer came."""

    def __init__(self, program):
        self.program = program
        self.devices = []
        self.taken, self.refused, self.unknown = [], [], []
        self.wrong = []  # answers that are neither 201 nor 503
        self._numbers = iter(range(10**9))
        self._posting = []
        self._is_over = False

    async def add_devices(self, count):
        """Devices that have joined and hold their sockets."""
        for number in range(count):
            device = await RelayDevice(self.program.port, f"device {number}").join()
            self.devices.append(device.start())
        for device in self.devices:
            await asyncio.wait_for(device.is_attending.wait(), 30)

    async def post(self, poster, device):
        """Posts a text of its own for the device; returns (status, JSON), or None without an answer."""
        text = f"{device.name}: text {next(self._numbers)}"
        try:
            status, answer = await poster.post({"message": text, "push_token": device.token})
        except LOST:
            self.unknown.append(text)
            return None
        if status == 201:
            self.taken.append(text)
        elif status == 503 and answer and answer["message"] and answer["errorMessage"]:
            self.refused.append(text)
        else:
            self.wrong.append((status, answer))
        return status, answer

    def begin(self, posters, pause=0.0):
        """So many connections post for the devices in turn, until `end`."""
        self._is_over = False
        self._posting = [asyncio.create_task(self._post_on(number, pause)) for number in range(posters)]

    async def _post_on(self, number, pause):
        poster = Poster(self.program.port)
        while not self._is_over:
            for device in self.devices:
                if await self.post(poster, device) is None:
                    await asyncio.sleep(0.05)  # nobody is there
            number += 1
            await asyncio.sleep(pause)
        poster.close()

    async def end(self):
        """Posts no more."""
        self._is_over = True
        await asyncio.gather(*self._posting)

    async def until(self, condition, seconds, what):
        """Waits while posters and devices go on."""
        end = asyncio.get_running_loop().time() + seconds
        while not condition():
            for device in self.devices:
                device.must_live()
            assert asyncio.get_running_loop().time() < end, f"not within {seconds} s: {what}"
            await asyncio.sleep(0.05)

    def shown(self):
        """The texts that all devices have shown, each as often as it was."""
        return [text for device in self.devices for text in device.shown.values()]

    def missing(self):
        """What was taken and is not shown yet."""
        return set(self.taken) - set(self.shown())

    async def settle(self, seconds=60):
        """Ends the posts, and waits until all that was taken is shown and acknowledged; returns the figure."""
        await self.end()
        await self.until(lambda: not self.missing(), seconds, "all that was taken to be shown")
        await self.until(lambda: self.program.waiting() == 0, seconds, "all devices to have acknowledged")
        return self.assert_sound()

    def assert_sound(self):
        """Nothing is lost after its 201, nothing is shown twice, and nothing is shown that nobody posted."""
        shown = self.shown()
        assert not self.wrong, self.wrong[:3]
        assert self.taken and not self.missing(), f"lost: {sorted(self.missing())[:5]}"
        assert len(shown) == len(set(shown)), "shown twice"
        assert set(shown) <= {*self.taken, *self.refused, *self.unknown}
        assert all(text.startswith(f"{device.name}: ") for device in self.devices for text in device.shown.values())
        late = len(set(shown) & {*self.refused, *self.unknown})
        return (f"{len(self.taken)} of 201: 0 lost, 0 shown twice; {len(self.unknown)} without an answer and "
                f"{len(self.refused)} of 503, of which {late} were delivered")

    async def close(self):
        """Lets all devices go."""
        for device in self.devices:
            await device.stop()


@contextlib.asynccontextmanager
async def traffic(program, devices):
    """Traffic for so many devices, which are let go at the end."""
    story = Traffic(program)
    try:
        await story.add_devices(devices)
        yield story
    finally:
        await story.close()


def assert_whole(program):
    """The relay's file is whole, in a copy: to look at the file itself would write its log back."""
    with tempfile.TemporaryDirectory(prefix="homing-copy-") as folder:
        for file in program.state.glob("mailboxes.db*"):
            shutil.copy(file, folder)
        with contextlib.closing(sqlite3.connect(pathlib.Path(folder) / "mailboxes.db")) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


async def in_thread(work, *arguments):
    """Does what would hold up the posts."""
    return await asyncio.get_running_loop().run_in_executor(None, work, *arguments)
