"""Children, ports, folders and waiting, for every rig: whatever a test run starts, ends with it.

A child gets a signal from the kernel when the run dies, even by `kill -9`; what is more than a process
(folders, namespaces) is put away at the end of the run, also after ^C and SIGTERM.
"""

import atexit
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from .ports import free_port, listens  # noqa: F401 (part of this module's face)

_put_away = []  # what is still to be put away, oldest first
_spawn_requests = queue.Queue()
_setup_lock = threading.RLock()
_spawner = None


def at_end(action):
    """Have `action()` called at the end of the run, the youngest first. Returns it, for `not_at_end`."""
    with _setup_lock:
        if not _put_away and threading.current_thread() is threading.main_thread():
            if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
                signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
        _put_away.append(action)
    return action


def not_at_end(action):
    """Forget an action: what it would put away is gone already."""
    with _setup_lock:
        if action in _put_away:
            _put_away.remove(action)


@atexit.register
def _put_everything_away():
    while _put_away:
        try:
            _put_away.pop()()
        except Exception as problem:  # the others must still be put away
            print(f"rig: cleaning up: {problem!r}", file=sys.stderr)


def _spawn_for_ever():
    while True:
        arguments, options, answer = _spawn_requests.get()
        try:
            answer.put(subprocess.Popen(arguments, **options))
        except BaseException as problem:
            answer.put(problem)


def _spawn(arguments, options):
    """Popen from one thread that never ends: the kernel's parent-death signal is sent when the *thread* that
    started a child ends, and tests start theirs from short-lived threads too."""
    global _spawner
    with _setup_lock:
        if _spawner is None:
            _spawner = threading.Thread(target=_spawn_for_ever, name="spawner", daemon=True)
            _spawner.start()
    answer = queue.Queue()
    _spawn_requests.put((arguments, options, answer))
    result = answer.get()
    if isinstance(result, BaseException):
        raise result
    return result


class Child:
    """A program that runs until it is stopped or the run ends, with its output in a log file."""

    def __init__(self, command, log, env=None, cwd=None, death_signal="KILL"):
        """`env` is the whole environment, or None for this process's own. `death_signal` is what it gets
        when the run dies; a program with children of its own wants one that it can act upon."""
        self.log = pathlib.Path(log)
        self.command = [str(word) for word in command]
        wrapped = ["setpriv", "--pdeathsig", death_signal, "--", *self.command]
        with open(self.log, "ab") as output:
            self.popen = _spawn(wrapped, dict(
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=env, cwd=cwd, start_new_session=True))
        self.pid = self.popen.pid
        self._at_end = at_end(self.stop)
        # Before setpriv has made way for the program, the run's death would not end it.
        not_yet = (b"", "\0".join([*wrapped, ""]).encode())  # nothing is there in the middle of execve
        words = pathlib.Path(f"/proc/{self.pid}/cmdline")
        wait_for(lambda: not self.alive or words.read_bytes() not in not_yet, 40, f"the beginning of {self.command[0]}",
                 every=0.001)

    @property
    def alive(self):
        """Whether it still runs."""
        return self.popen.poll() is None

    def log_text(self):
        """What it has written so far."""
        return self.log.read_text(errors="replace")

    def signal(self, number):
        """Send it a signal, if it is there."""
        if self.alive:
            self.popen.send_signal(number)

    def wait(self, seconds):
        """Wait for its end; returns the exit code (negative: the signal)."""
        try:
            return self.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"{self.command[0]} (pid {self.pid}) still runs after {seconds} s") from None

    def stop(self, seconds=15):
        """Ask it to end, and kill it after `seconds`. Returns the exit code."""
        not_at_end(self._at_end)
        self.signal(signal.SIGTERM)
        try:
            code = self.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            return self.kill()
        self._kill_group()
        return code

    def kill(self):
        """End it at once, with whatever it started."""
        not_at_end(self._at_end)
        self.signal(signal.SIGKILL)
        self._kill_group()
        return self.popen.wait(10)

    def _kill_group(self):
        """It leads a session of its own, so the group holds only its own children."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass

    def must_live(self):
        """Raise with the end of its log if it has ended: for use while waiting for it to come up."""
        if not self.alive:
            raise RuntimeError(f"{' '.join(self.command)[:200]} ended with {self.popen.returncode}:\n"
                               + self.log_text()[-3000:])


def wait_for(condition, seconds, what, every=0.05):
    """Call `condition()` until it returns something true, and return that; after `seconds` raise TimeoutError
    that names `what`. An exception of the condition counts as "not yet" and is named at the end."""
    end = time.monotonic() + seconds
    while True:
        problem = None
        try:
            result = condition()
            if result:
                return result
        except (AssertionError, LookupError, OSError, ValueError, TypeError) as caught:
            problem = caught
        if time.monotonic() >= end:
            raise TimeoutError(f"not within {seconds} s: {what}" + (f" ({problem!r})" if problem else ""))
        time.sleep(every)


def temporary_folder(name):
    """A folder that is removed at the end of the run, unless HOMING_RIGS_KEEP is set (to look at its logs)."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"homing-{name}-"))
    folder.chmod(0o755)  # gpsd and dbus-daemon change their user
    if not os.environ.get("HOMING_RIGS_KEEP"):
        at_end(lambda: shutil.rmtree(folder, ignore_errors=True))
    return folder


def own_memory(pid):
    """What a process has allocated, in kB. Not the pages of its files: each path not gone before has some, and the kernel
    takes some back when it likes."""
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon:"))
