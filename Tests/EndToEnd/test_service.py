"""What systemd and its journal hear of the daemon."""

import ctypes
import os
import pathlib
import re
import select
import signal
import socket
import subprocess
import time

import pytest
from agent import BINARIES
from homing_rigs.journal import Journal
from homing_rigs.processes import wait_for


class NotifySocket:
    """systemd's end of NOTIFY_SOCKET: each message as a dictionary."""

    def __init__(self, agent):
        path = str(agent.folder / "notify")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(path)
        agent.environment["NOTIFY_SOCKET"] = path

    def next(self, name, seconds=30):
        """The next message with this field; those before it are passed over."""
        end = time.monotonic() + seconds
        while select.select([self._socket], [], [], max(0, end - time.monotonic()))[0]:
            message = dict(line.split("=", 1) for line in self._socket.recv(4096).decode().splitlines())
            if name in message:
                return message
        raise TimeoutError(f"no {name} within {seconds} s")

    def drain(self):
        """Forget what has come."""
        while select.select([self._socket], [], [], 0)[0]:
            self._socket.recv(4096)

    def is_silent_for(self, seconds):
        """Whether nothing comes."""
        return not select.select([self._socket], [], [], seconds)[0]


@pytest.fixture
def agent(make_agent):
    return make_agent("[gpsd]\nenabled = false\n")


def test_readiness_status_and_the_end_are_told(agent):
    systemd = NotifySocket(agent)
    agent.start()
    assert systemd.next("READY")["READY"] == "1"
    assert systemd.next("STATUS")["STATUS"] == "Not registered: run homing setup"
    agent.stop()
    assert systemd.next("STOPPING")["STOPPING"] == "1"


def test_the_status_tells_a_delivery_and_no_mere_answer(recorder, newest, make_agent):
    agent = make_agent("[gpsd]\nenabled = false\n[sensors]\ndisable = all\nscripts =\n[push]\nmode = off\n")
    systemd = NotifySocket(agent)
    agent.start()
    agent.register(recorder.url, newest.token)
    told = []
    while not told or not told[-1].startswith("At home: instance URL"):
        told.append(systemd.next("STATUS")["STATUS"])
    wait_for(lambda: agent.status()["endpoints"][0]["current"], 30, "an answer that proves itself")
    assert told[-1] == "At home: instance URL; 0 waiting"
    agent.homing("send-location", "--zone", "Work")
    while "last delivery" not in told[-1]:
        told.append(systemd.next("STATUS")["STATUS"])
    assert re.fullmatch(r"At home: instance URL; 0 waiting; last delivery 20\d\d-\d\d-\d\d \d\d:\d\d UTC", told[-1])


def test_a_daemon_that_cannot_start_is_never_ready(agent):
    systemd = NotifySocket(agent)
    agent.environment["STATE_DIRECTORY"] = "/proc/nowhere"
    subprocess.run([BINARIES / "homingd"], env=agent.environment, capture_output=True, timeout=60)
    with pytest.raises(TimeoutError):
        systemd.next("READY", 0)


@pytest.mark.parametrize("configuration", ["[log]\nlevel = debug\n", "[log]\nlevel = loud\n"])
def test_a_reload_has_a_beginning_a_time_and_an_end(agent, configuration):
    systemd = NotifySocket(agent)
    agent.start()
    systemd.next("READY")
    agent.configuration.write_text(configuration)
    before = time.monotonic_ns() // 1000
    agent.signal(signal.SIGHUP)
    told = systemd.next("RELOADING")
    assert before <= int(told["MONOTONIC_USEC"]) <= time.monotonic_ns() // 1000
    systemd.next("READY")


def test_the_watchdog_is_fed_only_where_there_is_one(agent):
    systemd = NotifySocket(agent)
    agent.environment["WATCHDOG_USEC"] = "2000000"
    agent.environment["WATCHDOG_PID"] = "1"
    agent.start()
    with pytest.raises(TimeoutError):
        systemd.next("WATCHDOG", 3)


@pytest.mark.skipif(os.geteuid() != 0, reason="to stop a thread of another process needs root")
def test_a_loop_that_stalls_feeds_the_watchdog_no_more(agent):
    systemd = NotifySocket(agent)
    agent.environment["WATCHDOG_USEC"] = "2000000"
    agent.start()
    for _ in range(3):
        systemd.next("WATCHDOG")
    with StoppedThread(agent.pid):
        systemd.drain()
        assert systemd.is_silent_for(4)
    systemd.next("WATCHDOG")


class StoppedThread:
    """Stops one thread, the loop's, and lets the others of its process run (ptrace(2))."""

    SEIZE, INTERRUPT, DETACH, WAIT_ALL = 0x4206, 0x4207, 17, 0x40000000

    def __init__(self, thread):
        self._thread = thread

    def _trace(self, request):
        trace = ctypes.CDLL(None, use_errno=True).ptrace
        trace.argtypes = [ctypes.c_long] * 4
        trace.restype = ctypes.c_long
        if trace(request, self._thread, 0, 0):
            raise OSError(ctypes.get_errno(), "ptrace")

    def __enter__(self):
        self._trace(self.SEIZE)
        self._trace(self.INTERRUPT)
        os.waitpid(self._thread, self.WAIT_ALL)
        states = {thread.name: (thread / "stat").read_text().rsplit(") ", 1)[1][0]
                  for thread in pathlib.Path(f"/proc/{self._thread}/task").iterdir()}
        assert states.pop(str(self._thread)) == "t" and "t" not in states.values()

    def __exit__(self, *_):
        self._trace(self.DETACH)


@pytest.fixture
def journal():
    if not Journal.possible():
        pytest.skip("a journald of one's own needs root")
    with Journal() as journal:
        yield journal


def test_the_journal_gets_priority_message_id_and_fields(journal, make_agent):
    agent = make_agent("[gpsd]\nenabled = false\n", daemon_prefix=journal.connected).start()
    agent.configuration.write_text("[log]\nlevel = loud\n")
    agent.signal(signal.SIGHUP)
    wait_for(lambda: any(w["code"] == "configuration_kept" for w in agent.status()["warnings"]), 20, "the reload")
    entries = journal.entries(_PID=str(agent.pid))
    assert {entry["_TRANSPORT"] for entry in entries} == {"journal"}, "nothing went the way of plain text"
    assert {entry["SYSLOG_IDENTIFIER"] for entry in entries} == {"homingd"}
    started = next(entry for entry in entries if entry["MESSAGE"].startswith("Homing "))
    assert started["PRIORITY"] == "5" and started["MESSAGE"].endswith(" started")
    (warning,) = journal.entries(WARNABLE="not_registered")
    assert warning["PRIORITY"] == "4" and warning["MESSAGE_ID"] == "7264563a3c2e401183e1366b9b2d022a"
    assert warning["MESSAGE"].startswith("Not registered with Home Assistant")
    wrong = next(entry for entry in entries if "log.level" in entry["MESSAGE"])
    assert wrong["PRIORITY"] == "3" and "MESSAGE_ID" not in wrong
    assert agent.log.read_text() == ""


def test_a_stderr_that_is_not_the_journal_gets_the_lines_though_the_variable_is_inherited(journal, make_agent):
    agent = make_agent("[gpsd]\nenabled = false\n", daemon_prefix=journal.inherited).start()
    assert "notice: Homing" in agent.log_text()
    assert journal.entries(_PID=str(agent.pid)) == []
