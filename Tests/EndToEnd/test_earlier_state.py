"""The state of an earlier version: what moves it, what only looks at it, and what is told of it."""

import shutil

from homing_rigs.processes import wait_for

OFF = "[gpsd]\nenabled = false\n"


def move_back(agent):
    """The state as an earlier version left it: the one home in the state folder itself."""
    for file in list(agent.home.iterdir()):
        file.rename(agent.state / file.name)
    shutil.rmtree(agent.state / "homes")


def test_commands_that_only_look_move_nothing_and_say_so(newest, make_agent):
    agent = make_agent(OFF)
    agent.register(newest.local_url, newest.token)
    move_back(agent)
    for words in (["doctor", "--json"], ["registration"]):
        said = agent.homing(*words, check=False)
        assert f"{agent.state} has the files of an earlier version" in said.stderr, words
        assert (agent.state / "registration.json").exists() and not (agent.state / "homes").exists(), words


def test_a_command_that_changes_something_moves_the_state_and_makes_no_second_device(newest, make_agent):
    agent = make_agent(OFF)
    agent.register(newest.local_url, newest.token)
    webhook = agent.registration["webhook_id"]
    for words in (["register"], ["setup", "--no-service"]):
        move_back(agent)
        refused = agent.homing(*words, "--url", newest.local_url, "--token-file", "-", input=newest.token, check=False)
        assert refused.returncode == 64, words
        assert agent.registration["webhook_id"] == webhook and not (agent.state / "registration.json").exists()
    (agent.state / "registration.json").write_text("{}")
    name = agent.registration["device_name"]
    forgotten = agent.homing("unregister", "--yes")
    assert f"{agent.state}/registration.json is not read: the home has its own" in forgotten.stderr
    assert f"The device {name} is still in Home Assistant." in forgotten.stdout


def test_a_state_that_cannot_be_moved_is_an_error_before_a_device_is_made(newest, make_agent):
    agent = make_agent(OFF)
    agent.register(newest.local_url, newest.token)
    move_back(agent)
    (agent.state / "homes").write_text("no folder")
    refused = agent.homing("register", "--url", newest.local_url, "--token-file", "-", input=newest.token, check=False)
    assert refused.returncode == 1 and f"{agent.state}/homes" in refused.stderr
    assert (agent.state / "registration.json").exists()


def test_what_waits_before_a_first_registration_goes_to_the_home_of_any_name(newest, gps, make_agent):
    agent = make_agent(f"[gpsd]\nport = {gps.port}\n[location]\nqueue_unregistered = true\n").start()
    gps.start(speed=10, time="now")
    wait_for(lambda: agent.queue()["accepted"] > 0, 60, "positions before the registration")
    agent.register(newest.local_url, newest.token, home="cabin")
    assert [home["name"] for home in agent.whole_status()["homes"]] == ["cabin"]
    wait_for(lambda: agent.fate("delivered_live") + agent.fate("delivered_track") > 0, 60, "what waited")
    assert not (agent.state / "homes/home").exists()
