"""The package on a machine on a drive, with a real Home Assistant: from the installation to the next version."""

import json
import shutil

import pytest
from homing_rigs.machine import Machine
from homing_rigs.processes import wait_for

pytestmark = [pytest.mark.skipif(not Machine.possible(), reason="needs root and systemd-nspawn"),
              pytest.mark.home_assistant]
GPS_PORT = 29555


@pytest.fixture
def driving(installed, receiver):
    """An installed machine whose gpsd has a receiver, and which tells every move."""
    installed.packages.feed_gpsd(installed, GPS_PORT)
    installed.write("/etc/homing/agent.conf.d/50-drive.conf", "[location]\nmin_distance = 1\nstill_interval = 0\n")
    receiver.feed("goto 200")
    installed.run("systemctl", "reload", "homing")
    return installed


def status(machine):
    return json.loads(machine.say("homing", "status", "--json"))


def location(machine):
    return next(queue for queue in status(machine)["queues"] if queue["stream"] == "location")


def register(machine, ha, *words):
    return machine.run("homing", "register", "--url", ha.url, "--token-file", "-", *words, input=ha.token)


def tracker(ha, name):
    """The state of the device's tracker, None if there is none."""
    return next((state for state in ha.states("device_tracker.").values()
                 if state["attributes"].get("friendly_name") == name), None)


def test_an_installed_machine_delivers_and_goes_on_after_a_reboot(driving, ha, packages):
    wait_for(lambda: location(driving)["queued"] > 0, 60, "positions wait for a registration")
    name = f"van {packages.release}"
    assert f"Registered as {name}; messages are sealed." in register(driving, ha, "--name", name).stdout

    wait_for(lambda: location(driving)["fates"]["delivered_live"] > 0, 60, "a position has arrived")
    place = tracker(ha, name)["attributes"]
    assert place["source_type"] == "gps" and 52 < place["latitude"] < 53
    wait_for(lambda: "queued" in driving.show("homing", "StatusText")["StatusText"], 20, "systemd is told the way")
    assert driving.say("stat", "-c", "%A %U", "/var/lib/homing/registration.json") == "-rw------- homing"

    driving.reboot()
    wait_for(lambda: driving.show("homing", "ActiveState")["ActiveState"] == "active", 30, "the service is up")
    before = tracker(ha, name)["last_updated"]
    wait_for(lambda: tracker(ha, name)["last_updated"] > before, 90, "positions arrive again")
    assert ha.token not in driving.say("journalctl", "--no-pager", "-u", "homing")


def test_an_upgrade_keeps_the_queue_and_the_registration(driving, ha, packages, network):
    name = f"boat {packages.release}"
    register(driving, ha, "--name", name)
    wait_for(lambda: location(driving)["fates"]["delivered_live"] > 0, 60, "a position has arrived")
    network.cable(False)
    try:
        wait_for(lambda: location(driving)["queued"] >= 5, 90, "positions wait")
        registration = driving.say("cat", "/var/lib/homing/registration.json")
        configuration = driving.say("cat", "/etc/homing/agent.conf")
        driving.write("/etc/homing/agent.conf", f"{configuration}\n# mine\n")
        queued, accepted = location(driving)["queued"], location(driving)["accepted"]

        shutil.copy(packages.next_version(), driving.root / "root/next.deb")
        driving.run("apt-get", "-q", "-y", "install", "/root/next.deb")
        assert driving.say("dpkg-query", "-W", "-f", "${Version}", "homing").startswith("9.")
        assert driving.show("homing", "ActiveState", "NRestarts") == {"ActiveState": "active", "NRestarts": "0"}
        assert location(driving)["queued"] >= queued and location(driving)["accepted"] >= accepted
        assert driving.say("cat", "/var/lib/homing/registration.json") == registration
        assert driving.say("cat", "/etc/homing/agent.conf").endswith("# mine")
    finally:
        network.cable(True)

    def delivered_all():
        fates = location(driving)["fates"]
        return fates["delivered_live"] + fates["delivered_track"] >= accepted

    wait_for(delivered_all, 180, "what had waited over the upgrade has arrived")
    book = location(driving)
    assert book["accepted"] == sum(book["fates"].values()) + book["queued"]


def test_a_package_that_comes_back_finds_its_registration(driving, ha, packages):
    name = f"bus {packages.release}"
    register(driving, ha, "--name", name)
    driving.run("apt-get", "-q", "-y", "remove", "homing")
    driving.run("test", "-f", "/var/lib/homing/registration.json")
    packages.install(driving)
    wait_for(lambda: status(driving)["registration"]["device_name"] == name, 20, "it is registered as before")

    driving.run("apt-get", "-q", "-y", "purge", "homing")
    assert driving.run("test", "-e", "/var/lib/homing", check=False).returncode == 1
