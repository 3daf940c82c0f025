"""The package homing-relay on a machine of its own: from the installation to the purge."""

import json

import pytest
from homing_rigs.machine import Machine
from homing_rigs.processes import wait_for

pytestmark = pytest.mark.skipif(not Machine.possible(), reason="needs root and systemd-nspawn")
STATE = "/var/lib/private/homing-relay"
DYNAMIC = (61184, 65519)  # numbers of dynamic users (systemd.exec(5))


@pytest.fixture
def relay(relay_machine):
    """A relay that was installed and set up, and runs."""
    relay_machine.packages.install_relay(relay_machine)
    relay_machine.run("homing-relay", "init")
    relay_machine.run("systemctl", "start", "homing-relay")
    return relay_machine


def user_of_service(machine):
    """The number of the user as whom the relay runs."""
    pid = machine.show("homing-relay", "MainPID")["MainPID"]
    return machine.say("stat", "-c", "%u", f"/proc/{pid}")


def listening(machine):
    """The addresses where somebody listens for TCP."""
    return {line.split()[3] for line in machine.say("ss", "-H", "-l", "-t", "-n").splitlines()}


def set_listen(machine, address):
    machine.write("/etc/homing/relay.conf.d/50-listen.conf", f"[listen]\naddress = {address}\n")


def wait_until_active(machine, seconds=30):
    wait_for(lambda: machine.show("homing-relay", "ActiveState")["ActiveState"] == "active", seconds, "the relay runs")


def test_an_installation_opens_no_port_and_makes_no_keys_before_init(relay_machine):
    before = listening(relay_machine)
    said = relay_machine.packages.install_relay(relay_machine)
    assert "homing-relay: the relay does not run yet." in said and "homing-relay init --public-url URL" in said
    assert listening(relay_machine) == before
    shown = relay_machine.show("homing-relay", "ActiveState", "UnitFileState", "ConditionResult", "NRestarts")
    assert shown == {"ActiveState": "inactive", "UnitFileState": "enabled", "ConditionResult": "no", "NRestarts": "0"}
    told = relay_machine.run("systemctl", "status", "--no-pager", "homing-relay", check=False).stdout
    assert "/etc/homing/relay.conf was not met" in told and "man:homing-relay(8)" in told, told
    assert relay_machine.say("systemctl", "--failed", "--no-legend") == ""
    left = relay_machine.run("sh", "-c", f"ls -d /var/lib/homing-relay {STATE} /etc/homing/relay.conf", check=False)
    assert left.stdout == ""


def test_init_and_start_give_a_relay_that_this_machine_alone_reaches(relay_machine):
    before = listening(relay_machine)
    relay_machine.packages.install_relay(relay_machine)
    said = relay_machine.say("homing-relay", "init", "--public-url", "https://relay.example")
    assert "/etc/homing/relay.conf is made." in said and "relay.keys is made. Put a copy into your backup." in said
    relay_machine.run("systemctl", "start", "homing-relay")
    assert listening(relay_machine) - before == {"127.0.0.1:8765"}
    user = user_of_service(relay_machine)
    assert DYNAMIC[0] <= int(user) <= DYNAMIC[1]
    files = [STATE, f"{STATE}/relay.keys", f"{STATE}/mailboxes.db", "/run/homing-relay", "/etc/homing/relay.conf"]
    assert relay_machine.say("stat", "-c", "%A %u", *files).splitlines() == [
        f"drwx------ {user}", f"-rw------- {user}", f"-rw------- {user}", f"drwxr-xr-x {user}", "-rw-r--r-- 0"]
    assert "https://relay.example" in relay_machine.say("homing-relay", "status")
    assert relay_machine.say("homing-relay", "check").endswith("The relay runs.")
    assert len(json.loads(relay_machine.say("homing-relay", "invite", "--json"))["code"]) >= 26
    relay_machine.run("useradd", "guest")
    assert relay_machine.run("homing-relay", "status", user="guest", check=False).returncode == 77
    assert relay_machine.run("cat", f"{STATE}/relay.keys", user="guest", check=False).returncode == 1

    # The service's user goes with it, and may have another number the next time: the state follows.
    relay_machine.run("systemctl", "stop", "homing-relay")
    other = DYNAMIC[0] if int(user) != DYNAMIC[0] else DYNAMIC[1]
    relay_machine.run("chown", "-R", f"{other}:{other}", STATE)
    relay_machine.reboot()
    wait_until_active(relay_machine)
    user = user_of_service(relay_machine)
    assert set(relay_machine.say("stat", "-c", "%u", *files[:3]).splitlines()) == {user}
    again = relay_machine.say("homing-relay", "init")
    assert "relay.conf is there already" in again and "relay.keys is there already" in again


