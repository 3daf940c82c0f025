"""What the end-to-end tests share: one Home Assistant of each version per run, a fresh device per test."""

import os
import pathlib
import resource
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "rigs")]

import emulation  # noqa: E402
from agent import Agent  # noqa: E402
from homing_rigs.bus import SystemBus  # noqa: E402
from homing_rigs.cloud import Cloud, YAML as CLOUD_YAML  # noqa: E402
from homing_rigs.gps import GPSD  # noqa: E402
from homing_rigs.home_assistant import HomeAssistant, available_versions  # noqa: E402
from homing_rigs.notification_server import NotificationServer  # noqa: E402
from homing_rigs.processes import temporary_folder  # noqa: E402
from homing_rigs.recorder import Recorder  # noqa: E402
from homing_rigs.web import Web  # noqa: E402

WANTED = os.environ.get("HOMING_HA_VERSIONS", "2024.3.3 2025.4.4 2026.11.0").split()
VERSIONS = [version for version in WANTED if version in available_versions()]


def pytest_report_header():
    skipped = [version for version in WANTED if version not in VERSIONS]
    note = f"; skipped, since no Python here runs them: {' '.join(skipped)}" if skipped else ""
    return f"Home Assistant {' '.join(VERSIONS)}{note}"


def pytest_configure(config):
    config.addinivalue_line("markers", "ends: with the oldest and the newest Home Assistant only")
    config.addinivalue_line("markers", "early: the file takes minutes, and begins before other files")


def pytest_collection_modifyitems(config, items):
    emulation.skip_what_cannot_be(items)
    _leave_out_between(config, items)
    # A process works through a file. A long file that begins last keeps the run waiting while other processes rest.
    items.sort(key=lambda item: item.get_closest_marker("early") is None)


def _leave_out_between(config, items):
    """What is marked `ends` takes minutes with each Home Assistant, and those between behave as one of the two."""
    between = [item for item in items if _is_between(item)]
    if between:
        config.hook.pytest_deselected(items=between)
        items[:] = [item for item in items if item not in between]


def _is_between(item):
    version = item.callspec.params.get("ha") if hasattr(item, "callspec") else None
    return item.get_closest_marker("ends") is not None and version in VERSIONS[1:-1]


_running = {}


def home_assistant(version):
    """The run's one Home Assistant of that version, started when first wanted."""
    if version not in _running:
        folder = temporary_folder(f"ha-{version}")
        cloud = Cloud(folder)
        instance = HomeAssistant(version, config_dir=folder, extra_yaml=CLOUD_YAML)
        instance.start()
        instance.cloud = cloud
        _running[version] = instance
    if not _running[version].running:
        _running[version].start()
    return _running[version]


def pytest_sessionfinish():
    for instance in _running.values():
        instance.stop()


@pytest.fixture(params=VERSIONS)
def ha(request):
    """Each version in turn."""
    instance = home_assistant(request.param)
    yield instance
    instance.cloud.withdraw()


@pytest.fixture
def newest():
    """One version, for what does not depend on it."""
    instance = home_assistant(VERSIONS[-1])
    yield instance
    instance.cloud.withdraw()


@pytest.fixture
def many_files():
    """As many open files as the machine allows, for this process and what it starts."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture
def recorder(request):
    """A recording proxy before the test's Home Assistant."""
    name = "ha" if "ha" in request.fixturenames else "newest"
    with_recorder = Recorder(request.getfixturevalue(name).port)
    with_recorder.start()
    yield with_recorder
    with_recorder.stop()


@pytest.fixture
def bus():
    """A system bus with NetworkManager on the network HomeNet, and UPower with a battery at 80 %."""
    bus = SystemBus()
    bus.start()
    bus.network_manager_start()
    bus.wifi("HomeNet")
    bus.upower_start()
    bus.battery(80, False)
    yield bus
    bus.stop()


@pytest.fixture
def desktop():
    """A session bus with a notification server that can do everything, and tells what it was told."""
    with NotificationServer("mock", "body", "body-markup", "actions", "inline-reply") as server:
        yield server


@pytest.fixture
def gps():
    """A gpsd that is not fed yet."""
    gps = GPSD()
    yield gps
    gps.stop()


@pytest.fixture
def web(recorder):
    """The three endpoints, in front of the recorder."""
    web = Web(recorder.port)
    web.start()
    yield web
    web.stop()


@pytest.fixture
def make_agent():
    """Makes agents that end with the test."""
    agents = []

    def make(*arguments, **options):
        agent = Agent(*arguments, **options)
        agents.append(agent)
        return agent

    yield make
    for agent in agents:
        if agent.alive:
            agent.kill()
