"""Debian trees in the cache: one of each release to build packages in, one to boot, and one with a desktop.

By hand (from Tests/rigs, with /usr/bin/python3 -m homing_rigs.debian_tree …):
    build trixie              make a tree to build in, and print where it is
    show trixie               make a tree with a notification server, and print where it is
    run TREE FOLDER COMMAND…  run a command in a tree that sees this folder under its own name

A tree is made with debootstrap on first use and kept under ${XDG_CACHE_HOME:-~/.cache}/homing-rigs (root needed).
One that was broken off is made again; one that was made for fewer packages than are wanted now gets the rest.
"""

import os
import pathlib
import shutil
import subprocess
import sys

from .ha_install import CannotInstall, cache, debian_mirror, lock, run, say

NUMBERS = {"bookworm": 12, "trixie": 13}
# What a small machine has; Homing and gpsd must come by themselves, with the package.
TO_BOOT = ["systemd", "systemd-sysv", "dbus", "libpam-systemd", "polkitd", "ca-certificates", "iproute2", "procps"]
TO_SHOW = ["sway", "sway-notification-center", "grim", "dbus", "at-spi2-core", "gir1.2-atspi-2.0", "python3-gi"]
REPOSITORY = pathlib.Path(__file__).resolve().parents[3]


def host_release():
    """The release this machine runs, such as bookworm."""
    text = pathlib.Path("/etc/os-release").read_text()
    return next(line.split("=", 1)[1].strip('"') for line in text.splitlines()
                if line.startswith("VERSION_CODENAME="))


def to_boot(release):
    """A tree of the release that systemd can boot."""
    return make_tree(f"boot-{release}", release, TO_BOOT)


def to_build(release):
    """A tree of the release with what Homing is built with, the compiler included."""
    if NUMBERS[release] < 13:
        raise CannotInstall(f"{release} has no Swift: build for it on a machine that runs it, with a toolchain in PATH")
    return make_tree(f"build-{release}", release, ["swiftlang", *listed("build", "package")])


def to_test(release):
    """A tree of the release with its own compiler, all that the tests drive, git, which made the checkout, and rsync, which
    copies the checkout."""
    return make_tree(f"test-{release}", release, ["swiftlang", "git", "rsync", *listed("build", "test")])


def bare(release):
    """A tree of the release with what an installation from Debian's installer has, as far as Homing could meet it."""
    return make_tree(f"bare-{release}", release, [*TO_BOOT, "sudo"])


def to_show(release):
    """A tree of the release with a notification server that asks for replies, and what a test reaches it by."""
    return make_tree(f"show-{release}", release, TO_SHOW)


def to_locate(release):
    """A tree of the release with its GeoClue."""
    return make_tree(f"locate-{release}", release, ["geoclue-2.0"])


def add_downloads(tree, name, packages):
    """Have the tree's apt download packages, so that a machine without a network can install them; `packages` are
    names or files. `name` stands for what was asked for: the same again costs nothing."""
    marker = tree / f".downloaded-{name}"
    with lock(tree.name):
        if not marker.exists():
            say(f"{tree.name}: downloading what {name} depends on")
            in_tree(tree, "apt-get", "-q=2", "update")
            in_tree(tree, "apt-get", "-q=2", "-y", "--download-only", "install", *packages)
            marker.touch()


def in_tree(tree, *words, binds=(), **options):
    """Run a command in a tree. `binds` are pairs of a folder outside and its name inside."""
    command, environment = command_in_tree(tree, *words, binds=binds)
    run(command, **{"env": environment, **options})


def command_in_tree(tree, *words, binds=()):
    """What runs a command in a tree, and its environment: for those who start it themselves."""
    script = ('tree=$1; shift; mount -t proc proc "$tree/proc"; mount --rbind /dev "$tree/dev"; '
              'while [ "$1" != -- ]; do mkdir -p "$tree$2"; mount --bind "$1" "$tree$2"; shift 2; done; shift; '
              'exec chroot "$tree" "$@"')
    if pathlib.Path("/etc/resolv.conf").exists():
        shutil.copy("/etc/resolv.conf", tree / "etc/resolv.conf")
    pairs = [str(word) for pair in binds for word in pair]
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8",
                   "DEBIAN_FRONTEND": "noninteractive"}
    environment |= {k: v for k, v in os.environ.items() if k.lower().endswith("_proxy")}
    command = ["unshare", "--mount", "--propagation", "private", "sh", "-ec", script, "sh", tree, *pairs, "--", *words]
    return [str(word) for word in command], environment


def listed(*lists):
    """The packages of these lists in packaging/dependencies."""
    return subprocess.run([REPOSITORY / "scripts/install-dependencies", "--print", *lists], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.split()


def make_tree(name, release, packages, architecture=None, beside=None, finish=None):
    """The tree of that name. `architecture` is the tree's, in place of this machine's; `beside` is another one whose packages
    can be installed too; and `finish` is called with a tree whose packages are installed."""
    tree = cache() / name
    wanted = "\n".join(packages)
    ready = tree / ".ready"
    with lock(name):
        if ready.exists() and ready.read_text() == wanted:
            return tree
        if os.geteuid() != 0 or not shutil.which("debootstrap"):
            raise CannotInstall(f"a tree of Debian {release} is needed: run as root and install the package debootstrap")
        say(f"making a tree of Debian {release} with {len(packages)} packages (one to three minutes)")
        if not ready.exists():
            shutil.rmtree(tree, ignore_errors=True)
            tree.parent.mkdir(parents=True, exist_ok=True)
            options = [f"--arch={architecture}"] if architecture else []
            run(["debootstrap", "--variant=minbase", "--include=ca-certificates", *options, release, tree, debian_mirror()])
        if beside:
            in_tree(tree, "dpkg", "--add-architecture", beside)
        in_tree(tree, "apt-get", "-q=2", "update")
        in_tree(tree, "apt-get", "-q=2", "-y", "--no-install-recommends", "install", *packages)
        if finish:
            finish(tree)
        in_tree(tree, "apt-get", "clean")
        (tree / "etc/hostname").write_text("van\n")
        ready.write_text(wanted)
        return tree


def _main(words):
    if words[0] == "run":
        tree, folder, *command = words[1:]
        in_tree(pathlib.Path(tree), *command, binds=[(folder, folder)])
    else:
        print({"boot": to_boot, "build": to_build, "show": to_show}[words[0]](words[1]))


if __name__ == "__main__":
    try:
        _main(sys.argv[1:])
    except CannotInstall as problem:
        sys.exit(f"debian_tree: {problem}")
    except LookupError as problem:
        sys.exit(f"debian_tree: {problem}\n{__doc__}")
    except subprocess.CalledProcessError as problem:
        sys.exit(problem.returncode)
