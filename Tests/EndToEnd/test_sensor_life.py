"""A sensor's life in a real Home Assistant: registered, updated, disabled, forgotten, unavailable, back."""

import time

import pytest
from agent import sensor_entities
from homing_rigs.processes import wait_for

ends = pytest.mark.ends
STALE = ("battery_level", "is_charging", "on_ac")

CONFIGURATION = """\
[gpsd]
enabled = false
[location]
batch_metered = 0
[sensors]
disable = all
enable = battery_level;battery_state;is_charging;on_ac
scripts =
"""


@pytest.fixture
def agent(ha, bus, make_agent):
    """A daemon whose battery Home Assistant shows at 80 %."""
    agent = make_agent(CONFIGURATION, environment=bus.environment).start()
    agent.register(ha.url, ha.token)
    wait_for(lambda: shown(ha, agent, "battery_level") == "80", 30, "the battery's level")
    agent.wait_until_empty(20)
    return agent


def shown(ha, agent, unique_id):
    """The state in Home Assistant, None without one."""
    entity = sensor_entities(ha, agent).get(unique_id)
    state = entity and ha.state(entity["entity_id"])
    return state["state"] if state else None


def set_disabled(ha, agent, unique_id, by):
    entity = sensor_entities(ha, agent)[unique_id]["entity_id"]
    ha.command("config/entity_registry/update", entity_id=entity, disabled_by=by)


def accepted(agent):
    """How many states of sensors were put into the queue."""
    return agent.queue("sensors")["accepted"]


def sent(agent):
    """Whether no state waits."""
    return agent.queue("sensors")["queued"] == 0


def told(recorder, agent, unique_id):
    """The states of a sensor that Home Assistant was told, in order."""
    commands = recorder.commands(agent.registration["secret"])
    return [item["state"] for command in commands if command.type == "update_sensor_states"
            for item in command.data if item["unique_id"] == unique_id]


def disable_while_it_changes(ha, recorder, bus, agent):
    """Somebody disables `is_charging`, and the daemon hears of it with the next change."""
    set_disabled(ha, agent, "is_charging", "user")
    bus.battery(80, True)
    wait_for(lambda: told(recorder, agent, "is_charging")[-1:] == [True] and sent(agent), 30,
             "Home Assistant to say that it is disabled")


@pytest.fixture
def recorded(ha, recorder, bus, make_agent):
    """The same daemon, with what it sends recorded."""
    agent = make_agent(CONFIGURATION, environment=bus.environment).start()
    agent.register(recorder.url, ha.token)
    wait_for(lambda: shown(ha, agent, "is_charging") == "off", 30, "the battery's state")
    agent.wait_until_empty(20)
    return agent


@ends
def test_a_sensor_that_is_disabled_in_home_assistant_is_sent_no_more_until_it_is_enabled(ha, recorder, bus, recorded):
    agent = recorded
    disable_while_it_changes(ha, recorder, bus, agent)
    before = told(recorder, agent, "is_charging")
    time.sleep(10)  # until all may be told again, together
    bus.battery(80, False)
    wait_for(lambda: told(recorder, agent, "on_ac")[-1] is False and sent(agent), 30, "the other sensor")
    assert agent.stop() == 0
    agent.start()
    wait_for(lambda: told(recorder, agent, "on_ac")[-2:] == ["unavailable", False] and sent(agent), 30, "the others")
    assert told(recorder, agent, "is_charging") == before
    assert sensor_entities(ha, agent)["is_charging"]["disabled_by"] == "user", "the user's choice stands"
    agent.stop()
    set_disabled(ha, agent, "is_charging", None)
    ha.reload_entry(agent.registration["device_id"])
    agent.start()
    wait_for(lambda: shown(ha, agent, "is_charging") == "off", 30, "the sensor to be told again")
    agent.assert_books_balance()


def test_a_sensor_that_is_enabled_again_is_told_as_soon_as_somebody_asks_home_assistant(ha, recorder, bus, recorded):
    agent = recorded
    disable_while_it_changes(ha, recorder, bus, agent)
    set_disabled(ha, agent, "is_charging", None)
    ha.reload_entry(agent.registration["device_id"])
    before = told(recorder, agent, "is_charging")
    agent.homing("config", "home-assistant")
    # Long before the next tick, after 15 min. Newer versions show what they were told while it was disabled.
    wait_for(lambda: told(recorder, agent, "is_charging") == [*before, True], 30, "the sensor to be told again")
    wait_for(lambda: shown(ha, agent, "is_charging") == "on", 10, "its state to be back")
    agent.assert_books_balance()


@ends
def test_after_a_new_registration_every_sensor_is_back(ha, bus, agent):
    old = agent.registration["webhook_id"]
    bus.battery(55, True)
    agent.register(ha.url, ha.token, "--again")
    assert agent.registration["webhook_id"] != old, "Home Assistant has forgotten the old one and its sensors"
    wait_for(lambda: [shown(ha, agent, each) for each in ("battery_level", "is_charging", "on_ac")] ==
             ["55", "on", "on"], 30, "all sensors")


@ends
def test_a_batch_with_one_forgotten_and_one_disabled_sensor_tells_the_others(ha, bus, agent):
    set_disabled(ha, agent, "battery_state", "user")
    forgotten = sensor_entities(ha, agent)["on_ac"]["entity_id"]
    ha.command("config/entity_registry/remove", entity_id=forgotten)
    assert shown(ha, agent, "on_ac") is None
    time.sleep(10)  # until all three may be told again, together
    bus.battery(40, True)
    wait_for(lambda: shown(ha, agent, "on_ac") == "on" and shown(ha, agent, "is_charging") == "on", 30,
             "the forgotten one to be registered, the other to be told")
    assert sensor_entities(ha, agent)["battery_state"]["disabled_by"] == "user"
    wait_for(lambda: sent(agent), 10, "everything to be settled")
    assert agent.queue("sensors")["fates"]["rejected"] == 0


@ends
def test_a_sensor_that_was_deleted_comes_back_though_its_value_is_the_same(ha, agent):
    time.sleep(60)  # until all that was told counts as arrived
    ha.command("config/entity_registry/remove", entity_id=sensor_entities(ha, agent)["on_ac"]["entity_id"])
    assert shown(ha, agent, "on_ac") is None
    agent.homing("config", "home-assistant")
    wait_for(lambda: shown(ha, agent, "on_ac") == "off", 30, "the deleted one to be registered again")


def all_shown(ha, agent):
    """The states of all that would grow stale."""
    return [shown(ha, agent, unique_id) for unique_id in STALE]


def test_when_the_daemon_ends_its_sensors_are_unavailable_and_when_it_starts_they_are_back(ha, agent):
    assert agent.stop() == 0
    assert all_shown(ha, agent) == ["unavailable"] * 3
    agent.start()
    wait_for(lambda: all_shown(ha, agent) == ["80", "off", "off"], 30, "all of them")


def test_before_sleep_its_sensors_are_unavailable_and_after_it_they_are_back(ha, bus, make_agent):
    bus.logind_start()
    agent = make_agent(CONFIGURATION, environment=bus.environment).start()
    agent.register(ha.url, ha.token)
    wait_for(lambda: all_shown(ha, agent) == ["80", "off", "off"], 30, "all of them")
    bus.prepare_for_sleep(True)
    wait_for(lambda: all_shown(ha, agent) == ["unavailable"] * 3, 10, "all to be unavailable")
    bus.prepare_for_sleep(False)
    wait_for(lambda: all_shown(ha, agent) == ["80", "off", "off"], 30, "all to be back")
