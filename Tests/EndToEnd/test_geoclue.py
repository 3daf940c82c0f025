"""A location by GeoClue, where no receiver and no network shows the place: real geoclue of Debian 12 and of Debian 13."""

import contextlib
import os
import time

import pytest
from homing_rigs import geoclue as rig
from homing_rigs.processes import wait_for

pytestmark = pytest.mark.early
HARBOUR, STATION = (52.36760, 4.90410), (48.87650, 2.35860)
NETWORKS = [("02:00:00:00:01:00", "HomeNet", -50), ("02:00:00:00:02:00", "Neighbour", -70)]
CONFIGURATION = """\
[gpsd]
enabled = false
[geoclue]
enabled = true
interval = 300
[location]
batch_metered = 0
[sensors]
enable = location_source
disable = all
"""


@pytest.fixture(params=["bookworm", "trixie"])
def release(request):
    """Each release whose geoclue runs here."""
    if reason := rig.problem(request.param):
        pytest.skip(reason)
    return request.param


@pytest.fixture
def bookworm():
    """Debian 12's geoclue runs here."""
    if reason := rig.problem("bookworm"):
        pytest.skip(reason)


@contextlib.contextmanager
def machine(bus, make_agent, ha, geoclue, configuration=CONFIGURATION):
    """An agent that is registered, on a bus with this geoclue."""
    bus.addresses("10.99.0.7", "10.99.0.1")
    bus.join("HomeNet", "02:00:00:00:01:00")
    with geoclue:
        agent = make_agent(configuration, bus.environment).start()
        agent.register(ha.url, ha.token)
        agent.tracker = ha.tracker_of(agent.registration["device_id"])
        yield agent


def look_up(agent):
    """What GeoClue said last, by the status."""
    return agent.whole_status().get("look_up") or {}


def place(ha, agent):
    attributes = ha.state(agent.tracker)["attributes"]
    return attributes.get("latitude"), attributes.get("longitude")


def is_told(ha, agent, where):
    """Whether this agent has told the place, and Home Assistant shows it."""
    return agent.status().get("location_source") == "geoclue" and place(ha, agent) == pytest.approx(where, abs=1e-4)


def source(ha, agent):
    """The state of the sensor of the source; None before there is one."""
    entities = ha.entities_of(agent.registration["device_id"])
    return next((ha.state(each["entity_id"])["state"] for each in entities if "location_source" in each["entity_id"]), None)


def test_the_location_of_geoclue_is_in_home_assistant_and_geoclue_is_let_go(release, newest, bus, make_agent):
    """By the NMEA socket of Debian 12, and by /etc/geolocation of Debian 13."""
    given = {"receiver": rig.Receiver(HARBOUR)} if release == "bookworm" else {"static": (*HARBOUR, 0, 15)}
    geoclue = rig.Geoclue(bus, release, **given)
    with machine(bus, make_agent, newest, geoclue) as agent:
        wait_for(lambda: is_told(newest, agent, HARBOUR), 60, "the place")
        assert look_up(agent)["state"] == "found"
        assert "reported by geoclue" in agent.homing("status").stdout.lower()
        wait_for(lambda: source(newest, agent) == "geoclue", 60, "the source")
        wait_for(lambda: geoclue.clients() == [], 10, "the client is deleted")
        # Nothing is requested, and nothing is asked.
        asked = agent.log_text().count("asking GeoClue")
        scans = geoclue.scans()
        time.sleep(20)
        assert (agent.log_text().count("asking GeoClue"), geoclue.scans(), geoclue.connected()) == (asked, scans, 0)
        # A person asks.
        assert "Delivered" in agent.homing("send-location").stdout
        assert agent.log_text().count("asking GeoClue") == asked + 1


