"""What is in the packages, and what is not."""

import json
import re
import subprocess
import sys

import pytest
from homing_rigs import debian_tree, elf
from homing_rigs.documents import REPOSITORY, dead_links
from homing_rigs.machine import Machine

sys.path[:0] = [str(REPOSITORY / "scripts/lib"), str(REPOSITORY / "Benchmarks")]

import cyclonedx  # noqa: E402
from homing_bench.shipped import faults, loaded  # noqa: E402

PROGRAMS = {"homing": ["bin/homingd", "bin/homing"], "homing-desktop": ["libexec/homing-session"],
            "homing-relay": ["bin/homing-relay"]}
# What a release for Debian 12 is built with.
PINNED = (REPOSITORY / "packaging/swift-version").read_text().splitlines()[-1]
ALL = [program for programs in PROGRAMS.values() for program in programs]


def variable_of(source):
    """The environment variable that a source file asks for, as it stands in what is compiled from it."""
    name, = re.findall(r'getenv\("(\w+)"\)', (REPOSITORY / "Sources" / source).read_text())
    # Swift has a shorter one in the instructions that need it, where nobody would find it.
    assert len(name) > 15
    return name.encode()


@pytest.mark.parametrize("program", ["homingd", "homing"])
def test_what_is_shipped_has_no_failpoints(shipped, program):
    content = (shipped.folder / "usr/bin" / program).read_bytes()
    assert len(content) > 100_000 and variable_of("HomingAgent/Failpoint.swift") not in content
    # One that it asks for in the same way is found.
    assert variable_of("HomingRegistration/Stored/HomeCredentials.swift") in content


@pytest.mark.parametrize("program", ALL)
def test_what_is_shipped_is_linked_as_safely_as_it_can_be(shipped, program):
    assert elf.weaknesses(shipped.folder / "usr" / program) == []


@pytest.mark.parametrize("program", ["homingd", "homing"])
def test_what_is_shipped_is_what_the_bench_would_measure(shipped, program):
    packages = shipped.packages
    built = packages.folder / f"source-{packages.architecture}/.build/static/release" / program
    if built.stat().st_mtime > packages.homing.stat().st_mtime:
        pytest.skip("something was built after the package")
    assert faults(built) == []
    assert loaded(built) == loaded(shipped.folder / "usr/bin" / program)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_package_says_which_swift_is_in_it(shipped, name):
    packages = shipped.packages
    package = packages.all[name]
    runtime, sources = packages.field("Swift-Runtime", package), packages.field("Static-Built-Using", package)
    if packages.built_on == "bookworm":
        # From swift.org, which no source package of Debian stands for.
        assert runtime == f"{PINNED} (swift-{PINNED}-RELEASE)" and "swift" not in sources
    else:
        version, package_version = re.fullmatch(r"(\S+) \(swiftlang (\S+)\)", runtime).groups()
        assert package_version.startswith(f"{version}-") and f"swiftlang (= {package_version})" in sources.split(", ")


def test_the_relay_wants_nothing_of_a_desktop_or_a_receiver(shipped):
    wishes = shipped.packages.field("Depends", shipped.packages.relay)
    for needed in ("libmicrohttpd", "libsqlite3", "libcurl", "libgnutls"):
        assert needed in wishes, wishes
    for needless in ("libgps", "libnm", "dbus", "homing"):
        assert needless not in wishes, wishes
    assert shipped.packages.field("Recommends", shipped.packages.relay) == ""


@pytest.mark.parametrize("program", ALL)
def test_no_program_is_linked_with_what_is_loaded_when_it_is_needed(shipped, program):
    needed = elf.needed(shipped.folder / "usr" / program)
    assert "libcurl.so.4" not in needed and "libstdc++.so.6" not in needed, needed


@pytest.mark.parametrize("program", ALL)
def test_no_program_names_a_library_that_the_next_release_calls_otherwise(shipped, program):
    needed = elf.needed(shipped.folder / "usr" / program)
    assert [name for name in needed if name.startswith(("libgps", "libhiredis", "libsodium"))] == []


