"""That the programs are those of a release: linked as `make binaries` does, and stripped as dh_strip does.

What a process loads is the same before and after: so callgrind may have the names of functions, and all else is
measured with the stripped programs, which are those of the package.
"""

import hashlib
import pathlib
import struct
import subprocess

from homing_rigs import elf

PROGRAMS = ("homingd", "homing")
LOAD = 1  # PT_LOAD
STRIP = ["strip", "--remove-section=.comment", "--remove-section=.note"]


class NotShipped(Exception):
    """The programs are others than a release has."""


def stripped(folder, target):
    """The programs of a folder as a package has them, in another; returns that. Raises NotShipped."""
    target.mkdir(parents=True, exist_ok=True)
    for name in PROGRAMS:
        program = folder / name
        if not program.exists():
            raise NotShipped(f"there is no {name} in {folder}: run make binaries")
        if wrong := faults(program):
            raise NotShipped(f"{program} is not linked as releases are: {'; '.join(wrong)}: run make binaries")
        subprocess.run([*STRIP, "-o", target / name, program], check=True)
        if loaded(program) != loaded(target / name):
            raise NotShipped(f"stripping changes what {name} loads")
    return target


def faults(program):
    """What of a release's linking a program lacks, in words."""
    dynamic = subprocess.run(["readelf", "--wide", "--dynamic", program], check=True, capture_output=True, text=True).stdout
    packed = [] if "(RELR)" in dynamic else ["addresses that are set at the start are not packed"]
    exported = subprocess.run(["readelf", "--wide", "--dyn-syms", program], check=True, capture_output=True, text=True).stdout
    return [*elf.weaknesses(program), *packed, *(["names of ours are exported"] if " $s" in exported else [])]


def loaded(program):
    """A digest of what a process loads of a program: its segments, but for where the file's sections begin, which no
    process reads."""
    content = bytearray(pathlib.Path(program).read_bytes())
    begin, size, count = (*struct.unpack_from("<Q", content, 32), *struct.unpack_from("<HH", content, 54))
    content[40:48] = bytes(8)
    content[58:64] = bytes(6)
    digest = hashlib.sha256()
    for number in range(count):
        kind, _, offset, address, _, length = struct.unpack_from("<IIQQQQ", content, begin + number * size)
        if kind == LOAD:
            digest.update(struct.pack("<QQ", address, length) + content[offset:offset + length])
    return digest.hexdigest()


def packaged(package, target):
    """The programs of a package, in a folder; returns that."""
    subprocess.run(["dpkg-deb", "--extract", package, target], check=True)
    return pathlib.Path(target) / "usr/bin"
