"""Networks that look like home and are not: the machine is never `home` there, however Home Assistant is reached."""

import datetime
import time

import pytest
from homing_rigs.certificates import Certificates
from homing_rigs.gps import GPSD
from homing_rigs.netns import LINK, NAME, Namespace, ip
from homing_rigs.nmea_sentences import epoch_sentences
from homing_rigs.nmea_track import HOME, distance, moved
from homing_rigs.processes import wait_for
from homing_rigs.web import Cloudhook, Instance, RemoteUI

pytestmark = [pytest.mark.early, pytest.mark.skipif(not Namespace.possible(), reason="network namespaces need root")]

AWAY = "[home_assistant]\nplain_http_away = true\n"  # elsewhere Home Assistant is reached as at home
NO_RECEIVER = "[gpsd]\nenabled = false\n"
ROUTER, OTHER_ROUTER = "02:00:00:00:0d:01", "02:00:00:00:0d:02"
POINT, OTHER_POINT = "02:00:00:00:0C:01", "02:00:00:00:0C:02"
FAR = moved(HOME[1:3], -1_000_000, 0)
PATIENCE = 120  # seconds before another network is away
GRACE = 10  # seconds after a start in which nothing is told
DOUBT = 60  # seconds for which a place that contradicts the receiver is shown before it is told
MARGIN = 8  # seconds more, in which what is wrong would come


class Site:
    """A network of its own, with a machine at one end and Home Assistant at the other."""

    def __init__(self, ha, bus, make_agent):
        self.ha, self.bus, self._make_agent = ha, bus, make_agent
        self.namespace = Namespace().start()
        self.near, self.far = self.namespace.near, self.namespace.far
        self.front = Instance(ha.port, host=self.near).start()
        self.agent = self.tracker = None
        self.namespace.add_neighbour("wlan0", self.near, ROUTER)
        bus.wifi_off()

    def close(self):
        self.front.stop()
        self.namespace.stop()

    def neighbour(self, device, address, hardware):
        """From now on the kernel knows this neighbour."""
        self.namespace.run("ip", "neighbour", "replace", address, "lladdr", hardware, "nud", "permanent",
                           "dev", device, check=True)

    def join(self, ssid, point, router, address=None):
        """Leave the Wi-Fi network, on which the kernel forgets its neighbours, and be on another one, whose router has
        the IP address of the one at home too. `router`: its hardware, if that is known."""
        self.bus.wifi_off()
        for state in ("down", "up"):
            self.namespace.run("ip", "link", "set", "wlan0", state, check=True)
        if router:
            self.neighbour("wlan0", self.near, router)
        self.bus.addresses(address or self.far, self.near)
        self.bus.wifi(ssid, point)

    def start(self, configuration):
        self.agent = self._make_agent(configuration, self.bus.environment, prefix=self.namespace.prefix).start()
        return self.agent

    def register(self, url, *words):
        """`--new` among the words: Home Assistant knows no place of an earlier test's device."""
        self.agent.register(url, self.ha.token, *words)
        device = self.agent.registration["device_id"]
        self.tracker = wait_for(lambda: self.ha.tracker_of(device), 20, "the tracker")

    @property
    def told(self):
        """What Home Assistant was told last, and how much was told so far."""
        return self.ha.state(self.tracker)["state"], self.agent.queue()["accepted"]

    @property
    def place(self):
        return self.agent.whole_status()["homes"][0]["known_place"]

    def wait_for_home(self):
        """The network alone shows home, and everybody knows."""
        wait_for(lambda: self.ha.state(self.tracker)["state"] == "home", 40, "home")
        assert self.place == {"state": "at", "name": "home", "evidence": "hardware", "network_travels": False}

    def reach(self, kind="instance"):
        """Home Assistant gives a receipt, by this way."""
        self.agent.homing("event", "--wait", "hello")
        used = next(each for each in self.agent.status()["endpoints"] if each["current"])
        assert used["kind"] == kind, self.agent.status()["endpoints"]

    def watch(self, seconds, told):
        """For some seconds no network is home, also not for a moment, and nothing new is told."""
        shown = self.agent.log_text().count("shows the place home")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            assert self.place["state"] == "unknown"
            time.sleep(1)
        assert self.agent.log_text().count("shows the place home") == shown
        assert self.told == told

    def wait_for_away(self, began, told):
        """Nothing is told for two minutes, then `not_home`, which also a receipt does not change."""
        self.watch(PATIENCE - 5 - (time.monotonic() - began), told)
        wait_for(lambda: self.ha.state(self.tracker)["state"] == "not_home", 40, "away")
        assert time.monotonic() - began > PATIENCE - 1
        self.reach()
        time.sleep(2)
        assert self.place == {"state": "away", "network_travels": False}
        assert self.told == ("not_home", told[1] + 1)


