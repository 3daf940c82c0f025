"""What stands in two places is the same in both."""

import itertools
import json
import re
import stat

import pytest

# build-essential is there wherever a package is built.
GIVEN = {"g++", "make"}


def test_build_dependencies_are_the_list_of_the_repository(packaging, run):
    control = "".join(line for line in (packaging / "debian/control").read_text().splitlines(True)
                      if not line.startswith("#"))
    field = re.search(r"^Build-Depends:((?:.*\n)(?:\s.*\n)*)", control, re.MULTILINE)[1]
    declared = {entry.strip() for entry in field.split(",")}
    listed = set(run(packaging.parent / "scripts/install-dependencies", "--print", "build").stdout.split())
    assert declared == {"debhelper-compat (= 13)", "swiftlang | base-files (<< 13~)"} | listed - GIVEN


def test_everything_lands_where_systems_look(packaging, run, built, tmp_path):
    root = tmp_path / "root"
    environment = {"PATH": "/usr/bin:/bin", "BUILT": str(built), "STRIP": "no", "DESTDIR": str(root)}
    done = run(packaging.parent / "scripts/install-files", env=environment)
    assert done.returncode == 0, done.stderr

    files = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
    assert files >= {"usr/local/bin/homingd", "usr/local/share/man/man5/agent.conf.5",
                     "usr/local/lib/systemd/catalog/homing.catalog", "usr/local/lib/sysusers.d/homing.conf",
                     "usr/local/share/doc/homing/README.md", "usr/local/share/doc/homing/docs/sensors.md",
                     "usr/local/share/doc/homing/examples/sensors.d/debian-updates",
                     "usr/local/share/doc/homing/examples/sensors.d/signalk"}
    assert files >= {"usr/local/lib/systemd/system/homing-metrics.service",
                     "usr/local/lib/systemd/system/homing-metrics.timer",
                     "usr/local/share/homing/blueprints/automation/homing/anchor_watch.yaml"}
    assert files >= {"usr/local/libexec/homing-session", "usr/local/lib/systemd/user/homing-session.service",
                     "etc/xdg/autostart/homing-session.desktop"}
    assert files >= {"usr/local/bin/homing-relay", "usr/local/share/man/man8/homing-relay.8",
                     "usr/local/share/man/man5/relay.conf.5", "usr/local/lib/systemd/system/homing-relay.service",
                     "usr/local/share/doc/homing-relay/examples/relay.conf"}
    # Only "homing-relay init" makes a relay of a machine.
    assert not any(file.startswith("etc/homing/relay") for file in files)
    examples = {file.partition("/examples/")[2] for file in files if "/examples/" in file}
    assert examples == {"agent.conf"} | {str(path.relative_to(packaging / "examples"))
                                         for path in (packaging / "examples").rglob("*") if path.is_file()}
    # Developers read the repository.
    assert not any("/docs/decisions/" in file or "/measurements/" in file or "architecture" in file for file in files)
    share = root / "usr/local/share"
    for program in ("homing", "homingd", "homing-relay"):
        assert "homing homingd homing-relay" in (share / "bash-completion/completions" / program).read_text()
        assert f"complete -c {program} " in (share / "fish/vendor_completions.d" / f"{program}.fish").read_text()
    for name in ("_homing", "_homing-relay"):
        zsh = (share / "zsh/site-functions" / name).read_text()
        assert zsh.startswith("#compdef homing homingd homing-relay\n")
    helper = (root / "usr/local/lib/systemd/user/homing-session.service").read_text()
    assert "ExecStart=/usr/local/libexec/homing-session\n" in helper
    for name, program in (("homing", "homingd"), ("homing-relay", "homing-relay serve"), (
            "homing-metrics", "homing metrics --output /var/lib/prometheus/node-exporter/homing.prom")):
        service = (root / f"usr/local/lib/systemd/system/{name}.service").read_text()
        assert f"ExecStart=/usr/local/bin/{program}\n" in service
    assert stat.filemode((root / "usr/local/bin/homing").stat().st_mode) == "-rwxr-xr-x"

    # No question about a file that a package brought stops an upgrade.
    assert not any(file.startswith("etc/homing/") for file in files)
    configuration = root / "etc/homing/agent.conf"
    configuration.parent.mkdir()
    configuration.write_text("[gpsd]\n")
    run(packaging.parent / "scripts/install-files", env=environment, check=True)
    assert configuration.read_text() == "[gpsd]\n"


