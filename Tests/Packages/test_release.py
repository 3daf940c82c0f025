"""A release as `make release` assembles it, out of the packages here: what apt, the archive with the installer, Arch Linux's
and Fedora's tools make of it, and that each notices a changed byte."""

import os
import pwd
import re
import shutil
import subprocess
import sys

import pytest
from homing_rigs import debian_tree
from homing_rigs.documents import REPOSITORY, block
from homing_rigs.machine import Machine
from homing_rigs.processes import temporary_folder
from conftest import architectures
from packages import HERE, Packages
from served import assembled, by_readme

sys.path.insert(0, str(REPOSITORY / "scripts/lib"))
import release_folder  # noqa: E402

PACKAGES = Packages("trixie")
boots = pytest.mark.skipif(not Machine.possible(), reason="needs root and systemd-nspawn")
pytestmark = pytest.mark.skipif(
    set(architectures()) != set(release_folder.ARCHITECTURES) or HERE != "amd64",
    reason="a release has packages for amd64 and arm64, built on amd64: make test-packages")
VERSION = PACKAGES.field("Version") if PACKAGES.there else None
ARCHIVE = f"homing-{VERSION}-linux-amd64"
# What Arch Linux and Fedora call the architectures of a release.
THEIRS = {"amd64": "x86_64", "arm64": "aarch64"}


@pytest.fixture(scope="module")
def release(checkout, key):
    """The folder of a release."""
    return assembled(checkout, key, temporary_folder("release") / "served", "https://homing.invalid/releases")


def test_a_release_is_the_same_bytes_twice_and_a_changed_byte_is_seen(checkout, key, release):
    other = assembled(checkout, key, temporary_folder("release") / "other", "https://homing.invalid/releases")
    assert release_folder.differing_files(release, other) == []
    notes = other / "NOTES.md"
    spoil(notes)
    (other / "SHA256SUMS.asc").unlink()
    assert release_folder.differing_files(release, other) == ["NOTES.md", "SHA256SUMS.asc"]


