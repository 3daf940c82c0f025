"""The built packages, and how a machine of a Debian release gets them."""

import dataclasses
import hashlib
import pathlib
import re
import subprocess

from homing_rigs.processes import temporary_folder

FOLDER = pathlib.Path(__file__).resolve().parents[2] / ".build/packages"
HERE = subprocess.run(["dpkg", "--print-architecture"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
# What follows the point in the version of glibc.
LIBC = {"bookworm": 36, "trixie": 41}
GPSD_DEFAULTS = 'START_DAEMON="true"\nUSBAUTO="false"\nDEVICES="udp://{address}:{port}"\nGPSD_OPTIONS="-n -b"\n'


@dataclasses.dataclass
class Shipped:
    """What is in the packages, in a folder."""
    folder: pathlib.Path
    packages: object


class Packages:
    """Those of one architecture, in `folder`, for machines of one release."""

    def __init__(self, release, architecture=HERE):
        self.release = release
        self.architecture = architecture
        self.folder = FOLDER
        self.tree = None

    @property
    def platform(self):
        return f"{self.release}-{self.architecture}"

    def _newest(self, name):
        found = sorted(FOLDER.glob(f"{name}_*_{self.architecture}.deb"), key=lambda file: file.stat().st_mtime)
        return found[-1] if found else None

    @property
    def homing(self):
        return self._newest("homing")

    @property
    def desktop(self):
        return self._newest("homing-desktop")

    @property
    def relay(self):
        return self._newest("homing-relay")

    @property
    def all(self):
        """The package of each name; None for one that was not built."""
        return {"homing": self.homing, "homing-desktop": self.desktop, "homing-relay": self.relay}

    @property
    def there(self):
        """Whether they were built, on this release or an older one."""
        return None not in self.all.values() and LIBC[self.built_on] <= LIBC[self.release]

    @property
    def built_on(self):
        """The release that they were built on: the oldest whose glibc will do."""
        wanted = int(re.search(r"libc6 \(>= 2\.(\d+)", self.field("Depends"))[1])
        return next(release for release, number in LIBC.items() if number >= wanted)

    @property
    def lintian(self):
        """What it said of them: `scripts/make-deb` leaves a mark when it had nothing to say."""
        mark = self.folder / f"source-{self.architecture}.lintian"
        said = mark.exists() and mark.stat().st_mtime >= self.homing.stat().st_mtime
        return "clean" if said else "not asked"

    def field(self, name, package=None):
        return subprocess.run(["dpkg-deb", "--field", package or self.homing, name], check=True, stdout=subprocess.PIPE,
                              text=True).stdout.strip()

    def dependencies_digest(self):
        """Names what the package wants; another wish, another digest."""
        wishes = "".join(self.field(name, package) for package in self.all.values() for name in ("Depends", "Recommends"))
        return f"homing-{hashlib.sha256(wishes.encode()).hexdigest()[:12]}"

    def install(self, machine, *more, timeout=300):
        """As a person does it: apt, with what is recommended."""
        machine.run("apt-get", "-q", "-y", "install", f"/packages/{self.homing.name}", *more, timeout=timeout)

    def install_desktop(self, machine):
        """As a person does it."""
        machine.run("apt-get", "-q", "-y", "install", f"/packages/{self.desktop.name}", timeout=300)

    def install_relay(self, machine):
        """As a person does it. Returns what apt said."""
        return machine.say("apt-get", "-q", "-y", "install", f"/packages/{self.relay.name}", timeout=300)

    def feed_gpsd(self, machine, port, address="127.0.0.1"):
        """Have the machine's gpsd read the receiver, at that address of the machine."""
        machine.write("/etc/default/gpsd", GPSD_DEFAULTS.format(address=address, port=port))
        machine.run("systemctl", "restart", "gpsd.socket", "gpsd.service")

    def next_version(self, name="homing"):
        """The same package as the next release would have it: another version, all else alike."""
        folder = temporary_folder("next") / "package"
        subprocess.run(["dpkg-deb", "--raw-extract", self.all[name], folder], check=True)
        control = folder / "DEBIAN/control"
        version = self.field("Version", self.all[name])
        control.write_text(control.read_text().replace(f"Version: {version}\n", f"Version: 9.{version}\n"))
        package = folder.parent / f"{name}_next.deb"
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", folder, package], check=True,
                       stdout=subprocess.DEVNULL)
        return package
