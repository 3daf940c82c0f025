"""What docs/fleet.md has people type, on booted machines: registered by a script, by cloud-init and at a first start; copied
with and without a registration; moved. Machines in containers have no hardware of their own, so their machine ids tell them
apart, as the page says."""

import contextlib
import json
import subprocess

import pytest
from homing_rigs import debian_tree, netns
from homing_rigs.documents import block
from homing_rigs.machine import Machine
from homing_rigs.processes import wait_for
from conftest import architectures
from packages import HERE
from readme import Person, lines, setup_of_a_script
from scenes import location, register, status, tracker
from served import address, release_folder

pytestmark = [pytest.mark.skipif(not Machine.possible(), reason="needs root and systemd-nspawn"),
              pytest.mark.home_assistant]
PAGE = "docs/fleet.md"
URL = "http://homeassistant.local:8123"
RELEASE = address(PAGE)
wants_release = pytest.mark.skipif(
    set(architectures()) != set(release_folder.ARCHITECTURES) or HERE != "amd64",
    reason="a release has packages for amd64 and arm64, built on amd64: make test-packages")


def registration(machine):
    return json.loads(machine.say("homing", "registration", "--json"))


def is_there(machine, path):
    return machine.run("test", "-e", path, check=False).returncode == 0


def warnings(machine):
    return {warning["code"] for home in status(machine)["homes"] for warning in home["warnings"]}


def copy_disk(source, target):
    """The state of one machine on the other, which is another machine by its id."""
    archive = subprocess.run(source.command("tar", "-C", "/var/lib/homing", "-c", "."), check=True,
                             stdout=subprocess.PIPE).stdout
    target.run("systemctl", "stop", "homing")
    subprocess.run(target.command("tar", "-C", "/var/lib/homing", "-x"), check=True, input=archive)
    target.run("sh", "-c", "tr -d - < /proc/sys/kernel/random/uuid > /etc/machine-id")
    assert target.say("cat", "/etc/machine-id") != source.say("cat", "/etc/machine-id")
    target.run("systemctl", "start", "homing")


@pytest.fixture
def beside(relay_machine, network, other_network):
    """Another machine of the release with the package, which is not registered. It reaches the same Home Assistant."""
    netns.ip("-n", other_network.name, "route", "replace", network.near, "via", other_network.near)
    relay_machine.packages.install(relay_machine)
    return relay_machine


def test_a_script_registers_once_and_changes_nothing_after_that(installed, ha):
    command, = lines(PAGE, "Register by a script")
    installed.write("/run/homing-token", ha.token)
    person = Person(installed)
    first = json.loads(person.types(command.replace(URL, ha.url)).stdout)
    assert first["changed"] and first["proven"] and "problem" not in first, first
    assert installed.show("homing", "ActiveState", "UnitFileState") == {"ActiveState": "active", "UnitFileState": "enabled"}
    installed.run("rm", "/run/homing-token")
    identity = registration(installed)
    again = json.loads(person.types(command.replace(URL, ha.url)).stdout)
    assert again == {"changed": False, "device_name": first["device_name"], "home": "home"}
    assert registration(installed) == identity
    # The service is part of what is needed.
    installed.run("systemctl", "disable", "--now", "homing")
    assert json.loads(person.types(command.replace(URL, ha.url)).stdout)["changed"]
    assert installed.show("homing", "ActiveState")["ActiveState"] == "active"


@pytest.fixture
def empty(machine, packages):
    """A machine without Homing, whose apt can install cloud-init and wget."""
    debian_tree.add_downloads(packages.tree, "cloud-init", ["cloud-init"])
    debian_tree.add_downloads(packages.tree, "wget-xz-utils", ["wget", "xz-utils"])
    assert not is_there(machine, "/usr/bin/homing") and not is_there(machine, "/usr/bin/wget")
    return machine


