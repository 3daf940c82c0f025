"""Sensors in a real Home Assistant: every one of a recorded laptop and of a recorded Raspberry Pi."""

import datetime
import math
import re
import time

import golden_sensors
import pytest
from agent import sensor_entities
from homing_rigs import bus_recorded, nmea_sentences, recorded_machine
from homing_rigs.processes import wait_for

pytestmark = pytest.mark.ends

CONFIGURATION = """\
[gpsd]
port = {port}
[location]
batch_metered = 5
[sensors]
enable = all
interval = 60
scripts =
"""
# What a recording holds in no file: how full this machine's disks are, where and when it is, when it last told something.
OF_THIS_MACHINE = re.compile("storage|disk_usage_.*|data_used|last_delivery|gps_.*|last_fix|charging_.*")


def agent_on(machine, make_agent, port, **environment):
    """The shipped daemon on a recorded machine."""
    return make_agent(CONFIGURATION.format(port=port), environment=environment,
                      daemon_prefix=recorded_machine.prefix(machine))


def slug(text):
    """As Home Assistant makes an entity id of a name."""
    return re.sub("[^a-z0-9]+", "_", text.lower()).strip("_")


def assert_is(ha, entity, sensor, device):
    """Home Assistant has the sensor as it should, but for its state."""
    assert entity["entity_id"] == f"{sensor.kind}.{slug(device)}_{slug(sensor.name)}"
    assert entity["entity_category"] == ("diagnostic" if sensor.is_diagnostic else None), sensor
    state = ha.state(entity["entity_id"])
    shown = state["attributes"]
    assert shown.get("device_class") == sensor.device_class, sensor
    assert shown.get("state_class") == sensor.state_class, sensor
    assert shown.get("unit_of_measurement") == sensor.unit, sensor
    assert shown["friendly_name"] == f"{device} {sensor.name}"
    return state


def says(state, wanted):
    """Whether an entity's state is this value."""
    if isinstance(wanted, bool):
        return state == ("on" if wanted else "off")
    if isinstance(wanted, float):
        return math.isclose(float(state), wanted, abs_tol=1e-6)
    try:
        return datetime.datetime.fromisoformat(state) == datetime.datetime.fromisoformat(wanted)
    except ValueError:
        return state == wanted


def assert_all_there(ha, agent, machine, otherwise):
    """Every sensor of the recording is in Home Assistant as it should be; `otherwise` has the states that the rig sets
    to something else than the recording, None for whatever."""
    golden = golden_sensors.sensors(machine)

    def all_are_there():
        missing = {sensor.unique_id for sensor in golden} - sensor_entities(ha, agent).keys()
        assert not missing, sorted(missing)
        return True

    wait_for(all_are_there, 60, "every sensor", every=0.5)
    agent.wait_until_empty(30)
    found = sensor_entities(ha, agent)
    # What the machine does not have is not there: no battery, no screen, no camera.
    assert {sensor.unique_id for sensor in golden} >= found.keys() - {"last_delivery"}
    device = agent.registration["device_name"]
    for sensor in golden:
        state = assert_is(ha, found[sensor.unique_id], sensor, device)
        assert state["state"] not in ("unknown", "unavailable"), sensor
        wanted = otherwise.get(sensor.unique_id, sensor.state)
        if wanted is None or OF_THIS_MACHINE.fullmatch(sensor.unique_id):
            continue
        assert says(state["state"], wanted), (sensor, state)
        if sensor.unique_id not in otherwise:
            assert sensor.attributes.items() <= state["attributes"].items(), (sensor, state)
            assert state["attributes"]["icon"] == sensor.icon, (sensor, state)
    return found


def wait_for_the_sky(agent):
    """The daemon has a fix, and all that its receiver says in a second: what comes after the first reading of the
    sensors is told with the next tick, a minute later."""

    def time_of_fix():
        return time.time() - agent.whole_status()["position"]["age"]

    first = wait_for(time_of_fix, 30, "a fix")
    wait_for(lambda: time_of_fix() >= first + 2, 30, "a fix two seconds later")


def assert_is_on_the_track(truth, shown):
    """What Home Assistant shows of the receiver is the start of the rig's drive: two minutes at rest at home."""
    assert truth.epochs[119].speed == 0
    assert shown["gps_fix"] == "3d"
    numbers = {unique_id: float(state) for unique_id, state in shown.items() if unique_id != "gps_fix"}
    count, hdop, _ = nmea_sentences.QUALITY[3]
    assert numbers["gps_satellites_used"] == count and numbers["gps_hdop"] == hdop
    assert numbers["gps_satellites_seen"] == len(nmea_sentences.SATELLITES)
    # Its error of 2.5 m, 4 m up and down, drifts; it measures a speed of 0 with an error of 0.08 m/s.
    assert 2.5 < numbers["gps_accuracy"] < 20 and abs(numbers["gps_altitude"] - 4) < 20
    assert 0 <= numbers["gps_speed"] < 0.5
    assert abs((numbers["gps_course"] - truth.epochs[0].track + 180) % 360 - 180) < 20


def assert_queue_is_empty(ha, agent):
    """Home Assistant shows that nothing waits: with the first tick, or the next if something changed meanwhile."""
    entity = sensor_entities(ha, agent)["queue_length"]["entity_id"]
    wait_for(lambda: ha.state(entity)["state"] == "0", 80, "a queue of 0")


@pytest.mark.skipif(not recorded_machine.possible(), reason="another root folder needs root")
def test_every_sensor_of_a_recorded_laptop_is_in_home_assistant_as_it_should_be(ha, gps, bus, make_agent):
    bus_recorded.play(bus, "laptop")
    agent = agent_on("laptop", make_agent, gps.port, DBUS_SYSTEM_BUS_ADDRESS=bus.address,
                     DBUS_SESSION_BUS_ADDRESS=bus.address).start()
    # Another test's device of the same name would give the entities other ids.
    agent.register(ha.url, ha.token, "--name", "Recorded laptop")
    otherwise = {"way_home": "instance URL", "queue_length": None}
    assert_all_there(ha, agent, "laptop", otherwise)
    assert_queue_is_empty(ha, agent)
    agent.assert_books_balance()
    old = agent.registration["webhook_id"]
    agent.register(ha.url, ha.token, "--again")
    assert agent.registration["webhook_id"] != old, "Home Assistant has forgotten the old one and its sensors"
    assert_all_there(ha, agent, "laptop", otherwise)
    assert_queue_is_empty(ha, agent)
    agent.assert_books_balance()


@pytest.mark.skipif(not recorded_machine.possible(), reason="another root folder needs root")
def test_every_sensor_of_a_recorded_raspberry_pi_is_in_home_assistant_as_it_should_be(ha, gps, bus, make_agent):
    bus_recorded.play(bus, "raspberry-pi")
    gps.start(speed=1, time="now")
    agent = agent_on("raspberry-pi", make_agent, gps.port, DBUS_SYSTEM_BUS_ADDRESS=bus.address).start()
    wait_for_the_sky(agent)
    agent.register(ha.url, ha.token, "--name", "Recorded Raspberry Pi")
    found = assert_all_there(ha, agent, "raspberry-pi", {"queue_length": None})
    assert_is_on_the_track(gps.truth, {unique_id: ha.state(entity["entity_id"])["state"]
                                       for unique_id, entity in found.items() if unique_id.startswith("gps_")})
    agent.assert_books_balance()
