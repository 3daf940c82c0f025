"""Several Home Assistants on one machine: each has its own, and none is told what is another's."""

import json
import os
import re
import socket
import threading
import time

import pytest
from agent import BINARIES, wakeups
from conftest import VERSIONS, home_assistant
from faults.flight import Control
from homing_rigs.certificates import Certificates
from homing_rigs.processes import own_memory, wait_for
from homing_rigs.tcp_gate import Gate
from own_process import as_root
from session import GAMES, Person, system_agent
from terminal import Terminal
from test_notifications import ACTION, QUIET

GPS = "[gpsd]\nport = {port}\n"
OFF = "[gpsd]\nenabled = false\n"


@pytest.fixture
def both():
    """The oldest and the newest."""
    if len(VERSIONS) < 2:
        pytest.skip("two Home Assistants are needed, and one is installed")
    return home_assistant(VERSIONS[0]), home_assistant(VERSIONS[-1])


def names(agent):
    return [line.split()[0] for line in agent.homing("homes").stdout.splitlines()]


def assert_that_no_change_comes_between_another(agent):
    """Both requests are there before the first one has begun: a home that is renamed meanwhile would not be forgotten."""
    control = Control(agent.runtime / "control.sock")
    numbers = [control.ask("update_registration", home="cabin", device_name="Hut"),
               control.ask("rename_home", home="cabin", to="hut")]
    control.reply(numbers[0])
    with pytest.raises(AssertionError, match="registered at this moment"):
        control.reply(numbers[1])
    control.close()
    assert names(agent) == ["home", "cabin"]


def place(ha, device):
    return ha.state(ha.tracker_of(device))


def test_a_second_home_is_added_and_removed_while_the_daemon_runs(both, gps, make_agent):
    first, second = both
    agent = make_agent(GPS.format(port=gps.port)).start()
    agent.register(first.local_url, first.token)
    agent.register(second.local_url, second.token, home="cabin")
    assert names(agent) == ["home", "cabin"]
    gps.start(speed=10, time="now")
    for home, ha in (("home", first), ("cabin", second)):
        device = agent.registration_of(home)["device_id"]
        wait_for(lambda: place(ha, device)["attributes"].get("latitude"), 60, f"a position in {home}")
    for home in ("home", "cabin"):
        wait_for(lambda: agent.status(home)["queues"][0]["accepted"] > 3, 60, "positions")
    text = agent.homing("status").stdout
    assert "Home           home" in text and "Home           cabin" in text
    assert_that_the_status_speaks_of_one_home(agent)

    refused = agent.homing("zones", check=False)
    assert refused.returncode == 64 and "home and cabin" in refused.stderr and "--home" in refused.stderr
    assert agent.homing("--home", "cabin", "zones").stdout
    unknown = agent.homing("--home", "villa", "zones", check=False)
    assert unknown.returncode == 64 and "villa" in unknown.stderr
    listed = agent.homing("homes").stdout.splitlines()
    assert first.local_url in listed[0] and "first home" in listed[0] and "first home" not in listed[1]
    (only,) = agent.homing("--home", "home", "homes").stdout.splitlines()
    # Between the two, a position may have been accepted.
    assert re.sub(r"\d+", "", only).split() == re.sub(r"\d+", "", listed[0]).split()
    lost = agent.homing("--home", "villa", "registration", check=False)
    assert lost.returncode == 64, "an unknown home has no registration to show"
    for words in (["homes"], ["track"], ["doctor"], ["config", "check"]):
        unknown = agent.homing("--home", "villa", *words, check=False)
        assert unknown.returncode == 64 and "home and cabin" in unknown.stderr, words
    mistyped = agent.homing("homes", "remvoe", check=False)
    assert mistyped.returncode == 64 and 'did you mean "homes remove"?' in mistyped.stderr

    twice = agent.homing("--home", "villa", "register", "--url", second.local_url, "--token-file", "-",
                         input=second.token, check=False)
    assert twice.returncode == 64 and 'cabin" reports to' in twice.stderr and "--new" in twice.stderr
    paired = agent.homing("--home", "villa", "setup", "--url", second.local_url, "--token-file", "-", "--yes",
                          input=second.token, check=False)
    assert paired.returncode == 64 and 'cabin" reports to' in paired.stderr and "--new" in paired.stderr
    assert names(agent) == ["home", "cabin"]
    assert_that_no_change_comes_between_another(agent)

    assert "The home cabin is removed." in agent.homing("homes", "remove", "cabin", "--yes").stdout
    assert names(agent) == ["home"] and not (agent.state / "homes/cabin").exists()
    before = agent.status()["queues"][0]["accepted"]
    wait_for(lambda: agent.status()["queues"][0]["accepted"] > before, 30, "the first home to go on")


