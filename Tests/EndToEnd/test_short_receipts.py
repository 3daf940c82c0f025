"""Short receipts of each real Home Assistant, and what leads back to a full one."""

import re
import time

import pytest
from homing_rigs.processes import wait_for

# A receipt every 5 s, with many positions between two.
CONFIGURATION = """\
[gpsd]
port = {port}
[location]
max_age = 10
batch_metered = 5
min_distance = 10
"""
ASKED = re.compile(r"asking a (short )?receipt")


def receipts(agent):
    """Which receipts were asked so far: S for a short one, F for a full one."""
    return "".join("S" if short else "F" for short in ASKED.findall(agent.log_text()))


def more_receipts(agent, number=2, seconds=60):
    """The receipts of the time in which so many more settle something."""
    before, proved = receipts(agent), agent.fate("delivered_live")
    for _ in range(number):
        wait_for(lambda: agent.fate("delivered_live") > proved, seconds, "a receipt")
        proved = agent.fate("delivered_live")
    return receipts(agent)[len(before):]


@pytest.fixture
def driving(ha, gps, make_agent):
    """An agent on its way after the first look at its tracker. Its witness, where it has one, has stood for max_age:
    later versions have an entity for notifications, set up with the device."""
    agent = make_agent(CONFIGURATION.format(port=gps.port)).start()
    agent.register(ha.url, ha.token)
    gps.start()
    gps.feed("goto 610")  # on the road
    wait_for(lambda: "S" in receipts(agent), 60, "the first position")
    time.sleep(25)
    wait_for(lambda: receipts(agent).endswith("SS"), 60, "short receipts")
    return agent


def sound(ha, agent):
    """Whether receipts are short again, and Home Assistant shows a place of this drive. The new witness may change once
    more, and the one after."""
    wait_for(lambda: receipts(agent).endswith("SS"), 60, "short receipts")
    assert any("F" not in more_receipts(agent) for _ in range(3))
    agent.assert_books_balance()
    tracker = ha.tracker_of(agent.registration["device_id"])
    accepted = [(round(latitude, 7), round(longitude, 7)) for _, latitude, longitude in agent.accepted()]
    attributes = ha.state(tracker)["attributes"]
    return (attributes["latitude"], attributes["longitude"]) in accepted


def test_receipts_are_short_until_the_tracker_gets_another_name(ha, driving):
    assert set(more_receipts(driving)) == {"S"}
    tracker = ha.tracker_of(driving.registration["device_id"])
    ha.command("config/entity_registry/update", entity_id=tracker, new_entity_id=f"{tracker}_renamed")
    assert "SF" in more_receipts(driving)
    assert sound(ha, driving)
    assert driving.fate("rejected") == 0


def test_a_tracker_that_was_removed_is_missed_and_comes_back(ha, driving):
    before = receipts(driving)
    ha.command("config/entity_registry/remove", entity_id=ha.tracker_of(driving.registration["device_id"]))
    wait_for(lambda: "SF" in receipts(driving)[len(before):], 30, "the full receipt")
    wait_for(lambda: ha.tracker_of(driving.registration["device_id"]), 90, "the tracker, by a reload")
    wait_for(lambda: "S" in receipts(driving)[len(before) + 2:], 90, "a short receipt")
    assert sound(ha, driving)


def test_after_a_restart_a_full_receipt_comes_before_the_next_short_one_that_confirms(ha, driving):
    before = receipts(driving)
    ha.restart()
    wait_for(lambda: len(receipts(driving)) > len(before) + 1, 120, "receipts")
    after = receipts(driving)[len(before):]
    assert "F" in after[:2], after
    full = len(before) + after.index("F")
    wait_for(lambda: "S" in receipts(driving)[full:], 60, "a short receipt")
    assert sound(ha, driving)
