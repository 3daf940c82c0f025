"""Programs of packages for another architecture, run on this machine by qemu: each has a script of its name.

By hand (from Tests/rigs): /usr/bin/python3 -m homing_rigs.emulated RELEASE ARCHITECTURE FOLDER PACKAGE…
    unpacks the packages into FOLDER, and prints the folder of the scripts, which HOMING_BINARIES takes

All but the programs and their libraries is this machine's: files, network, D-Bus and kernel.
"""

import pathlib
import shlex
import shutil
import subprocess

from .cross_tree import NAMES, to_cross_build
from .ha_install import CannotInstall, by_hand

PROGRAMS = ["bin/homingd", "bin/homing", "bin/homing-relay", "libexec/homing-session"]
EMULATORS = {"arm64": ("qemu-aarch64-static", "lib/ld-linux-aarch64.so.1")}


def emulator_of(architecture):
    """The program that runs those of the architecture, and their loader. Raises CannotInstall if it is missing."""
    emulator, loader = EMULATORS[architecture]
    if not shutil.which(emulator):
        raise CannotInstall(f"{emulator} is missing: install qemu-user-static")
    return emulator, loader


def scripts(release, architecture, folder, packages):
    """Unpacks the packages into the folder, which is new; returns the folder of the scripts. The libraries are those that
    the packages were built with."""
    emulator, loader = emulator_of(architecture)
    contents, libraries, bin_folder = folder / "contents", folder / "libraries", folder / "bin"
    folder.mkdir(parents=True)
    for package in packages:
        subprocess.run(["dpkg-deb", "--extract", package, contents], check=True)
    copy_libraries(to_cross_build(release, architecture), libraries, NAMES[architecture][0], loader)
    bin_folder.mkdir()
    for program in PROGRAMS:
        path = contents / "usr" / program
        script = bin_folder / path.name
        script.write_text(f'#!/bin/sh\nexec {emulator} -L {shlex.quote(str(libraries))} {shlex.quote(str(path))} "$@"\n')
        script.chmod(0o755)
    return bin_folder


def copy_libraries(tree, folder, gnu, loader):
    """Makes a folder in which the emulator finds libraries and nothing else: what is there hides this machine's. Copies, as
    other users may not look into the cache."""
    (folder / "usr/lib" / gnu).mkdir(parents=True)
    for library in (tree / "usr/lib" / gnu).glob("*.so*"):
        if library.is_file():
            shutil.copy(library, folder / "usr/lib" / gnu, follow_symlinks=False)
    (folder / "lib").symlink_to("usr/lib")
    (folder / "usr" / loader).symlink_to(f"{gnu}/{pathlib.Path(loader).name}")


if __name__ == "__main__":
    by_hand(__doc__, lambda release, architecture, folder, *packages: print(
        scripts(release, architecture, pathlib.Path(folder).absolute(), packages)))
