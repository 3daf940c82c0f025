"""The foreign archives in a program, and the libraries that it needs, from the linker's record, its own header and dpkg.

The program may be for another architecture than this machine's."""

import dataclasses
import functools
import hashlib
import os
import pathlib
import re
import subprocess


# For dpkg: what a `Package` has. A package that cannot be installed beside this machine's is unpacked into a folder, whose
# file .package has this.
FIELDS = "${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}"


class Unknown(Exception):
    """The origin of a file is not known; the text names the file."""


@dataclasses.dataclass(frozen=True, order=True)
class Package:
    """An installed Debian package, and the source package that it was built from."""
    name: str
    version: str
    architecture: str
    source: str
    source_version: str


@dataclasses.dataclass(frozen=True, order=True)
class Toolchain:
    """A Swift toolchain that dpkg does not know: its version, and the tag of its sources."""
    version: str
    tag: str


@dataclasses.dataclass(frozen=True)
class File:
    """A library by the name that it is linked by, and where it comes from: a `Package` or a `Toolchain`."""
    name: str
    path: pathlib.Path
    origin: object

    @property
    def digest(self):
        """SHA-256, in hexadecimal digits."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()


def static(record):
    """The archives of which the linker took a member, by its --print-archive-stats."""
    rows = [line.split("\t") for line in record.read_text().splitlines()[1:]]
    if not rows or any(len(row) != 3 for row in rows):
        raise Unknown(f"{record}: not the linker's record of its archives")
    paths = {pathlib.Path(path).resolve() for _, taken, path in rows if int(taken) > 0}
    return [File(path.name, path, origin(path)) for path in sorted(paths)]


def dynamic(program, libraries):
    """The shared libraries that a program names, out of the folder of its architecture's."""
    header = say("readelf", "--dynamic", "--wide", program)
    wanted = re.findall(r"\(NEEDED\)\s+Shared library: \[(.+)\]", header)
    return [linked(name, libraries) for name in sorted(wanted)]


def linked(name, libraries):
    """The file that stands for a library's name in the folder of libraries."""
    path = (libraries / name).resolve()
    if not path.exists():
        raise Unknown(f"{name}: not found in {libraries}")
    return File(name, path, origin(path))


@functools.cache
def origin(path):
    """The package or the toolchain that brought a file."""
    owner = owning_package(path)
    if owner:
        return package(owner)
    unpacked = next((folder / ".package" for folder in path.parents if (folder / ".package").exists()), None)
    if unpacked:
        return Package(*unpacked.read_text().split("\t"))
    toolchain = next((folder for folder in path.parents if (folder / "bin/swiftc").exists()), None)
    if not toolchain or "swift_static" not in path.parts:
        raise Unknown(f"{path}: neither of a Debian package nor of a Swift toolchain")
    return Toolchain(*swift_version(toolchain / "bin/swiftc"))


def owning_package(path):
    """The name of the package with this file, or None. Merged folders have two names, and dpkg knows one of them."""
    names = {str(path), str(path).removeprefix("/usr")}
    done = subprocess.run(["dpkg-query", "--search", *names], capture_output=True, text=True, env=environment())
    rows = [line.rsplit(": ", 1)[0] for line in done.stdout.splitlines() if line.rsplit(": ", 1)[-1] in names]
    return rows[0].split(", ")[0] if rows else None


def package(name):
    """What dpkg says of an installed package."""
    return Package(*say("dpkg-query", "--show", f"--showformat={FIELDS}", name).split("\t"))


def swift_version(compiler):
    """Version and tag that a compiler tells: 6.3.1 and swift-6.3.1-RELEASE."""
    text = say(compiler, "--version")
    told = re.search(r"Swift version (\S+)(?: \((\S+?)\))?", text)
    if not told:
        raise Unknown(f"{compiler}: tells no version")
    return told[1], told[2] or f"swift-{told[1]}"


def say(*words):
    return subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE, text=True,
                          env=environment()).stdout


def environment():
    """Ours, in the language that is read here."""
    return {**os.environ, "LC_ALL": "C.UTF-8"}
