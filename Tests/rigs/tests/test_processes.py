"""Whatever a run starts ends with it."""

import os
import pathlib
import signal
import subprocess
import sys
import threading

import pytest
from homing_rigs import processes

RIGS = pathlib.Path(__file__).resolve().parent.parent
RUN = f"""
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets what it runs in the background ignore it
sys.path.insert(0, {str(RIGS)!r})
from homing_rigs import processes
folder = processes.temporary_folder("test")
child = processes.Child(["sleep", "1000"], folder / "log")
print(child.pid, folder, flush=True)
time.sleep(1000)
"""


def exists(pid):
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    status = pathlib.Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] != "Z"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_child_and_its_folder_go_when_the_run_ends(number):
    run = subprocess.Popen([sys.executable, "-c", RUN], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    pid, folder = run.stdout.readline().split()
    assert exists(pid)
    run.send_signal(number)
    run.wait(30)
    processes.wait_for(lambda: not exists(pid), 20, "the child is gone")
    if number == signal.SIGKILL:
        subprocess.run(["rm", "-r", folder], check=True)
    assert not os.path.exists(folder)


def test_a_child_outlives_the_thread_that_started_it():
    folder, children = processes.temporary_folder("test"), []
    thread = threading.Thread(target=lambda: children.append(processes.Child(["sleep", "1000"], folder / "log")))
    thread.start()
    thread.join()
    with pytest.raises(TimeoutError):
        children[0].wait(0.3)
    assert children[0].stop() == -signal.SIGTERM


def test_a_child_that_does_not_listen_is_killed():
    folder = processes.temporary_folder("test")
    child = processes.Child(["sh", "-c", "trap '' TERM; echo up; while :; do sleep 1; done"], folder / "log")
    processes.wait_for(lambda: "up" in child.log_text(), 20, "it is up")
    assert child.stop(seconds=0.3) == -signal.SIGKILL


def test_waiting_names_what_it_waited_for():
    with pytest.raises(TimeoutError, match="a miracle"):
        processes.wait_for(lambda: False, 0.1, "a miracle")


def test_ports_are_free_and_differ():
    assert len({processes.free_port() for _ in range(50)}) == 50


OTHER_RUN = f"""
import random, sys
sys.path.insert(0, {str(RIGS)!r})
from homing_rigs import processes
random.seed(7)
print(processes.free_port(), flush=True)
sys.stdin.read()
"""


def test_two_runs_at_one_time_are_given_different_ports():
    """Though both begin to look at the same one, and neither listens yet."""
    runs = [subprocess.Popen([sys.executable, "-c", OTHER_RUN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for _ in range(2)]
    ports = [run.stdout.readline() for run in runs]
    for run in runs:
        run.communicate()
    assert ports[0] != ports[1]
