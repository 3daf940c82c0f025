"""A machine without a receiver: its networks say whether it is home, with every version of Home Assistant at once."""

import contextlib
import time

import pytest
from conftest import VERSIONS
from homing_rigs.documents import block, command
from homing_rigs.home_assistant import HomeAssistant
from homing_rigs.netns import Namespace
from homing_rigs.processes import wait_for

LAPTOP = "docs/getting-started-laptop.md"
WORK = "02:00:00:00:0B:01"
AWAY = "[home_assistant]\nplain_http_away = true\n"  # at work Home Assistant is reached as at home
CONFIGURATION = f"{AWAY}[gpsd]\nenabled = false\n[place.Office]\nzone = work\nbssid = {WORK}\n"
ZONES = "zone:\n  - {name: Work, latitude: 52.1, longitude: 4.5, radius: 100}\n"
PATIENCE = 120  # seconds before another network is away


class World:
    """A machine on a cable, and at the cable's other end a Home Assistant of each version. Each has a home."""

    def __init__(self, stack, bus, make_agent):
        self.bus = bus
        self.namespace = stack.enter_context(Namespace())
        self.homes = {}
        for number, version in enumerate(VERSIONS):
            self.homes[f"home{number}" if number else "home"] = stack.enter_context(
                HomeAssistant(version, host=self.namespace.near, extra_yaml=ZONES))
        bus.addresses(self.namespace.far, self.namespace.near, wired=True)
        bus.addresses("10.99.0.7", "10.99.0.1")
        bus.wired(True)
        self.agent = make_agent(CONFIGURATION, bus.environment, prefix=tuple(self.namespace.prefix))
        (self.agent.folder / "homes").mkdir()
        for name in self.homes:
            if name != "home":
                (self.agent.folder / f"homes/{name}.conf").write_text(AWAY)
        self.agent.start()
        for name, ha in self.homes.items():
            self.agent.register(ha.url, ha.token, "--home-network", home=None if name == "home" else name)

    def trackers(self):
        """Each Home Assistant with the entity of its tracker."""
        for name, ha in self.homes.items():
            device = self.agent.registration_of(name)["device_id"]
            yield ha, next(each for each in ha.entities_of(device) if each["entity_id"].startswith("device_tracker."))

    def states(self):
        return {ha.state(entity["entity_id"])["state"] for ha, entity in self.trackers()}

    def wait_for_state(self, state, seconds=60):
        """Everywhere, also of the person who has the machine."""
        wait_for(lambda: self.states() == {state}, seconds, f"{state} everywhere")
        for ha in self.homes.values():
            wait_for(lambda: ha.state("person.owner")["state"] == state, 20, f"the person in {ha.version}")
            count = "1" if state == "home" else "0"
            wait_for(lambda: ha.state("zone.home")["state"] == count, 20, f"the zone's count in {ha.version}")

    def place(self):
        return [each["known_place"] for each in self.agent.whole_status()["homes"]]


@pytest.fixture
def world(bus, make_agent):
    with contextlib.ExitStack() as stack:
        yield World(stack, bus, make_agent)


@contextlib.contextmanager
def arrivals(world):
    """Device triggers for an arrival at home, in each Home Assistant."""
    with contextlib.ExitStack() as stack:
        sockets = []
        for ha, entity in world.trackers():
            socket = stack.enter_context(ha.websocket())
            socket.call("subscribe_trigger", trigger={
                "platform": "device", "domain": "device_tracker", "type": "enters", "zone": "zone.home",
                "device_id": entity["device_id"], "entity_id": entity["entity_id"]})
            sockets.append(socket)
        yield sockets


