"""What the README has people type, and a machine's shell to type it in."""

import re
import shlex
import time

from homing_rigs.documents import REPOSITORY, block

CHECKOUT = "/root/homing"


def lines(document, heading, kind="sh", number=1):
    """The commands of a block, without what is said about them."""
    found = [line.split(" #")[0].strip() for line in block(document, heading, kind, number).splitlines()]
    return [line for line in found if line]


def setup_of_a_script(url, token_file):
    """The words after `homing setup` of somebody who is asked nothing, by the README's own sentence."""
    sentence = re.search(r"`sudo homing setup (--url URL --token-file FILE --yes)`", (REPOSITORY / "README.md").read_text())[1]
    return sentence.replace("URL", url, 1).replace("FILE", token_file, 1)


class Person:
    """Somebody at a machine who types what a page says, and presses Enter at each question. `seconds` has how long each
    command took. `folder` is where they are: in the checkout, unless it is said."""

    def __init__(self, machine, user=None, folder=CHECKOUT):
        self.machine, self.seconds, self._folder = machine, {}, folder
        self._user, self._session = user, {}
        # The checkout in which `make deb` has put the packages, and who need not ask for rights.
        machine.run("sh", "-c", f"mkdir -p {CHECKOUT}/.build && ln -sfn /packages {CHECKOUT}/.build/packages")
        machine.write("/usr/local/bin/sudo", '#!/bin/sh\nexec env "$@"\n')
        machine.run("chmod", "755", "/usr/local/bin/sudo")
        if user:
            number = machine.say("id", "-u", user)
            machine.run("systemctl", "start", f"user@{number}")  # as a login does
            self._session = {"HOME": f"/home/{user}", "XDG_RUNTIME_DIR": f"/run/user/{number}"}

    def types(self, line, check=True, timeout=300):
        """Runs a line of a page."""
        is_user = self._user and not line.startswith("sudo ")
        folder = self._session["HOME"] if is_user else self._folder
        began = time.monotonic()
        done = self.machine.run("sh", "-c", f"cd {shlex.quote(folder)} && {line}", input="\n" * 9, check=check,
                                timeout=timeout, user=self._user if is_user else None,
                                environment=self._session if is_user else None)
        self.seconds[line] = time.monotonic() - began
        return done

    def logs_in(self, line):
        """Logs in, and runs a line of a page that asks whose session it is."""
        return self.machine.run("sh", "-c", line, user=self._user, login=True)

    def watches(self, line):
        """Runs a line on a terminal at which nobody types. Returns what the terminal shows."""
        shown = f"cd {shlex.quote(self._folder)} && {line}"
        # A pipe that is open for writing too does not end.
        return self.machine.say("sh", "-c", f"rm -f /run/keys && mkfifo /run/keys && script --quiet --return --command "
                                f"{shlex.quote(shown)} /dev/null <>/run/keys")

    def answers(self, line, *answers):
        """Runs a line that asks, on a terminal, and gives these answers. Returns what the terminal shows."""
        asking = ["script", "--quiet", "--return", "--command", f"cd {shlex.quote(self._folder)} && {line}", "/dev/null"]
        return self.machine.say(*asking, input="".join(f"{answer}\n" for answer in answers))