def assert_that_the_status_speaks_of_one_home(agent):
    """Of the home that is named, in each form; a name that no home has is refused."""
    assert [home["name"] for home in agent.whole_status("--home", "cabin")["homes"]] == ["cabin"]
    text = agent.homing("--home", "cabin", "status").stdout
    assert agent.registration_of("cabin")["device_name"] in text and "Home           home" not in text
    agent.environment["HOMING_HOME"] = "home"
    assert [home["name"] for home in agent.whole_status()["homes"]] == ["home"]
    del agent.environment["HOMING_HOME"]
    for words in (["status"], ["status", "--json"], ["status", "--watch"]):
        refused = agent.homing("--home", "villa", *words, check=False)
        assert refused.returncode == 64 and "villa" in refused.stderr and "home and cabin" in refused.stderr
        assert not refused.stdout
    with Terminal([BINARIES / "homing", "--home", "cabin", "status", "--watch", "--json"], agent.environment) as watch:
        watch.wait_for('"name":"cabin"', 2)
        assert '"name":"home"' not in watch.text
        watch.type("\x03")


def test_a_home_is_renamed_with_its_queue(newest, make_agent):
    agent = make_agent(OFF).start()
    agent.register(newest.local_url, newest.token)
    agent.homing("send-location", "--zone", "Work")
    agent.wait_until_empty()
    accepted = agent.status()["queues"][0]["accepted"]
    agent.homing("homes", "rename", "home", "villa")
    assert names(agent) == ["villa"] and agent.status()["queues"][0]["accepted"] == accepted
    agent.homing("send-location", "--zone", "home")
    wait_for(lambda: agent.status()["queues"][0]["queued"] == 0, 30, "the report")
    agent.stop()
    agent.start()
    assert names(agent) == ["villa"]


@pytest.mark.parametrize("name", ["Villa", "", "a b", "../x", "a" * 33])
def test_a_name_that_is_none_is_refused_before_a_path_is_made(newest, make_agent, name):
    agent = make_agent(OFF).start()
    refused = agent.homing("--home", name, "register", "--url", newest.local_url, "--token-file", "-", check=False,
                           input=newest.token)
    assert refused.returncode == 64 and "no home can be called" in refused.stderr
    assert [entry.name for entry in (agent.state / "homes").iterdir()] == ["home"]


def test_the_state_of_an_earlier_version_is_moved_and_delivered(newest, make_agent):
    agent = make_agent(OFF).start()
    agent.register(newest.local_url, newest.token)
    agent.stop()
    (agent.home / "outbox-log").unlink()  # which that version did not have
    for file in list(agent.home.iterdir()):
        file.rename(agent.state / file.name)
    agent.home.rmdir()
    agent.start()
    agent.homing("send-location", "--zone", "Work")
    agent.wait_until_empty()
    assert (agent.home / "registration.json").exists() and not (agent.state / "registration.json").exists()
    assert not list(agent.state.glob("outbox*"))