@pytest.mark.parametrize("name, archive, source", [
    ("homing", "libgps.a", "gpsd"), ("homing", "libsodium.a", "libsodium"),
    ("homing-relay", "libhiredis.a", "hiredis"), ("homing-relay", "libsodium.a", "libsodium")])
def test_the_bill_and_the_fields_name_the_libraries_that_are_linked_in(shipped, name, archive, source):
    bill = json.loads((shipped.folder / f"usr/share/doc/{name}/{name}.cdx.json").read_text())
    assert archive in {part["name"] for each in bill["components"] for part in each["components"] if "hashes" in part}
    assert f"{source} (=" in shipped.packages.field("Static-Built-Using", shipped.packages.all[name])


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_package_has_a_bill_of_what_is_in_it(shipped, name):
    text = (shipped.folder / f"usr/share/doc/{name}/{name}.cdx.json").read_text()
    bill = json.loads(text)
    assert cyclonedx.faults(bill) == [] and cyclonedx.text(bill) == text
    assert bill["metadata"]["component"]["version"] == shipped.packages.field("Version")
    inside = {part["name"] for each in bill["components"] for part in each["components"] if "hashes" in part}
    assert "libswiftCore.a" in inside
    told = {part["name"] for each in bill["components"] for part in each["components"] if "hashes" not in part}
    needed = {library for program in PROGRAMS[name] for library in elf.needed(shipped.folder / "usr" / program)}
    assert told == needed | ({"libcurl.so.4"} if name != "homing-desktop" else set())
    number = debian_tree.NUMBERS[shipped.packages.built_on]
    assert all(f"distro=debian-{number}" in each["purl"] for each in bill["components"] if "pkg:deb" in each["purl"])


def test_lintian_has_nothing_to_say(shipped):
    assert shipped.packages.lintian == "clean"


def test_long_pages_are_compressed_as_debian_compresses_them(shipped):
    pages = {page.name: page.stat().st_size for page in (shipped.folder / "usr/share/doc").rglob("*.md*")}
    assert {"README.md.gz", "sensors.md.gz", "relay.md.gz"} <= pages.keys()
    assert [name for name, size in pages.items() if name.endswith(".md") and size > 4096] == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_link_of_a_packages_pages_leads_to_a_file_of_the_package(shipped, name, tmp_path):
    subprocess.run(["dpkg-deb", "--extract", shipped.packages.all[name], tmp_path], check=True)
    assert dead_links(tmp_path / "usr/share/doc") == []


@pytest.mark.skipif(not Machine.possible(), reason="needs root and systemd-nspawn")
def test_on_a_machine_without_a_desktop_the_desktop_package_brings_nothing_of_one(machine, packages):
    names = [f"/packages/{package.name}" for package in (packages.homing, packages.desktop)]
    said = machine.say("apt-get", "--simulate", "install", *names)
    brought = {line.split()[1] for line in said.splitlines() if line.startswith("Inst ")}
    assert {"homing", "homing-desktop", "gpsd"} <= brought
    strange = r"cpp|gcc|g\+\+|xdg-utils|x11-|libx11|libgtk|libqt|libgl1|libwayland|fonts-"
    assert [name for name in brought if re.match(strange, name)] == []


JUDGE = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
sys.exit(str(JsonStrictValidator(SchemaVersion.V1_6).validate_str(sys.stdin.read()) or "") or 0)
"""


@pytest.mark.skipif(not Machine.possible(), reason="needs root and systemd-nspawn")
def test_the_bill_follows_the_schema_that_debian_brings(packages, with_more):
    if packages.release == "bookworm":
        pytest.skip("Debian 12 has nothing that knows CycloneDX")
    tools = ["python3-cyclonedx-lib", "python3-jsonschema"]
    machine = with_more(*tools)
    machine.run("apt-get", "-q", "-y", "install", *tools, timeout=300)
    bill = machine.say("cat", "/usr/share/doc/homing/homing.cdx.json")
    assert machine.run("python3", "-c", JUDGE, input=bill).stderr == ""
    spoiled = machine.run("python3", "-c", JUDGE, input=bill.replace('"library"', '"nothing"'), check=False)
    assert spoiled.returncode == 1 and "nothing" in spoiled.stderr