@pytest.mark.skipif(not Namespace.possible(), reason="network namespaces need root")
def test_a_machine_without_a_receiver_is_at_home_at_work_or_away_by_its_networks(world, bus):
    # Nothing is configured for home: a receipt came from a private address over this cable.
    world.wait_for_state("home")
    at_home = {"state": "at", "name": "home", "evidence": "hardware", "network_travels": False}
    assert world.place() == [at_home] * 3
    assert "by the gateway or the access point" in world.agent.homing("status").stdout

    # Of a network without a known gateway, and without any network, nothing is said.
    bus.wired(False)
    bus.wifi("Café", "02:00:00:00:0C:01")
    time.sleep(3)
    assert world.states() == {"home"}
    bus.wifi("Office", WORK)
    world.wait_for_state("Work")
    assert world.place()[0]["name"] == "Office"

    # Home again: automations by device are set off.
    bus.wifi_off()
    with arrivals(world) as sockets:
        bus.wired(True)
        world.wait_for_state("home")
        for socket in sockets:
            assert socket.receive()["type"] == "event"

    # A café, from which Home Assistant is reached as through a tunnel.
    world.namespace.add_neighbour("wlan0", "10.99.0.1", "02:00:00:00:0d:0d")
    bus.wired(False)
    began = time.monotonic()
    bus.wifi("Café", "02:00:00:00:0C:01")
    world.wait_for_state("not_home", PATIENCE + 60)
    assert time.monotonic() - began > PATIENCE - 1
    assert {each["state"] for each in world.place()} == {"away"}

    # What was learned outlives the daemon.
    world.agent.kill()
    bus.wifi_off()
    bus.wired(True)
    world.agent.start()
    world.wait_for_state("home")
    for ha in world.homes.values():
        lines = [line for line in ha.log_text().splitlines() if "mobile_app" in line or "device_tracker" in line]
        assert not [line for line in lines if "deprecat" in line.lower()], ha.version


def test_paired_in_a_cafe_nothing_is_home(newest, bus, make_agent):
    """Home Assistant is not on the network that the machine is on, as through a tunnel or the cloud."""
    bus.addresses("10.99.0.7", "10.99.0.1")
    bus.wifi("Café", "02:00:00:00:0C:01")
    agent = make_agent("[gpsd]\nenabled = false\n", bus.environment).start()
    agent.register(newest.local_url, newest.token)
    agent.homing("event", "--wait", "hello")
    time.sleep(5)
    assert agent.whole_status()["homes"][0]["known_place"]["state"] == "unknown"
    assert agent.queue()["accepted"] == 0


def set_up(agent, ha, *words):
    """`homing setup` as a script, with nothing configured."""
    return agent.homing("setup", "--url", ha.url, "--token-file", "-", "--yes", *words, input=ha.token)


def test_setup_alone_makes_a_machine_without_a_receiver_home(newest, bus, make_agent):
    bus.addresses("10.99.0.7", "10.99.0.1")
    bus.join("HomeNet", "02:00:00:00:01:00")
    agent = make_agent("", bus.environment).start()
    # Home Assistant is on this machine: only the person's word shows that this network is at home.
    set_up(agent, newest, "--home-network")
    tracker = newest.tracker_of(agent.registration["device_id"])
    wait_for(lambda: agent.status().get("location_source") == "place", 30, "the place")
    wait_for(lambda: newest.state(tracker)["state"] == "home", 20, "home")
    assert agent.status()["known_place"]["evidence"] == "hardware"
    listed = agent.homing("network").stdout
    assert "Wi-Fi HomeNet" in listed and "at home" in listed and "02:00:00:00:01:00" in listed

    # A person takes that back, and says the opposite, as the page says.
    which = "Say which network is home"
    home = block(LAPTOP, which, "sh").split()[1:]
    listing, forget = (command(LAPTOP, which, f"homing {words}").split()[1:] for words in ("network", "network forget"))
    assert agent.registration["home_networks"] == [{"ssid": "HomeNet"}]
    assert "not home" in agent.homing(*forget).stdout
    assert agent.registration["home_networks"] == []
    assert agent.status()["known_place"]["state"] == "unknown"
    assert "at home" in agent.homing(*home).stdout
    assert agent.registration["home_networks"] == [{"ssid": "HomeNet"}]
    assert agent.status()["known_place"]["name"] == "home"
    assert "at home" in agent.homing(*listing).stdout
    bus.wifi_off()
    assert agent.homing("network", "home", check=False).returncode == 1


def test_a_network_that_nobody_called_home_shows_no_place_after_setup(newest, bus, make_agent):
    bus.addresses("10.99.0.7", "10.99.0.1")
    bus.join("Café", "02:00:00:00:0C:01")
    agent = make_agent("", bus.environment).start()
    set_up(agent, newest)
    time.sleep(15)
    assert agent.status()["known_place"]["state"] == "unknown" and agent.queue()["accepted"] == 0
    assert "not home, and no known place" in agent.homing("network").stdout