def test_another_network_is_looked_up_and_another_place_must_be_seen_twice(release, newest, bus, make_agent):
    look = rig.LookUp(HARBOUR)
    geoclue = rig.Geoclue(bus, release, look_up=look, wifi=rig.Wifi(bus, NETWORKS))
    with machine(bus, make_agent, newest, geoclue) as agent:
        wait_for(lambda: is_told(newest, agent, HARBOUR), 60, "the place")
        assert look.requests[-1].networks == [bssid for bssid, _, _ in NETWORKS]
        look.place = STATION
        geoclue.restart()  # it keeps answers for the same networks in sight
        asked = len(look.requests)
        bus.join("Station", "02:00:00:00:0B:01")
        wait_for(lambda: len(look.requests) > asked, 40, "the look-up of the other network")
        time.sleep(5)
        assert is_told(newest, agent, HARBOUR)
        wait_for(lambda: is_told(newest, agent, STATION), 90, "the other place")


@pytest.mark.usefixtures("bookworm")
def test_a_geoclue_that_hangs_dies_or_is_not_there_is_said_and_asked_again(newest, bus, make_agent):
    look = rig.LookUp(HARBOUR)
    geoclue = rig.Geoclue(bus, "bookworm", look_up=look, wifi=rig.Wifi(bus, NETWORKS))
    look.answer = "hang"
    with machine(bus, make_agent, newest, geoclue) as agent:
        wait_for(lambda: look_up(agent).get("problem") == "no answer in 30 s", 90, "the hang")
        assert "GeoClue        failed: no answer in 30 s" in agent.homing("status").stdout
        geoclue.kill()
        bus.join("Station", "02:00:00:00:0B:01")
        wait_for(lambda: "no answer" not in look_up(agent)["problem"], 60, "the absence")
        look.answer = "place"
        geoclue.restart()
        bus.join("HomeNet", "02:00:00:00:01:00")
        wait_for(lambda: is_told(newest, agent, HARBOUR), 60, "the place after all")
        # In the middle of a question.
        geoclue.freeze()
        asked = agent.log_text().count("asking GeoClue")
        bus.join("Station", "02:00:00:00:0B:01")
        wait_for(lambda: agent.log_text().count("asking GeoClue") > asked, 60, "a question")
        geoclue.kill()
        wait_for(lambda: look_up(agent)["state"] == "failed", 20, "the death")


@pytest.mark.usefixtures("bookworm")
def test_a_refusal_of_geoclue_is_a_state_and_no_loop(newest, bus, make_agent):
    geoclue = rig.Geoclue(bus, "bookworm", static=None, receiver=rig.Receiver(HARBOUR),
                          settings={"agent": {"whitelist": "somebody-else"}})
    with machine(bus, make_agent, newest, geoclue) as agent:
        wait_for(lambda: look_up(agent).get("state") == "refused", 60, "the refusal")
        time.sleep(40)
        assert agent.log_text().count("asking GeoClue") == 1
        assert "refused" in agent.homing("status").stdout


@pytest.mark.usefixtures("bookworm")
def test_the_switch_of_a_desktop_holds_for_a_daemon_of_its_user(newest, bus, make_agent):
    geoclue = rig.Geoclue(bus, "bookworm", receiver=rig.Receiver(HARBOUR))
    with geoclue, rig.Agent(bus, os.getuid(), accuracy=0):
        with machine(bus, make_agent, newest, contextlib.nullcontext()) as agent:
            wait_for(lambda: look_up(agent).get("state") == "refused", 60, "the refusal")
            assert agent.queue()["accepted"] == 0


@pytest.mark.usefixtures("bookworm")
def test_without_leave_nobody_asks_geoclue(newest, bus, make_agent):
    geoclue = rig.Geoclue(bus, "bookworm", receiver=rig.Receiver(HARBOUR))
    off = CONFIGURATION.replace("enabled = true", "enabled = false")
    with machine(bus, make_agent, newest, geoclue, off) as agent:
        time.sleep(15)
        assert geoclue.connected() == 0 and geoclue.clients() == []
        assert look_up(agent) == {} and agent.queue()["accepted"] == 0
