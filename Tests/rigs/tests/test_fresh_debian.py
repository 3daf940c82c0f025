"""The newcomer on a fresh Debian 13: what is typed is what the README says, and a failure is not lost."""

import os
import pathlib
import shutil
import subprocess

import pytest
from homing_rigs import debian_tree, fresh_debian, machine


def test_the_readme_says_what_is_typed():
    assert fresh_debian.prerequisites() == ["sudo apt install git make swiftlang"]
    assert fresh_debian.commands() == [["make deb"], ["make demo", "make test"]]


@pytest.mark.parametrize("release, user, reason", [
    ("trixie", 0, "this machine runs Debian 13: here `make test` is that test"),
    ("bookworm", 1000, "a tree of Debian 13 needs root and debootstrap"),
])
@pytest.mark.parametrize("part", ["whole", "short"])
def test_where_it_cannot_be_done_it_says_so(monkeypatch, capsys, part, release, user, reason):
    monkeypatch.delenv("HOMING_DEBIAN_13", raising=False)
    monkeypatch.setattr(debian_tree, "host_release", lambda: release)
    monkeypatch.setattr(fresh_debian.os, "geteuid", lambda: user)
    assert fresh_debian.main([part]) == fresh_debian.CANNOT
    assert capsys.readouterr().out == f"Debian 13: skipped: {reason}\n"


def test_it_can_be_left_out(monkeypatch, capsys):
    monkeypatch.setenv("HOMING_DEBIAN_13", "skip")
    assert fresh_debian.main(["short"]) == fresh_debian.CANNOT
    assert "HOMING_DEBIAN_13=skip" in capsys.readouterr().out


def test_the_tests_fail_where_they_do_not_compile(monkeypatch, tmp_path):
    """The short form ends with the first command of the script that fails."""
    runs_here(monkeypatch, tmp_path)
    monkeypatch.setattr(fresh_debian, "SHORT", "false | cat\ntrue {options}")
    with pytest.raises(subprocess.CalledProcessError):
        fresh_debian.short()
    monkeypatch.setattr(fresh_debian, "SHORT", "true | cat\ntrue {options}")
    fresh_debian.short()


@pytest.mark.skipif(not shutil.which("rsync"), reason="needs rsync")
def test_a_new_checkout_compiles_only_what_has_changed(monkeypatch, tmp_path):
    """Each checkout has new times. In the copy only a changed file has one, and what was built stays."""
    runs_here(monkeypatch, tmp_path)
    copy = tmp_path / "copy"
    monkeypatch.setattr(fresh_debian, "COPY", str(copy))
    monkeypatch.setattr(fresh_debian, "SHORT", fresh_debian.SHORT.split("\ncd ")[0])
    for checkout, changed in ("first", "old"), ("second", "new"):
        checkout = tmp_path / checkout
        (checkout / "folder").mkdir(parents=True)
        (checkout / "folder/equal.txt").write_text("equal")
        (checkout / "folder/changed.txt").write_text(changed)
        (checkout / f"folder/{changed}.txt").write_text("")
        monkeypatch.setattr(fresh_debian, "CHECKOUT_IN_TREE", checkout)
        fresh_debian.short()
        if changed == "old":
            (copy / ".build").mkdir()
            os.utime(copy / "folder/equal.txt", (1, 1))
            os.utime(copy / "folder/changed.txt", (1, 1))
    assert sorted(path.name for path in (copy / "folder").iterdir()) == ["changed.txt", "equal.txt", "new.txt"]
    assert (copy / "folder/equal.txt").stat().st_mtime == 1
    assert (copy / "folder/changed.txt").stat().st_mtime > 1
    assert (copy / "folder/changed.txt").read_text() == "new"
    assert (copy / ".build").exists()


def runs_here(monkeypatch, folder):
    """Has the short form run on this machine, in place of a tree, which `folder` stands for."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    monkeypatch.setattr(debian_tree, "to_test", lambda release: pathlib.Path(folder))
    monkeypatch.setattr(debian_tree, "in_tree", lambda tree, *words, **options: subprocess.run(words, check=True))


@pytest.mark.skipif(not machine.Machine.possible(), reason="needs root and systemd-nspawn")
def test_a_newcomer_types_and_is_heard(monkeypatch, tmp_path, capfd):
    monkeypatch.setattr(fresh_debian, "LOGS", tmp_path / "logs")
    with machine.Machine(debian_tree.to_boot("bookworm"), None, shared={"/shared": tmp_path}) as fresh:
        newcomer = fresh_debian.Newcomer(fresh)
        newcomer.receives_checkout()
        assert newcomer.types("id -un; pwd; test -f Makefile; echo $XDG_RUNTIME_DIR")
        assert not newcomer.types("echo told >&2; exit 3")
        fresh.run("touch", "/shared/written")
        assert fresh.say("stat", "--format=%U", f"{fresh_debian.CHECKOUT}/Makefile") == fresh_debian.USER
        number = fresh.say("id", "-u", fresh_debian.USER)
    assert [(line, code) for line, _, code in newcomer.results][1] == ("echo told >&2; exit 3", 3)
    log = (tmp_path / "logs/id-un-pwd-test-f-Makefile-echo-XDG_RUNTIME_DIR.log").read_text()
    assert log == f"{fresh_debian.USER}\n{fresh_debian.CHECKOUT}\n/run/user/{number}\n"
    assert "told\n" in capfd.readouterr().out
    assert (tmp_path / "written").exists()