def test_keys_of_a_home_are_its_own(both, make_agent):
    first, second = both
    agent = make_agent(OFF + "[home_assistant]\ninstance_url_away = http://127.0.0.1:1\nplain_http_away = true\n").start()
    agent.register(first.local_url, first.token)
    agent.register(second.local_url, second.token, home="cabin")
    for home in ("home", "cabin"):
        agent.homing("--home", home, "send-location", "--zone", "Work")
    folder = agent.configuration.parent / "homes"
    folder.mkdir()
    (folder / "cabin.conf").write_text("[gpsd]\nenabled = true\n")
    wrong = agent.homing("config", "check", check=False)
    assert wrong.returncode == 78 and "cabin.conf:2: gpsd.enabled: holds for the whole machine" in wrong.stderr
    (folder / "cabin.conf").write_text("[sensors]\ndisable =\n")
    agent.homing("config", "check")
    agent.signal(1)
    wait_for(lambda: any(queue["stream"] == "sensors" and queue["accepted"] for queue in agent.status("cabin")["queues"]),
             30, "sensors in the cabin")
    assert not any(queue["stream"] == "sensors" and queue["accepted"] for queue in agent.status("home")["queues"])
    os.remove(folder / "cabin.conf")


def test_two_homes_at_one_home_assistant_by_two_addresses_are_two_devices(newest, make_agent):
    agent = make_agent(OFF).start()
    agent.register(newest.local_url, newest.token)
    agent.register(newest.local_url.replace("127.0.0.1", "localhost"), newest.token, home="cabin")
    first, second = (agent.registration_of(home) for home in ("home", "cabin"))
    assert first["device_id"] != second["device_id"]
    for home in ("home", "cabin"):
        agent.homing("--home", home, "send-location", "--zone", "Work")
        wait_for(lambda: agent.status(home)["queues"][0]["queued"] == 0, 30, f"the report of {home}")
    # Registered once more, each home is the same device as before.
    agent.homing("--home", "cabin", "unregister", "--yes")
    agent.register(newest.local_url.replace("127.0.0.1", "localhost"), newest.token, home="cabin")
    assert agent.registration_of("cabin")["device_id"] == second["device_id"]


def test_a_first_home_stays_while_its_file_would_be_wrong_without_it(both, make_agent):
    pair = Certificates().client
    agent = make_agent(
        OFF + f"[home_assistant]\nclient_certificate = {pair.certificate}\nclient_key = {pair.key}\n").start()
    for home, ha in zip(("home", "cabin"), both):
        agent.register(ha.local_url, ha.token, home=home)
    folder = agent.configuration.parent / "homes"
    folder.mkdir(exist_ok=True)
    # Another key for the certificate in agent.conf, which holds for the first home alone.
    (folder / "home.conf").write_text(f"[home_assistant]\nclient_key = {pair.key}\n")
    for words in (["homes", "remove", "home", "--yes"], ["homes", "rename", "home", "villa"]):
        refused = agent.homing(*words, check=False)
        assert refused.returncode == 78 and "home.conf:2: home_assistant.client_key" in refused.stderr, words
        assert names(agent) == ["home", "cabin"] and agent.registration_of("home")
    (folder / "home.conf").rename(folder / "villa.conf")
    agent.homing("homes", "rename", "home", "villa")
    agent.stop()
    agent.start()
    assert names(agent) == ["villa", "cabin"]
    (folder / "villa.conf").unlink()
    removed = agent.homing("homes", "remove", "villa", "--yes").stdout
    assert "keys for villa alone, they hold for no home now. See: homing config check" in removed
    assert names(agent) == ["cabin"]
    assert "move the key to the file of a home" in agent.homing("config", "check").stdout
    (folder / "cabbin.conf").touch()
    assert f"{folder}/cabbin.conf: there is no home called cabbin yet; did you mean \"cabin\"?" in agent.homing(
        "config", "check").stdout
    assert agent.homing("--home", "cabbin", "config", "check").returncode == 0, "a file of a home to come"
    (folder / "cabbin.conf").unlink()
    assert 'did you mean "cabin"?' in agent.homing("homes", "remove", "cabbin", "--yes", check=False).stderr


def notify(ha, agent, home, message, title, **data):
    slug = re.sub(r"[^a-z0-9]+", "_", agent.registration_of(home)["device_name"].lower()).strip("_")
    ha.post(f"/api/services/notify/mobile_app_{slug}", {"message": message, "title": title, "data": data})


def channels_are_open(agent):
    wait_for(lambda: all(home["push"]["state"] == "open" for home in agent.whole_status()["homes"]), 30, "the channels")


