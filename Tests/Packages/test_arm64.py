"""The packages for arm64 on a machine of arm64, which qemu plays with Debian's own kernels: one of small pages, and one of
the large pages of a Raspberry Pi 5. Minutes pass for what takes a real machine seconds."""

import contextlib
import json
import shutil

import pytest
from homing_rigs import debian_tree, foreign_tree
from homing_rigs.documents import command
from homing_rigs.home_assistant import HomeAssistant, available_versions
from homing_rigs.ports import free_port
from homing_rigs.processes import wait_for
from homing_rigs.virtual_machine import ADDRESS, HOST, VirtualMachine
from conftest import GPS_PORT, receiver_at_a_port
from packages import Packages
from scenes import delivered, kill_often, location, register, tracker

PACKAGES = Packages("trixie", "arm64")
pytestmark = [pytest.mark.skipif(not PACKAGES.there, reason="no packages for arm64 in .build/packages: make deb ARCH=arm64"),
              pytest.mark.skipif(not VirtualMachine.possible(), reason="needs root and qemu-system-arm")]
# The kernel of each size of pages.
KERNELS = {"arm64": 4096, "arm64-16k": 16384}
CALM = "[location]\nmin_distance = 1\nstill_interval = 0\n"
SCRIPT = """#!/bin/sh
mkdir -p /var/lib/homing/van
{ cat /var/lib/homing/homes/home/registration.json; readlink /proc/$PPID/exe; } >/var/lib/homing/van/new 2>&1
mv /var/lib/homing/van/new /var/lib/homing/van/said
echo '{"interval": 10, "sensors": []}'
"""
# Seconds for the slowest step of a machine that is emulated beside other work.
PATIENCE = 1500


