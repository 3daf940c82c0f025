"""The token is typed without being shown, and the terminal shows what is typed again whatever happens."""

import os
import re
import signal

import pytest
from agent import BINARIES
from homing_rigs.processes import free_port
from terminal import Terminal

TOKEN = "a-very-secret-token"
PROMPT = "access token"


@pytest.fixture
def terminal(make_agent):
    """`homing register` waiting for the token."""
    agent = make_agent()
    environment = {name: value for name, value in agent.environment.items() if name != "HOMING_TOKEN"}
    with Terminal([BINARIES / "homing", "register", "--url", f"http://127.0.0.1:{free_port()}"],
                  environment) as terminal:
        assert terminal.echoed_at_first
        terminal.wait_for(PROMPT)
        assert not terminal.echoes
        yield terminal


def test_the_token_is_not_shown(terminal):
    terminal.type(TOKEN + "\n")
    assert terminal.report() == "exited 69"
    terminal.wait_for("refuses the connection")
    assert TOKEN not in terminal.text and terminal.echoes


@pytest.mark.parametrize("command", ["register", "setup"])
def test_no_argument_takes_a_token(make_agent, command):
    """Every user can read the arguments of a command."""
    agent = make_agent()
    words = [command, "--url", f"http://127.0.0.1:{free_port()}"]
    for token in ([f"--token={TOKEN}"], ["--token", TOKEN], [TOKEN]):
        refused = agent.homing(*words, *token, check=False)
        assert refused.returncode == 64, token
    options = set(re.findall(r"--[a-z-]*token[a-z-]*", agent.homing(command, "--help").stdout))
    assert options == {"--token-file"}


def test_the_end_of_input_is_no_token(terminal):
    terminal.type("\x04")
    assert terminal.report() == "exited 64"
    assert terminal.echoes


@pytest.mark.parametrize("key, number", [("\x03", signal.SIGINT), ("\x1c", signal.SIGQUIT)])
def test_a_key_that_ends_the_command_leaves_the_echo_on(terminal, key, number):
    terminal.type("half a to" + key)
    assert terminal.report() == f"killed {number.value}"
    terminal.wait_for(r"\nNothing was registered\.")
    assert terminal.echoes


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_that_ends_the_command_leaves_the_echo_on(terminal, number):
    os.kill(terminal.pid, number)
    assert terminal.report() == f"killed {number.value}"
    assert terminal.echoes


def test_a_stopped_command_leaves_the_echo_on_and_asks_again_later(terminal):
    for times in (2, 3):
        terminal.type("\x1a")
        assert terminal.report() == f"stopped {signal.SIGTSTP.value}"
        assert terminal.echoes
        terminal.resume()
        terminal.wait_for(PROMPT, times)
        assert not terminal.echoes
    terminal.type(TOKEN + "\n")
    assert terminal.report() == "exited 69"
    assert TOKEN not in terminal.text and terminal.echoes


@pytest.mark.parametrize("wrong", ["configuration", "address"])
def test_who_cannot_register_is_asked_for_no_token(newest, make_agent, wrong):
    agent = make_agent()
    words = ["register", "--url", newest.local_url]
    if wrong == "configuration":
        agent.configuration.write_text("[gpsd]\nprot = 1\n")
    else:
        agent.register(newest.local_url, newest.token)
        words = ["--home", "cabin", *words]
    environment = {name: value for name, value in agent.environment.items() if name != "HOMING_TOKEN"}
    with Terminal([BINARIES / "homing", "--config", agent.configuration, *words], environment) as terminal:
        assert terminal.report() == ("exited 78" if wrong == "configuration" else "exited 64"), terminal.text
        assert not terminal.shows(PROMPT)


@pytest.mark.parametrize("answer, code", [("n", 1), ("", 1), ("y", 0)])
def test_unregister_asks_before_it_forgets(newest, make_agent, answer, code):
    agent = make_agent()
    agent.register(newest.local_url, newest.token)
    with Terminal([BINARIES / "homing", "unregister"], agent.environment) as terminal:
        terminal.wait_for("[y/N]")
        terminal.type(f"{answer}\n")
        assert terminal.report() == f"exited {code}"


def test_a_key_that_ends_unregister_at_its_question_changes_nothing(newest, make_agent):
    agent = make_agent()
    agent.register(newest.local_url, newest.token)
    with Terminal([BINARIES / "homing", "unregister"], agent.environment) as terminal:
        terminal.wait_for(r"\[y/N\]")
        terminal.type("\x1a")
        assert terminal.report() == f"stopped {signal.SIGTSTP.value}"
        terminal.resume()
        terminal.wait_for(r"\[y/N\]", 2)
        assert "Nothing was changed." not in terminal.text
        terminal.type("\x03")
        assert terminal.report() == f"killed {signal.SIGINT.value}"
        terminal.wait_for(r"\nNothing was changed\.")
    with Terminal([BINARIES / "homing", "unregister"], agent.environment) as terminal:
        terminal.wait_for(r"\[y/N\]")
        terminal.type("\x04")
        assert terminal.report() == "exited 1"
        terminal.wait_for(r"\nNothing was changed\.")
    assert agent.registration


def test_unregister_needs_a_yes_of_a_script_and_does_not_ask_who_said_yes(newest, make_agent):
    agent = make_agent()
    assert agent.homing("unregister", check=False).returncode == 66, "there is nothing to agree to"
    agent.register(newest.local_url, newest.token)
    refused = agent.homing("unregister", check=False)
    assert refused.returncode == 64 and "add --yes" in refused.stderr and agent.registration
    with Terminal([BINARIES / "homing", "unregister", "--yes"], agent.environment) as terminal:
        assert terminal.report() == "exited 0"
    assert "[y/N]" not in terminal.text


def test_a_name_that_does_not_resolve_is_told_with_what_local_names_need(make_agent, tmp_path):
    token = tmp_path / "token"
    token.write_text("\ufefftoken\r\n")
    failed = make_agent().homing("register", "--url", "https://nowhere.invalid", "--token-file", token, check=False)
    assert "the name of nowhere.invalid cannot be resolved" in failed.stderr and "libnss-mdns" in failed.stderr


def test_a_new_machine_is_told_what_to_run(make_agent):
    status = make_agent().homing("status", check=False)
    assert status.returncode == 69 and "homing setup" in status.stderr


def test_an_empty_token_file_is_called_empty(make_agent, tmp_path):
    token = tmp_path / "token"
    token.write_text(" \n")
    refused = make_agent().homing("register", "--url", "http://127.0.0.1:1", "--token-file", token, check=False)
    assert refused.returncode == 64 and f"{token} is empty" in refused.stderr
    assert "Invalid argument" not in refused.stderr