def test_each_file_that_is_installed_is_in_one_package(packaging, run, built, tmp_path):
    """What the lists of the packages name, and what they would all take or leave."""
    root = tmp_path / "root"
    run(packaging.parent / "scripts/install-files", check=True,
        env={"PATH": "/usr/bin:/bin", "BUILT": str(built), "STRIP": "no", "DESTDIR": str(root), "PREFIX": "/usr",
             "ZSH_COMPLETIONS": "/usr/share/zsh/vendor-completions"})
    lists = {file.stem: file.read_text().split() for file in (packaging / "debian").glob("*.install")}
    assert lists.keys() == set(packages_of(packaging))
    for path in root.rglob("*"):
        file = str(path.relative_to(root))
        owners = [name for name, entries in lists.items()
                  if any(file == entry or file.startswith(f"{entry}/") for entry in entries)]
        assert path.is_dir() or len(owners) == 1, f"{file}: {owners}"
        if "relay" in path.name and not file.startswith("usr/share/doc/homing/"):
            assert path.is_dir() or owners == ["homing-relay"], f"{file}: {owners}"
    missing = [entry for entries in lists.values() for entry in entries if not (root / entry).exists()]
    assert missing == []


def packages_of(packaging):
    """The names of the binary packages."""
    return re.findall(r"^Package: (.+)$", (packaging / "debian/control").read_text(), re.MULTILINE)


def test_each_package_has_its_bill_and_the_commits_time(packaging):
    rules = (packaging / "debian/rules").read_text()
    for name in packages_of(packaging):
        assert re.search(rf"\$\(call CONTENTS,{name}\)", rules), name
        assert re.search(rf"^\tfind .*debian/{name}(?= ).* -exec touch ", rules, re.MULTILINE), name


def test_the_scripts_of_the_packages_end_at_a_failure_and_leave_debhelper_its_place(packaging, run):
    scripts = [file for file in (packaging / "debian").iterdir()
               if file.suffix in (".preinst", ".postinst", ".prerm", ".postrm")]
    assert {file.name for file in scripts} >= {"homing.postrm", "homing-relay.postinst", "homing-relay.postrm"}
    for script in scripts:
        lines = script.read_text().splitlines()
        assert (lines[:2], lines[-1]) == (["#!/bin/sh", "set -e"], "#DEBHELPER#"), script.name
        assert run("sh", "-n", script).returncode == 0, script.name


@pytest.mark.parametrize("words", [["remove"], ["upgrade", "0.2.0"], ["failed-upgrade", "0.1.0"], ["abort-install"]])
def test_only_a_purge_deletes(packaging, run, words):
    """In a view of the file system of the script's own, whose folders are empty but for these files."""
    kept = ["/var/lib/private/homing-relay/relay.keys", "/etc/homing/relay.conf", "/etc/homing/relay.conf.d/50-mine.conf",
            "/etc/homing/agent.conf"]
    script = packaging / "debian/homing-relay.postrm"

    def left(*words):
        steps = ("mount -t tmpfs none /etc; mount -t tmpfs none /var/lib; "
                 'for file in $KEPT; do mkdir -p "${file%/*}"; echo mine >"$file"; done; '
                 'sh "$@" >&2; find /etc /var/lib -type f')
        done = run("unshare", "--mount", "--map-root-user", "sh", "-euc", steps, "sh", script, *words,
                   env={"PATH": "/usr/bin:/bin", "KEPT": " ".join(kept)})
        assert done.returncode == 0, done.stderr
        return set(done.stdout.split()), done.stderr

    assert left(*words) == (set(kept), "")
    files, said = left("purge")
    assert files == {"/etc/homing/agent.conf"} and "Without a copy of them each machine must join again." in said


@pytest.mark.parametrize("words, stays", [
    (["upgrade", "0.2.0"], True), (["failed-upgrade", "0.1.0"], True), (["abort-install"], True), (["remove"], False)])
def test_metrics_go_with_the_command_that_renews_them(packaging, run, words, stays):
    steps = ("mount -t tmpfs none /var/lib; folder=/var/lib/prometheus/node-exporter; mkdir -p $folder /var/lib/homing; "
             'touch $folder/homing.prom $folder/other.prom; sh "$@" >&2; find /var/lib -type f; ls -d /var/lib/homing')
    done = run("unshare", "--mount", "--map-root-user", "sh", "-euc", steps, "sh", packaging / "debian/homing.postrm", *words,
               env={"PATH": "/usr/bin:/bin"})
    assert done.returncode == 0, done.stderr
    left = {path.rpartition("/")[2] for path in done.stdout.split()}
    assert left == {"homing", "other.prom"} | ({"homing.prom"} if stays else set())


