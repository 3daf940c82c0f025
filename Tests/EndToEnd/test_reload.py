"""What receipts take for a reload of the device in Home Assistant, and what only looks like one."""

import time

import pytest
from homing_rigs.processes import wait_for

pytestmark = pytest.mark.ends

# A receipt every 9 s, with many positions between two.
CONFIGURATION = """\
[gpsd]
port = {port}
[location]
max_age = 20
batch_metered = 10
min_distance = 10
[sensors]
scripts =
"""
STILL = "[gpsd]\nenabled = false\n"
NOTE = "has reloaded the device"


@pytest.fixture
def driving(ha, gps, make_agent):
    """An agent on its way, some seconds after a receipt, whose sensors Home Assistant has had for a while."""
    agent = make_agent(CONFIGURATION.format(port=gps.port)).start()
    agent.register(ha.url, ha.token)
    gps.start(speed=8, time="now")
    gps.feed("goto 130")  # on the road
    wait_for(lambda: len(others(ha, agent)) > 10, 60, "the sensors")
    await_receipt(agent)
    await_receipt(agent)
    wait_for(lambda: agent.queue()["queued"] >= 3, 30, "some positions")
    return agent


def others(ha, agent):
    """The states of the device's entities besides its tracker, the one that has stood longest first."""
    ids = {entity["entity_id"] for entity in ha.entities_of(agent.registration["device_id"])}
    states = [state for name, state in ha.states().items() if name in ids and not name.startswith("device_tracker.")]
    return sorted((state for state in states if state["state"] != "unavailable"),
                  key=lambda state: state["last_changed"])


def await_receipt(agent):
    """Waits for a receipt that settles something."""
    def settled():
        return agent.fate("delivered_live") + agent.fate("delivered_track")
    before = settled()
    wait_for(lambda: settled() > before, 60, "a receipt")


def change(ha, state):
    ha.post(f"/api/states/{state['entity_id']}", {"state": "another", "attributes": state["attributes"]})


def test_the_entity_that_has_stood_longest_may_change_by_itself(ha, driving):
    change(ha, others(ha, driving)[0])
    time.sleep(5)
    await_receipt(driving)
    await_receipt(driving)
    assert driving.fate("delivered_track") == 0 and NOTE not in driving.log_text()


def test_another_device_may_register_and_have_its_entities_set_up(ha, driving, make_agent):
    other = make_agent(STILL + "[sensors]\nscripts =\n").start()
    other.register(ha.url, ha.token, "--new")
    assert other.registration["device_id"] != driving.registration["device_id"]
    wait_for(lambda: len(others(ha, other)) > 10, 60, "the other's sensors")
    await_receipt(driving)
    await_receipt(driving)
    assert driving.fate("delivered_track") == 0 and NOTE not in driving.log_text()


def test_a_reload_is_noticed(ha, driving):
    ha.reload_entry(driving.registration["device_id"])
    time.sleep(5)
    await_receipt(driving)
    await_receipt(driving)
    assert driving.fate("delivered_track") > 0 and NOTE in driving.log_text()
