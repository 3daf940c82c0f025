"""What one update of sensors holds, as Home Assistant gets it: what changed, all of it, and nothing else."""

import time

from homing_rigs import bus_recorded
from homing_rigs.processes import wait_for

CONFIGURATION = """\
[gpsd]
enabled = false
[location]
batch_metered = 0
[sensors]
disable = all
enable = battery_level;battery_health;battery_cycles;wifi_signal_quality;wifi_frequency;connection_name;vpn;kernel
interval = 60
scripts =
"""
ALL = {"battery_level", "battery_level_bat0", "battery_level_bat1", "battery_health", "battery_health_bat1",
       "battery_cycles", "wifi_signal_quality", "wifi_frequency", "connection_name", "vpn", "kernel"}


def updates(recorder, agent):
    """The items of each update that Home Assistant got, in order."""
    return [command.data for command in recorder.commands(agent.registration["secret"])
            if command.type == "update_sensor_states"]


def told(recorder, agent):
    return {item["unique_id"] for items in updates(recorder, agent) for item in items}


def test_what_changed_in_an_interval_is_one_update_with_the_whole_of_it_and_nothing_else(newest, recorder, bus, make_agent):
    bus_recorded.play(bus, "laptop")
    agent = make_agent(CONFIGURATION, environment=bus.environment).start()
    agent.register(recorder.url, newest.token)
    wait_for(lambda: told(recorder, agent) == ALL and agent.queue("sensors")["queued"] == 0, 40, "every sensor is told")
    time.sleep(12)  # what came late is told too
    before = len(updates(recorder, agent))

    bus.laptop_display(71.3)
    bus.change_battery("BAT0", Capacity=80.2)
    bus.wifi("Café", "9C:3D:CF:00:12:A8", 40, 5240, "Café 1")
    wait_for(lambda: len(updates(recorder, agent)) > before, 80, "the interval's end")
    time.sleep(12)
    new = updates(recorder, agent)[before:]
    assert len(new) == 1
    # Home Assistant forgets the icon and the attributes that an item leaves out.
    assert sorted(new[0], key=lambda item: item["unique_id"]) == [
        {"type": "sensor", "unique_id": "battery_health", "state": 80, "icon": "mdi:battery-heart-variant",
         "attributes": {"model": "5B10W51827"}},
        {"type": "sensor", "unique_id": "battery_level", "state": 71, "icon": "mdi:battery-charging-70", "attributes": {}},
        {"type": "sensor", "unique_id": "wifi_signal_quality", "state": 40, "icon": "mdi:wifi-strength-3",
         "attributes": {}}]
