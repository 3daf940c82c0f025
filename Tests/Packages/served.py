"""A release as `make release` assembles it out of the packages here, and a server that has it."""

import contextlib
import re
import shutil
import socket
import sys

from homing_rigs.documents import REPOSITORY
from homing_rigs.ports import free_port
from homing_rigs.processes import Child, temporary_folder, wait_for
from packages import Packages
from readme import lines

sys.path.insert(0, str(REPOSITORY / "scripts/lib"))
import release_folder  # noqa: E402

PACKAGES = Packages("trixie")
DATE = 1795824000


def checked_out():
    """What of the repository a release is made of."""
    folder = temporary_folder("checkout")
    shutil.copytree(REPOSITORY / "packaging", folder / "packaging")
    return folder


def assembled(checkout, key, folder, url, packages=PACKAGES.folder, version=None):
    release = release_folder.Release(version or PACKAGES.field("Version"), key, url, "https://homing.invalid", DATE,
                                     "## Notes\n")
    release_folder.assemble(checkout, packages, folder, release)
    return folder


class Served:
    """The release on a server at an address of this side. `release()` renews it; `url` is where machines reach it."""

    def __init__(self, checkout, key, address, seen_as=None):
        self._checkout, self._key, self._address = checkout, key, address
        self._top = temporary_folder("served")
        self.folder, self.port = self._top / "served", free_port()
        self.url = f"http://{seen_as or address}:{self.port}"

    def release(self, packages=PACKAGES.folder, version=None):
        assembled(self._checkout, self._key, self.folder, self.url, packages, version)

    @contextlib.contextmanager
    def running(self):
        self.release()
        server = Child(["/usr/bin/python3", "-m", "http.server", self.port, "--bind", self._address,
                        "--directory", self.folder], self._top / "log")
        wait_for(self._is_open, 20, "the server is up")
        try:
            yield self
        finally:
            server.stop()

    def _is_open(self):
        try:
            socket.create_connection((self._address, self.port), 1).close()
            return True
        except OSError:
            return False


def address(page):
    """The address of a release that a page names: the placeholder, or the real address before a release."""
    return re.search(r"(https://\S+)/homing\.sources", (REPOSITORY / page).read_text())[1]


def by_readme(machine, served, check=True, timeout=300):
    """The two lines of the README, at this server's address."""
    # The block about today's packages goes with the first release.
    number = 2 if "make deb" in lines("README.md", "Install") else 1
    first, second = [line.replace(address("README.md"), served.url).removeprefix("sudo ") for line in
                     lines("README.md", "Install", number=number)]
    machine.run("sh", "-ec", first, timeout=timeout)
    second = second.replace("sudo ", "").replace("apt install", "apt install -y")
    return machine.run("sh", "-ec", second, check=check, timeout=timeout)
