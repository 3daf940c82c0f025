"""The bill of materials and the fields of a package, of a program that is linked here."""

import copy
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "scripts/lib"), str(REPOSITORY / "Tests/rigs")]

import cyclonedx  # noqa: E402
from contents import FIELDS, File, Package, Toolchain  # noqa: E402
from homing_rigs import cross_tree  # noqa: E402

TELLS = "#!/bin/sh\necho 'Swift version 6.3.1 (swift-6.3.1-RELEASE)'\necho 'Target: x86_64-unknown-linux-gnu'\n"


def archive_of_gcc():
    """One that a Debian package has brought."""
    return subprocess.run(["gcc", "-print-libgcc-file-name"], check=True, stdout=subprocess.PIPE,
                          text=True).stdout.strip()


def libraries_here():
    """The folder of this machine's shared libraries."""
    return "/usr/lib/" + subprocess.run(["gcc", "-print-multiarch"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def show(archive, field):
    owner = subprocess.run(["dpkg", "--search", os.path.realpath(archive)], check=True, stdout=subprocess.PIPE,
                           text=True).stdout.split(": ")[0]
    return subprocess.run(["dpkg-query", "--show", f"--showformat=${{{field}}}", owner], check=True,
                          stdout=subprocess.PIPE, text=True).stdout


@pytest.fixture
def bill(tmp_path, run):
    """Writes the bill of a program that uses libm, and contains these archives. Gives the bill's
    text and the variables, or what was printed when it was refused."""
    toolchain = tmp_path / "toolchain/usr"
    core = toolchain / "lib/swift_static/linux/libswiftCore.a"
    unpacked = tmp_path / "unpacked"
    for path, content in ((unpacked / "linux/libb.a", "!<arch>\n"), (toolchain / "bin/swiftc", TELLS), (core, "!<arch>\n"), (tmp_path / "other/liba.a", "!<arch>\n")):
        path.parent.mkdir(parents=True)
        path.write_text(content)
    (unpacked / ".package").write_text("swiftlang\t6.0.3-2\tarm64\tswiftlang-source\t6.0.3-1")
    (toolchain / "bin/swiftc").chmod(0o755)
    (tmp_path / "a.c").write_text("#include <math.h>\nint main(int n, char **w) { return (int)sin(n); }\n")
    subprocess.run(["gcc", "-Wl,--no-as-needed", "-o", tmp_path / "program", tmp_path / "a.c", "-lm"], check=True)
    known = {"swift": core, "gcc": archive_of_gcc(), "unknown": tmp_path / "other/liba.a",
             "unpacked": unpacked / "linux/libb.a"}

    def bill(*contained, unused=(), loads=(), date="1763805600"):
        (tmp_path / "records").mkdir(exist_ok=True)
        rows = [f"9\t2\t{known[name]}" for name in contained] + [f"9\t0\t{known[name]}" for name in unused]
        (tmp_path / "records/program").write_text("members\textracted\tarchive\n" + "".join(f"{row}\n" for row in rows))
        (tmp_path / "variables").unlink(missing_ok=True)
        done = run(REPOSITORY / "scripts/bill-of-materials", "--name", "homing", "--package-version", "0.1.0",
                   "--records", tmp_path / "records", "--bill", tmp_path / "doc/homing.cdx.json", "--substvars",
                   tmp_path / "variables", "--libraries", libraries_here(), *(f"--loads={name}" for name in loads), tmp_path / "program",
                   env={**os.environ, "SOURCE_DATE_EPOCH": date})
        if done.returncode:
            return done.stderr
        return (tmp_path / "doc/homing.cdx.json").read_text(), (tmp_path / "variables").read_text()
    return bill


def test_a_toolchain_that_is_no_package_has_its_version_in_the_field(bill):
    _, variables = bill("swift", unused=["gcc"])
    assert variables == "swift:Runtime=6.3.1 (swift-6.3.1-RELEASE)\nswift:Static-Built-Using=\n"


def test_a_library_that_is_loaded_when_it_is_needed_is_in_the_bill(bill):
    text, _ = bill("swift", loads=["libcurl.so.4"])
    parts = {part["name"]: each for each in json.loads(text)["components"] for part in each["components"]}
    assert parts["libcurl.so.4"]["properties"][0]["value"] == "dynamic"
    assert re.match(r"pkg:deb/debian/libcurl4(t64)?@", parts["libcurl.so.4"]["purl"])
    assert "libnothing.so.1: not found in /usr/lib/" in bill("swift", loads=["libnothing.so.1"])


def test_an_archive_of_a_package_names_the_source_package(bill):
    _, variables = bill("swift", "gcc")
    source, version = show(archive_of_gcc(), "source:Package"), show(archive_of_gcc(), "source:Version")
    assert f"swift:Static-Built-Using={source} (= {version})\n" in variables


def test_an_archive_of_a_package_that_was_unpacked_names_the_source_package(bill):
    text, variables = bill("swift", "unpacked")
    assert "swift:Static-Built-Using=swiftlang-source (= 6.0.3-1)\n" in variables
    assert any(each.get("purl", "").startswith("pkg:deb/debian/swiftlang@6.0.3-2?arch=arm64")
               for each in json.loads(text)["components"])


def test_a_tree_notes_of_an_unpacked_package_what_the_bill_reads():
    assert cross_tree.FIELDS == FIELDS.replace("\t", "\\t")


def test_the_bill_has_what_is_inside_and_what_is_linked_to(bill):
    text, _ = bill("swift", "gcc")
    document = json.loads(text)
    assert cyclonedx.faults(document) == []
    assert document["metadata"]["component"]["version"] == "0.1.0"
    assert document["metadata"]["timestamp"] == "2025-11-22T10:00:00+00:00"
    linkage = {(each["name"], each["properties"][0]["value"]): each for each in document["components"]}
    swift = linkage["swift", "static"]
    assert (swift["version"], swift["purl"]) == ("6.3.1", "pkg:github/swiftlang/swift@swift-6.3.1-RELEASE")
    assert swift["components"][0]["hashes"] == [
        {"alg": "SHA-256", "content": hashlib.sha256(b"!<arch>\n").hexdigest()}]
    libc = linkage["libc6", "dynamic"]
    assert re.fullmatch(r"pkg:deb/debian/libc6@\S+\?arch=\w+&distro=debian-\d+", libc["purl"])
    assert {part["name"] for part in libc["components"]} >= {"libc.so.6", "libm.so.6"}
    assert not any("hashes" in part for part in libc["components"])


def test_the_same_programs_give_the_same_bill_and_another_date_another_number(bill):
    first, _ = bill("swift", "gcc")
    assert bill("gcc", "swift")[0] == first
    other, _ = bill("swift", "gcc", date="1763805601")
    assert json.loads(other)["serialNumber"] != json.loads(first)["serialNumber"]


def test_an_archive_of_unknown_origin_is_refused(bill, tmp_path):
    assert f"{tmp_path}/other/liba.a: neither of a Debian package nor of a Swift toolchain" in bill("swift", "unknown")
    assert "the programs contain 0 Swift runtimes" in bill("gcc")
    assert "not the linker's record of its archives" in bill()


def part(bill, name):
    """The first file of a component."""
    return next(each for each in bill["components"] if each["name"] == name)["components"][0]


SPOILED = {
    "specVersion": lambda bill: bill.update(specVersion="1.0"),
    "bomFormat": lambda bill: bill.pop("bomFormat"),
    "serialNumber": lambda bill: bill.update(serialNumber="1"),
    "version": lambda bill: bill.update(version="1"),
    "timestamp": lambda bill: bill["metadata"].update(timestamp="yesterday"),
    "no name": lambda bill: bill["components"][0].pop("name"),
    "no type": lambda bill: bill["components"][0]["components"][0].pop("type"),
    "hash": lambda bill: part(bill, "swift")["hashes"][0].update(content="00"),
    "twice": lambda bill: bill["components"].append(bill["components"][0]),
    "which is not there": lambda bill: bill["dependencies"][0]["dependsOn"].append("nothing"),
}


@pytest.mark.parametrize("fault", SPOILED)
def test_a_bill_against_the_schema_is_noticed(tmp_path, fault):
    (tmp_path / "libswiftCore.a").write_text("!<arch>\n")
    document = cyclonedx.document(
        "homing", "1", "12", 0, [File("libswiftCore.a", tmp_path / "libswiftCore.a", Toolchain("6.3.1", "swift-6.3.1-RELEASE"))],
        [File("libm.so.6", tmp_path / "libm.so.6", Package("libc6", "2.36-9", "amd64", "glibc", "2.36-9"))])
    spoiled = copy.deepcopy(document)
    SPOILED[fault](spoiled)
    assert cyclonedx.faults(document) == [] and any(fault in told for told in cyclonedx.faults(spoiled))