def companion_of_both(agent, both, urls=None):
    """Registers an agent in both homes, and waits until notifications of both arrive."""
    for home, ha, url in zip(("home", "cabin"), both, urls or [ha.local_url for ha in both]):
        agent.register(url, ha.token, home=home)
    channels_are_open(agent)
    return agent


DOOR = [{"action": "OPEN", "title": "Open"}]


def ring(agent, both):
    """The same notification from both homes."""
    for home, ha in zip(("home", "cabin"), both):
        notify(ha, agent, home, f"At the {home}", "Bell", tag="bell", actions=DOOR)


def test_notifications_of_two_homes_with_one_tag_are_two_and_each_answer_goes_to_its_own(both, desktop, make_agent):
    agent = companion_of_both(make_agent(QUIET, desktop.environment).start(), both)
    ring(agent, both)
    shown = {home: desktop.wait_for(f"{home}: Bell") for home in ("home", "cabin")}
    assert len(desktop.shown()) == 2 and shown["cabin"].body == "At the cabin"
    with both[0].events(ACTION) as first, both[1].events(ACTION) as second:
        desktop.press(shown["cabin"], "Open")
        assert second.wait()["data"]["tag"] == "bell"
        time.sleep(1)
        assert first.all() == []
        desktop.press(shown["home"], "Open")
        assert first.wait()["data"]["message"] == "At the home"
        time.sleep(1)
        assert len(second.all()) == 1
    ring(agent, both)
    kept = {home: desktop.wait_for(f"{home}: Bell", count=2) for home in ("home", "cabin")}
    notify(both[1], agent, "cabin", "clear_notification", "", tag="bell")
    wait_for(lambda: kept["cabin"].id in desktop.closed(), 15, "the cabin's to go")
    assert kept["home"].id not in desktop.closed()


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_an_answer_finds_its_home_offline_over_a_restart_and_a_new_name(both, desktop, make_agent, end):
    with Gate(both[1].port) as gate:
        agent = companion_of_both(make_agent(QUIET, desktop.environment).start(), both, [both[0].local_url, gate.url])
        ring(agent, both)
        shown = {home: desktop.wait_for(f"{home}: Bell") for home in ("home", "cabin")}
        with both[0].events(ACTION) as first, both[1].events(ACTION) as second:
            gate.close()
            desktop.press(shown["cabin"], "Open")
            wait_for(lambda: any(queue["stream"] == "events" and queue["queued"] for queue in agent.status("cabin")["queues"]),
                     15, "the answer to wait")
            agent.homing("homes", "rename", "cabin", "hut")
            getattr(agent, end)()
            agent.start()
            gate.open()
            assert second.wait(seconds=90)["data"]["message"] == "At the cabin"
            channels_are_open(agent)
            notify(both[0], agent, "home", "At the home", "Gate", actions=DOOR)
            desktop.press(desktop.wait_for("home: Gate"), "Open")
            assert first.wait()["data"]["title"] == "Gate"
            time.sleep(1)
            assert len(first.all()) == len(second.all()) == 1


@as_root
def test_through_the_session_helper_each_answer_goes_to_its_own_home(both, bus, make_agent):
    bus.logind_start()
    agent = companion_of_both(system_agent(make_agent, QUIET, bus), both)
    with Person(bus, agent, GAMES, "anna") as anna:
        anna.start()
        ring(agent, both)
        shown = {home: anna.server.wait_for(f"{home}: Bell") for home in ("home", "cabin")}
        agent.stop()
        with both[0].events(ACTION) as first, both[1].events(ACTION) as second:
            for one in shown.values():
                anna.server.press(one, "Open")
            agent.start()
            assert first.wait(seconds=60)["data"]["message"] == "At the home"
            assert second.wait(seconds=60)["data"]["message"] == "At the cabin"
            time.sleep(1)
            assert len(first.all()) == len(second.all()) == 1


