"""Disks are full and read-only when they should be; a power cut takes what was not synced and nothing else."""

import os
import random
import subprocess

import pytest
from homing_rigs import processes
from homing_rigs.faults.disk import SmallDisk
from homing_rigs.faults.power_cut import PowerCut

needs_mounting = pytest.mark.skipif(not SmallDisk.possible(), reason="mounting needs root")
WRITER = """
import os, sys
descriptor = os.open("file", os.O_RDWR | os.O_CREAT)
for step in sys.argv[1]:
    if step == "s": os.fdatasync(descriptor)
    elif step == "d": os.fsync(os.open(".", os.O_RDONLY))
    else: os.pwrite(descriptor, step.encode() * 512, 512 * "abcdefgh".index(step.lower()))
"""


@needs_mounting
def test_a_small_disk_is_full_and_read_only_when_told():
    folder = processes.temporary_folder("disk")
    with SmallDisk(folder, 256) as disk:
        (folder / "file").write_text("x")
        disk.fill()
        with pytest.raises(OSError, match="No space left"):
            (folder / "other").write_bytes(bytes(8192))
        disk.empty()
        disk.read_only()
        with pytest.raises(OSError, match="Read-only"):
            (folder / "file").write_text("y")
        disk.read_only(False)
        (folder / "file").write_text("y")
    assert not (folder / "file").exists()


def after_cut(steps, seed=1):
    """What a power cut leaves of a file that was written in these steps; None if of it nothing."""
    folder = processes.temporary_folder("power")
    power = PowerCut(folder)
    subprocess.run(["/usr/bin/python3", "-c", WRITER, steps], cwd=folder, env={**os.environ, **power.environment},
                   check=True)
    power.cut(random.Random(seed))
    file = folder / "file"
    return file.read_bytes()[::512].decode() if file.exists() else None


def test_what_was_synced_survives():
    assert after_cut("abcsd") == "abc"


def test_a_name_that_was_not_synced_is_gone():
    assert after_cut("abcs") is None
    assert after_cut("dabcs") == "abc", "there from the beginning"


def test_of_what_was_not_synced_each_sector_is_the_old_or_the_new_one():
    left = {after_cut("abcsdAC", seed) for seed in range(12)}
    assert left == {"abc", "Abc", "abC", "AbC"}


def test_a_tail_that_was_not_synced_may_be_missing():
    left = {after_cut("asdb", seed) for seed in range(12)}
    assert left <= {"a", "ab", "a\0"} and len(left) > 1
