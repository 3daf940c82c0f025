"""How the daemon ends when it cannot start, and how the command does where it may not write."""

import os
import shutil
import subprocess

import pytest
from agent import BINARIES, PROMISED_END
from homing_rigs.processes import free_port

AS_NOBODY = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="to be another user needs root")


def start(agent, *words, prefix=(), **variables):
    """Runs a daemon that is expected to end at once: its code and its errors."""
    done = subprocess.run([*prefix, BINARIES / "homingd", "--config", agent.configuration, "--log-level", "error", *words],
                          env={**agent.environment, **variables}, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


def test_a_state_folder_that_cannot_be_made_is_named(make_agent):
    code, errors = start(make_agent(), STATE_DIRECTORY="/proc/nowhere")
    assert code == 78 and "/proc/nowhere" in errors and errors.count("\n") == 1


@as_root
def test_a_state_folder_of_another_user_is_named(make_agent):
    agent = make_agent()
    agent.state.chmod(0o700)
    agent.runtime.chmod(0o777)
    code, errors = start(agent, prefix=AS_NOBODY)
    assert code == 78 and str(agent.state) in errors and errors.count("\n") == 1


@pytest.mark.parametrize("folder", ["/proc/nowhere", "/tmp/" + "long" * 40])
def test_a_runtime_folder_that_cannot_be_used_is_named(make_agent, folder):
    code, errors = start(make_agent(), RUNTIME_DIRECTORY=folder)
    if os.path.isdir(folder):
        shutil.rmtree(folder)
    assert code == (78 if folder.startswith("/proc") else 1) and folder in errors and errors.count("\n") == 1


def test_a_second_daemon_ends_and_leaves_the_first_alone(make_agent):
    agent = make_agent("[gpsd]\nenabled = false\n").start()
    code, errors = start(agent)
    assert code == 1 and "another" in errors
    code, errors = start(agent, STATE_DIRECTORY=str(agent.folder / "other"))
    assert code == 1 and "another program" in errors and str(agent.runtime) in errors
    assert agent.homing("status").returncode == 0
    assert agent.stop() == 0


@pytest.mark.parametrize("content, mode", [("{", 0o600), ("{}", 0o600), ("", 0o644)])
def test_a_registration_that_cannot_be_used_is_for_a_person(make_agent, content, mode):
    agent = make_agent()
    file = agent.home / "registration.json"
    file.write_text(content)
    file.chmod(mode)
    code, errors = start(agent)
    assert code == 78 and str(file) in errors and errors.count("\n") == 1


def test_wrong_words_and_the_help_end_at_once(make_agent):
    agent = make_agent()
    assert start(agent, "--nonsense")[0] == 64
    assert start(agent, "--help")[0] == 0


@pytest.mark.parametrize("number", [2, 15])
def test_a_signal_ends_it_in_order(make_agent, number):
    agent = make_agent("[gpsd]\nenabled = false\n").start()
    agent.signal(number)
    assert agent._child.wait(PROMISED_END) == 0
    assert "Homing stopped" in agent.log_text()


@as_root
@pytest.mark.parametrize("command", ["register", "unregister"])
def test_without_a_daemon_the_folder_that_may_not_be_used_is_named(make_agent, command):
    agent = make_agent()
    agent.state.chmod(0o700)
    words = ["register", "--url", f"http://127.0.0.1:{free_port()}"] if command == "register" else ["unregister"]
    done = subprocess.run([*AS_NOBODY, BINARIES / "homing", *words], capture_output=True, text=True, timeout=60,
                          env={**agent.environment, "HOMING_TOKEN": "token"})
    assert done.returncode == 77
    assert str(agent.state) in done.stderr and "Permission denied" in done.stderr and "sudo" in done.stderr


@as_root
def test_home_assistant_is_told_nothing_that_could_not_be_stored(make_agent, newest):
    agent = make_agent()
    agent.state.chmod(0o755)
    before = len(newest.registrations())
    done = subprocess.run([*AS_NOBODY, BINARIES / "homing", "register", "--url", newest.url, "--take-over"], capture_output=True,
                          text=True, timeout=20, env={**agent.environment, "HOMING_TOKEN": newest.token})
    assert done.returncode == 77 and str(agent.state) in done.stderr
    assert len(newest.registrations()) == before


def test_without_a_daemon_it_is_said_where_the_registration_is(make_agent, newest):
    agent = make_agent()
    done = agent.register(newest.url, newest.token)
    assert f"stored in {agent.state}" in done.stdout
