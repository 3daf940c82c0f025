"""What `homing setup` asks a person about the location, and what becomes of the answers."""

import os
import re

import pytest
from homing_rigs import geoclue as rig
from homing_rigs.avahi import Avahi
from homing_rigs.processes import free_port, wait_for
from phone import Phone
from test_geoclue import HARBOUR
from test_setup import agent, answer, ended, setup  # noqa: F401 (fixtures)
from own_process import as_root

pytestmark = pytest.mark.ends

OFFICE, OTHER = "02:00:00:00:0B:01", "02:00:00:00:0B:02"
REGISTERED, NETWORK, KEEP = "Register this machine again", r"Is this network \(Office\) your home network", "In which zone of Home Assistant is this machine on Wi-Fi Office"
GEOCLUE, RECEIVER = "May Homing ask GeoClue", "No GPS receiver was found"

# As the user of these tests types it.
RELOAD = "systemctl reload homing" if os.geteuid() == 0 else "systemctl --user reload homing"


@pytest.fixture
def person(bus, newest, agent, setup):  # noqa: F811
    """Answers the questions of a setup with a token, beside a daemon that runs on the Wi-Fi of an office."""
    bus.addresses("10.99.0.7", "10.99.0.1")
    bus.join("Office", OFFICE)
    token = agent.folder / "token"
    token.write_text(newest.token)
    token.chmod(0o600)
    agent.start()

    def goes_through(*answers, words=("--name", "Placed"), code=0, prefix=()):
        terminal = setup("--url", newest.url, "--token-file", token, *words, prefix=prefix)
        for question, text in answers:
            answer(terminal, question, text)
        assert ended(terminal) == f"exited {code}", terminal.text
        return terminal.text.replace("\r\n", "")

    return goes_through


@pytest.mark.parametrize("name, says", [
    ("Lone ship", "the action notify.mobile_app_lone_ship sends a notification here"), ("Twin ship", None)])
def test_setup_names_the_action_unless_another_device_has_the_same(bus, newest, agent, setup, name, says):  # noqa: F811
    agent.configuration.write_text(agent.configuration.read_text().replace("mode = off", "mode = always"))
    token = agent.folder / "token"
    token.write_text(newest.token)
    token.chmod(0o600)
    agent.start()
    with Phone(newest, "Twin-Ship", "http://127.0.0.1:1/", "t"):
        terminal = setup("--url", newest.url, "--token-file", token, "--name", name, "--yes")
        assert ended(terminal) == "exited 0", terminal.text
    text = terminal.text.replace("\r\n", " ")
    assert "shows the location" in text and ("the action" in text) == bool(says), text
    assert (says or "") in text


def place_of(agent, home):  # noqa: F811
    """The name of the known place of a home, by the status."""
    return next(each for each in agent.whole_status()["homes"] if each["name"] == home)["known_place"].get("name")


def test_a_network_becomes_a_place_by_the_zone_that_a_person_names(bus, newest, agent, person):  # noqa: F811
    text = person((NETWORK, "n"), (KEEP, "Wrok"), (f'no such zone "Wrok"(.|\n)*did you mean "Work"(.|\n)*{KEEP}', "work"))
    file = agent.folder / "agent.conf.d/place-work.conf"
    assert "Homing reports to Home Assistant" in text and GEOCLUE not in text and f"On Wi-Fi Office this machine is in Work from now on. To take that back, delete {file}, and run: {RELOAD}" in text
    assert text.index("Homing reports to Home Assistant") < text.index("On the map: the place work, by the network.")
    assert re.search(r"In Home Assistant: device_tracker\.\w+ shows the location\.", text), "[push] mode is off"
    assert "GPS: switched off ([gpsd] enabled = false). To read how to connect a receiver, type: zcat -f /usr/share/doc/homing/docs/receivers.md* | more" in text
    lines = file.read_text().splitlines()
    assert "zone = zone.work" in lines and f"bssid = {OFFICE}" in lines
    assert agent.homing("config", "check").returncode == 0
    tracker = newest.tracker_of(agent.registration["device_id"])
    wait_for(lambda: newest.state(tracker)["state"] == "Work", 60, "the place, without a restart")
    assert agent.status()["known_place"]["evidence"] == "hardware"
    assert "not home; [place.work]; " in agent.homing("network").stdout
    assert KEEP not in person((REGISTERED, "y"), (NETWORK, "n")), "the network is a place already"

    # Another access point of the same place comes beside the first.
    bus.join("Office", OTHER)
    wait_for(lambda: OTHER in agent.homing("network").stdout, 20, "the other access point")
    person((REGISTERED, "y"), (NETWORK, "n"), (KEEP, "Work"))
    assert f"bssid = {OFFICE};{OTHER}" in file.read_text()