@pytest.fixture(scope="module")
def home():
    """The newest Home Assistant here."""
    with HomeAssistant(available_versions()[-1]) as running:
        yield running


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What the machine has in /packages: the packages, and the first as the next release would have it."""
    folder = tmp_path_factory.mktemp("arm64") / "packages"
    folder.mkdir()
    for package in PACKAGES.all.values():
        shutil.copy(package, folder)
    shutil.copy(PACKAGES.next_version(), folder / "next.deb")
    return folder


@pytest.fixture(scope="module")
def tree():
    """A tree of arm64 whose apt has what the packages want."""
    tree = foreign_tree.to_boot("trixie", "arm64")
    for package in PACKAGES.all.values():
        shutil.copy(package, tree / "var/tmp")
    names = {name: f"/var/tmp/{package.name}" for name, package in PACKAGES.all.items()}
    digest = PACKAGES.dependencies_digest()
    debian_tree.add_downloads(tree, digest, [names["homing"]])
    debian_tree.add_downloads(tree, f"{digest}-others", ["--no-install-recommends", *names.values()])
    return tree


@pytest.fixture(scope="module", params=KERNELS)
def machine(request, tree, folder):
    """A machine with that kernel, whose gpsd has a receiver on a drive, and on which the package has been installed."""
    with contextlib.ExitStack() as ends:
        port = free_port()
        gps = ends.enter_context(receiver_at_a_port(port))
        machine = ends.enter_context(VirtualMachine(tree, {"/packages": folder}, {GPS_PORT: port}, kernel=request.param))
        machine.kernel, machine.packages = request.param, PACKAGES
        PACKAGES.install(machine, timeout=PATIENCE)
        machine.write("/etc/homing/agent.conf.d/50-drive.conf", CALM)
        PACKAGES.feed_gpsd(machine, GPS_PORT, ADDRESS)
        machine.run("systemctl", "reload", "homing")
        machine.gps = gps
        yield machine


@pytest.fixture
def driving(machine):
    """The same amid the drive: what came before may have taken longer than the drive, at whose end the receiver stays."""
    machine.gps.feed("goto 200")
    machine.gps.feed("resume")
    return machine


# In the order of the file, on one machine: to boot takes minutes.


def test_the_machine_has_the_architecture_that_the_page_wants(machine):
    words = command("docs/raspberry-pi-gps.md", "On a Raspberry Pi with a USB GPS receiver", "dpkg --print-architecture")
    assert machine.say(*words.split()) == "arm64"


@pytest.mark.shows("booted")
def test_the_service_runs_in_its_sandbox_on_the_pages_of_the_kernel(machine):
    assert machine.say("uname", "-m") == "aarch64" and machine.say("getconf", "PAGESIZE") == str(KERNELS[machine.kernel])
    shown = machine.show("homing", "ActiveState", "UnitFileState", "User", "NRestarts")
    assert shown == {"ActiveState": "active", "UnitFileState": "enabled", "User": "homing", "NRestarts": "0"}
    assert machine.say("systemctl", "--failed", "--no-legend") == ""
    assert machine.run("systemd-analyze", "security", "--threshold=15", "homing", check=False).returncode == 0
    # The folders that tmpfiles and the service make, and the user that sysusers made.
    assert machine.say("stat", "-c", "%A %U", "/var/lib/homing", "/run/homing", "/run/homing/control.sock").splitlines() == [
        "drwx------ homing", "drwxr-xr-x homing", "srw-rw-rw- homing"]
    # A board without a number, as a Raspberry Pi is: tmpfiles makes no copy of the number, and no unit failed for that.
    for file in ("/sys/class/dmi/id/product_uuid", "/run/homing.board"):
        assert machine.run("test", "-e", file, check=False).returncode == 1, file
    # It is on the system's bus, and logind lets it delay a sleep.
    assert "homingd" in machine.say("busctl", "--system", "--no-legend", "list")
    wait_for(lambda: "homing" in machine.say("systemd-inhibit", "--list", "--no-legend"), 60, "the daemon has asked logind")


def test_the_relay_and_the_helper_of_desktops_run_too(machine):
    others = [f"/packages/{package.name}" for package in (PACKAGES.relay, PACKAGES.desktop)]
    machine.run("apt-get", "-q", "-y", "install", "--no-install-recommends", *others, timeout=PATIENCE)
    version = PACKAGES.field("Version").split("~")[0]
    for program in ("homingd", "homing", "homing-relay", "/usr/libexec/homing-session"):
        assert machine.say(program, "--version").split()[-1] == version, program
    machine.run("homing-relay", "init", "--public-url", "https://relay.example")
    machine.run("systemctl", "start", "homing-relay")
    assert machine.say("homing-relay", "check").endswith("The relay runs.")
    assert len(json.loads(machine.say("homing-relay", "invite", "--json"))["code"]) >= 26


@pytest.mark.shows("drive")
@pytest.mark.home_assistant
def test_a_drive_arrives_in_home_assistant(driving, home):
    machine = driving
    name = f"van {machine.kernel}"
    said = register(machine, home, name, f"http://{HOST}:{home.port}")
    assert f"Registered as {name}; messages are encrypted." in said
    wait_for(lambda: delivered(machine) > 0, PATIENCE, "a position has arrived", every=2)
    place = tracker(home, name)["attributes"]
    assert place["source_type"] == "gps" and 52 < place["latitude"] < 53
    before = tracker(home, name)["last_updated"]
    wait_for(lambda: tracker(home, name)["last_updated"] > before, PATIENCE, "positions go on arriving", every=2)


def test_a_script_reads_neither_the_registration_nor_the_daemon(driving):
    machine = driving
    machine.write("/etc/homing/agent.conf.d/60-script.conf", "[sensors]\nenable = script\n")
    machine.write("/etc/homing/sensors.d/thief", SCRIPT)
    machine.run("chmod", "755", "/etc/homing/sensors.d/thief")
    machine.run("systemctl", "restart", "homing")
    wait_for(lambda: machine.run("test", "-e", "/var/lib/homing/van/said", check=False).returncode == 0, PATIENCE,
             "the script ran", every=2)
    said = machine.say("cat", "/var/lib/homing/van/said")
    assert "registration.json: Permission denied" in said and "homingd" not in said, said
    assert "scripts_unconfined" not in machine.say("homing", "status", "--json")


@pytest.mark.shows("kills")
@pytest.mark.home_assistant
def test_kills_lose_nothing_that_was_accepted(driving, home):
    kill_often(driving)


@pytest.mark.shows("upgrade")
@pytest.mark.home_assistant
def test_an_upgrade_and_a_reboot_keep_the_queue_and_the_registration(driving, home):
    machine = driving
    registration = machine.say("cat", "/var/lib/homing/homes/home/registration.json")
    home.stop(keep=True)
    wait_for(lambda: location(machine)["queued"] >= 5, PATIENCE, "positions wait", every=2)
    before = location(machine)
    machine.run("apt-get", "-q", "-y", "install", "/packages/next.deb", timeout=PATIENCE)
    assert machine.say("dpkg-query", "-W", "-f", "${Version}", "homing").startswith("9.")
    machine.reboot()
    assert machine.show("homing", "ActiveState", "NRestarts") == {"ActiveState": "active", "NRestarts": "0"}
    assert machine.say("cat", "/var/lib/homing/homes/home/registration.json") == registration
    after = location(machine)
    assert after["queued"] >= before["queued"] and after["accepted"] >= before["accepted"]
    home.start()
    wait_for(lambda: delivered(machine) >= after["accepted"], PATIENCE, "what waited has arrived", every=2)


@pytest.mark.shows("purge")
def test_a_purge_leaves_nothing(machine):
    machine.run("apt-get", "-q", "-y", "purge", "homing", timeout=PATIENCE)
    for path in ("/var/lib/homing", "/etc/homing/agent.conf", "/usr/bin/homingd"):
        assert machine.run("test", "-e", path, check=False).returncode == 1