def by_version(text):
    """The lines of a C header that decide by the version of a library's header."""
    return re.findall(r"(?m)^\s*#\s*(?:el)?if\b.*(?:VERSION|MAJOR|MINOR).*$", text)


def test_what_is_built_on_one_release_decides_by_the_library_that_is_loaded(packaging):
    """libhiredis alone is linked in, and so of the header's version."""
    folder = packaging.parent / "Sources/CLibraries"
    found = {path.parent.name for path in folder.rglob("*.h") if by_version(path.read_text())}
    assert found == {"CHiredis"}
    assert by_version("#if MHD_VERSION >= 0x00097707\n#endif\n")


def test_the_figures_in_the_documents_are_those_that_were_measured(packaging, run):
    done = run(packaging.parent / "scripts/measured-figures", "--check")
    assert done.returncode == 0, done.stderr


def row(test, figure, commit, **more):
    return {"test": f"Tests/EndToEnd/faults/{test}", "how": "binary", "passed": True, "figure": figure, "long": True,
            "date": "2026-11-21", "commit": commit} | more


FAULTS = [
    row("test_a.py::test_kills[hard]", "9 kills", "old"),
    row("test_a.py::test_that_was_renamed", "1 kill", "old"),
    row("test_a.py::test_quiet[one]", None, "old"),
    row("test_a.py::test_quiet[two]", None, "old"),
    row("test_a.py::test_quiet[one]", None, "new"),
    row("test_a.py::test_kills[hard]", "10 kills", "new"),
    row("test_a.py::test_kills[hard]", "2 kills", "newest", long=False),
    row("test_b.py::test_quiet", None, "new", date="2026-11-22"),
    row("test_b.py::test_broken", None, "new"),
    row("test_b.py::test_broken", "failed: \x1b[90m◇\x1b[0m a | b", "newest", passed=False),
    row("test_c.py::test_alone", None, "new"),
    row("test_gone.py::test_quiet", None, "old"),
]
SOAKS = [{"test": "soak", "hours": hours, "figure": f"{accepted} accepted", "date": "2026-11-22", "commit": state,
          "state": state} for hours, accepted, state in ((8.0, 7, "one"), (1.5, 8, "two"), (2.25, 9, "two"))]


MATRIX = """<!-- matrix: scripts/measured-figures -->
| what happens | test | figure |
|---|---|---|
| a kill | `test_a`: kills (hard) | whatever stood here |
| an end | `test_a`: of nobody | |
<!-- end of the matrix -->
"""


def pages_of_reliability(root, before="", after=""):
    """Writes the page and its record with nothing drawn yet. Gives the record."""
    page, record = root / "docs/reliability.md", root / "docs/measurements/reliability.md"
    page.write_text("<!-- summary: scripts/measured-figures -->\n<!-- end of the summary -->\n")
    record.write_text(f"{before}<!-- figures: scripts/measured-figures -->\n<!-- end of the figures -->\n{after}")
    return record


def counted(root):
    """The rows of the page's summary."""
    return (root / "docs/reliability.md").read_text().splitlines()[3:-1]


