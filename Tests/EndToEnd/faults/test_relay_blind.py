"""A relay keeps no word: not in its files, not in its log, and not in its memory a while after a delivery."""

import asyncio
import pathlib
import re
import shutil
import subprocess

import pytest
from faults.relay_traffic import in_thread, open_relay, traffic
from homing_rigs.processes import temporary_folder
from homing_rigs.relay_posts import Poster
from own_process import as_root

WORDS = [b"Wombat", b"Quokka", b"numbat-tag", b"PLATYPUS_ACTION", b"0123456789abcdefwebhook", b"io.example.echidna"]


def message(device, number):
    """A notification, each of whose words is to be found nowhere."""
    return {"message": f"Wombat under the porch {number}", "title": "Quokka alarm", "push_token": device.token,
            "data": {"tag": f"numbat-tag {number}", "actions": [{"action": "PLATYPUS_ACTION", "title": "Quokka"}]},
            "registration_info": {"app_id": "io.example.echidna", "webhook_id": "0123456789abcdefwebhook"}}


def core_of(program):
    """The bytes of a core dump of the relay, which goes on."""
    folder = temporary_folder("core")
    subprocess.run(["gcore", "-o", folder / "core", str(program.pid)], check=True, capture_output=True)
    core, = pathlib.Path(folder).glob("core.*")
    data = core.read_bytes()
    shutil.rmtree(folder)
    return data


def found(words, data):
    """Each word that stands there, how often, and what stands around it."""
    return {word.decode(): [data[max(0, at.start() - 40):at.end() + 40] for at in re.finditer(re.escape(word), data)][:3]
            for word in words if word in data}


@as_root
@pytest.mark.skipif(shutil.which("gcore") is None, reason="a core dump of a running process needs gdb")
def test_files_log_and_memory_of_a_relay_hold_no_word_after_a_delivery(count, measured):
    rest, number = count(3, 60), count(40, 400)

    async def story(program):
        async with traffic(program, devices=2) as posts:
            sleeping, awake = posts.devices
            await sleeping.stop()
            posters = [Poster(program.port) for _ in range(4)]
            for each in range(number):
                for device in posts.devices:
                    status, _ = await posters[each % 4].post(message(device, each))
                    assert status == 201
            await posts.until(lambda: len(awake.shown) == number, 30, "all to be delivered")
            if count(False, True):  # a body that comes and goes in pieces
                status, _ = await posters[0].post({**message(awake, 0), "padding": "Wombat " * 8000})
                assert status == 201
            await asyncio.sleep(rest)
            # The connections of those who posted stay: a pool of Home Assistant's keeps them for 15 s.
            core = await in_thread(core_of, program)
            kept = program.files() + program.log_text().encode()
            for poster in posters:
                poster.close()
            assert awake.token.encode()[-20:] not in kept and sleeping.token.encode()[-20:] not in kept
            assert not found(WORDS, kept)
            assert b"homing-relay" in core, "the core dump is one of the relay"
            assert not found(WORDS, core), found(WORDS, core)
            return (f"{2 * number} notifications, half of them delivered: 0 of {len(WORDS)} words in "
                    f"{len(kept) >> 10} KiB of files and log, nor in a core dump of {len(core) >> 20} MiB {rest} s later")

    with open_relay() as program:
        measured(asyncio.run(story(program)))
