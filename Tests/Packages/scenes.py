"""What the tests do with a machine on a drive, whatever plays the machine, and what they look at."""

import json

from homing_rigs.processes import wait_for

KILLS = 20
# Seconds until a receipt at the latest, on a machine that is emulated too.
RECEIPT = 600


def status(machine):
    return json.loads(machine.say("homing", "status", "--json"))


def location(machine):
    """The queue of positions, and their fates."""
    return next(queue for queue in status(machine)["homes"][0]["queues"] if queue["stream"] == "location")


def delivered(machine):
    fates = location(machine)["fates"]
    return fates["delivered_live"] + fates["delivered_track"]


def register(machine, ha, name, url=None):
    """Registers the machine, which reaches Home Assistant at the URL, under that name also where it had another name
    before. Returns what was printed."""
    return machine.run("homing", "register", "--url", url or ha.url, "--token-file", "-", "--name", name,
                       "--take-over", input=ha.token).stdout


def tracker(ha, name):
    """The state of the device's tracker, None if there is none."""
    return next((state for state in ha.states("device_tracker.").values()
                 if state["attributes"].get("friendly_name") == name), None)


def kill_often(machine):
    """Kills the daemon amid its work, and looks each time whether it has forgotten anything that it accepted. systemd starts
    it again at once and each time, in place of after the pause of the package."""
    machine.write("/run/systemd/system/homing.service.d/soon.conf", "[Unit]\nStartLimitIntervalSec=0\n[Service]\nRestartSec=100ms\n")
    machine.run("systemctl", "daemon-reload")
    least = 0
    for number in range(KILLS):
        machine.run("systemctl", "kill", "--signal=KILL", "homing")
        wait_for(lambda: restarts(machine) == number + 1, 120, "systemd has started the daemon again")
        found = location(machine)
        assert found["accepted"] >= least, f"positions are forgotten after {number + 1} kills"
        assert found["accepted"] == sum(found["fates"].values()) + found["queued"]
        least = found["accepted"]
    assert least > 0
    # The receiver falls silent, so that all that was accepted can have arrived, and nothing else.
    machine.run("systemctl", "stop", "gpsd.socket", "gpsd.service")
    wait_for(lambda: location(machine)["queued"] == 0, RECEIPT, "the queue is empty", every=1)
    found = location(machine)
    assert delivered(machine) == found["accepted"] >= least
    machine.run("systemctl", "start", "gpsd.socket", "gpsd.service")


def restarts(machine):
    """How often systemd has started the daemon by itself; None while it does not run."""
    shown = machine.show("homing", "ActiveState", "NRestarts")
    return int(shown["NRestarts"]) if shown["ActiveState"] == "active" else None
