"""A terminal with a program in its foreground, under a parent that does job control as a shell does, except that it
leaves the terminal's settings alone."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios

from homing_rigs.processes import wait_for

SHELL = """
import fcntl, os, signal, sys, termios
def say(*words):
    print(*words, file=report, flush=True)
report, orders = os.fdopen(int(sys.argv[1]), "w"), os.fdopen(int(sys.argv[2]))
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
child = os.fork()
if child == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    # As a shell does: what started the test may let the programs of its background ignore some.
    for number in (signal.SIGTTOU, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM, signal.SIGTSTP):
        signal.signal(number, signal.SIG_DFL)
    os.execvp(sys.argv[3], sys.argv[3:])
say("pid", child)
while True:
    _, status = os.waitpid(child, os.WUNTRACED)
    if os.WIFSTOPPED(status):
        say("stopped", os.WSTOPSIG(status))
        orders.readline()
        os.tcsetpgrp(0, child)
        os.kill(child, signal.SIGCONT)
    elif os.WIFSIGNALED(status):
        sys.exit(say("killed", os.WTERMSIG(status)))
    else:
        sys.exit(say("exited", os.WEXITSTATUS(status)))
"""


class Terminal:
    """Runs a program in it. `text` is what it shows."""

    def __init__(self, command, environment, size=None):
        """`size`: columns and rows that programs are told; without it they are told none."""
        self._master, self._slave = pty.openpty()
        if size:
            fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.echoed_at_first = self.echoes
        report, report_end = os.pipe()
        orders_end, orders = os.pipe()
        self._shell = subprocess.Popen(
            ["/usr/bin/python3", "-c", SHELL, str(report_end), str(orders_end), *map(str, command)],
            env=environment, stdin=self._slave, stdout=self._slave, stderr=self._slave, start_new_session=True,
            pass_fds=(report_end, orders_end))
        os.close(report_end)
        os.close(orders_end)
        self._report, self._orders = os.fdopen(report), os.fdopen(orders, "w")
        self.text, self._shown = "", b""
        os.set_blocking(self._master, False)
        self.pid = int(self.report().split()[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._shell.kill()
        self._shell.wait()
        self._report.close()
        self._orders.close()
        os.close(self._master)
        os.close(self._slave)

    @property
    def echoes(self):
        """Whether it shows what is typed."""
        return bool(termios.tcgetattr(self._slave)[3] & termios.ECHO)

    def type(self, text):
        """Press these keys."""
        os.write(self._master, text.encode())

    def report(self):
        """What became of the program: `killed NUMBER`, `exited CODE` or `stopped NUMBER`. Waits for it."""
        assert select.select([self._report], [], [], 60)[0], f"it goes on: {self.text}"
        return self._report.readline().strip()

    def resume(self):
        """As `fg` does."""
        self._orders.write("\n")
        self._orders.flush()

    def shows(self, pattern, times=1):
        """Whether it has shown this so often."""
        try:
            # One reading gives a part of what is there.
            while True:
                self._shown += os.read(self._master, 65536)
        except BlockingIOError:
            pass
        self.text = self._shown.decode(errors="replace")
        return len(re.findall(pattern, self.text)) >= times

    def wait_for(self, pattern, times=1):
        """Wait until it has shown this."""
        wait_for(lambda: self.shows(pattern, times), 30, f"{pattern!r} on the terminal")
