"""Two builds of a package are compared, and each way in which they can differ is named: with small packages."""

import gzip
import os
import pathlib
import subprocess
import sys

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts/lib"))

from package_difference import differences  # noqa: E402

CONTROL = "Package: a\nVersion: 1\nArchitecture: all\nMaintainer: A <a@homing.invalid>\nDescription: a\n"
NAME = "a_1_all.deb"


@pytest.fixture
def build(tmp_path):
    """Builds a package of these files, of which each is a text or bytes."""
    def build(side, files, control=CONTROL, time=1000, mode=0o644):
        tree = tmp_path / f"{side}-tree"
        for name, content in {"DEBIAN/control": control, **files}.items():
            path = tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
            path.chmod(mode)
        for path in [*tree.rglob("*"), tree]:
            os.utime(path, (time, time))
        folder = tmp_path / side
        folder.mkdir()
        subprocess.run(["dpkg-deb", "--root-owner-group", "--build", tree, folder / NAME], check=True,
                       stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": "5000"})
        return folder
    return build


def program(tmp_path, folder, *options):
    """One that was compiled in a folder of this name."""
    source = tmp_path / folder / "a.c"
    source.parent.mkdir()
    source.write_text("int main(void) { return 0; }\n")
    subprocess.run(["gcc", "-g", "-Wl,--build-id=none", *options, "-o", source.with_name("a"), source], check=True)
    return source.with_name("a").read_bytes()


def test_the_same_files_give_the_same_package(build):
    files = {"usr/share/doc/a/README": "one\ntwo\n", "usr/share/doc/a/a.gz": gzip.compress(b"a", mtime=0)}
    assert list(differences(build("one", files), build("two", files))) == []


@pytest.mark.parametrize("one, two, told", [
    ({"usr/a": "x\ny\n"}, {"usr/a": "x\nz\n"}, "./usr/a: line 2: 'y' and 'z'"),
    ({"usr/a": "x\n"}, {"usr/a": "x\ny\n"}, "./usr/a: one goes on where the other ends"),
    ({"usr/a": b"\xff\x00"}, {"usr/a": b"\xff\x01"}, "./usr/a: from byte 1"),
    ({"usr/a": "x"}, {"usr/a": "x", "usr/b": "x"}, "./usr/b: only in the second"),
    ({"usr/a.gz": gzip.compress(b"a", mtime=1)}, {"usr/a.gz": gzip.compress(b"a", mtime=2)},
     "./usr/a.gz: the same content, compressed in another way or at another time"),
])
def test_a_file_that_differs_is_named(build, one, two, told):
    assert f"{NAME}: {told}" in differences(build("one", one), build("two", two))


def test_times_modes_and_fields_that_differ_are_named(build):
    files = {"usr/a": "x"}
    one = build("one", files)
    assert f"{NAME}: ./usr/a: time 1000 and 2000" in differences(one, build("time", files, time=2000))
    assert f"{NAME}: ./usr/a: mode 644 and 600" in differences(one, build("mode", files, mode=0o600))
    field = build("field", files, control=CONTROL.replace("Version: 1", "Version: 2"))
    assert f"{NAME}: ./control: line 2: 'Version: 1' and 'Version: 2'" in differences(one, field)


def test_the_folder_of_a_build_in_a_program_is_named(build, tmp_path):
    one, two = ({"usr/bin/a": program(tmp_path, folder)} for folder in ("first", "second"))
    told = [line for line in differences(build("one", one), build("two", two)) if "section .debug" in line]
    assert told and f"'{tmp_path}/first" in "".join(told) and f"'{tmp_path}/second" in "".join(told)


def test_memory_of_a_program_that_has_another_size_is_named(build, tmp_path):
    more = tmp_path / "more.h"
    more.write_text("static char more[5000] __attribute__((used));\n")
    one, two = program(tmp_path, "first"), program(tmp_path, "second", "-include", more)
    told = differences(build("one", {"usr/bin/a": one}), build("two", {"usr/bin/a": two}))
    assert [line for line in told if line.startswith(f"{NAME}: ./usr/bin/a: section .bss: '")]


def test_packages_that_are_missing_are_named(build, tmp_path):
    (tmp_path / "nothing").mkdir()
    assert list(differences(build("one", {"usr/a": "x"}), tmp_path / "nothing")) == [f"{NAME}: only in {tmp_path / 'one'}"]
    assert list(differences(tmp_path / "nothing", tmp_path / "nothing")) == ["there are no packages"]