def test_a_home_that_is_frozen_does_not_delay_the_report_to_the_next(both, make_agent):
    first, second = both
    with Gate(first.port) as gate:
        agent = make_agent(OFF).start()
        agent.register(gate.url, first.token)
        agent.register(second.local_url, second.token, home="cabin")
        device = agent.registration_of("cabin")["device_id"]
        agent.homing("send-location", "--zone", "home")
        wait_for(lambda: place(second, device)["state"] == "home", 30, "the first report")
        gate.freeze()
        words, sent = ("send-location", "--zone", "Work", "--unknown-zone"), []
        command = threading.Thread(target=lambda: sent.append(agent.homing(*words).stdout))
        command.start()
        wait_for(lambda: place(second, device)["state"] == "Work", 15, "the cabin to have it while the first home is asked")
        command.join(60)
        gate.freeze(False)
    assert sent and sent[0].startswith("home: Queued") and "\ncabin: Delivered.\n" in sent[0], sent


def test_a_relay_that_knows_no_homes_brings_each_notification_to_its_own(both, desktop, make_agent):
    agent = companion_of_both(make_agent(QUIET, desktop.environment).start(), both)

    def receive(title, webhook_id, *words):
        body = {"message": "text", "title": title, "registration_info": {"webhook_id": webhook_id}}
        return agent.homing(*words, "notifications", "receive", input=json.dumps(body), check=False)

    for home in ("home", "cabin"):
        assert receive(f"For {home}", agent.registration_of(home)["webhook_id"]).stdout == "The notification is taken.\n"
        desktop.wait_for(f"{home}: For {home}")
    another = agent.registration_of("cabin")["webhook_id"]
    for refused in (receive("Bell", "unknown"), receive("Bell", another, "--home", "home")):
        assert refused.returncode == 76 and "another registration" in refused.stderr
    nothing = agent.homing("notifications", "receive", input="<html>", check=False)
    assert nothing.returncode == 64 and "hands to a relay" in nothing.stderr
    assert len(desktop.shown()) == 2


def test_a_question_names_the_home_and_no_question_is_asked_without_one(both, make_agent):
    agent = make_agent(OFF).start()
    for home, ha in zip(("home", "cabin"), both):
        agent.register(ha.local_url, ha.token, home=home)
    command = [BINARIES / "homing", "--config", agent.configuration]
    with Terminal([*command, "unregister"], agent.environment) as terminal:
        assert terminal.report() == "exited 64"
        terminal.wait_for("home and cabin")
        assert "Forget" not in terminal.text
    with Terminal([*command, "--home", "cabin", "unregister"], agent.environment) as terminal:
        terminal.wait_for("Forget the registration of the home cabin as ")
        terminal.type("n\n")
        assert terminal.report() == "exited 1"
    assert agent.registration_of("cabin")["webhook_id"]


def test_the_advice_for_another_network_names_the_home(both, bus, make_agent):
    # A name that leads to this machine, and does not say so.
    name = socket.gethostname()
    with Gate(both[0].port, socket.gethostbyname(name)) as gate, Gate(both[1].port, gate.host) as other:
        agent = make_agent(OFF, bus.environment).start()
        agent.register(f"http://{name}:{gate.port}", both[0].token, "--allow-plain-http")
        bus.wifi("Cafe", "02:00:00:00:09:00")
        wait_for(lambda: "no_endpoint" in str(agent.status()["warnings"]), 30, "the daemon to notice")
        added = agent.register(f"http://{name}:{other.port}", both[1].token, "--allow-plain-http", home="cabin")
        assert "type: homing network home --home cabin\n" in added.stdout
        again = agent.homing("--home", "home", "register", "--again", "--allow-plain-http")
        assert "type: homing network home --home home\n" in again.stdout


SENSORS = OFF + """\
[location]
batch_metered = 0
[sensors]
disable = all
enable = is_charging
scripts =
"""


def entities(ha, agent, home):
    """Home Assistant's entries of the sensors of a home, by our unique id."""
    registration = agent.registration_of(home)
    prefix = registration["webhook_id"] + "_"
    return {entity["unique_id"].removeprefix(prefix): entity for entity in ha.entities_of(registration["device_id"])
            if entity["unique_id"].startswith(prefix)}


def charging(ha, agent, home):
    entity = entities(ha, agent, home).get("is_charging")
    return entity and (ha.state(entity["entity_id"]) or {}).get("state")