def test_a_place_of_a_further_home_goes_into_the_files_of_that_home(newest, agent, person):  # noqa: F811
    agent.register(newest.url, newest.token)
    person((NETWORK, "n"), (KEEP, "Work"), words=("--home", "cabin", "--new", "--name", "Cabin"))
    assert "zone.work" in (agent.folder / "homes/cabin.conf.d/place-work.conf").read_text()
    assert not (agent.folder / "agent.conf.d").exists()
    wait_for(lambda: place_of(agent, "cabin") == "work", 30, "the place of the cabin")
    assert place_of(agent, "home") is None


@as_root
def test_the_daemon_can_read_the_file_whatever_the_umask(agent, person):  # noqa: F811
    person((NETWORK, "n"), (KEEP, "Work"), prefix=("sh", "-c", 'umask 077; exec "$@"', "sh"))
    file = agent.folder / "agent.conf.d/place-work.conf"
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o644, 0o755)


def test_a_file_that_a_person_has_changed_is_left_alone(bus, agent, person):  # noqa: F811
    person((NETWORK, "n"), (KEEP, "Work"))
    file = agent.folder / "agent.conf.d/place-work.conf"
    changed = file.read_text() + "connection = Office\n# by hand\n"
    file.write_text(changed)
    bus.join("Office", OTHER)
    wait_for(lambda: OTHER in agent.homing("network").stdout, 20, "the other access point")
    text = person((REGISTERED, "y"), (NETWORK, "n"), (KEEP, "Work"), code=1)
    assert "was changed by hand" in text and file.read_text() == changed


def test_home_and_no_zone_are_no_places(agent, person):  # noqa: F811
    text = person((NETWORK, "n"), (KEEP, "home"), ("homing network home", "not_home"), (f"no such zone(.|\n)*{KEEP}", ""))
    assert "Homing reports to Home Assistant" in text and not (agent.folder / "agent.conf.d").exists()


def test_nobody_is_asked_where_nothing_may_be_told(bus, agent, person):  # noqa: F811
    with agent.configuration.open("a") as file:
        file.write("[location]\ntell = never\n")
    assert "Homing reports to Home Assistant" in person((NETWORK, "n"))


def test_a_setting_that_another_file_takes_back_is_a_failure(bus, agent, person):  # noqa: F811
    if reason := rig.problem("bookworm"):
        pytest.skip(reason)
    later = agent.folder / "agent.conf.d/local.conf"
    later.parent.mkdir()
    later.write_text("[geoclue]\nenabled = false\n")
    with rig.Geoclue(bus, "bookworm", receiver=rig.Receiver(HARBOUR)):
        text = person((NETWORK, "y"), (GEOCLUE, "y"), code=1)
    assert "another file overrides [geoclue]" in text and [*later.parent.iterdir()] == [later]


def test_a_daemon_that_reads_other_files_is_told(agent, person, tmp_path):  # noqa: F811
    other = tmp_path / "agent.conf"
    other.write_text(agent.configuration.read_text())
    own, agent.configuration = agent.configuration, other
    text = person((NETWORK, "n"), (KEEP, "Work"), code=1)
    assert f"the daemon reads {own}" in text and not (tmp_path / "agent.conf.d").exists()


def test_a_place_that_cannot_be_kept_is_told_with_the_lines_to_add(agent, person):  # noqa: F811
    (agent.folder / "agent.conf.d/place-work.conf.new").mkdir(parents=True)
    text = person((NETWORK, "n"), (KEEP, "Work"), code=1)
    assert "agent.conf.d" in text and "zone = zone.work" in text and "Homing reports to Home Assistant" not in text
    assert agent.registration["device_name"] == "Placed"


@pytest.mark.parametrize("target", ["latitude = 52\nlongitude = 4\n", "zone = Near\n"])
def test_a_place_of_a_person_with_that_name_stays(agent, person, target):  # noqa: F811
    own = f"[place.work]\n{target}bssid = {OTHER}\n"
    with agent.configuration.open("a") as file:
        file.write(own)
    agent.stop()
    agent.start()
    person((NETWORK, "n"), (KEEP, "Work"))
    assert own in agent.configuration.read_text()
    [file] = (agent.folder / "agent.conf.d").iterdir()
    assert file.name == "place-work_2.conf" and OTHER not in file.read_text()
    wait_for(lambda: place_of(agent, "home") == "work_2", 20, "the place of its own")


def test_a_link_is_left_alone(bus, agent, person):  # noqa: F811
    person((NETWORK, "n"), (KEEP, "Work"))
    file, target = agent.folder / "agent.conf.d/place-work.conf", agent.folder / "mine.conf"
    file.rename(target)
    file.symlink_to(target)
    bus.join("Office", OTHER)
    wait_for(lambda: OTHER in agent.homing("network").stdout, 20, "the other access point")
    assert "was changed by hand" in person((REGISTERED, "y"), (NETWORK, "n"), (KEEP, "Work"), code=1)
    assert file.is_symlink() and OTHER not in target.read_text()