@pytest.fixture
def site(newest, bus, make_agent):
    site = Site(newest, bus, make_agent)
    yield site
    if site.agent and site.agent.alive:
        site.agent.kill()
    site.close()


def test_a_network_with_the_name_of_the_one_at_home_is_not_home(site):
    site.join("HomeNet", POINT, ROUTER)
    site.start(AWAY + NO_RECEIVER)
    site.register(site.front.url, "--new", "--home-network")
    site.wait_for_home()
    told = site.told

    # As long as the other router's hardware is not known, nothing is.
    began = time.time()
    site.join("HomeNet", OTHER_POINT, None, address=site.near.removesuffix("1") + "129")
    site.reach()
    assert site.agent.status()["network"]["at_home"], "by its name alone the network is the one at home"
    site.watch(3, told)
    known = time.monotonic()
    site.neighbour("wlan0", site.near, OTHER_ROUTER)
    site.wait_for_away(known, told)
    assert {state for _, state, _ in site.ha.history(site.tracker, began)} == {"not_home"}

    # Nothing but the hardware was wrong.
    site.join("HomeNet", POINT, ROUTER)
    site.wait_for_home()


def test_another_dock_with_the_same_cable_profile_is_not_home(site, bus):
    bus.addresses(site.far, site.near, wired=True)
    bus.wired(True)
    site.start(AWAY + NO_RECEIVER)
    site.register(site.front.url, "--new", "--home-network")
    site.wait_for_home()
    told = site.told

    bus.wired(False)
    began = time.time()
    site.neighbour("eth0", "10.99.0.1", OTHER_ROUTER)
    bus.addresses("10.99.0.7", "10.99.0.1", wired=True)
    plugged = time.monotonic()
    bus.wired(True)
    site.reach()
    assert site.agent.status()["network"]["at_home"], "by its profile alone the dock is the one at home"
    site.wait_for_away(plugged, told)
    assert {state for _, state, _ in site.ha.history(site.tracker, began)} == {"not_home"}

    bus.wired(False)
    bus.addresses(site.far, site.near, wired=True)
    bus.wired(True)
    site.wait_for_home()


class Clouds:
    """Home Assistant Cloud at a public address, which the café's router leads to."""

    def __init__(self, site):
        number = site.namespace.name.removeprefix(NAME)
        self.address = f"203.0.113.{int(number) + 1}"
        ip("address", "add", f"{self.address}/32", "dev", LINK + number)
        site.namespace.run("ip", "route", "add", "default", "via", site.near, check=True)
        self.certificates = Certificates((self.address,))
        self.cloudhook, self.remote_ui = (
            front(site.ha.port, self.certificates, host=self.address, hostname=self.address).start()
            for front in (Cloudhook, RemoteUI))

    def close(self):
        self.cloudhook.stop()
        self.remote_ui.stop()


@pytest.fixture
def clouds(site):
    clouds = Clouds(site)
    yield clouds
    clouds.close()


