"""Bad configurations, as the real daemon meets them: told with file and line, never half started; a reload keeps the old.

The files are those of HomingConfigurationTests, whose loader is tested there word by word."""

import os
import pathlib
import shutil
import signal
import subprocess

import pytest
from agent import BINARIES, REPOSITORY
from homing_rigs.processes import temporary_folder, wait_for

GOLDEN = REPOSITORY / "Tests/HomingConfigurationTests/Golden"
ODD = {"bytes_byte_order_mark": b"\xef\xbb\xbf[gpsd]\nport = 0\n",
       "bytes_utf16_little_endian": "\ufeff[log]\nlevel = info\n".encode("utf-16-le"),
       "bytes_utf16_big_endian": "\ufeff[log]\nlevel = info\n".encode("utf-16-be"),
       "bytes_zero": b"[log]\nlevel = info\0\n", "bytes_lone_carriage_return": b"[log]\rlevel = info\r",
       "bytes_crlf": b"[log]\r\nlevel = loud\r\n", "bytes_too_large": b"#" * 10_000_000,
       "bytes_just_too_large": b"\n" * (1 << 20 | 1)}
# One has the daemon read its own /proc, which is root's.
OF_ROOT = {"push_token_without_url"} if os.geteuid() else set()
WRONG = {file.stem for file in GOLDEN.glob("*.conf")
         if file.is_file() and "nothing is wrong\n" not in file.with_suffix(".expected").read_text()}
NAMES = sorted({*WRONG, *ODD} - OF_ROOT)


def put(name, path):
    """Make `path` (and what lies beside it) that configuration."""
    beside = path.with_name(f"{path.name}.d")
    if beside.is_dir():
        shutil.rmtree(beside)
    else:
        beside.unlink(missing_ok=True)
    if name in ODD:
        path.write_bytes(ODD[name])
        return
    path.write_bytes((GOLDEN / f"{name}.conf").read_bytes())
    source = GOLDEN / f"{name}.conf.d"
    if source.is_dir():
        shutil.copytree(source, beside)
    elif source.exists():
        shutil.copy(source, beside)


def test_each_is_explained_and_starts_nothing(make_agent, measured):
    agent = make_agent()
    wrong = []
    for name in NAMES:
        put(name, agent.configuration)
        done = subprocess.run([BINARIES / "homingd", "--config", agent.configuration], env=agent.environment,
                              capture_output=True, text=True, timeout=60)
        expected = (GOLDEN / f"{name}.expected").read_text().replace("{FILE}", str(agent.configuration))
        if done.returncode != 78 or done.stderr != expected or [*agent.runtime.iterdir(), *agent.state.iterdir()]:
            wrong.append((name, done.returncode, done.stderr))
    assert wrong == []
    assert len(NAMES) >= 50
    measured(f"{len(NAMES)} bad configurations: exit 78, each explained, nothing begun")


def test_a_reload_of_each_keeps_the_old_and_says_so(flight, measured):
    assert flight.send() == "delivered"
    good = flight.agent.configuration.read_bytes()
    for name in NAMES:
        put(name, flight.agent.configuration)
        flight.agent.signal(signal.SIGHUP)
        wait_for(lambda: "configuration_kept" in flight.warnings(), 20, f"the warning of {name}")
        assert flight.send() == "delivered", name
        flight.agent.configuration.write_bytes(good)
        put_nothing_beside(flight.agent.configuration)
        flight.agent.signal(signal.SIGHUP)
        wait_for(lambda: "configuration_kept" not in flight.warnings(), 20, f"the end of {name}")
    flight.wait_until_empty()
    flight.assert_sound()
    measured(f"{len(NAMES)} bad reloads: the old configuration kept, each told, 0 lost")


def put_nothing_beside(path):
    """Without files beside it."""
    beside = path.with_name(f"{path.name}.d")
    shutil.rmtree(beside) if beside.is_dir() else beside.unlink(missing_ok=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="becoming another user needs root")
def test_a_file_that_may_not_be_read_is_named():
    folder = temporary_folder("unreadable")
    file = pathlib.Path(folder) / "agent.conf"
    file.write_text("[log]\nlevel = info\n")
    file.chmod(0o600)
    done = subprocess.run(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", BINARIES / "homingd",
                           "--config", file], capture_output=True, text=True, timeout=60)
    assert done.returncode == 78 and str(file) in done.stderr and "ermission" in done.stderr, done.stderr


def test_the_check_names_sensors_that_do_not_exist(make_agent):
    agent = make_agent("[sensors]\ndisable = media_titel; disk_usage_data; script_van_pump; all\nenable = xyzzy\n")

    def check():
        return subprocess.run([BINARIES / "homing", "config", "check", "--config", agent.configuration],
                              capture_output=True, text=True, env=agent.environment, timeout=60)

    done = check()
    assert done.returncode == 78
    assert done.stderr.splitlines() == [
        f'{agent.configuration}: sensors: there is no sensor "media_titel"; did you mean "media_title"?',
        f'{agent.configuration}: sensors: there is no sensor "xyzzy"; the page sensors in /usr/share/doc/homing/docs lists all']
    agent.configuration.write_text("[sensors]\ndisable = media_title\n")
    done = check()
    assert (done.returncode, done.stdout) == (0, f"{agent.configuration}: OK\n")
