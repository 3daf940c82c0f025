"""No command runs before the package that brings it was installed: each door of the Makefile is opened in a checkout of
its own on a machine that has nothing of packaging/dependencies yet. Programs are played: each says when it ran too early."""

import os
import pathlib
import re
import shutil
import sys

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "Tests/rigs"))

from homing_rigs import debian_tree  # noqa: E402

# What the packages of each list bring that a script or a rule could call. Python's modules count as `pytest`, Swift's
# compiler as what needs `build`.
COMMANDS = {
    "build": {"pkg-config", "ld", "g++", "c++", "swift"},
    "package": {"dpkg-buildpackage", "dpkg-parsechangelog", "dh", "fakeroot", "lintian", "rsync"},
    "test": {
        "ansible-playbook", "avahi-browse", "avahi-daemon", "busctl-rig", "caddy", "debootstrap", "dunst", "faketime",
        "fish", "gcc", "gcore", "gpsd", "jq", "man", "mandoc", "nft", "nginx", "openssl", "promtool", "pytest",
        "redis-benchmark", "redis-cli", "redis-server", "ssh", "ssh-keygen", "strace", "systemd-nspawn", "wget", "xmllint",
        "xvfb-run", "zsh",
    },
    "bench": {"valgrind"},
    "emulation": {"qemu-aarch64-static", "qemu-system-aarch64"},
    "release": {"bsdtar", "faketime", "gpg", "makepkg", "pacman", "reprepro", "rpmbuild"},
}
# Every package of the lists, and what of it stands above, or why nothing does.
PACKAGES = {
    "libraries": {
        "libcurl4-openssl-dev", "libglib2.0-dev", "libgnutls28-dev", "libgps-dev", "libhiredis-dev", "libjansson-dev",
        "libmicrohttpd-dev", "libnm-dev", "libqrencode-dev",
        "libsodium-dev", "libsqlite3-dev", "libsystemd-dev", "libncurses6", "libxml2", "libfaketime",
    },
    "what pytest stands for": {
        "gir1.2-nm-1.0", "python3-dbus", "python3-dbusmock", "python3-dev", "python3-gi", "python3-jinja2",
        "python3-jsonschema", "python3-nacl", "python3-pyflakes", "python3-pytest", "python3-pytest-xdist", "python3-venv",
        "python3-yaml", "python3-zbar",
    },
    "on every Debian": {"dbus", "iproute2", "make", "systemd", "util-linux"},
    "called by its whole path": {"python3"},
    "started by the rigs alone": {"geoclue-2.0", "mate-notification-daemon", "xvfb"},
    "commands": {
        "ansible-core", "avahi-daemon", "avahi-utils", "binutils", "build-essential", "caddy", "debhelper", "debootstrap",
        "dunst", "fakeroot", "faketime", "fish", "g++", "gcc", "gdb", "gnupg", "gpsd", "jq", "libarchive-tools",
        "libxml2-utils", "lintian", "makepkg", "man-db", "mandoc", "nftables", "nginx-light", "openssh-client", "openssl",
        "pacman-package-manager", "pkg-config", "prometheus", "qemu-system-arm", "qemu-user-static", "redis-server",
        "reprepro", "rpm", "rsync", "strace", "systemd-container", "valgrind", "wget", "zsh",
    },
}
# Programs of the repository that are played, and the list that each needs.
PROGRAMS = {
    "scripts/check-python": "test", "scripts/fuzz": "build", "scripts/unit-tests": "build", "scripts/tests/run": "test",
    "scripts/tests/fuzz": "build", "scripts/install-home-assistant": "test", "Tests/rigs/demo": "test",
    "Tests/rigs/soak": "test", "Benchmarks/bench": "bench", "Benchmarks/carriers": "bench",
    "Benchmarks/bench-relay": "bench", "scripts/order-code": "bench",
    "scripts/measured-figures": None, "scripts/check-imports": None, "scripts/check-words": None,
    "scripts/check-sizes": None, "scripts/check-state": None, "scripts/check-format": "build",
    "scripts/check-language": None, "scripts/quick-test": "build",
    "scripts/check-release": None, "scripts/test-release": None, "scripts/test-trixie": "test",
    "scripts/test-reproducible": "package", "scripts/test-emulated": "emulation",
    "scripts/install-files": None, "scripts/uninstall-files": None, "scripts/make-tarball": "package",
    "scripts/make-release": "release", "scripts/record": None, "scripts/tests/threads": "build",
}
AS_THEY_ARE = {"scripts/install-dependencies", "scripts/make-deb", "scripts/quiet-build", "scripts/run-parts"}
DOORS = ["deb", "demo", "release", "rehearse-release", "tarball", "build", "quick", "test", "test-unit", "test-packages", "test-emulated", "test-hour", "faults", "soak",
         "bench", "bench-relay", "fuzz", "test-trixie", "test-reproducible"]
TOO_EARLY = """#!/bin/bash
name={name} list={list}
if [ -n "$list" ] && [ ! -e "$STATE/installed-$list" ]; then
    echo "$name ($list)" >> "$STATE/too-early"
    echo "$name: command not found" >&2
    exit 127
fi
{action}
"""
# What those that are waited for really do.
ACTIONS = {
    "rsync": 'mkdir -p "${@: -1}"; tar -C "${@: -2:1}" --exclude=./.build -c . | tar -C "${@: -1}" -x',
    "dpkg-buildpackage": 'touch "../homing_1_$(dpkg --print-architecture).deb"',
    "dpkg-parsechangelog": "echo 1",
}


