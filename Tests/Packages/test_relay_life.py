"""A relay's machine and a machine whose channel is closed, with a real Home Assistant between: joined, notified, upgraded."""

import json
import re
import shutil
import time

import pytest
from homing_rigs.machine import Machine
from homing_rigs.processes import wait_for
from scenes import register
from test_relay import STATE, set_listen, wait_until_active

pytestmark = [pytest.mark.skipif(not Machine.possible(), reason="needs root and systemd-nspawn"),
              pytest.mark.home_assistant]
SHOWN = "1150c3db6b7b4957883b438b2ff79618"  # each notification in the journal


def shown(machine):
    """The titles that the machine has shown, without the age of what came late."""
    titles = [entry["NOTIFICATION_TITLE"] for entry in machine.journal("-u", "homing", f"MESSAGE_ID={SHOWN}")]
    return [re.sub(r" \(.* ago\)$", "", title) for title in titles]


def notify(ha, name, title):
    slug = re.sub(r"[^a-z0-9]+", "_", name.lower())
    ha.post(f"/api/services/notify/mobile_app_{slug}", {"message": "text", "title": title})


def waiting(relay):
    return json.loads(relay.say("homing-relay", "status", "--json"))["store"]["messages"]


@pytest.fixture
def pair(installed, relay_machine, ha, packages):
    """A machine whose channel is closed, and a relay that it has joined, as their commands say. With the machine's name."""
    packages.install_relay(relay_machine)
    url = f"http://{relay_machine.address}:8765"
    set_listen(relay_machine, f"{relay_machine.address}:8765")
    relay_machine.run("homing-relay", "init", "--public-url", url)
    relay_machine.run("systemctl", "start", "homing-relay")
    invitation = relay_machine.say("homing-relay", "invite")
    command, = re.findall(r"^On the machine: (homing relay join \S+ \S+)$", invitation, re.MULTILINE)

    installed.write("/etc/homing/agent.conf.d/50-push.conf", "[push]\nmode = off\nrelay = hold\n")
    installed.run("systemctl", "restart", "homing")
    name = f"Sleeper {packages.release}"
    register(installed, ha, name)
    refused = installed.run(*command.split(), check=False)
    assert refused.returncode == 64 and "plain HTTP" in refused.stderr, "nobody has agreed to it"
    installed.run(*command.split(), "--insecure-http")
    device = json.loads(installed.say("cat", "/var/lib/homing/homes/home/registration.json"))["device_id"]
    wait_for(lambda: ha.registration(device).data["app_data"].get("push_url") == f"{url}/v1/push", 30,
             "Home Assistant is told of the relay")
    return installed, relay_machine, name


def test_a_machine_without_a_channel_is_notified_over_an_upgrade_of_the_relay_too(pair, ha, packages):
    machine, relay, name = pair
    notify(ha, name, "At once")
    wait_for(lambda: shown(machine) == ["At once"], 30, "what comes by the relay is shown")
    wait_for(lambda: waiting(relay) == 0, 20, "the machine acknowledges")

    machine.run("systemctl", "stop", "homing")
    waited = [f"Waited {number}" for number in range(3)]
    for title in waited:
        notify(ha, name, title)
    wait_for(lambda: waiting(relay) == 3, 20, "Home Assistant hands them over")
    keys = relay.say("sha256sum", f"{STATE}/relay.keys", "/etc/homing/relay.conf")
    shutil.copy(packages.next_version("homing-relay"), relay.root / "root/next.deb")
    relay.run("apt-get", "-q", "-y", "install", "/root/next.deb")
    assert relay.say("dpkg-query", "-W", "-f", "${Version}", "homing-relay").startswith("9.")
    wait_until_active(relay)
    assert relay.show("homing-relay", "NRestarts") == {"NRestarts": "0"}
    assert waiting(relay) == 3
    assert relay.say("sha256sum", f"{STATE}/relay.keys", "/etc/homing/relay.conf") == keys

    machine.run("systemctl", "start", "homing")
    wait_for(lambda: shown(machine)[1:] == waited, 30, "what waited over the upgrade is shown")
    wait_for(lambda: waiting(relay) == 0, 20, "the machine acknowledges")

    # While the machine is connected, an upgrade sends it away, and it comes back.
    relay.run("apt-get", "-q", "-y", "--reinstall", "install", "/root/next.deb")
    wait_until_active(relay)
    notify(ha, name, "After")
    wait_for(lambda: shown(machine)[4:] == ["After"], 90, "the machine has come back")
    machine.reboot()
    wait_for(lambda: machine.show("homing", "ActiveState")["ActiveState"] == "active", 30, "the service is up")
    time.sleep(5)
    assert sorted(shown(machine)) == sorted(["At once", *waited, "After"]), "each is shown once, also after a reboot"

    words = relay.say("journalctl", "--no-pager", "-u", "homing-relay")
    assert "Waited" not in words and "hr1." not in words
