"""Power cuts: what a program had not synced is lost, in whole or in part, sector by sector.

The strict reading of POSIX: a file's content is safe up to its last fsync, a name up to the last fsync of its folder.

By hand (from Tests/rigs): /usr/bin/python3 -m homing_rigs.faults.power_cut FOLDER COMMAND…
starts the command, and after each `cut` starts it again; HOMING_SEED repeats what was dropped.
"""

import pathlib
import subprocess
import sys

from .. import processes
from . import hand, seeds

SECTOR = 512


class PowerCut:
    """Watches over the files of one folder (no folders in it). `environment` is for the program to be run."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.shadow = processes.temporary_folder("power")
        library = self.shadow / "power_cut.so"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o", library,
                        pathlib.Path(__file__).with_suffix(".c"), "-ldl"], check=True)
        self.environment = {"LD_PRELOAD": str(library), "HOMING_POWER_FOLDER": str(self.folder),
                            "HOMING_POWER_SHADOW": str(self.shadow)}
        self.dropped = 0  # sectors that were written and lost

    def cut(self, chance):
        """After the program was killed: make the folder what a disk without power would hold. Of what was not synced,
        each sector is the old one or the new one by chance."""
        synced = self._synced_names()
        present = {file.name: file for file in self.folder.iterdir() if file.is_file()}
        contents = {}
        for name, inode in synced.items():
            kept = self.shadow / inode
            safe = kept.read_bytes() if kept.exists() else b""
            now = present.get(name)
            written = now.read_bytes() if now and str(now.stat().st_ino) == inode else safe
            contents[name] = self._mixed(safe, written, chance)
        modes = {name: file.stat().st_mode & 0o777 for name, file in present.items()}
        for file in present.values():
            file.unlink()
        for kept in self.shadow.glob("[0-9]*"):
            kept.unlink()
        lines = []
        for name, content in contents.items():
            file = self.folder / name
            file.write_bytes(content)
            file.chmod(modes.get(name, 0o600))
            inode = file.stat().st_ino
            (self.shadow / str(inode)).write_bytes(content)
            lines.append(f"{inode} {name}\n")
        (self.shadow / "names").write_text("".join(lines))

    def _synced_names(self):
        names = self.shadow / "names"
        lines = names.read_text().splitlines() if names.exists() else []
        return {name: inode for inode, _, name in (line.partition(" ") for line in lines)}

    def _mixed(self, safe, written, chance):
        """Sector by sector the safe one or the one that was on its way; the length is either."""
        if safe == written:
            return safe
        length = chance.choice([len(safe), len(written)])
        self.dropped += max(0, -(-len(written) // SECTOR) - -(-length // SECTOR))
        sectors = []
        for start in range(0, length, SECTOR):
            old, new = safe[start:start + SECTOR], written[start:start + SECTOR]
            keeps_old = old != new and chance.random() < 0.5
            self.dropped += keeps_old
            sectors.append((old if keeps_old else new).ljust(min(SECTOR, length - start), b"\0")[:length - start])
        return b"".join(sectors)


def _main(folder, *command):
    chance, _ = seeds.seeded("power cuts")
    power = PowerCut(folder)

    def begin():
        return subprocess.Popen(["env", *(f"{name}={value}" for name, value in power.environment.items()), *command],
                                stdin=subprocess.DEVNULL)

    def cut():
        nonlocal child
        child.kill()
        child.wait()
        power.cut(chance)
        child = begin()
        return f"{power.dropped} sectors were dropped so far"

    child = begin()
    hand.obey({"cut": cut})
    child.kill()
    child.wait()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    _main(*sys.argv[1:])