def played(path, name, needs, action="exit 0"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_text(TOO_EARLY.format(name=name, list=needs or "", action=action))
    path.chmod(0o755)


@pytest.fixture
def bare(tmp_path, run):
    """A checkout on such a machine. `bare(door)` gives what ran too early, and how the door ended."""
    checkout, programs, state = tmp_path / "checkout", tmp_path / "bin", tmp_path / "state"
    for folder in (checkout, programs, state):
        folder.mkdir()
    shutil.copy(REPOSITORY / "Makefile", checkout)
    for folder in ("scripts", "packaging"):
        shutil.copytree(REPOSITORY / folder, checkout / folder, symlinks=True)
    for program, needs in PROGRAMS.items():
        played(checkout / program, program, needs)
    played(checkout / "scripts/install-dependencies", "install-dependencies", None,
           'for list in "$@"; do touch "$STATE/installed-$list"; done')
    given = {name for names in COMMANDS.values() for name in names}
    for folder in ("/usr/bin", "/usr/sbin"):
        for program in pathlib.Path(folder).iterdir():
            if program.name not in given and not (programs / program.name).exists():
                (programs / program.name).symlink_to(program)
    for needs, names in COMMANDS.items():
        for name in names:
            played(programs / name, name, needs, ACTIONS.get(name, "exit 0"))

    def bare(*words):
        done = run("make", *words, "PYTEST=pytest", cwd=checkout, timeout=60,
                   env={"PATH": str(programs), "STATE": str(state), "HOME": str(tmp_path), "LANG": "C.UTF-8"})
        early = state / "too-early"
        return early.read_text().splitlines() if early.exists() else [], done
    bare.checkout = checkout
    return bare


@pytest.mark.parametrize("door", DOORS)
def test_nothing_runs_before_it_is_installed(bare, door):
    early, done = bare(door)
    assert early == [], done.stdout + done.stderr


def test_the_tree_of_another_architecture_is_made_after_its_list_was_installed(bare, run):
    other = {"amd64": "arm64"}.get(run("dpkg", "--print-architecture").stdout.strip())
    if not other:
        pytest.skip("packages for another architecture are built on amd64 alone")
    modules = bare.checkout / "Tests/rigs/homing_rigs"
    modules.mkdir(parents=True)
    (modules / "cross_tree.py").write_text(
        "import os, sys\n"
        "sys.exit(0 if os.path.exists(os.environ['STATE'] + '/installed-cross') else 'debootstrap is not there')\n")
    (modules / "debian_tree.py").write_text("import pathlib, sys\npathlib.Path(sys.argv[3], 'homing_1_arm64.deb').touch()\n")
    early, done = bare("deb", f"ARCH={other}")
    assert early == [] and done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(debian_tree.host_release() not in debian_tree.NUMBERS, reason="not Debian 12 or 13")
def test_the_package_is_built_with_what_was_installed(bare, run):
    early, done = bare("deb")
    assert early == [] and done.returncode == 0, done.stdout + done.stderr
    architecture = run("dpkg", "--print-architecture").stdout.strip()
    assert done.stdout.rstrip().endswith(f"_{architecture}.deb")


def test_a_command_that_comes_too_early_is_noticed(bare):
    makefile = bare.checkout / "Makefile"
    text = makefile.read_text()
    assert "deb: " in text
    makefile.write_text(re.sub(r"^(deb: .*)$", r"\1\n\t@lintian --version", text, count=1, flags=re.MULTILINE))
    early, done = bare("deb")
    assert early == ["lintian (package)"] and done.returncode != 0


def test_every_package_of_the_lists_is_looked_at(packaging, run):
    listed = set(run(packaging.parent / "scripts/install-dependencies", "--print", "build", "test", "package",
                     "bench", "cross", "emulation", "release").stdout.split())
    assert listed == {name for names in PACKAGES.values() for name in names}


def test_every_script_is_real_or_played():
    """A new script must be thought of here: one that needs a list is played, others run as they are."""
    called = set(re.findall(r"(?:scripts|Benchmarks|Tests/rigs)/[a-z/-]+[a-z]", re.sub(
        r"(?m)^#.*$|\$\(CURDIR\)\S*|Tests/rigs/tests", "", (REPOSITORY / "Makefile").read_text())))
    programs = {name for name in called if os.access(REPOSITORY / name, os.X_OK) and (REPOSITORY / name).is_file()}
    assert programs - PROGRAMS.keys() - AS_THEY_ARE == set()


def test_a_missing_compiler_is_told_before_anything_is_fetched(packaging, run, tmp_path):
    done = run("/bin/bash", packaging.parent / "scripts/install-dependencies", "build", env={"PATH": str(tmp_path)})
    assert (done.returncode, done.stdout) == (69, "")
    assert "Swift 6 is missing. On Debian 13: sudo apt install swiftlang." in done.stderr


def test_a_compiler_that_sudo_hides_is_told(packaging, run, tmp_path):
    done = run("/bin/bash", packaging.parent / "scripts/install-dependencies", "build",
               env={"PATH": str(tmp_path), "SUDO_USER": "eve"})
    assert (done.returncode, done.stdout) == (69, "")
    assert 'If the PATH of eve has Swift, type sudo env "PATH=$PATH" in place of sudo. On Debian 13: ' in done.stderr
