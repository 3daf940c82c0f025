"""The drivers of faults do by hand what they do in tests."""

import pathlib
import subprocess
import sys

import pytest
from homing_rigs import processes
from homing_rigs.faults.disk import SmallDisk
from homing_rigs.netlab import NetLab

RIGS = pathlib.Path(__file__).resolve().parents[1]


def driven(module, *words, lines=()):
    """What a driver says when it is given these lines, until they end."""
    done = subprocess.run([sys.executable, "-m", f"homing_rigs.{module}", *map(str, words)], cwd=RIGS, text=True,
                          input="".join(f"{line}\n" for line in lines), capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_clock_is_stepped():
    said = driven("faults.clock", "sleep", "60", lines=["be_in 1000", "now", "step 5"])
    assert 1000 <= float(said.splitlines()[1]) < 1060


def test_gpsd_is_driven_and_explains_itself():
    said = driven("faults.gpsd", processes.free_port(), lines=["tell", "tell 52.1 4.3", "watchers", "stop", "start", "what"])
    assert said.splitlines()[2:] == ["0", "listens: True", said.splitlines()[1].partition(";")[0]]


def test_what_is_wrong_with_a_line_is_said():
    assert "could not convert" in driven("faults.gpsd", processes.free_port(), lines=["stream fast"])


def test_a_name_server_changes_its_mind():
    said = driven("faults.dns", "127.0.0.1", processes.free_port(), "nxdomain", lines=["answer 127.0.0.2", "queries", "mode none"])
    assert said.splitlines()[2] == "0" and "no mode 'none'" in said.splitlines()[3]


def test_tls_says_whom_to_trust():
    assert "must be trusted" in driven("faults.tls", "expired", processes.free_port(), lines=["connections"])


def test_a_power_cut_drops_what_was_not_synced(tmp_path):
    command = ["sh", "-c", f"echo unsynced > '{tmp_path}/file'; exec sleep 60"]
    said = driven("faults.power_cut", tmp_path, *command, lines=["cut", "cut"])
    assert "HOMING_SEED=" in said and "sectors were dropped so far" in said


@pytest.mark.skipif(not SmallDisk.possible(), reason="mounting needs root")
def test_a_disk_is_filled_and_emptied(tmp_path):
    said = driven("faults.disk", tmp_path, 64, lines=["fill", "free", "empty", "free"]).splitlines()
    assert said[1] == "0 bytes" and said[2] != "0 bytes"


def test_calls_of_a_running_program_are_broken_and_mended_again_and_again(tmp_path):
    script = f"""
import os, time
file = os.open({str(tmp_path / "file")!r}, os.O_RDWR | os.O_CREAT)
while True:
    time.sleep(0.01)
    try: os.fsync(file); print("done", flush=True)
    except OSError as error: print(error.strerror, flush=True)"""
    program = processes.Child(["/usr/bin/python3", "-c", script], tmp_path / "log")
    driver = subprocess.Popen([sys.executable, "-m", "homing_rigs.faults.calls", "fsync", "EIO", str(program.pid),
                               tmp_path / "file"], cwd=RIGS, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        for _ in range(2):
            for order, wanted in (("break", "Input/output error"), ("mend", "done")):
                driver.stdin.write(f"{order}\n")
                driver.stdin.flush()
                processes.wait_for(lambda word=wanted: program.log_text().endswith(f"{word}\n" * 3), 20, wanted)
        assert driver.communicate(timeout=20)[0].count("\n") == 1, "nothing but the greeting"
    finally:
        driver.kill()
        program.stop()


def test_a_program_is_started_some_of_whose_calls_fail(tmp_path):
    said = driven("faults.calls", "fsync", "EIO", "2..3", tmp_path / "file", "--", "/usr/bin/python3", "-c", f"""
import os
file = os.open({str(tmp_path / "file")!r}, os.O_RDWR | os.O_CREAT)
for _ in range(4):
    try: os.fsync(file); print("done", flush=True)
    except OSError as error: print(error.strerror, flush=True)""")
    assert said.splitlines() == ["done", "Input/output error", "Input/output error", "done", "2 calls failed"]


@pytest.mark.skipif(not NetLab.possible(), reason="namespaces need root")
def test_a_laptop_is_moved_about_in_the_lab():
    said = driven("netlab", lines=["move away", "portal on", "internet drop", "internet ok", "hairpin on", "move nowhere",
                                   "move north", "internet gone", "internet", "stranger nonsense"]).splitlines()
    assert len(said[1:5]) == 4 and all(line.split()[1:4] == ["ip", "netns", "exec"] for line in said[1:5])
    assert "no place 'north'" in said[6] and "'gone'" in said[7] and "no fault ''" in said[8] and len(said) == 10