def test_a_matrix_has_the_figure_of_the_test_that_each_row_names(packaging, run, tmp_path):
    (tmp_path / "Tests/EndToEnd/faults").mkdir(parents=True)
    (tmp_path / "Tests/EndToEnd/faults/test_a.py").write_text("def test_kills():\n    pass\n")
    (tmp_path / "docs/measurements").mkdir(parents=True)
    (tmp_path / "docs/measurements/faults.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in FAULTS))
    document = pages_of_reliability(tmp_path, MATRIX)
    script = packaging.parent / "scripts/measured-figures"
    assert run(script, "--check", tmp_path).returncode == 1
    assert run(script, tmp_path).returncode == 0
    assert document.read_text().splitlines()[1:5] == [
        "| what happens | test | figure |", "|---|---|---|",
        "| a kill | `test_a`: kills (hard) | 10 kills (2026-11-21, new) |",
        "| an end | `test_a`: of nobody | not measured yet |"]
    assert run(script, "--check", tmp_path).returncode == 0


def test_each_test_that_there_is_has_its_newest_long_figure_or_is_counted(packaging, run, tmp_path):
    tests, measurements = tmp_path / "Tests/EndToEnd/faults", tmp_path / "docs/measurements"
    tests.mkdir(parents=True)
    measurements.mkdir(parents=True)
    (tests / "test_a.py").write_text("def test_kills():\n    pass\n\n\ndef test_quiet():\n    pass\n")
    (tests / "test_b.py").write_text("def test_quiet():\n    pass\n\n\ndef test_broken():\n    pass\n")
    (tests / "test_c.py").write_text("def test_alone():\n    pass\n")
    for name, measured in (("faults", FAULTS), ("soak", SOAKS)):
        (measurements / f"{name}.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in measured))
    document = pages_of_reliability(tmp_path, "before\n", "after\n")
    script = packaging.parent / "scripts/measured-figures"
    assert run(script, "--check", tmp_path).returncode == 1
    assert run(script, tmp_path).returncode == 0
    assert document.read_text().splitlines()[4:-2] == [
        "| `test_a`: kills (hard) | 10 kills | binary | 2026-11-21 | new |",
        "| `test_a` | 2 more tests passed | binary | 2026-11-21 | old |",
        "| `test_b`: broken | failed: ◇ a / b | binary | 2026-11-21 | newest |",
        "| `test_b` | 1 more test passed | binary | 2026-11-22 | new |",
        "| `test_c` | 1 test passed | binary | 2026-11-21 | new |",
        "| soak | 3.8 h in 2 runs, the last of 2.2 h: 9 accepted | binary | 2026-11-22 | two |"]
    assert counted(tmp_path) == ["| faults, whole program | 6 | 1 | 2026-11-21 | 2026-11-22 |",
                                 "| soak | 1 | 0 | 2026-11-22 | 2026-11-22 |"]
    assert run(script, "--check", tmp_path).returncode == 0
    with open(measurements / "soak.jsonl", "a") as soaks:
        print(json.dumps(SOAKS[-1] | {"hours": 1.0, "commit": "three", "wrong": ["memory grows", "1 lost"]}), file=soaks)
        print(json.dumps(SOAKS[-1]), file=soaks)
    assert run(script, tmp_path).returncode == 0
    assert "| soak | FAILED after 1.0 h: memory grows; 1 lost | binary | 2026-11-22 | three |" in document.read_text()
    package = {"release": "trixie", "passed": 9, "skipped": 0, "date": "2026-11-23", "commit": "three"}
    for lintian, count in (("clean", 0), ("2 errors", 1)):
        (measurements / "packages.jsonl").write_text(json.dumps(package | {"lintian": lintian}) + "\n")
        assert run(script, tmp_path).returncode == 0
        assert f"| packages | 1 | {count} | 2026-11-23 | 2026-11-23 |" in counted(tmp_path)
    assert "| soak | 1 | 1 | 2026-11-22 | 2026-11-22 |" in counted(tmp_path)


def test_the_page_says_what_happens_to_a_relay_in_the_words_of_the_matrix(packaging):
    def happenings(page):
        rows = (packaging.parent / page).read_text().split("| what happens |", 1)[1].splitlines()[2:]
        return [line.split(" | ")[0] for line in itertools.takewhile(lambda line: line.startswith("| "), rows)]

    found = happenings("docs/measurements/reliability.md")
    assert len(found) > 10 and happenings("docs/reliability.md") == found


def test_the_platforms_are_those_of_the_newest_rows(packaging, run, tmp_path):
    (tmp_path / "docs/measurements").mkdir(parents=True)
    common = {"release": "trixie", "passed": 9, "skipped": 0, "lintian": "clean", "package": "a.deb", "date": "2026-11-28"}
    rows = [{**common, "commit": "old"}, {**common, "architecture": "arm64", "shown": ["booted", "drive"], "commit": "first"},
            {**common, "architecture": "arm64", "shown": ["booted"], "commit": "second"},
            {**common, "architecture": "amd64", "release": "bookworm", "shown": ["kills"], "commit": "third"}]
    (tmp_path / "docs/measurements/packages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    page = tmp_path / "docs/platforms.md"
    page.write_text("before\n<!-- platforms: scripts/measured-figures -->\n<!-- end of the platforms -->\nafter\n")
    pages_of_reliability(tmp_path)
    script = packaging.parent / "scripts/measured-figures"
    assert run(script, "--check", tmp_path).returncode == 1
    assert run(script, tmp_path).returncode == 0 and run(script, "--check", tmp_path).returncode == 0
    lines = page.read_text().splitlines()
    assert lines[0] == "before" and lines[-1] == "after"
    assert lines[4:6] == ["| Debian 12, amd64 | lintian: clean | no | no | yes | no | no | 9 passed | 2026-11-28 | third |",
                          "| Debian 13, arm64 | lintian: clean | yes | no | no | no | no | 9 passed | 2026-11-28 | second |"]
