"""Debian 13 as Debian leaves it, and somebody there who types what the README says: an ordinary user who may use sudo.

By hand (from Tests/rigs, with /usr/bin/python3 -m homing_rigs.fresh_debian …):
    whole [COMMAND…]     on a machine that boots: the README's packages, then its commands (or these), unchanged
    short                in a tree: the tests compile with Debian 13's compiler, and the Swift tests pass; what was built
                         is kept for the next run, also for that of another checkout
    fuzz-long, fuzz-slow in a tree: this goal of make, with Debian 13's compiler

`whole` has a machine of its own for `make deb`, whose packages would hide what the other commands lack. What is not
committed is not in its checkout. The machine's files need 10 GB in $TMPDIR. Exit code 77: it cannot be done here, or
HOMING_DEBIAN_13=skip says that it shall not.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from . import debian_tree
from .documents import REPOSITORY, block
from .ha_install import CannotInstall, cache, lock
from .machine import Machine

RELEASE, USER = "trixie", "newcomer"
CHECKOUT = f"/home/{USER}/homing"
LOGS = REPOSITORY / ".build/fresh-debian"
CERTIFICATES = pathlib.Path("/usr/local/share/ca-certificates")
CANNOT = 77
# Where the tree has the checkout, and a copy of the checkout. A file that is equal in the copy keeps its time. So the first
# build of a new checkout compiles only what has changed.
CHECKOUT_IN_TREE, COPY = "/mnt/checkout", "/root/homing"
# Without optimisation: a build is quicker, and compiles file by file what has changed.
SHORT = """
rsync --recursive --links --perms --checksum --delete \\
  --exclude='/.build*' --exclude=/.git --exclude=__pycache__ {checkout}/ {copy}/
cd {copy}
swift build --build-tests {options} -Xswiftc -warnings-as-errors 2>&1 | scripts/quiet-build
scripts/unit-tests --debug {options}
"""
FUZZ_BUILD = REPOSITORY / ".build/trixie-fuzz"
OPTIONS = "-Xswiftc -DHOMING_FAILPOINTS"


def prerequisites():
    """What the README has a newcomer on Debian 13 type first."""
    return [line for line in block("README.md", "Install", "sh").splitlines()[:1] if line.startswith("sudo apt install ")]


def commands():
    """The README's first commands, one list for each machine."""
    first = [line.split(" #")[0].strip() for line in block("README.md", "Develop", "sh").splitlines()]
    return [["make deb"], first]


class Newcomer:
    """The user on such a machine."""

    def __init__(self, machine):
        self._machine = machine
        self.results = []  # (command, seconds, exit code)
        machine.run("useradd", "--create-home", "--shell", "/bin/bash", USER)
        machine.write(f"/etc/sudoers.d/{USER}", f"{USER} ALL=(ALL) NOPASSWD: ALL\n")
        # As Debian's installer does.
        machine.run("sh", "-c", "echo 127.0.0.1 localhost >> /etc/hosts; echo 127.0.1.1 $(hostname) >> /etc/hosts")
        # Who types the commands answers yes; what was fetched before need not be fetched again.
        machine.write("/etc/apt/apt.conf.d/90newcomer",
                      'APT::Get::Assume-Yes "true";\nBinary::apt::APT::Keep-Downloaded-Packages "true";\n')
        proxies = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
        machine.write("/etc/environment", "".join(f"{name}={value}\n" for name, value in proxies.items()))
        for file in CERTIFICATES.glob("*.crt"):
            machine.write(file, file.read_text())
        machine.run("update-ca-certificates")

    def receives_checkout(self):
        """Puts a clone of what is committed where `git clone` would put it."""
        clone = self._machine.folder / "checkout"
        subprocess.run(["git", "clone", "--quiet", REPOSITORY.as_uri(), clone], check=True)
        subprocess.run(["cp", "--archive", clone, self._machine.root / CHECKOUT[1:]], check=True)
        shutil.rmtree(clone)
        self._machine.run("chown", "--recursive", f"{USER}:", CHECKOUT)

    def types(self, line, folder=CHECKOUT):
        """Types a line and waits; the output is shown, and kept in a file."""
        print(f"\n{USER}@{RELEASE}:{folder}$ {line}", flush=True)
        LOGS.mkdir(parents=True, exist_ok=True)
        began = time.monotonic()
        command = self._machine.command("sh", "-c", f"cd {folder} && {line}", user=USER, login=True)
        with open(LOGS / (re.sub(r"\W+", "-", line) + ".log"), "w", buffering=1) as log:
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, text=True, errors="replace")
            for text in child.stdout:
                print(text, end="", flush=True)
                log.write(text)
        self.results.append((line, time.monotonic() - began, child.wait()))
        return child.returncode == 0


