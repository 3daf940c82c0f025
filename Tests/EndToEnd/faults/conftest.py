"""What the fault tests share: figures, seeds, and a daemon in flight before a played Home Assistant."""

import functools
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
# Python that every fault test uses, and the Swift tests behind test_virtual.py.
SHARED = ["Tests/EndToEnd/agent.py", "Tests/EndToEnd/faults/flight.py", "Tests/EndToEnd/faults/relay_traffic.py",
          "Tests/EndToEnd/relay_program.py", "Tests/HomingAgentTests/Virtual"]


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
    """measured("…"): the figure that this test has reached, for the table and the file of measurements; `how`: by the
    shipped program ("binary"), the whole agent on a virtual clock ("virtual"), or one part alone ("part")."""

    def tell(figure, how="binary"):
        print(figure)
        request.node.homing_figure, request.node.homing_how = figure, how

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


# The file of measurements: a line for each test that passed, from which a run goes on where the last one ended.


@functools.cache
def git(*words):
    """What git says."""
    return subprocess.run(["git", *words], cwd=REPOSITORY, capture_output=True, text=True).stdout.strip()


@functools.cache
def measured_state(test):
    """What a test's figure hangs on: the sources, the rigs, the test's own file and what it shares, whatever else was
    committed since. None if something of it is not committed."""
    parts = ["Sources", "Package.swift", "Tests/rigs", *SHARED, test.partition("::")[0]]
    if git("status", "--porcelain", *parts):
        return None
    return "-".join(git("rev-parse", "--short=10", f"HEAD:{part}") for part in parts)


def measured_already():
    """What was measured of what is here now, by the test's name."""
    file = pathlib.Path(MEASUREMENTS)
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    return {row["test"]: row for row in rows
            if row["long"] == LONG and row["passed"] and row["state"] is not None
            and row["state"] == measured_state(row["test"])}


def pytest_collection_modifyitems(config, items):
    """Leave out what was measured already."""
    if MEASUREMENTS:
        already = measured_already()
        done = [item for item in items if item.nodeid in already]
        config.hook.pytest_deselected(items=done)
        items[:] = [item for item in items if item not in done]


def reason(call):
    """Why a test failed, in a line for the table."""
    return " ".join(str(call.excinfo.value).split())[:160]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if report.when != "call" or report.skipped:
        return
    report.homing_figure = getattr(item, "homing_figure", None) if report.passed else f"failed: {reason(call)}"
    if MEASUREMENTS:
        row = {"test": item.nodeid, "how": getattr(item, "homing_how", "binary"), "passed": report.passed,
               "figure": report.homing_figure, "seed": getattr(item, "homing_seed", None),
               "seconds": round(call.duration, 1), "long": LONG, "date": time.strftime("%Y-%m-%d"),
               "commit": git("rev-parse", "--short", "HEAD"), "state": measured_state(item.nodeid)}
        pathlib.Path(MEASUREMENTS).parent.mkdir(parents=True, exist_ok=True)
        with open(MEASUREMENTS, "a") as file:
            print(json.dumps(row, ensure_ascii=False), file=file)


def pytest_terminal_summary(terminalreporter):
    """The table: of this run, and with a file of measurements of those before it too."""
    table = {report.nodeid: report.homing_figure for outcome in ("passed", "failed")
             for report in terminalreporter.getreports(outcome) if getattr(report, "homing_figure", None)}
    if MEASUREMENTS:
        table = {name: row["figure"] for name, row in measured_already().items() if row["figure"]} | table
    if table:
        terminalreporter.section("figures")
        for name, figure in table.items():
            terminalreporter.write_line(f"{name.partition('faults/')[2]}: {figure}")
