"""System calls fail when they should, and no others."""

import subprocess

from homing_rigs import processes
from homing_rigs.faults.calls import Breaking, FailingCalls


def test_calls_fail_from_the_first_to_the_last():
    folder = processes.temporary_folder("disk")
    script = ("import os\nfile = os.open('file', os.O_RDWR | os.O_CREAT)\nfor n in range(5):\n"
              "    try: print(os.pwrite(file, b'x', n))\n    except OSError as error: print(error.errno)")
    failing = FailingCalls("pwrite64", "EIO", 2, 3, folder / "file")
    done = subprocess.run([*failing.words, "/usr/bin/python3", "-c", script], cwd=folder, capture_output=True, text=True)
    assert done.stdout.split() == ["1", "5", "5", "1", "1"], done.stderr
    assert failing.failed == 2


def test_calls_of_a_running_program_fail_while_it_lasts():
    folder = processes.temporary_folder("disk")
    script = ("import os, time\nfile = os.open('file', os.O_RDWR | os.O_CREAT)\nwhile True:\n    time.sleep(0.01)\n"
              "    try: print(os.pwrite(file, b'x', 0), flush=True)\n"
              "    except OSError as error: print(error.errno, flush=True)")
    child = processes.Child(["/usr/bin/python3", "-c", script], folder / "log", cwd=folder)
    processes.wait_for(lambda: "1" in child.log_text(), 20, "it writes")
    with Breaking(child.pid, "pwrite64", "EROFS", folder / "file"):
        processes.wait_for(lambda: "30" in child.log_text(), 20, "it cannot")
    processes.wait_for(lambda: child.log_text().endswith("1\n1\n"), 20, "it can again")
    child.stop()