def test_the_service_is_what_systemd_here_calls_safe(relay):
    unit = relay.say("systemctl", "show", "--value", "--property=FragmentPath", "homing-relay")
    assert relay.run("systemd-analyze", "verify", "--man=no", unit).stderr == ""
    done = relay.run("systemd-analyze", "security", "--threshold=12", "homing-relay", check=False)
    assert done.returncode == 0, done.stdout
    shown = relay.show("homing-relay", "LimitNOFILE", "LimitCORE", "DynamicUser", "After")
    assert "time-sync.target" in shown.pop("After").split()
    assert shown == {"LimitNOFILE": "1048576", "LimitCORE": "0", "DynamicUser": "yes"}


def test_a_stalled_relay_is_started_again(relay):
    assert relay.show("homing-relay", "WatchdogUSec", "RestartUSec") == {"WatchdogUSec": "3min", "RestartUSec": "5s"}
    relay.write("/run/systemd/system/homing-relay.service.d/soon.conf", "[Service]\nWatchdogSec=2\nRestartSec=100ms\n")
    relay.run("systemctl", "daemon-reload")
    relay.run("systemctl", "restart", "homing-relay")
    pid = relay.show("homing-relay", "MainPID")["MainPID"]
    relay.run("kill", "-STOP", pid)

    def again():
        shown = relay.show("homing-relay", "ActiveState", "MainPID", "NRestarts")
        return shown["ActiveState"] == "active" and shown["MainPID"] not in (pid, "0") and shown["NRestarts"] == "1"

    wait_for(again, 30, "systemd has started the relay again")
    assert relay.run("homing-relay", "status").returncode == 0


def test_an_address_that_is_not_there_yet_is_waited_for(relay):
    set_listen(relay, "10.99.99.99:8765")
    relay.run("systemctl", "restart", "homing-relay", check=False)
    wait_for(lambda: int(relay.show("homing-relay", "NRestarts")["NRestarts"]) >= 6, 60, "the relay goes on trying")
    relay.run("ip", "address", "add", "10.99.99.99/32", "dev", "lo")
    try:
        wait_until_active(relay)
        assert "10.99.99.99:8765" in listening(relay)
    finally:
        # The next machine has the same network.
        relay.run("ip", "address", "delete", "10.99.99.99/32", "dev", "lo")


def test_a_wrong_configuration_ends_for_good_and_says_where(relay):
    relay.write("/etc/homing/relay.conf.d/50-mine.conf", "[limits]\nmaximun = 5\n")
    relay.run("systemctl", "restart", "homing-relay", check=False)
    wait_for(lambda: relay.show("homing-relay", "ActiveState")["ActiveState"] == "failed", 20, "it has failed")
    assert relay.show("homing-relay", "ExecMainStatus", "NRestarts") == {"ExecMainStatus": "78", "NRestarts": "0"}
    assert 'did you mean "maximum"?' in relay.say("journalctl", "--no-pager", "-u", "homing-relay")


def test_a_removal_keeps_the_keys_and_a_purge_leaves_nothing(relay):
    before = relay.say("sha256sum", f"{STATE}/relay.keys")
    relay.run("apt-get", "-q", "-y", "remove", "homing-relay")
    assert relay.run("test", "-e", "/usr/bin/homing-relay", check=False).returncode == 1
    assert "127.0.0.1:8765" not in listening(relay)
    relay.packages.install_relay(relay)
    wait_until_active(relay)
    assert relay.say("sha256sum", f"{STATE}/relay.keys") == before

    relay.write("/etc/homing/relay.conf.d/50-mine.conf", "[limits]\nmaximum = 5\n")
    said = relay.say("apt-get", "-q", "-y", "purge", "homing-relay")
    assert "the keys of the relay are deleted. Without a copy of them each machine must join again." in said
    left = relay.say("find", "/etc", "/usr", "/lib/", "/var/lib", "/run", "-name", "*homing*")
    assert [path for path in left.splitlines() if "rigs" not in path] == []


def test_companion_and_relay_share_a_machine_and_go_each_by_itself(relay):
    relay.packages.install(relay)
    assert relay.show("homing", "ActiveState") == {"ActiveState": "active"}
    relay.write("/etc/homing/relay.conf.d/50-mine.conf", "[limits]\nmaximum = 5\n")
    keys = relay.say("sha256sum", f"{STATE}/relay.keys", "/etc/homing/relay.conf", "/etc/homing/relay.conf.d/50-mine.conf")
    relay.run("apt-get", "-q", "-y", "purge", "homing")
    assert relay.say("sha256sum", f"{STATE}/relay.keys", "/etc/homing/relay.conf",
                     "/etc/homing/relay.conf.d/50-mine.conf") == keys
    assert relay.show("homing-relay", "ActiveState") == {"ActiveState": "active"}

    relay.packages.install(relay)
    relay.write("/etc/homing/agent.conf.d/50-mine.conf", "[gpsd]\nenabled = false\n")
    relay.run("apt-get", "-q", "-y", "purge", "homing-relay")
    assert relay.say("ls", "/etc/homing") == "agent.conf.d"
    assert relay.say("cat", "/etc/homing/agent.conf.d/50-mine.conf") == "[gpsd]\nenabled = false"
    relay.run("test", "-f", "/var/lib/homing/homes/home/outbox.db")
    assert relay.show("homing", "ActiveState") == {"ActiveState": "active"}