def test_a_sensor_that_is_disabled_in_one_home_stays_on_in_the_other(both, bus, make_agent):
    agent = make_agent(SENSORS, environment=bus.environment).start()
    for home, ha in zip(("home", "cabin"), both):
        agent.register(ha.local_url, ha.token, home=home)
        wait_for(lambda: charging(ha, agent, home) == "off", 60, f"the battery's state in {home}")
    entity = entities(both[0], agent, "home")["is_charging"]["entity_id"]
    both[0].command("config/entity_registry/update", entity_id=entity, disabled_by="user")
    for is_charging, state in ((True, "on"), (False, "off")):  # Home Assistant says that it is disabled when it is told
        bus.battery(80, is_charging)
        wait_for(lambda: charging(both[1], agent, "cabin") == state, 60, "the state in the cabin")
    accepted = [agent.queue("sensors", home)["accepted"] for home in ("home", "cabin")]
    assert accepted[0] < accepted[1], "the first home was told once, and no more"
    assert entities(both[0], agent, "home")["is_charging"]["disabled_by"] == "user"


def test_a_home_that_cannot_be_opened_stops_no_other_and_comes_back(both, make_agent):
    agent = make_agent(OFF).start()
    for home, ha in zip(("home", "cabin"), both):
        agent.register(ha.local_url, ha.token, home=home)
    agent.stop()
    file = agent.state / "homes/cabin/registration.json"
    file.chmod(0o644)
    agent.start()
    assert names(agent) == ["home", "cabin"] and "cannot be opened" in agent.homing("homes").stdout
    assert [warning["code"] for warning in agent.whole_status()["warnings"]] == ["home_unusable"]
    refused = agent.homing("--home", "cabin", "zones", check=False)
    assert refused.returncode == 1 and "cabin cannot be opened" in refused.stderr
    examined = agent.homing("--home", "cabin", "doctor", check=False)
    assert examined.returncode == 1 and "the home cabin cannot be opened; open: home" in examined.stdout
    assert "cabin" not in agent.homing("--home", "cabin", "doctor", "--redact", check=False).stdout
    agent.homing("--home", "home", "send-location", "--zone", "Work")
    file.chmod(0o600)
    agent.signal(1)
    wait_for(lambda: not agent.whole_status()["warnings"], 20, "the home to be open again")
    sent = agent.homing("send-location", "--zone", "Work").stdout
    assert [line.split(":")[0] for line in sent.splitlines()] == ["home", "cabin"]
    assert agent.homing("--home", "cabin", "zones").stdout


def test_setup_adds_a_home_and_never_takes_the_network_unasked(both, bus, make_agent):
    agent = make_agent(OFF, bus.environment).start()
    words = ["setup", "--token-file", "-", "--yes", "--no-service"]
    agent.homing(*words, "--url", both[0].local_url, input=both[0].token)
    registration = agent.registration
    other = agent.homing(*words, "--url", both[1].local_url, input=both[1].token, check=False)
    assert other.returncode == 64 and f"this machine reports to {both[0].local_url} already" in other.stderr
    assert "homing setup --home NAME" in other.stderr and agent.registration == registration
    assert "add --home home" in other.stderr
    agent.environment["HOMING_HOME"] = "home"  # which home is meant, and no leave to replace it
    other = agent.homing(*words, "--url", both[1].local_url, input=both[1].token, check=False)
    assert other.returncode == 64 and agent.registration == registration
    del agent.environment["HOMING_HOME"]
    agent.homing("--home", "home", *words, "--url", both[1].local_url, input=both[1].token)
    assert agent.registration["instance_url"] == both[1].local_url
    agent.homing("--home", "home", *words, "--url", both[0].local_url, input=both[0].token)
    added = agent.homing("--home", "cabin", *words, "--url", both[1].local_url, input=both[1].token)
    assert "HomeNet is not recorded" in added.stdout and "Homing reports to Home Assistant" in added.stdout
    assert [agent.registration_of(home)["home_networks"] for home in ("home", "cabin")] == [[{"ssid": "HomeNet"}], []]
    again = agent.homing(*words, "--url", both[0].local_url, input=both[0].token, check=False)
    assert again.returncode == 64 and "home and cabin" in again.stderr
    with Terminal([BINARIES / "homing", "homes", "remove", "cabin"], agent.environment) as terminal:
        terminal.wait_for("Remove the home cabin(.|\n)*cannot be undone")
        terminal.type("n\n")
        assert terminal.report() == "exited 1" and names(agent) == ["home", "cabin"]
    silent = agent.homing("homes", "remove", "cabin", check=False)
    assert silent.returncode == 64 and "add --yes" in silent.stderr and names(agent) == ["home", "cabin"]
    assert "homing homes remove cabin" in agent.homing("--home", "cabin", "unregister", "--yes").stdout
    agent.homing("homes", "remove", "cabin", "--yes")
    agent.homing("--home", "cabin", *words, "--home-network", "--url", both[1].local_url, input=both[1].token)
    assert agent.registration_of("cabin")["home_networks"] == [{"ssid": "HomeNet"}]
    again = agent.homing("--home", "cabin", *words, input=both[1].token).stdout
    assert "not recorded" not in again and "Homing reports to Home Assistant" in again, "the network is recorded already"
    bus.wifi_off()
    bus.wired(True)
    wait_for(lambda: "Wired" in agent.status("home")["network"]["connection"], 30, "the daemon to notice")
    for option, words_told in (([], True), (["--home-network"], False), ([], False)):
        told = agent.homing("--home", "cabin", *words, *option, input=both[1].token).stdout
        assert ("not recorded" in told) == words_told, "a wired network, by its connection"