def test_geoclue_is_switched_on_by_a_yes_alone(bus, agent, person):  # noqa: F811
    if reason := rig.problem("bookworm"):
        pytest.skip(reason)
    with rig.Geoclue(bus, "bookworm", receiver=rig.Receiver(HARBOUR)) as geoclue:
        person((NETWORK, "y"), (GEOCLUE, ""))
        assert not (agent.folder / "agent.conf.d").exists() and geoclue.clients() == []
        person((REGISTERED, "y"), (GEOCLUE, "y"))
        assert "enabled = true" in (agent.folder / "agent.conf.d/geoclue.conf").read_text()
        bus.join("Roadside", "02:00:00:00:07:01")
        wait_for(lambda: agent.status().get("location_source") == "geoclue", 60, "the place by GeoClue")
        assert GEOCLUE not in person((REGISTERED, "y"), (r"Is this network \(Roadside\) your home network", "n"),
                                     ("is this machine on Wi-Fi Roadside", ""))


def test_a_receiver_is_named_with_whether_it_has_a_fix(gps, agent, person):  # noqa: F811
    agent.configuration.write_text(f"[gpsd]\nport = {gps.port}\n")
    agent.stop()
    agent.start()
    gps.start(speed=1, time="now")
    wait_for(lambda: agent.whole_status()["position"].get("mode"), 60, "a fix")
    (name,) = agent.whole_status()["position"]["receiver_names"]
    assert name.startswith("/") and f"GPS            watching: {name}\n" in agent.homing("status").stdout
    text = person((NETWORK, "y"))
    assert "On the map: the location of the GPS receiver, ±" in text and f"GPS: {name}, with a fix." in text


@pytest.mark.skipif(os.geteuid() != 0, reason="a file system of its own needs root")
def test_receivers_that_announce_themselves_are_named(bus, agent, person):  # noqa: F811
    agent.configuration.write_text(agent.configuration.read_text().replace(
        "enabled = false", f"port = {free_port()}"))
    agent.stop()
    agent.start()
    with Avahi(bus) as avahi:
        avahi.announce("Plotter \x1b[31m", 10110, kind="_nmea-0183._tcp")
        text = person((NETWORK, "y"))
        assert '127.0.0.1:10110 announces itself as the receiver "Plotter \ufffd[31m"' in text
        assert "To read how, type: zcat -f /usr/share/doc/homing/docs/receivers.md* | more" in text


def test_a_machine_without_a_receiver_stops_looking_for_one(agent, person):  # noqa: F811
    agent.configuration.write_text(agent.configuration.read_text().replace("enabled = false", f"port = {free_port()}", 1))
    agent.stop()
    agent.start()
    text = person((NETWORK, "y"), (RECEIVER, "y"))
    file = agent.folder / "agent.conf.d/gpsd.conf"
    assert "Homing reports to Home Assistant" in text and f"delete {file}, and run: {RELOAD}" in text
    assert "enabled = false" in file.read_text() and agent.homing("config", "check").returncode == 0
    assert agent.whole_status()["position"]["gpsd"].startswith("switched off")
    assert "Homing reports to Home Assistant" in person((REGISTERED, "y")), "nobody is asked twice"


def test_who_gave_up_at_a_question_about_the_location_is_asked_again(agent, newest, setup, person):  # noqa: F811
    agent.configuration.write_text(agent.configuration.read_text().replace("enabled = false", f"port = {free_port()}", 1))
    agent.stop()
    agent.start()
    terminal = setup("--url", newest.url, "--token-file", agent.folder / "token", "--name", "Placed")
    answer(terminal, NETWORK, "y")
    terminal.wait_for(RECEIVER)
    terminal.type("\x03")
    assert ended(terminal) == "killed 2"
    assert "Setup ended. The registration stays. To answer the questions about the location later, type: homing setup" in terminal.text
    before = agent.registration["webhook_id"]
    text = person((REGISTERED, "n"), (RECEIVER, "y"))
    assert "The registration stays as it is." in text and "On the map:" in text and "Test message sent and confirmed." in text
    assert agent.registration["webhook_id"] == before
    assert agent.whole_status()["position"]["gpsd"].startswith("switched off")


def test_a_gpsd_on_another_computer_is_not_taken_for_none(agent, person):  # noqa: F811
    agent.configuration.write_text(agent.configuration.read_text().replace("enabled = false", "host = 192.0.2.1", 1))
    agent.stop()
    agent.start()
    assert "No GPS receiver" not in person((NETWORK, "y"))