def test_the_sums_cover_every_file_and_their_signature_holds(release, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(release, copy)
    assert checks(copy)
    files = {str(path.relative_to(copy)) for path in copy.rglob("*") if path.is_file()}
    summed = {line.split("  ", 1)[1] for line in (copy / "SHA256SUMS").read_text().splitlines()}
    assert files - summed == {"SHA256SUMS", "SHA256SUMS.asc"} and summed <= files
    for name in ("NOTES.md", "apt/dists/stable/InRelease", f"homing_{PACKAGES.field('Version')}_arm64.deb", "SHA256SUMS"):
        before = spoil(copy / name)
        assert not checks(copy), name
        (copy / name).write_bytes(before)
    assert checks(copy)


def checks(folder):
    """Whether signature and sums hold, by the tools that the page names."""
    signed = subprocess.run(["gpg", "--batch", "--verify", "SHA256SUMS.asc", "SHA256SUMS"], cwd=folder, capture_output=True)
    summed = subprocess.run(["sha256sum", "--quiet", "--check", "SHA256SUMS"], cwd=folder, capture_output=True)
    return signed.returncode == 0 and summed.returncode == 0


def spoil(path):
    """Changes a byte in the middle of a file; returns what was there."""
    before = path.read_bytes()
    middle = len(before) // 2
    path.write_bytes(before[:middle] + bytes([before[middle] ^ 1]) + before[middle + 1:])
    return before


def test_a_version_without_its_changes_is_refused(key, tmp_path):
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## [0.9.0] - 2026-01-01\n\n- New.\n\n## [0.8.0]\n\n- Old.\n")
    assert release_folder.notes_of(tmp_path, "0.9.0") == "## [0.9.0] - 2026-01-01\n\n- New.\n\n"
    with pytest.raises(release_folder.CannotRelease, match="no part about 0.1.0: give the part"):
        release_folder.notes_of(tmp_path, "0.1.0")


# Arch Linux and Fedora: by content alone.

PROGRAMS = {"usr/bin/homing", "usr/bin/homingd", "usr/libexec/homing-session", "usr/lib/systemd/system/homing.service",
            "usr/lib/systemd/system/homing-metrics.service", "usr/lib/systemd/system/homing-metrics.timer",
            "usr/lib/sysusers.d/homing.conf"}
RELAY = {"usr/bin/homing-relay", "usr/lib/systemd/system/homing-relay.service", "usr/share/man/man8/homing-relay.8"}


@pytest.fixture(params=release_folder.ARCHITECTURES)
def arch(release, request):
    """Runs makepkg on the recipe of the release for an architecture, as somebody who is not root; returns how it ended
    and the folder."""
    folder = temporary_folder("arch")
    archive = f"homing-{VERSION}-linux-{request.param}.tar.xz"
    for name in (archive, "homing.install", "homing-relay.install"):
        shutil.copy(release / name, folder)
    recipe = (release / "PKGBUILD").read_text()
    (folder / "PKGBUILD").write_text(recipe.replace("https://homing.invalid/releases/", ""))
    nobody = pwd.getpwnam("nobody")
    folder.chmod(0o755)
    for path in (folder, *folder.iterdir()):
        os.chown(path, nobody.pw_uid, nobody.pw_gid)

    def make():
        done = subprocess.run(["makepkg", "--nodeps", "--force", "--nocolor"], cwd=folder, user=nobody.pw_uid, text=True,
                              group=nobody.pw_gid, env={"PATH": "/usr/bin:/bin:/usr/sbin", "HOME": str(folder),
                                                        "CARCH": THEIRS[request.param], "LC_ALL": "C.UTF-8"},
                              capture_output=True)
        return done, folder
    make.archive, make.architecture = folder / archive, request.param
    return make


def test_arch_linux_makes_two_packages_of_the_recipe(arch):
    done, folder = arch()
    assert done.returncode == 0, done.stdout + done.stderr
    made = {name: next(folder.glob(f"{name}-{VERSION}-1-{THEIRS[arch.architecture]}.pkg.tar*"))
            for name in ("homing", "homing-relay")}
    files = {name: members(package) for name, package in made.items()}
    assert files["homing"] >= PROGRAMS and files["homing-relay"] >= RELAY
    assert not files["homing"] & RELAY and not files["homing-relay"] & PROGRAMS
    assert files["homing"] & files["homing-relay"] == {".BUILDINFO", ".INSTALL", ".MTREE", ".PKGINFO"}
    assert "usr/share/licenses/homing/copyright" in files["homing"]
    scripts = {name: extracted(package, ".INSTALL").decode() for name, package in made.items()}
    assert "check_user()" in scripts["homing"] and "homing.service" in scripts["homing"]
    assert "homing-relay.service" in scripts["homing-relay"]
    for name, program in (("homing", "homingd"), ("homing-relay", "homing-relay")):
        says_what_hides_it(scripts[name], program)
    for script in scripts.values():
        assert "@" not in script and subprocess.run(["bash", "-n"], input=script, text=True).returncode == 0
    assert machine_of(extracted(made["homing"], "usr/bin/homingd")) == arch.architecture
    assert machine_of(extracted(made["homing-relay"], "usr/bin/homing-relay")) == arch.architecture


def says_what_hides_it(script, program):
    """A program in /usr/local is found before the package's: the script names the command that removes the program."""
    assert f"[ ! -e /usr/local/bin/{program} ] ||" in script and "sudo /usr/local/share/homing/uninstall" in script


def extracted(package, name):
    """The bytes of a file in an archive that bsdtar reads."""
    return subprocess.run(["bsdtar", "--extract", "--to-stdout", "--file", package, name], check=True,
                          stdout=subprocess.PIPE).stdout


def machine_of(program):
    """The architecture that a program is for, by the field of its ELF header."""
    return {62: "amd64", 183: "arm64"}[int.from_bytes(program[18:20], "little")]


def members(package):
    shown = subprocess.run(["bsdtar", "--list", "--file", package], check=True, text=True, stdout=subprocess.PIPE).stdout
    return {line.removesuffix(".gz") for line in shown.splitlines() if not line.endswith("/")}


def test_arch_linux_refuses_an_archive_with_a_changed_byte(arch):
    spoil(arch.archive)
    done, _ = arch()
    assert done.returncode != 0 and "did not pass the validity check" in done.stdout + done.stderr


@pytest.fixture(params=release_folder.ARCHITECTURES)
def rpm(release, request):
    """Runs rpmbuild on the recipe of the release for an architecture; returns how it ended and the folder."""
    folder = temporary_folder("rpm")
    (folder / "SOURCES").mkdir()
    archive = f"homing-{VERSION}-linux-{request.param}.tar.xz"
    shutil.copy(release / archive, folder / "SOURCES")

    def make():
        done = subprocess.run(["rpmbuild", "-bb", "--quiet", "--target", THEIRS[request.param], "--define",
                               f"_topdir {folder}", release / "homing.spec"], capture_output=True, text=True)
        return done, folder
    make.archive, make.architecture = folder / "SOURCES" / archive, request.param
    return make


def test_fedora_makes_two_packages_of_the_recipe_which_want_what_the_page_says(rpm):
    done, folder = rpm()
    assert done.returncode == 0, done.stdout + done.stderr
    made = {re.match(r"(.+)-[\d.]+-\d+\.", path.name)[1]: path
            for path in folder.glob(f"RPMS/*/*.{THEIRS[rpm.architecture]}.rpm")}
    files = {name: asked(path, "--list") for name, path in made.items()}
    assert files["homing"] >= {f"/{path}" for path in PROGRAMS} and files["homing-relay"] >= {f"/{path}" for path in RELAY}
    for name, program in (("homing", "homingd"), ("homing-relay", "homing-relay")):
        assert machine_of(extracted(made[name], f"./usr/bin/{program}")) == rpm.architecture
    wants = {name: asked(path, "--requires") for name, path in made.items()}
    for name, libraries in wants.items():
        assert "libcurl.so.4()(64bit)" in libraries
        assert not [want for want in libraries if want.startswith(("libgps", "libsodium", "libhiredis"))]
        says_what_hides_it("\n".join(asked(made[name], "--scripts")), {"homing": "homingd"}.get(name, name))
        told = {re.match(r"lib[\w.-]+\.so\.\d+", want)[0] for want in libraries if want.startswith("lib")}
        assert told <= named_on_the_page(), name
    recommended = [asked(path, "--recommends") for path in made.values()]
    assert named_on_the_page() <= {re.sub(r"\(.*", "", want) for libraries in (*wants.values(), *recommended)
                                   for want in libraries}


def named_on_the_page():
    """The libraries that docs/platforms.md lists."""
    text = (REPOSITORY / "docs/platforms.md").read_text().split("## Other distributions", 1)[1]
    return set(re.findall(r"`(lib[\w.-]+\.so\.\d+)`", text))


def asked(package, question):
    return set(subprocess.run(["rpm", "--query", "--package", question, package], check=True, text=True,
                              stdout=subprocess.PIPE).stdout.splitlines())


def test_fedora_refuses_an_archive_with_a_changed_byte(rpm):
    spoil(rpm.archive)
    done, _ = rpm()
    assert done.returncode != 0 and "did NOT match" in done.stderr


# On machines that boot, with Debian 12 and 13.


@boots
def test_a_fresh_machine_installs_and_upgrades_by_the_readmes_two_lines(machine, served, packages, tmp_path):
    """The lines are those of README.md."""
    debian_tree.add_downloads(packages.tree, "wget-xz-utils", ["wget", "xz-utils"])
    machine.run("apt-get", "-q", "-y", "install", "wget")
    by_readme(machine, served)
    assert machine.show("homing", "ActiveState")["ActiveState"] == "active"
    assert machine.say("dpkg-query", "-W", "-f", "${Version}", "homing") == PACKAGES.field("Version")
    # The next release has another version, and all else alike.
    version, folder = f"9.{PACKAGES.field('Version')}", next_release(tmp_path)
    served.release(folder, version)
    machine.run("sh", "-ec", "apt update && apt upgrade -y", timeout=300)
    assert machine.say("dpkg-query", "-W", "-f", "${Version}", "homing") == version
    assert machine.show("homing", "ActiveState")["ActiveState"] == "active"


def next_release(folder):
    """What was built, as the next version would have it."""
    version = PACKAGES.field("Version")
    made = folder / "next"
    made.mkdir()
    for architecture in release_folder.ARCHITECTURES:
        packages = Packages("trixie", architecture)
        for name in packages.all:
            shutil.copy(packages.next_version(name), made / f"{name}_9.{version}_{architecture}.deb")
        shutil.copy(PACKAGES.folder / f"homing-{version}-linux-{architecture}.tar.xz",
                    made / f"homing-9.{version}-linux-{architecture}.tar.xz")
    return made


@boots
@pytest.mark.parametrize("file, word", [
    ("pool/main/h/homing/homing_{version}_amd64.deb", "Hash Sum mismatch|unexpected size"),
    ("dists/stable/InRelease", "not signed|BADSIG|[Ii]nvalid|NOSPLIT"),
    ("dists/stable/main/binary-amd64/Packages.gz", "Hash Sum mismatch|unexpected size")])
def test_apt_refuses_a_changed_byte(machine, served, packages, file, word):
    debian_tree.add_downloads(packages.tree, "wget-xz-utils", ["wget", "xz-utils"])
    machine.run("apt-get", "-q", "-y", "install", "wget")
    for path in served.folder.glob("apt/dists/stable/main/binary-amd64/Packages"):
        path.unlink()
    spoil(served.folder / "apt" / file.format(version=PACKAGES.field("Version")))
    done = by_readme(machine, served, check=False)
    assert done.returncode != 0 and re.search(word, done.stdout + done.stderr), done.stdout + done.stderr
    assert machine.run("test", "-e", "/usr/bin/homingd", check=False).returncode == 1


@pytest.fixture
def archive_machine(packages, network, release):
    """A machine with what the programs need, and with the archive, the sums and the key in /root, as somebody has fetched
    them."""
    debian_tree.add_downloads(packages.tree, "gpg-xz-utils", ["gpg", "xz-utils"])
    with Machine(packages.tree, network, {"/packages": packages.folder, "/release": release}) as machine:
        machine.run("apt-get", "-q", "-y", "install", "gpg", "xz-utils", f"/packages/{packages.homing.name}",
                    f"/packages/{packages.relay.name}", timeout=300)
        machine.run("sh", "-ec", f"cd /release; cp SHA256SUMS SHA256SUMS.asc homing.asc {ARCHIVE}.tar.xz /root")
        machine.write("/usr/bin/sudo", '#!/bin/sh\nexec "$@"\n')
        machine.run("chmod", "755", "/usr/bin/sudo")
        yield machine


def by_page(machine, check=True):
    """The block of docs/platforms.md, in /root."""
    return machine.run("sh", "-ec", "cd /root\n" + block("docs/platforms.md", "Other distributions", "sh"), check=check,
                       timeout=300)


@boots
def test_the_archive_installs_and_uninstalls_itself_and_keeps_what_is_the_owners(archive_machine):
    machine = archive_machine
    machine.run("apt-get", "-q", "-y", "purge", "homing", "homing-relay", timeout=300)
    machine.run("userdel", "homing")
    said = by_page(machine).stdout
    assert "Connect it with Home Assistant: sudo /usr/local/bin/homing setup" in said
    assert machine.show("homing", "ActiveState", "UnitFileState", "User") == {
        "ActiveState": "active", "UnitFileState": "enabled", "User": "homing"}
    assert "below /usr/local, as root" in machine.say(f"/root/{ARCHIVE}/install", "--help")
    # A file that an earlier version had, and this one has not, goes with the second installation.
    machine.write("/usr/local/share/homing/gone", "old")
    machine.run("sh", "-c", "echo /usr/local/share/homing/gone >>/usr/local/share/homing/files")
    before = machine.show("homing", "MainPID")
    assert "Homing is renewed." in machine.say(f"/root/{ARCHIVE}/install")
    assert machine.run("test", "-e", "/usr/local/share/homing/gone", check=False).returncode == 1
    assert machine.show("homing", "MainPID") != before, "the new program runs"
    machine.write("/etc/homing/agent.conf", "# mine\n")
    # The copy that an installation has, and the archive's own.
    uninstall(machine, "/usr/local/share/homing/uninstall")
    machine.run(f"/root/{ARCHIVE}/install")
    uninstall(machine, f"/root/{ARCHIVE}/uninstall")
    for folder in ("lib", "share/man", "bin"):
        assert machine.run("test", "-d", f"/usr/local/{folder}", check=False).returncode == 0, folder
    assert machine.run("test", "-d", "/var/lib/homing", check=False).returncode == 0
    assert machine.run("test", "-e", "/etc/homing/agent.conf", check=False).returncode == 0


def uninstall(machine, program):
    """Runs an uninstaller, whose service ran until then."""
    assert machine.show("homing", "ActiveState")["ActiveState"] == "active"
    said = machine.say(program)
    assert "Homing is removed from /usr/local." in said and "\n  sudo rm -r /etc/homing /var/lib/homing\n" in said
    assert machine.say("find", "/usr/local", "/etc/xdg", "/etc/systemd", "-iname", "*homing*") == ""
    assert machine.run("systemctl", "is-active", "homing", check=False).returncode != 0


@boots
def test_the_archive_refuses_a_changed_byte_and_a_machine_with_the_package(archive_machine):
    machine = archive_machine
    done = by_page(machine, check=False)
    assert done.returncode == 73 and "sudo apt remove homing" in done.stderr
    spoil(machine.root / f"root/{ARCHIVE}/bin/homing")
    done = machine.run(f"/root/{ARCHIVE}/install", check=False)
    assert done.returncode == 65 and "the archive is not as it was made" in done.stderr
    spoil(machine.root / f"root/{ARCHIVE}.tar.xz")
    assert by_page(machine, check=False).returncode == 1


@boots
def test_a_package_that_an_archive_hides_names_the_uninstaller_and_runs_after_it(archive_machine, packages):
    machine = archive_machine
    machine.run("apt-get", "-q", "-y", "purge", "homing", "homing-relay", timeout=300)
    by_page(machine)
    done = machine.run("apt-get", "-q", "-y", "install", f"/packages/{packages.homing.name}", timeout=300)
    assert program_of(machine) == "/usr/local/bin/homingd"
    [command] = re.findall(r"^homing: To remove these programs: sudo (.+)$", done.stdout + done.stderr, re.MULTILINE)
    machine.run(command)
    assert program_of(machine) == "/usr/bin/homingd"


def program_of(machine):
    """The program that the service runs."""
    return machine.say("readlink", f"/proc/{machine.show('homing', 'MainPID')['MainPID']}/exe")
