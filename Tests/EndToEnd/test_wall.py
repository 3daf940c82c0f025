"""Without a desktop, those who are logged in on terminals are told by a real wall: on a pseudo terminal, in a utmp of
the test's own, with the rights that a service of the system has and those that it needs."""

import os
import pathlib
import select
import shutil
import struct
import time

import pytest
from homing_rigs.processes import temporary_folder, wait_for
from session import DAEMON
from test_notifications import QUIET

pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="a utmp of one's own needs root"),
    pytest.mark.skipif(not shutil.which("wall"), reason="no wall here"),
]
TTY = 5  # the group, on every Debian
# Its folder /run holds a utmp and nothing else.
OWN_UTMP = 'mount -t tmpfs tmpfs /run && cp "$0" /run/utmp && chmod 644 /run/utmp && exec "$@"'


class Terminal:
    """A terminal on which somebody is logged in who takes messages."""

    def __init__(self):
        self._master, self._slave = os.openpty()
        name = os.ttyname(self._slave)
        os.chown(name, 0, TTY)
        os.chmod(name, 0o620)
        self._text = b""
        self.line = name.removeprefix("/dev/")

    def utmp(self):
        """As login(1) notes it (utmp(5)): a user process on this line."""
        return struct.pack("=h2xi32s4s32s256shhiii4i20s", 7, os.getpid(), self.line.encode(), b"t1", b"anna", b"",
                           0, 0, 0, int(time.time()), 0, 0, 0, 0, 0, b"")

    def text(self):
        """What was written to it so far."""
        while select.select([self._master], [], [], 0)[0]:
            self._text += os.read(self._master, 4096)
        return self._text.decode().replace("\r\n", "\n")

    def close(self):
        os.close(self._master)
        os.close(self._slave)


@pytest.fixture
def terminal():
    terminal = Terminal()
    yield terminal
    terminal.close()


def service(make_agent, terminal, *groups):
    """A daemon of the system, in these groups besides its own."""
    utmp = pathlib.Path(temporary_folder("utmp")) / "utmp"
    utmp.write_bytes(terminal.utmp())
    rights = ["--groups", ",".join(map(str, groups))] if groups else ["--clear-groups"]
    agent = make_agent(QUIET + "wall = true\n", daemon_prefix=[
        "unshare", "--mount", "sh", "-c", OWN_UTMP, str(utmp),
        "setpriv", "--reuid", str(DAEMON), "--regid", str(DAEMON), *rights, "--no-new-privs", "--"])
    for folder in (agent.state, agent.runtime):
        os.chown(folder, DAEMON, DAEMON)
    return agent.start()


def codes(agent):
    return [warning["code"] for warning in agent.status()["warnings"]]


def test_who_is_logged_in_on_a_terminal_reads_it(make_agent, terminal):
    agent = service(make_agent, terminal, TTY)
    agent.homing("notify", "--title", "Haustür", "Somebody rings\n\x1b[31mred\x07" + "\nline" * 50)
    wait_for(lambda: "Haustür" in terminal.text(), 10, "the terminal is told")
    time.sleep(0.5)
    text = terminal.text()
    assert "Broadcast message from daemon@" in text and "Somebody rings" in text and "[31mred" in text
    assert "\x1b" not in text and text.count("\x07") <= 2, "but for wall's own bell"
    assert text.count("line") <= 12 and "…" in text
    assert "notification: Haustür" in agent.log_text(), "the journal has it too"
    assert "terminals_unreachable" not in codes(agent)
    agent.configuration.write_text(agent.configuration.read_text().replace("wall = true", "wall = false"))
    agent.signal(1)
    wait_for(lambda: "the configuration was read again" in agent.log_text(), 10, "the reload")
    agent.homing("notify", "--title", "Quiet", "text")
    time.sleep(1)
    assert "Quiet" not in terminal.text()


def test_a_service_without_the_group_tty_says_that_nobody_is_told(make_agent, terminal):
    agent = service(make_agent, terminal)
    agent.homing("notify", "--title", "Bell", "text")
    assert "terminals_unreachable" in codes(agent)
    assert "the daemon is not in the group tty" in agent.homing("doctor", check=False).stdout
    time.sleep(1)
    assert terminal.text() == "", "wall passes over it without a word"
    assert "notification: Bell: text" in agent.log_text()
