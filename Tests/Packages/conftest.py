"""What the tests of the packages share: the built packages, machines of each release to install them on, and one Home
Assistant beside their network."""

import pathlib
import subprocess
import sys

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "Tests/rigs"), str(pathlib.Path(__file__).parent)]

from homing_rigs import debian_tree  # noqa: E402
from homing_rigs.gps import GPSD  # noqa: E402
from homing_rigs.home_assistant import HomeAssistant, available_versions  # noqa: E402
from homing_rigs.machine import Machine  # noqa: E402
from homing_rigs.netns import Namespace  # noqa: E402
from homing_rigs.processes import Child, temporary_folder  # noqa: E402
from packages import Packages  # noqa: E402

GPS_PORT = 29555


def pytest_configure(config):
    config.addinivalue_line("markers", "home_assistant: wants a real Home Assistant")


def built():
    """The releases that packages were built for."""
    return [release for release in debian_tree.NUMBERS if Packages(release).there]


@pytest.fixture(scope="session", params=built())
def packages(request):
    """The packages of each release in turn, with what they depend on ready to be installed without a network."""
    packages = Packages(request.param)
    packages.tree = debian_tree.to_boot(request.param)
    # As a file below the tree, under which apt sees it.
    folder = packages.tree / "var/tmp"
    subprocess.run(["cp", packages.homing, folder], check=True)
    debian_tree.add_downloads(packages.tree, packages.dependencies_digest(), [f"/var/tmp/{packages.homing.name}"])
    return packages


@pytest.fixture(scope="session")
def network():
    """A network of two: the machine, and this side."""
    with Namespace() as namespace:
        yield namespace


@pytest.fixture(scope="session")
def ha(network):
    """The newest Home Assistant here, which listens on the machine's network too."""
    with HomeAssistant(available_versions()[-1], host=network.near) as running:
        yield running


@pytest.fixture
def machine(packages, network):
    """A machine of the release, with the packages in /packages and nothing of ours installed."""
    with Machine(packages.tree, network, {"/packages": packages.folder}) as machine:
        machine.packages = packages
        yield machine


@pytest.fixture
def installed(machine):
    """The same with the package homing installed, and gpsd with it, as apt does it."""
    machine.packages.install(machine)
    return machine


@pytest.fixture
def receiver(network):
    """A receiver on a drive from home to work, whose sentences reach the machine as datagrams."""
    gps = GPSD()
    gps.start_receiver()
    line = Child([*network.prefix, "/usr/bin/python3", REPOSITORY / "Tests/rigs/homing_rigs/gps_udp.py", gps.device,
                  GPS_PORT], temporary_folder("line") / "log")
    yield gps
    line.stop()
    gps.stop()