def test_a_cafe_in_which_the_machine_was_paired_through_the_cloud_is_not_home(site, clouds, newest):
    # The café's router is known, and the machine's end of each connection is on the café's network.
    site.join("Café", POINT, ROUTER)
    newest.cloud.offer(clouds.cloudhook.url, clouds.remote_ui.url)
    agent = site.start(f"{AWAY}ca_file = {clouds.certificates.ca}\n{NO_RECEIVER}")
    site.register(clouds.remote_ui.url, "--new")
    nothing = ("unknown", 0)
    assert site.told == nothing
    assert agent.status()["network"]["at_home"], "pairing takes the name of the network for the one at home"
    # The address that was given is a public one. After that comes the cloudhook.
    site.reach("instance")
    site.watch(GRACE + MARGIN, nothing)
    clouds.cloudhook.set_webhook(agent.registration["webhook_id"])
    clouds.remote_ui.mode("refuse")
    agent.kill()
    agent.start()
    site.reach("cloudhook")
    site.watch(GRACE + MARGIN, nothing)
    assert site.place == {"state": "unknown", "network_travels": False}

    # Were Home Assistant in the café, the café would be home.
    newest.cloud.withdraw()
    site.register(site.front.url, "--again")
    site.wait_for_home()


def drive_far_away(path, seconds=600):
    """A track that begins 1000 km from home and leads further away, at 20 m/s."""
    assert distance(FAR, HOME[1:3]) > 999_000
    start = datetime.datetime(2026, 11, 20, 12)
    with open(path, "w", newline="") as track:
        for second in range(seconds):
            track.write(epoch_sentences(start + datetime.timedelta(seconds=second), moved(FAR, -20 * second, 0),
                                        4.0, 3, 20.0, 180.0, 2.5, with_satellites=second % 5 == 0))
    return path


@pytest.fixture
def receiver(site):
    """A receiver that is not plugged in yet, at a gpsd on the machine."""
    with GPSD(prefix=site.namespace.prefix) as gps:
        gps.start(drive_far_away(gps.folder / "far.nmea"))
        gps.feed("unplug")
        yield gps


def test_a_vans_own_router_is_not_home_where_the_receiver_is_lost_1000_km_away(site, receiver):
    # In the carport Home Assistant is on the van's network, so the network is taken for home.
    site.join("Van", POINT, ROUTER)
    agent = site.start(f"{AWAY}[gpsd]\nport = {receiver.port}\n")
    site.register(site.front.url, "--new", "--home-network")
    site.wait_for_home()

    # Far away the receiver is believed, and what it sees for a minute marks the network.
    receiver.feed("plug")
    wait_for(lambda: site.ha.state(site.tracker)["state"] == "not_home", 30, "the first position")
    began = time.time()
    wait_for(lambda: site.place["network_travels"], 90, "the network to be known to travel")
    shown = site.ha.state(site.tracker)["attributes"]
    assert distance((shown["latitude"], shown["longitude"]), HOME[1:3]) > 990_000

    # The receiver is lost, and the router starts anew. Home Assistant is reached as in the carport.
    receiver.feed("unplug")
    site.join("Van", POINT, ROUTER)
    site.reach()
    told = site.told
    assert told[0] == "not_home"
    site.watch(DOUBT + MARGIN, told)
    assert site.place == {"state": "unknown", "network_travels": True}
    assert "a network travels with this machine" in agent.homing("status").stdout

    # The mark outlives the daemon, which comes up without any position.
    agent.kill()
    agent.start()
    site.reach()
    site.watch(GRACE + MARGIN, told)
    assert site.place == {"state": "unknown", "network_travels": True}
    assert {state for _, state, _ in site.ha.history(site.tracker, began)} <= {"not_home"}

    # Without the mark it would be home.
    agent.kill()
    (agent.home / "networks.json").unlink()
    agent.start()
    site.reach()
    site.wait_for_home()
