"""What a relay costs a daemon at home, whose channel to Home Assistant is open."""

import os
import sys
import time

from homing_rigs import processes
from homing_rigs.home_assistant import HomeAssistant, available_versions

from . import process
from .relay_subjects import Relay

CONFIGURATION = "[gpsd]\nenabled = false\n[sensors]\ndisable = all\nscripts =\n[push]\nrelay = auto\n"
SETTLED = 150  # seconds after which a start is over, and a relay that was held after an opening is let go of


def wake_ups(programs, seconds):
    """(a minute without a relay, a minute with one, seconds of each), or None without a Home Assistant."""
    os.environ["HOMING_BINARIES"] = str(programs)
    from agent import Agent  # reads it
    versions = available_versions()
    if not versions:
        print("without homingd at home: no Home Assistant is installed", file=sys.stderr)
        return None
    with HomeAssistant(versions[-1]) as ha, Relay(programs) as relay, Agent(CONFIGURATION) as agent:
        agent.register(ha.url, ha.token)
        processes.wait_for(lambda: push(agent)["state"] == "open", 60, "the channel")
        time.sleep(SETTLED)
        without = switches(agent, seconds)
        agent.homing("relay", "join", f"http://127.0.0.1:{relay.port}")
        time.sleep(5)
        processes.wait_for(lambda: push(agent)["relay"]["state"] != "held", SETTLED, "the relay to be let go of")
        joined = switches(agent, seconds)
        assert push(agent)["state"] == "open", "at home the channel is open"
        return without, joined, seconds


def push(agent):
    return agent.status()["push"]


def switches(agent, seconds):
    """Voluntary context switches of a daemon in a minute, 20 s after whatever it did last."""
    time.sleep(20)
    before = process.Sample(agent.pid)
    time.sleep(seconds)
    return process.Sample(agent.pid).since(before)[0] * 60 / seconds
