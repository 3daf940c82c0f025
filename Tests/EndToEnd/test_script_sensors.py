"""A script's sensors in a real Home Assistant: as the document has them, with a fault, and refused."""

import pathlib
import re

from agent import sensor_entities
from homing_rigs.processes import wait_for

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs/sensors.md"
CONFIGURATION = """\
[gpsd]
enabled = false
[sensors]
disable = all
enable = script
scripts = {folder}
"""


def example():
    """The output that the document shows, every ten seconds in place of five minutes."""
    text = re.search(r"^```json\n(.*?)^```$", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)[1]
    assert text.count('"interval": 300') == 1
    return text.replace('"interval": 300', '"interval": 10')


def write(script, output):
    """Makes it write this, at once for whoever runs it meanwhile."""
    new = script.with_name(".new")
    new.write_text(f"#!/bin/sh\ncat <<'END'\n{output}END\n")
    new.chmod(0o755)
    new.replace(script)


def test_a_script_s_sensors_are_in_home_assistant_until_others_may_write_it(ha, make_agent):
    agent = make_agent()
    folder = agent.folder / "sensors.d"
    folder.mkdir(mode=0o755)
    script = folder / "van"
    write(script, example())
    agent.configuration.write_text(CONFIGURATION.format(folder=folder) + "[push]\nmode = off\n")
    agent.start()
    agent.register(ha.url, ha.token)

    def state(unique_id):
        entity = sensor_entities(ha, agent).get(unique_id)
        return entity and ha.state(entity["entity_id"])

    def shows(unique_id, text):
        return (state(unique_id) or {}).get("state") == text

    wait_for(lambda: shows("script_van_fridge", "4.5") and shows("script_van_pump", "on"), 30, "both sensors")
    assert sensor_entities(ha, agent).keys() == {"script_van_fridge", "script_van_pump"}
    fridge, pump = state("script_van_fridge"), state("script_van_pump")
    assert fridge["entity_id"].startswith("sensor.") and fridge["entity_id"].endswith("_fridge")
    assert pump["entity_id"].startswith("binary_sensor.") and pump["entity_id"].endswith("_water_pump")
    wanted = {"device_class": "temperature", "unit_of_measurement": "°C", "state_class": "measurement", "door": "closed"}
    assert wanted.items() <= fridge["attributes"].items()
    assert pump["attributes"]["device_class"] == "running"

    write(script, example().replace("°C", "W").replace('"state": true', '"state": false'))
    warning = f'{script}: sensors[0].unit_of_measurement "W" is not a unit of temperature: °C, °F, K'
    wait_for(lambda: warning in agent.log_text(), 30, "the warning that names file and field")
    agent.wait_until_empty()
    assert shows("script_van_pump", "on"), "nothing of an output with a fault is taken"

    # Its next run comes with the interval that it asked for, and not with [sensors] interval.
    write(script, example().replace('"state": true', '"state": false'))
    wait_for(lambda: shows("script_van_pump", "off"), 30, "the output without a fault")

    script.chmod(0o757)
    refusal = f"{script} can be written by everybody: it is not run"
    wait_for(lambda: refusal in agent.log_text(), 30, "the refusal")
    wait_for(lambda: shows("script_van_pump", "unavailable"), 30, "what it says no more to be unavailable")
    agent.assert_books_balance()
