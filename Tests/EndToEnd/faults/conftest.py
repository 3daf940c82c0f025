"""What the fault tests share: figures, seeds, and a daemon in flight before a played Home Assistant."""

import json
import os
import pathlib
import subprocess
import time

import pytest
from faults.flight import CONFIGURATION, Flight
from homing_rigs.faults.gpsd import FakeGPSD
from homing_rigs.faults.proxy import Proxy
from homing_rigs.faults.seeds import seeded
from homing_rigs.faults.server import FaultServer

LONG = os.environ.get("HOMING_LONG") == "1"
MEASUREMENTS = os.environ.get("HOMING_MEASUREMENTS")
REPOSITORY = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture
def count():
    """count(short, long): how often; `long` with HOMING_LONG=1."""
    return lambda short, long: long if LONG else short


@pytest.fixture
def only_long():
    """For a test that has no short form."""
    if not LONG:
        pytest.skip("takes minutes: with HOMING_LONG=1")


@pytest.fixture
def chance(request):
    """A generator of chance, whose seed is printed."""
    generator, request.node.homing_seed = seeded(request.node.name)
    return generator


@pytest.fixture
def measured(request):
    """measured("…"): the figure that this test has reached, for the table and the file of measurements."""

    def tell(figure):
        print(figure)
        request.node.homing_figure = figure

    return tell


@pytest.fixture
def server():
    """A Home Assistant that is played."""
    with FaultServer() as running:
        yield running


@pytest.fixture
def line(server):
    """A proxy before the server, without toxics."""
    with Proxy(server.port) as running:
        yield running


@pytest.fixture
def fake_gpsd():
    """A gpsd that is played."""
    with FakeGPSD() as running:
        yield running


@pytest.fixture
def take_off(make_agent, fake_gpsd, server):
    """take_off(url): a daemon in flight that is registered with the server, by the URL of what lies between; what
    follows `configuration` goes to the Agent."""

    def begin(url=server.url, configuration="", gpsd=fake_gpsd, home=server, **options):
        agent = make_agent(CONFIGURATION.format(gpsd=gpsd) + configuration, **options).start()
        agent.register(url, home.token)
        return Flight(agent, gpsd, home)

    return begin


@pytest.fixture
def flight(take_off):
    """A daemon in flight, with nothing between it and the server."""
    return take_off()


# The file of measurements: one line for each test that passed, from which a run goes on where the last one ended.


def sources():
    """What was measured: the state of the sources and the tests, whatever else was committed since."""
    names = ["HEAD:Sources", "HEAD:Tests"]
    trees = subprocess.run(["git", "rev-parse", *names], cwd=REPOSITORY, capture_output=True, text=True)
    return "-".join(line[:12] for line in trees.stdout.split()) or "unknown"


def measurements():
    """The lines that are there."""
    file = pathlib.Path(MEASUREMENTS)
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def pytest_collection_modifyitems(config, items):
    """Leave out what was measured on these sources already."""
    if not MEASUREMENTS:
        return
    done = {row["test"] for row in measurements() if row["sources"] == sources() and row["long"] == LONG}
    again = [item for item in items if item.nodeid not in done]
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in done])
    items[:] = again


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if report.when != "call":
        return
    figure, seed = getattr(item, "homing_figure", None), getattr(item, "homing_seed", None)
    if figure:
        report.homing_figure = figure
    if MEASUREMENTS and report.passed:
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=REPOSITORY, capture_output=True, text=True)
        row = {"test": item.nodeid, "figure": figure, "seed": seed, "seconds": round(call.duration, 1), "long": LONG,
               "date": time.strftime("%Y-%m-%d"), "commit": commit.stdout.strip(), "sources": sources()}
        with open(MEASUREMENTS, "a") as file:
            print(json.dumps(row), file=file)


def pytest_terminal_summary(terminalreporter):
    rows = [(report.nodeid.rpartition("/")[2], report.homing_figure)
            for report in terminalreporter.getreports("passed") if hasattr(report, "homing_figure")]
    if rows:
        terminalreporter.section("figures")
        for name, figure in rows:
            terminalreporter.write_line(f"{name}: {figure}")