@wants_release
def test_cloud_init_installs_and_registers_at_the_first_start(empty, served, ha):
    empty.run("apt-get", "-q", "-y", "install", "--no-install-recommends", "cloud-init", timeout=300)
    data = block(PAGE, "Register by a script", "yaml").replace(RELEASE, served.url).replace(URL, ha.url)
    seed = "/var/lib/cloud/seed/nocloud"
    empty.write(f"{seed}/user-data", data.replace("TOKEN", ha.token))
    empty.write(f"{seed}/meta-data", "instance-id: one\nlocal-hostname: van-cloud\n")
    empty.write("/etc/cloud/cloud.cfg.d/99-seed.cfg", "datasource_list: [NoCloud]\napt_preserve_sources_list: true\n")
    # The boot ends with cloud-init, which takes longer than the boot of other machines.
    with contextlib.suppress(TimeoutError):
        empty.reboot()
    empty.run("cloud-init", "status", "--wait", check=False, timeout=600)
    said = empty.say("cat", "/var/log/cloud-init-output.log")
    assert ha.token not in said
    assert is_there(empty, "/usr/bin/homing"), said
    wait_for(lambda: registration(empty)["device_name"] == "van-cloud", 60, "the registration")
    assert not is_there(empty, "/run/homing-token")
    assert empty.show("homing", "ActiveState", "UnitFileState") == {"ActiveState": "active", "UnitFileState": "enabled"}
    assert "user-data.txt" in empty.say("grep", "-rlaF", "--file=-", "/var/lib/cloud/instances", input=ha.token)


def late_command(text):
    """What Debian's installer runs by sh, of a block for the installer."""
    owner, question, kind, command = text.replace("\\\n", "").split(None, 3)
    assert (owner, question, kind) == ("d-i", "preseed/late_command", "string")
    return command


@wants_release
def test_the_lines_for_debians_installer_install_homing_and_the_unit(empty, served, packages):
    """The machine plays both the installer and the installed system, so `in-target` runs its words here."""
    text = block(PAGE, "Register by a script", "text")
    empty.run("debconf-set-selections", "--checkonly", input=text)
    empty.write("/usr/local/bin/in-target", '#!/bin/sh\nexec "$@"\n')
    empty.run("chmod", "755", "/usr/local/bin/in-target")
    empty.run("ln", "-s", "/", "/target")
    empty.write("/cdrom/homing-token", "a token\n")
    empty.write("/cdrom/homing-first-start.service", block(PAGE, "Register by a script", "systemd"))
    command = late_command(text).replace(RELEASE, served.url)
    # A line that fails ends the command, and the installer says so.
    wrong = command.replace("homing.sources", "nothing.sources")
    assert empty.run("sh", "-c", wrong, check=False, timeout=300).returncode != 0
    assert not is_there(empty, "/root/homing-token")
    empty.run("sh", "-c", command, timeout=300)
    assert empty.say("dpkg-query", "-W", "-f", "${Version}", "homing") == packages.field("Version")
    assert empty.say("cat", "/root/homing-token") == "a token"
    assert empty.show("homing-first-start", "UnitFileState") == {"UnitFileState": "enabled"}


def test_a_machine_registers_at_its_first_start_and_tries_again_until_it_can(installed, ha):
    unit = block(PAGE, "Register by a script", "systemd").replace(URL, "http://10.255.255.1:8123")
    installed.write("/etc/systemd/system/homing-first-start.service", unit.replace("RestartSec=60", "RestartSec=1"))
    installed.write("/root/homing-token", ha.token)
    installed.run("systemctl", "enable", "homing-first-start.service")
    installed.reboot()
    wait_for(lambda: int(installed.show("homing-first-start", "NRestarts")["NRestarts"]) > 1, 120, "tries that fail")
    said = installed.say("journalctl", "-u", "homing-first-start", "--no-pager")
    assert "10.255.255.1" in said and ha.token not in said, said
    # A second try would not help here, and is not made: the token goes unencrypted to local addresses alone.
    installed.write("/etc/systemd/system/homing-first-start.service", unit.replace("10.255.255.1", "192.0.2.1"))
    installed.run("systemctl", "daemon-reload")
    installed.run("systemctl", "restart", "homing-first-start", check=False)
    # A unit that is tried again is "activating". systemd 252 counts on from the restarts before.
    assert installed.show("homing-first-start", "ExecMainStatus", "ActiveState") == {
        "ExecMainStatus": "64", "ActiveState": "failed"}
    installed.write("/etc/systemd/system/homing-first-start.service", unit.replace("http://10.255.255.1:8123", ha.url))
    installed.run("systemctl", "daemon-reload")
    installed.run("systemctl", "restart", "homing-first-start")
    wait_for(lambda: registration(installed)["device_name"], 60, "the registration")
    assert not is_there(installed, "/root/homing-token")
    installed.reboot()
    assert installed.show("homing-first-start", "ActiveState", "ConditionResult") == {
        "ActiveState": "inactive", "ConditionResult": "no"}


