"""What a person reads when a Home Assistant cannot be installed, and which versions are tried."""

import os
import pathlib
import subprocess

import pytest
from homing_rigs import ha_install
from homing_rigs import home_assistant as home_assistant_module

RIGS = pathlib.Path(__file__).resolve().parents[1]
NEITHER_DEBIAN = "2024.6.1"  # wants Python 3.12
# An interpreter that can make an environment, whose pip fails as one without Python's headers does.
PYTHON = """#!/bin/sh
if [ "$1" = -c ]; then exit 0; fi
mkdir -p "$3/bin"
printf '%s\\n' '#!/bin/sh' 'seq -f "line %.0f" 1 100' 'echo "fatal error: Python.h: No such file" >&2' 'exit 3' > "$3/bin/pip"
chmod 755 "$3/bin/pip"
"""


@pytest.fixture
def environment(tmp_path):
    """Of somebody with an empty cache and no pyenv."""
    return {**{name: value for name, value in os.environ.items() if name not in ("XDG_CACHE_HOME", "PYENV_ROOT")},
            "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}


def test_a_step_runs_where_a_test_captures_what_is_printed(capsys):
    ha_install.run(["true"])


@pytest.fixture
def with_python(tmp_path):
    program = tmp_path / ".pyenv/versions/3.12.0/bin/python3.12"
    program.parent.mkdir(parents=True)
    program.write_text(PYTHON)
    program.chmod(0o755)


def run(*words, environment):
    return subprocess.run(words, cwd=RIGS, env=environment, text=True, capture_output=True, timeout=60)


def home_assistant(*words, environment):
    return run("/usr/bin/python3", "-m", "homing_rigs.home_assistant", *words, environment=environment)


def test_a_step_that_fails_is_told_by_the_end_of_its_log(environment, with_python, tmp_path):
    done = home_assistant("install", NEITHER_DEBIAN, environment=environment)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    log = tmp_path / f".cache/homing-rigs/logs/ha-{NEITHER_DEBIAN}.log"
    assert f"Home Assistant {NEITHER_DEBIAN} cannot be installed" in done.stderr and str(log) in done.stderr
    assert "line 100\n" in done.stderr and "Python.h" in done.stderr and "line 50\n" not in done.stderr
    assert "line 50\n" in log.read_text()


def test_a_second_try_has_a_log_of_its_own(environment, with_python, tmp_path):
    log = tmp_path / f".cache/homing-rigs/logs/ha-{NEITHER_DEBIAN}.log"
    for _ in range(2):
        home_assistant("install", NEITHER_DEBIAN, environment=environment)
        assert log.read_text().count("line 50\n") == 1


def test_a_version_without_a_python_is_not_possible(environment):
    assert home_assistant("possible", NEITHER_DEBIAN, environment=environment).stdout == ""


def test_a_version_with_a_python_is_possible(environment, with_python):
    assert home_assistant("possible", NEITHER_DEBIAN, environment=environment).stdout == f"{NEITHER_DEBIAN}\n"


def test_a_version_that_takes_root_is_skipped_by_others(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(ha_install, "find_python", lambda wanted: None)
    monkeypatch.setattr(ha_install.os, "geteuid", lambda: 1000)
    home_assistant_module._install_all(["2026.11.0"])
    assert capsys.readouterr().out.startswith("Home Assistant 2026.11.0: skipped: ")


def test_the_demo_tries_only_what_runs_here(environment, with_python):
    """No Debian has the Python of each version."""
    possible = home_assistant("possible", *ha_install.KNOWN_VERSIONS, environment=environment).stdout.split()
    without = next((version for version in ha_install.KNOWN_VERSIONS if version not in possible), None)
    if without is None:
        pytest.skip("every version runs here")
    done = run(RIGS.parents[1] / "scripts/install-home-assistant", "demo",
               environment=environment | {"HOMING_HA_VERSIONS": f"{without} {NEITHER_DEBIAN}"})
    assert f"Home Assistant {NEITHER_DEBIAN} cannot be installed" in done.stderr
    assert without not in done.stdout + done.stderr
