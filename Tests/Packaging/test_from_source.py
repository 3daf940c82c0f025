"""What docs/install.md says of an installation from source. On the machine that boots, the programs are those of the
test build, whose Swift runtime the machine sees where they look for it."""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "Tests/rigs"))

from homing_rigs import debian_tree  # noqa: E402
from homing_rigs.gps import GPSD  # noqa: E402
from homing_rigs.machine import Machine  # noqa: E402
from homing_rigs.netns import Namespace  # noqa: E402
from homing_rigs.processes import wait_for  # noqa: E402

BINARIES = pathlib.Path(os.environ.get("HOMING_BINARIES", REPOSITORY / ".build/release"))


def page_commands():
    """The block under the heading, without what only a person needs: sudo, and the making."""
    text = (REPOSITORY / "docs/install.md").read_text().split("## Install from source", 1)[1]
    lines = re.search(r"```sh\n(.*?)```", text, re.DOTALL)[1].splitlines()
    return [shlex.split(line.removeprefix("sudo ")) for line in lines if "make" not in line]


def test_make_install_ends_with_the_pages_commands():
    said = (REPOSITORY / "scripts/install-files").read_text().split("cat <<END\n", 1)[1].split("\nEND\n")[0]
    assert [shlex.split(line.strip().removeprefix("sudo ")) for line in said.splitlines()
            if line.startswith("  ")] == page_commands()
    assert said.splitlines()[-2:] == ["Then pair the machine: sudo homing setup",
                                      "To remove Homing again: sudo make uninstall PREFIX=$prefix"]


@pytest.mark.parametrize("prefix", ["/usr/local", "/opt/homing", "/usr"])
def test_make_uninstall_removes_what_make_install_placed_and_keeps_what_is_the_owners(view, prefix):
    # What is beyond the folders that are empty in each view.
    empty = "/usr/lib/sysusers.d /usr/lib/tmpfiles.d /usr/libexec /usr/share" if prefix == "/usr" else ""
    done = view(f"""
for folder in {empty}; do mount -t tmpfs none "$folder"; done
mkdir -p /etc/homing /var/lib/homing
touch /etc/homing/agent.conf /var/lib/homing/queue
make install PREFIX={prefix} STRIP=no >&2
find /etc /opt /usr/local /usr/bin /usr/lib/systemd {empty} /var/lib -type f >"$HOME/installed"
make uninstall PREFIX={prefix} >&2
find /etc /opt /usr/local /usr/lib/systemd {empty} /var/lib -type f -o -iname '*homing*'
""")
    assert done.returncode == 0, done.stderr
    kept = {"/etc/homing", "/etc/homing/agent.conf", "/var/lib/homing", "/var/lib/homing/queue"}
    installed = set((view.home / "installed").read_text().split())
    assert installed > {f"{prefix}/bin/homingd", f"{prefix}/lib/systemd/system/homing.service",
                        f"{prefix}/share/homing/uninstall", "/etc/xdg/autostart/homing-session.desktop"}
    assert set(done.stdout.split()) == kept | ({prefix} if prefix.endswith("/homing") else set())
    assert f"To remove Homing again: sudo make uninstall PREFIX={prefix}\n" in done.stderr
    assert f"Homing is removed from {prefix}.\n" in done.stderr


def libraries(folder):
    """The packages whose libraries the programs are linked to, and the folder of Swift's."""
    (folder / "debian").mkdir()
    (folder / "debian/control").write_text("Source: homing\n\nPackage: homing\nArchitecture: any\n")
    programs = [BINARIES / "homing", BINARIES / "homingd"]
    wishes = subprocess.run(["dpkg-shlibdeps", "-O", "--ignore-missing-info", *programs], cwd=folder, check=True,
                            text=True, capture_output=True).stdout
    needed = subprocess.run(["ldd", programs[1]], check=True, text=True, stdout=subprocess.PIPE).stdout
    runtime = pathlib.Path(re.search(r"=> (\S*/libswiftCore\.so)", needed)[1]).parent
    return sorted(re.findall(r"([a-z0-9][a-z0-9.+-]+)(?: \([^)]*\))?(?:, |$)", wishes.split("=", 1)[1])), runtime


@pytest.mark.skipif(not Machine.possible(), reason="needs root and systemd-nspawn")
@pytest.mark.skipif(debian_tree.host_release() not in debian_tree.NUMBERS, reason="not Debian 12 or 13")
def test_the_pages_commands_give_a_daemon_that_takes_positions(tmp_path):
    packages, runtime = libraries(tmp_path)
    tree = debian_tree.to_boot(debian_tree.host_release())
    debian_tree.add_downloads(tree, "libraries-" + "-".join(packages)[:80], packages)
    with Namespace() as network, GPSD(port=2947, prefix=network.prefix).start(), \
            Machine(tree, network, {str(runtime): runtime}) as machine:
        machine.run("apt-get", "-q", "-y", "--no-install-recommends", "install", *packages)
        subprocess.run([REPOSITORY / "scripts/install-files"], check=True,
                       env={**os.environ, "DESTDIR": str(machine.root), "PREFIX": "/usr/local", "BUILT": str(BINARIES)})
        sections = subprocess.run(["readelf", "--section-headers", "--wide", machine.root / "usr/local/bin/homingd"],
                                  check=True, text=True, stdout=subprocess.PIPE).stdout
        assert ".text" in sections and ".symtab" not in sections and ".debug_info" not in sections
        for command in page_commands():
            machine.run(*command)

        assert machine.show("homing", "ActiveState", "UnitFileState", "User") == {
            "ActiveState": "active", "UnitFileState": "enabled", "User": "homing"}
        assert "Not registered: run sudo homing setup" in machine.say("systemctl", "status", "--no-pager", "homing")

        def met():
            return json.loads(machine.say("homing", "status", "--json"))["homes"][0]["skipped"].get("unregistered")

        wait_for(met, 90, "a position, which is not kept without a registration")
        explained = machine.say("journalctl", "-x", "--no-pager", "-u", "homing")
        assert "Subject: Not registered with Home Assistant" in explained
        assert machine.run("systemctl", "stop", "homing").returncode == 0
        assert machine.show("homing", "Result", "ExecMainStatus") == {"Result": "success", "ExecMainStatus": "0"}
