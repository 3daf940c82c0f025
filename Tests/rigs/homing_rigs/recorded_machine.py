"""A program on a recorded machine: the files of Tests/HomingSensorsTests/Machines/NAME stand for /proc, /sys, /etc …

By hand (from Tests/rigs, as root):
    /usr/bin/python3 -m homing_rigs.recorded_machine laptop cat /proc/loadavg

The program sees this machine's own files everywhere else, and none that it could write, but for those under /tmp. It
is a copy of nothing: the shipped program runs as it is, in a mount namespace of its own.
"""

import os
import pathlib
import sys

MACHINES = pathlib.Path(__file__).resolve().parents[2] / "HomingSensorsTests/Machines"

# Swift finds a program's arguments by /proc/self/maps. A lower layer must not lie within another, hence the copy. On
# Debian /lib is a link to usr/lib. What was mounted there is a folder here. dbus.json is no file of the machine's.
ENTER = r"""
set -e
room=/mnt
mount -t tmpfs none "$room"
mkdir -p "$room/root" "$room/recorded/usr"
cp -a "$1/." "$room/recorded"
rm -f "$room/recorded/dbus.json"
[ ! -d "$room/recorded/lib" ] || mv "$room/recorded/lib" "$room/recorded/usr/lib"
cut -d ' ' -f 5 "$1/proc/self/mountinfo" | while read -r mount_point; do
    mkdir -p "$room/recorded$(printf '%b' "$mount_point")"
done
touch "$room/recorded/proc/self/maps"
mount -t overlay -o "lowerdir=$room/recorded:/" none "$room/root"
mount --rbind /dev "$room/root/dev"
mount --rbind /tmp "$room/root/tmp"
mount --bind /proc/$$/maps "$room/root/proc/self/maps"
shift
exec chroot "$room/root" "$@"
"""


def prefix(name):
    """The words to put before a command; the process keeps its id, so that signals reach it."""
    return ["unshare", "--mount", "bash", "-c", ENTER, "recorded-machine", str(MACHINES / name)]


def possible():
    """Whether this user may do it."""
    return os.geteuid() == 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    words = [*prefix(sys.argv[1]), *sys.argv[2:]]
    os.execvp(words[0], words)