def test_a_first_home_may_have_any_name_and_the_keys_of_the_main_file_are_its_own(newest, make_agent):
    agent = make_agent(OFF + "[push]\nmode = off\n").start()
    agent.register(newest.local_url, newest.token, home="villa")
    assert names(agent) == ["villa"]
    agent.stop()
    agent.start()
    assert names(agent) == ["villa"] and not (agent.state / "homes/home").exists()
    assert "holds for" not in agent.homing("config", "check").stdout


def test_without_a_daemon_a_home_is_added_too(both, make_agent):
    agent = make_agent(OFF)
    for home, ha in zip(("villa", "cabin"), both):
        agent.register(ha.local_url, ha.token, home=home)
    ambiguous = agent.homing("registration", check=False)
    assert ambiguous.returncode == 64 and "villa" in ambiguous.stderr
    twice = agent.homing("--home", "hut", "register", "--url", both[1].local_url.upper().replace("HTTP", "http"),
                         "--token-file", "-", input=both[1].token, check=False)
    assert twice.returncode == 64 and 'cabin" reports to' in twice.stderr and not (agent.state / "homes/hut").exists()
    unknown = agent.homing("--home", "hut", "doctor", check=False)
    assert unknown.returncode == 64 and "villa and cabin" in unknown.stderr
    agent.start()
    assert names(agent) == ["villa", "cabin"]
    log = agent.log_text()
    assert "villa: at home" in log or "villa: away" in log or "villa: treated as home" in log, "the journal names the home"
    agent.stop()
    findings = agent.homing("doctor", check=False).stdout
    assert "villa" in findings and "cabin" in findings


def wakeups_of_a_quiet_minute(agent):
    before = wakeups(agent.pid)
    time.sleep(20)
    return 3 * (wakeups(agent.pid) - before)


@as_root
def test_a_second_home_that_is_connected_costs_little_memory(both, make_agent):
    agent = make_agent(QUIET).start()
    agent.register(both[0].local_url, both[0].token)
    channels_are_open(agent)
    agent.homing("send-location", "--zone", "Work")
    time.sleep(5)
    before, woken = own_memory(agent.pid), wakeups_of_a_quiet_minute(agent)
    agent.register(both[1].local_url, both[1].token, home="cabin")
    channels_are_open(agent)
    agent.homing("send-location", "--zone", "Work")
    time.sleep(5)
    more = own_memory(agent.pid) - before
    both_woken = wakeups_of_a_quiet_minute(agent)
    print(f"a second home, both connected: {more / 1024:.2f} MiB of anonymous memory more, {both_woken} wake-ups a minute "
          f"in place of {woken}")
    assert more <= 1.5 * 1024
