"""What the tests do with a machine on a drive, whatever plays the machine, and what they look at."""

import json

KILLS = 20


def status(machine):
    return json.loads(machine.say("homing", "status", "--json"))


def location(machine):
    """The queue of positions, and their fates."""
    return next(queue for queue in status(machine)["homes"][0]["queues"] if queue["stream"] == "location")


def delivered(machine):
    fates = location(machine)["fates"]
    return fates["delivered_live"] + fates["delivered_track"]


def register(machine, ha, name, url=None):
    """Registers the machine, which reaches Home Assistant at the URL. Returns what was printed."""
    return machine.run("homing", "register", "--url", url or ha.url, "--token-file", "-", "--name", name,
                       input=ha.token).stdout


def tracker(ha, name):
    """The state of the device's tracker, None if there is none."""
    return next((state for state in ha.states("device_tracker.").values()
                 if state["attributes"].get("friendly_name") == name), None)


def kill_often(machine):
    """Kills the daemon amid its work, and looks each time whether it has forgotten anything that it accepted."""
    least = 0
    for number in range(KILLS):
        machine.run("systemctl", "kill", "--signal=KILL", "homing")
        machine.run("systemctl", "restart", "homing")
        found = location(machine)
        assert found["accepted"] >= least, f"positions are forgotten after {number + 1} kills"
        assert found["accepted"] == sum(found["fates"].values()) + found["queued"]
        least = found["accepted"]
    assert least > 0
