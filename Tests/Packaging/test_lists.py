"""What stands in two places is the same in both."""

import json
import re
import stat

# build-essential is there wherever a package is built.
GIVEN = {"g++", "make"}


def test_build_dependencies_are_the_list_of_the_repository(packaging, run):
    control = "".join(line for line in (packaging / "debian/control").read_text().splitlines(True)
                      if not line.startswith("#"))
    field = re.search(r"^Build-Depends:((?:.*\n)(?:\s.*\n)*)", control, re.MULTILINE)[1]
    declared = {entry.strip() for entry in field.split(",")}
    listed = set(run(packaging.parent / "scripts/install-dependencies", "--print", "build").stdout.split())
    assert declared == {"debhelper-compat (= 13)", "swiftlang | base-files (<< 13~)"} | listed - GIVEN


def test_everything_lands_where_systems_look(packaging, run, tmp_path):
    built, root = tmp_path / "built", tmp_path / "root"
    built.mkdir()
    for program in ("homing", "homingd", "homing-session"):
        (built / program).write_text("#!/bin/sh\n")
        (built / program).chmod(0o755)
    environment = {"PATH": "/usr/bin:/bin", "BUILT": str(built), "DESTDIR": str(root)}
    done = run(packaging.parent / "scripts/install-files", env=environment)
    assert done.returncode == 0, done.stderr

    files = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
    assert files >= {"usr/local/bin/homingd", "usr/local/share/man/man5/agent.conf.5", "etc/homing/agent.conf",
                     "usr/local/lib/systemd/catalog/homing.catalog", "usr/local/lib/sysusers.d/homing.conf",
                     "usr/local/share/doc/homing/README.md", "usr/local/share/doc/homing/docs/sensors.md",
                     "usr/local/share/doc/homing/examples/sensors.d/debian-updates"}
    assert files >= {"usr/local/libexec/homing-session", "usr/local/lib/systemd/user/homing-session.service",
                     "etc/xdg/autostart/homing-session.desktop"}
    helper = (root / "usr/local/lib/systemd/user/homing-session.service").read_text()
    assert "ExecStart=/usr/local/libexec/homing-session\n" in helper
    service = (root / "usr/local/lib/systemd/system/homing.service").read_text()
    assert "ExecStart=/usr/local/bin/homingd\n" in service
    assert stat.filemode((root / "usr/local/bin/homing").stat().st_mode) == "-rwxr-xr-x"

    configuration = root / "etc/homing/agent.conf"
    configuration.write_text("[gpsd]\n")
    run(packaging.parent / "scripts/install-files", env=environment, check=True)
    assert configuration.read_text() == "[gpsd]\n"


def test_the_figures_in_the_documents_are_those_that_were_measured(packaging, run):
    done = run(packaging.parent / "scripts/measured-figures", "--check")
    assert done.returncode == 0, done.stderr


def test_the_first_minutes_in_the_readme_are_those_that_were_measured(packaging):
    rows = (packaging.parent / "docs/measurements/first-minutes.jsonl").read_text().splitlines()
    newest = {row["release"]: row for row in map(json.loads, rows)}
    assert newest.keys() == {"bookworm", "trixie"}
    table = (packaging.parent / "README.md").read_text().split("| | Debian 12 | Debian 13 |", 1)[1]
    told = [re.findall(r"([\d.]+) s", line) for line in table.splitlines()[2:6]]
    assert told == [[f"{newest[release]['seconds'][what]:.1f}" for release in ("bookworm", "trixie")]
                    for what in ("install", "pair", "dot", "moves")]
