"""From an empty machine to a dot that moves in Home Assistant, by the two lines of the README that install a release and by
`homing setup`: on Debian 12 and 13, and on a machine of arm64 that qemu plays. With HOMING_MEASUREMENTS the times go there.
docs/install.md says what is not timed."""

import contextlib
import time

import pytest
from homing_rigs import debian_tree, foreign_tree
from homing_rigs.home_assistant import HomeAssistant, available_versions
from homing_rigs.machine import Machine
from homing_rigs.ports import free_port
from homing_rigs.processes import wait_for
from homing_rigs.virtual_machine import ADDRESS, HOST, VirtualMachine
from conftest import GPS_PORT, architectures, receiver_at_a_port
from packages import HERE, Packages
from readme import lines, setup_of_a_script
from served import Served, by_readme, release_folder
from test_first_minutes import place, record

pytestmark = [pytest.mark.home_assistant, pytest.mark.skipif(
    set(architectures()) != set(release_folder.ARCHITECTURES) or HERE != "amd64",
    reason="a release has packages for amd64 and arm64, built on amd64: make test-packages")]
ARM64 = Packages("trixie", "arm64")
# Seconds for a step of a machine that is emulated beside other work.
PATIENCE = 1500


def first_dot(machine, served, ha, url, name, feed):
    """Types what the README says; returns how many seconds each step took."""
    assert machine.run("sh", "-c", "command -v homing || command -v gpsd", check=False).returncode, "it is empty"
    machine.run("hostname", name)
    machine.write("/root/token", ha.token)
    figures, began = {}, time.monotonic()

    def lap(step):
        nonlocal began
        figures[step], began = time.monotonic() - began, time.monotonic()

    by_readme(machine, served, timeout=PATIENCE)
    lap("install")
    feed()
    began = time.monotonic()
    pair, = lines("README.md", "Pair")
    words = f"{pair.removeprefix('sudo ')} {setup_of_a_script(url, '/root/token')}"
    assert "Homing reports to Home Assistant" in machine.run("sh", "-c", words, timeout=PATIENCE).stdout
    lap("pair")
    wait_for(lambda: place(ha, name), PATIENCE, "a dot on the map")
    lap("dot")
    first = place(ha, name)
    wait_for(lambda: place(ha, name) != first, PATIENCE, "the dot moves")
    lap("moves")
    assert machine.show("homing", "ActiveState", "UnitFileState") == {"ActiveState": "active", "UnitFileState": "enabled"}
    return figures


def told(capsys, platform, figures):
    with capsys.disabled():
        print(f"\n{platform}: " + ", ".join(f"{what} {seconds:.1f} s" for what, seconds in figures.items()))


@pytest.mark.skipif(not Machine.possible(), reason="needs root and systemd-nspawn")
def test_the_two_lines_and_setup_lead_to_a_dot_that_moves(machine, receiver, ha, packages, served, capsys):
    debian_tree.add_downloads(packages.tree, "wget-xz-utils", ["wget", "xz-utils"])
    machine.run("apt-get", "-q", "-y", "install", "wget")

    def feed():
        receiver.feed("goto 200")
        packages.feed_gpsd(machine, GPS_PORT)

    figures = first_dot(machine, served, ha, ha.url, f"dot-{packages.release}", feed)
    told(capsys, packages.platform, figures)
    record(packages, ha, figures, by="release")


@pytest.fixture(scope="module")
def tree():
    """A tree of arm64 whose apt has what the package wants."""
    tree = foreign_tree.to_boot("trixie", "arm64")
    for package in ARM64.all.values():
        (tree / "var/tmp" / package.name).write_bytes(package.read_bytes())
    debian_tree.add_downloads(tree, ARM64.dependencies_digest(), [f"/var/tmp/{ARM64.homing.name}"])
    debian_tree.add_downloads(tree, "wget", ["wget"])
    return tree


@pytest.mark.skipif(not VirtualMachine.possible(), reason="needs root and qemu-system-arm")
def test_the_same_on_a_machine_of_arm64(tree, checkout, key, capsys):
    with contextlib.ExitStack() as ends:
        ha = ends.enter_context(HomeAssistant(available_versions()[-1]))
        served = ends.enter_context(Served(checkout, key, "127.0.0.1", seen_as=HOST).running())
        port = free_port()
        gps = ends.enter_context(receiver_at_a_port(port))
        machine = ends.enter_context(VirtualMachine(tree, {}, {GPS_PORT: port}))
        machine.run("apt-get", "-q", "-y", "install", "wget", timeout=PATIENCE)

        def feed():
            gps.feed("goto 200")
            gps.feed("resume")
            ARM64.feed_gpsd(machine, GPS_PORT, ADDRESS)

        figures = first_dot(machine, served, ha, f"http://{HOST}:{ha.port}", "dot-arm64", feed)
    told(capsys, ARM64.platform, figures)
    record(ARM64, ha, figures, by="release")