def whole(wanted=()):
    """All commands, each machine's in order; those after a failure too. Returns whether all succeeded."""
    machines = [list(wanted)] if wanted else commands()
    archives = cache() / f"archives-{RELEASE}"
    archives.mkdir(parents=True, exist_ok=True)
    tree = debian_tree.bare(RELEASE)
    results = []
    for lines in machines:
        with Machine(tree, None, shared={"/var/cache/apt/archives": archives}) as machine:
            newcomer = Newcomer(machine)
            if all(newcomer.types(line, f"/home/{USER}") for line in prerequisites()):
                newcomer.receives_checkout()
                for line in lines:
                    newcomer.types(line)
            results += newcomer.results
    print("\n== Debian 13, as a newcomer")
    for line, seconds, code in results:
        print(f"{seconds:6.0f} s  {line:40} {'ok' if code == 0 else f'FAILED ({code})'}")
    return all(code == 0 for _, _, code in results)


def short():
    """Compiles the tests and runs them, in a copy of this checkout that the tree keeps with what was built."""
    tree = debian_tree.to_test(RELEASE)
    script = SHORT.format(options=OPTIONS, checkout=CHECKOUT_IN_TREE, copy=COPY)
    print(f"Debian 13: in {tree}{COPY}", flush=True)
    with lock(f"{tree.name}-copy"):
        debian_tree.in_tree(tree, "bash", "-euo", "pipefail", "-c", script, binds=[(REPOSITORY, CHECKOUT_IN_TREE)])


def fuzz(goal):
    """Builds the fuzzers in this checkout, in a scratch folder that is kept, and runs those of this goal."""
    script = f"cd '{REPOSITORY}'; git config --global safe.directory '*'; make {goal} HOMING_FUZZ_BUILD='{FUZZ_BUILD}'"
    debian_tree.in_tree(debian_tree.to_test(RELEASE), "bash", "-euc", script, binds=[(REPOSITORY, REPOSITORY)])


def problem(needs_to_boot):
    """Why it cannot be done here, or None."""
    if os.environ.get("HOMING_DEBIAN_13") == "skip":
        return "HOMING_DEBIAN_13=skip"
    if debian_tree.host_release() == RELEASE:
        return "this machine runs Debian 13: here `make test` is that test"
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        return "a tree of Debian 13 needs root and debootstrap"
    if needs_to_boot and not Machine.possible():
        return "a machine that boots needs systemd-nspawn"
    return None


def main(words):
    """Returns the exit code."""
    if words[:1] not in (["whole"], ["short"], ["fuzz-long"], ["fuzz-slow"]):
        sys.exit(__doc__)
    why_not = problem(words[0] == "whole")
    if why_not:
        print(f"Debian 13: skipped: {why_not}")
        return CANNOT
    if words[0] == "whole":
        return 0 if whole(words[1:]) else 1
    short() if words[0] == "short" else fuzz(words[0])
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except CannotInstall as cannot:
        sys.exit(f"Debian 13: {cannot}")
    except subprocess.CalledProcessError as failed:
        sys.exit(failed.returncode)
