"""What the tests of the packages share: the built packages, machines of each release to install them on, and one Home
Assistant beside their network. With HOMING_PACKAGES_RECORD a whole run without a failure adds a row for each platform there."""

import contextlib
import datetime
import json
import os
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
import served  # noqa: E402
from packages import HERE, Packages, Shipped  # noqa: E402

GPS_PORT = 29555
KEY = "release@homing.invalid"
# Older than any commit here: gpg does not sign before a key was made.
BORN = "20260101T000000"


def built():
    """The releases that the packages of this machine's architecture are for."""
    return [release for release in debian_tree.NUMBERS if Packages(release).there]


def architectures():
    """The architectures for which packages were built."""
    return [architecture for architecture in dict.fromkeys([HERE, "arm64"]) if Packages("trixie", architecture).there]


def pytest_configure(config):
    config.addinivalue_line("markers", "shows(what): a column of docs/platforms.md")
    config.addinivalue_line("markers", "home_assistant: wants a real Home Assistant")
    # Each test would be skipped, and the run would look well.
    if not built():
        raise pytest.UsageError("no packages in .build/packages: make deb (or all of it: make test-packages)")


def pytest_collection_modifyitems(items):
    """Each has the platform that it runs on with its report, and what it shows of that platform."""
    for item in items:
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        release, architecture = parameters.get("packages"), parameters.get("shipped")
        packages = getattr(item.module, "PACKAGES", None) or (Packages(release) if release else None)
        if architecture:
            packages = Packages("trixie", architecture)
        item.user_properties.append(("platform", packages.platform if packages else None))
        item.user_properties += [("shows", marker.args[0]) for marker in item.iter_markers("shows")]


def pytest_terminal_summary(terminalreporter, exitstatus):
    """The row of each platform, from which docs/platforms.md is made. A part of the tests says nothing of a platform."""
    config = terminalreporter.config
    is_whole = ({(config.invocation_params.dir / word).resolve() for word in config.args} == {pathlib.Path(__file__).parent}
                and not terminalreporter.getreports("deselected"))
    if exitstatus != 0 or not is_whole or not os.environ.get("HOMING_PACKAGES_RECORD"):
        return
    reports = {outcome: terminalreporter.getreports(outcome) for outcome in ("passed", "skipped")}
    commit = git("rev-parse", "--short", "HEAD") + ("+" if git("status", "--porcelain", ":!docs/measurements") else "")
    with pathlib.Path(os.environ["HOMING_PACKAGES_RECORD"]).open("a") as file:
        every = {packages.platform: packages for packages in [*map(Packages, built()), Packages("trixie", "arm64")]}
        for packages in every.values():
            own = {outcome: [report.user_properties for report in found
                             if ("platform", packages.platform) in report.user_properties]
                   for outcome, found in reports.items()}
            if not own["passed"]:
                continue
            columns = {outcome: {value for properties in found for name, value in properties if name == "shows"}
                       for outcome, found in own.items()}
            shown = columns["passed"] - columns["skipped"]
            row = {"release": packages.release, "architecture": packages.architecture,
                   **{outcome: len(found) for outcome, found in own.items()}, "shown": sorted(shown),
                   "lintian": packages.lintian, "package": packages.homing and packages.homing.name,
                   "date": datetime.date.today().isoformat(), "commit": commit}
            print(json.dumps(row), file=file)


def git(*words):
    return subprocess.run(["git", *words], cwd=REPOSITORY, check=True, text=True, stdout=subprocess.PIPE).stdout.strip()


@pytest.fixture(scope="session", params=built())
def packages(request):
    """The packages of each release in turn, with what they depend on ready to be installed without a network."""
    return ready_to_install(request.param)


def ready_to_install(release):
    """The packages of a release, and a tree to boot whose apt can install them without a network."""
    packages = Packages(release)
    packages.tree = debian_tree.to_boot(release)
    # As a file below the tree, under which apt sees it.
    folder = packages.tree / "var/tmp"
    wanted = [*packages.all.values()]
    subprocess.run(["cp", *wanted, folder], check=True)
    debian_tree.add_downloads(packages.tree, packages.dependencies_digest(),
                              [f"/var/tmp/{package.name}" for package in wanted])
    return packages


@pytest.fixture(scope="session", params=architectures())
def shipped(request, tmp_path_factory):
    """What the packages of each architecture hold, in one folder, with their `packages`; for who needs no machine."""
    packages = Packages("trixie", request.param)
    folder = tmp_path_factory.mktemp(f"shipped-{request.param}")
    for package in packages.all.values():
        subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
    return Shipped(folder, packages)


@pytest.fixture(scope="module")
def key():
    """A key of nobody, in a folder that gpg reads here."""
    folder = temporary_folder("gnupg")
    folder.chmod(0o700)
    before = os.environ.get("GNUPGHOME")
    os.environ["GNUPGHOME"] = str(folder)
    subprocess.run(["gpg", "--batch", "--quiet", "--faked-system-time", BORN, "--passphrase", "", "--quick-generate-key", KEY,
                    "ed25519", "sign", "never"], check=True, capture_output=True)
    yield KEY
    subprocess.run(["gpgconf", "--kill", "all"], check=False)
    os.environ.pop("GNUPGHOME") if before is None else os.environ.update(GNUPGHOME=before)


@pytest.fixture(scope="module")
def checkout():
    """What of the repository a release is made of."""
    return served.checked_out()


@pytest.fixture(name="served")
def served_release(checkout, key, network):
    """The release on a server that machines of the network reach."""
    with served.Served(checkout, key, network.near).running() as running:
        yield running


@pytest.fixture(scope="session")
def network():
    """A network of two: the machine, and this side."""
    with Namespace() as namespace:
        yield namespace


@pytest.fixture(scope="session")
def other_network(network):
    """Another such network, for a machine beside the first, which it reaches."""
    with Namespace() as namespace:
        network.connect(namespace)
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
def relay_machine(packages, other_network):
    """A machine beside `machine`, with the packages in /packages and nothing of ours installed."""
    with Machine(packages.tree, other_network, {"/packages": packages.folder}) as machine:
        machine.packages, machine.address = packages, other_network.far
        yield machine


@pytest.fixture
def with_more(packages, network):
    """Makes a machine with the package, whose apt can install these too."""
    with contextlib.ExitStack() as ends:
        def make(*more):
            debian_tree.add_downloads(packages.tree, "-".join(more), more)
            machine = ends.enter_context(Machine(packages.tree, network, {"/packages": packages.folder}))
            machine.packages = packages
            packages.install(machine)
            return machine
        yield make


@contextlib.contextmanager
def receiver_at_a_port(port):
    """A receiver on a drive, whose sentences come as datagrams to a port of this side, for a machine that qemu plays."""
    gps = GPSD()
    gps.start_receiver()
    line = Child(["/usr/bin/python3", REPOSITORY / "Tests/rigs/homing_rigs/gps_udp.py", gps.device, port, "127.0.0.1"],
                 temporary_folder("line") / "log")
    try:
        yield gps
    finally:
        line.stop()
        gps.stop()


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