def test_a_copy_of_a_marked_disk_becomes_a_device_of_its_own(installed, beside, ha):
    setup, prepare = lines(PAGE, "Copy a disk")
    installed.run("hostname", "image-one")
    installed.write("/root/homing/token", ha.token)
    person = Person(installed)
    person.types(f"{setup} {setup_of_a_script(ha.url, 'token')} --name Image")
    person.types(prepare)
    beside.run("hostname", "image-two")
    copy_disk(installed, beside)
    wait_for(lambda: registration(beside)["device_id"] != registration(installed)["device_id"], 150, "its own identity")
    assert registration(beside)["device_name"] == "image-two" and warnings(beside) == set()
    beside.run("homing", "send-location", "--zone", "Work")
    wait_for(lambda: tracker(ha, "image-two")["state"] == "Work", 60, "its own place")
    # The marked machine stays the device that it is.
    installed.reboot()
    assert registration(installed)["device_name"] == "Image" and warnings(installed) == set()


def test_a_copy_of_a_marked_disk_without_a_registration_waits_for_setup(installed, beside, ha, packages):
    prepare, setup = lines(PAGE, "Copy a disk", number=2)
    assert f"On each copy, run: {setup}" in Person(installed).types(prepare).stdout
    name = f"bare-{packages.release}"
    beside.run("hostname", name)
    copy_disk(installed, beside)
    wait_for(lambda: not is_there(beside, "/var/lib/homing/image.json"), 60, "the copy has taken the mark away")
    assert beside.run("homing", "registration", check=False).returncode == 66
    beside.write("/root/homing/token", ha.token)
    Person(beside).types(f"{setup} {setup_of_a_script(ha.url, 'token')}")
    assert registration(beside)["device_name"] == name
    beside.run("homing", "send-location", "--zone", "Work")
    wait_for(lambda: tracker(ha, name)["state"] == "Work", 60, "its own place")
    assert installed.run("homing", "registration", check=False).returncode == 66


@pytest.mark.parametrize("number, name", [(1, "Moved"), (2, "copy")])
def test_a_disk_on_another_machine_waits_for_one_of_the_two_commands(installed, beside, ha, number, name):
    way = lines(PAGE, "When the hardware changed", number=number)[-1]
    beside.run("hostname", "copy")
    register(installed, ha, "Moved")
    before = registration(installed)["device_id"]
    copy_disk(installed, beside)
    assert warnings(beside) >= {"another_machine"}
    beside.run("homing", "send-location", "--zone", "Work", check=False)
    assert location(beside)["queued"] == 1
    assert "registration keep" in beside.say("homing", "status")
    Person(beside).types(way + (" --name copy" if number == 2 else ""))
    wait_for(lambda: location(beside)["queued"] == 0, 200, "what was recorded meanwhile has arrived")
    assert (registration(beside)["device_id"] == before) == (number == 1)
    assert tracker(ha, name)["state"] == "Work" and warnings(beside) == set()


def test_a_machine_that_is_taken_out_leaves_what_its_page_says(installed, ha):
    unregister, purge = lines(PAGE, "Take a machine out")
    register(installed, ha, "Gone")
    person = Person(installed)
    ended = json.loads(person.types(unregister).stdout)
    assert ended["token"] == "given" and "your profile, Security" in ended["text"], ended
    person.types(purge.replace("purge", "purge --yes"))
    left = installed.say("sh", "-c", "ls -d /var/lib/homing /etc/homing /run/homing* || true", check=False).split()
    assert left == [], left
