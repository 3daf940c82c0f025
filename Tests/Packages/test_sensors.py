"""The system's service in its sandbox sees what its sensors read: on a machine that boots, beside the daemon outside."""

import json
import os
import re

import pytest
from homing_rigs.machine import Machine
from homing_rigs.processes import wait_for
from readme import Person, lines

pytestmark = pytest.mark.skipif(not Machine.possible(), reason="needs root and systemd-nspawn")
CONFIGURATION = "[gpsd]\nenabled = false\n[sensors]\nenable = all\ninterval = 60\n"
# What does not move between two readings.
STILL = {"app_version", "distribution", "ip_address", "kernel", "logged_in_users", "pending_updates", "reboot_required",
         "script_debian_updates_count", "way_home"}
USED = 0x20 | 0x10 | 0x08  # IN_OPEN, IN_CLOSE_NOWRITE, IN_CLOSE_WRITE


@pytest.fixture
def machine(packages, network):
    """A machine whose /home is a file system of a disk."""
    with Machine(packages.tree, network, {"/packages": packages.folder, "/home": packages.folder}) as machine:
        machine.packages = packages
        yield machine


def told(ha, machine):
    """What Home Assistant is told of the machine's sensors, by their unique ids; AssertionError before all are there."""
    assert all(queue["queued"] == 0 for queue in json.loads(machine.say("homing", "status", "--json"))["homes"][0]["queues"])
    registration = json.loads(machine.say("cat", "/var/lib/homing/homes/home/registration.json"))
    prefix = registration["webhook_id"] + "_"
    shown = ha.states()
    states = {entity["unique_id"].removeprefix(prefix): shown[entity["entity_id"]]["state"]
              for entity in ha.entities_of(registration["device_id"])
              if entity["unique_id"].startswith(prefix) and entity["entity_id"] in shown}
    states = {unique_id: state for unique_id, state in states.items() if state != "unavailable"}
    # Some are unavailable while the daemon is away; one is told last, after something was delivered.
    assert {"cpu_usage", "last_delivery", "script_debian_updates_count"} <= states.keys()
    return states


@pytest.mark.home_assistant
def test_in_its_sandbox_the_service_tells_every_sensor_that_it_tells_outside(installed, ha, packages):
    installed.run("mkdir", "-p", "/usr/lib/modules/0.0.1-newer")  # the running kernel's are gone: it was replaced
    installed.write("/var/lib/update-notifier/updates-available", "3 updates can be applied immediately.\n")
    switch_on, = lines("docs/sensors.md", "Scripts as sensors")
    Person(installed).types(switch_on)
    installed.write("/etc/homing/agent.conf.d/50-sensors.conf", CONFIGURATION)
    installed.run("systemctl", "restart", "homing")
    installed.run("homing", "register", "--url", ha.url, "--token-file", "-", "--name", f"shed {packages.release}",
                  input=ha.token)
    inside = wait_for(lambda: told(ha, installed), 150, "the service has told everything", every=1)

    installed.run("systemctl", "stop", "homing")
    installed.run("systemd-run", "--unit=outside", "--property=User=homing", "--property=StateDirectory=homing",
                  "--property=RuntimeDirectory=homing", "/usr/bin/homingd")
    outside = wait_for(lambda: told(ha, installed), 150, "the daemon outside has told everything", every=1)

    assert inside.keys() == outside.keys()
    assert not {unique_id for unique_id, state in inside.items() if state in ("unknown", "unavailable")}
    still = STILL & outside.keys()
    assert {unique_id: inside[unique_id] for unique_id in still} == {unique_id: outside[unique_id] for unique_id in still}
    # What a tighter sandbox hid: a /home of its own, and the names of the kernels.
    assert float(inside["disk_usage_home"]) == pytest.approx(float(outside["disk_usage_home"]), abs=0.5)
    assert inside["reboot_required"] == "on" and inside["pending_updates"] == "3"
    assert {"cpu_usage", "load_1m", "memory_usage", "last_reboot"} <= inside.keys()


def watches(machine, pid):
    """(inode, minor number of the device, mask) of each of a process's inotify watches."""
    found = machine.run("sh", "-c", f"cat /proc/{pid}/fdinfo/*", check=False).stdout
    return {(int(inode, 16), int(device, 16) & 0xFFFFF, int(mask, 16))
            for inode, device, mask in re.findall(r"^inotify wd:\d+ ino:(\w+) sdev:(\w+) mask:(\w+)", found, re.MULTILINE)}


def test_the_service_is_told_when_a_sound_device_is_opened_and_is_shown_no_other(installed):
    installed.run("mkdir", "/dev/snd")
    installed.run("touch", "/dev/snd/pcmC0D0c", "/dev/video0", "/root/mine")
    installed.run("systemctl", "restart", "homing")
    pid = installed.show("homing", "MainPID")["MainPID"]
    inode, device = map(int, installed.say("stat", "-c", "%i %d", "/dev/snd").split())
    wait_for(lambda: (inode, os.minor(device), USED) in watches(installed, pid), 10, "the folder is watched")
    seen = installed.say("ls", f"/proc/{pid}/root/dev").split()
    assert "snd" in seen and "video0" not in seen
    assert installed.say("ls", f"/proc/{pid}/root/root") == ""
