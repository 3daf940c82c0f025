"""A laptop between a home whose router does not hairpin, a cafe with a portal, and nowhere; by real routes and names."""

import dataclasses
import json
import time

import pytest
from faults.flight import CONFIGURATION, Flight
from homing_rigs.faults.gpsd import FakeGPSD
from homing_rigs.faults.server import FaultServer, misdeeds
from homing_rigs.faults.tls import TLSFaults
from homing_rigs.netlab import CAFE, HOME, NetLab
from homing_rigs.processes import wait_for

pytestmark = pytest.mark.skipif(not NetLab.possible(), reason="network namespaces need root")


@pytest.fixture(scope="module")
def lab():
    with NetLab() as running:
        yield running


@pytest.fixture(scope="module")
def faults(lab):
    return TLSFaults((lab.name,))


@pytest.fixture
def trip(lab, faults, bus, make_agent):
    """A daemon on the laptop, at home: registered by the inner address, and with a way from outside."""
    lab.move("home")
    lab.portal(False)
    lab.internet()
    with FaultServer(host=HOME, port=8123, listener=lambda: lab.socket("home", HOME, 8123)) as server, \
            FakeGPSD(port=2947, listener=lambda: lab.socket("laptop", "127.0.0.1", 2947)) as gpsd:
        server.listen_too(lab.socket("home", HOME, 443), faults.context("right"))
        server.app.remote_ui_url = f"https://{lab.name}"
        trust = f"[home_assistant]\nca_file = {faults.certificates.ca}\n"
        agent = make_agent(CONFIGURATION.format(gpsd=gpsd) + trust, bus.environment, prefix=lab.prefix).start()
        agent.register(server.url, server.token)
        yield Trip(lab, bus, Flight(agent, gpsd, server))


class Trip:
    """The laptop with its network, as the cables and as NetworkManager see it."""

    def __init__(self, lab, bus, flight):
        self.lab, self.bus, self.flight = lab, bus, flight

    def go(self, where, connectivity="full"):
        """Be there; returns when the daemon believes it."""
        self.lab.move(where)
        self.bus.connectivity(connectivity)
        if where is None:
            self.bus.wifi_off()
        else:
            self.bus.wifi("HomeNet" if where == "home" else "Cafe", f"02:00:00:00:0{len(where)}:00")
        at_home = where == "home"
        wait_for(lambda: self.flight.status().get("atHome") == at_home, 30, f"to be {where}")

    def current(self):
        """The way in use."""
        return next((each["kind"] for each in self.flight.status()["endpoints"] if each["current"]), None)

    def failure(self, kind):
        """When this way failed last, and why."""
        way = next(each for each in self.flight.status()["endpoints"] if each["kind"] == kind)
        return way.get("lastFailure") or 0, way.get("problem") or ""


def test_at_home_and_away_it_takes_the_way_there_is(trip, count, measured):
    rounds = count(1, 25)
    for _ in range(rounds):
        trip.go("home")
        assert trip.flight.send() == "delivered" and trip.current() == "instance"
        trip.go("away")
        assert trip.flight.send() == "delivered" and trip.current() == "remote_ui"
        trip.go(None)
        assert trip.flight.send() == "queued"
    trip.go("home")
    trip.flight.wait_until_empty()
    trip.flight.assert_sound(duplicates=rounds)
    measured(f"{rounds} rounds of home, cafe and nowhere: each by its way, 0 lost")


def test_a_drive_through_all_of_them_loses_nothing(trip, chance, count, measured):
    moves = count(5, 120)
    trip.flight.stream(20)
    for _ in range(moves):
        trip.lab.internet(chance.choice([None, None, "drop", "reject", "reset", "loses a third"]))
        where = chance.choice(["home", "away", None])
        trip.lab.move(where)
        trip.bus.wifi_off() if where is None else trip.bus.wifi("HomeNet" if where == "home" else "Cafe")
        time.sleep(chance.uniform(0.3, 3.5))
        trip.flight.note_memory()
    trip.lab.internet()
    trip.go("home")
    trip.flight.gpsd.hold()
    trip.flight.send()
    wait_for(lambda: trip.flight.queue()["queued"] == 0, 90, "everything home")
    assert trip.flight.queue()["fates"]["rejected"] == 0
    trip.flight.assert_sound(duplicates=moves, growth=count(None, 1024))
    measured(f"{moves} moves over {trip.flight.queue()['accepted']} positions: 0 lost")


def test_at_home_the_outer_address_is_of_use_only_where_the_router_hairpins(trip, count):
    assert trip.flight.send() == "delivered"
    trip.lab.nft("home", 'add table inet f; table inet f { chain i { type filter hook input priority 0; '
                         'tcp dport 8123 reject with tcp reset; }; }')
    try:
        began = time.monotonic()
        assert trip.flight.send() == "queued"
        assert time.monotonic() - began < count(40, 25), "a router that swallows costs its ten seconds, not more"
        trip.lab.hairpin(True)
        assert trip.flight.send() == "delivered" and trip.current() == "remote_ui"
    finally:
        trip.lab.hairpin(False)
        trip.lab.nft("home", "delete table inet f")
    trip.flight.wait_until_empty()
    trip.flight.assert_sound(duplicates=1)


PORTALS = {"a page": misdeeds.CATALOGUE["portal"], "a redirect": misdeeds.redirect,
           "json of its own": misdeeds.CATALOGUE["json_not_ours"], "an empty object": lambda: misdeeds.answer(200, "{}"),
           "nothing": misdeeds.empty}


@pytest.mark.parametrize("told", [False, True], ids=["unknown to NetworkManager", "known to NetworkManager"])
def test_a_portal_gets_nothing_and_settles_nothing(told, trip, faults, count, measured):
    """It takes all names and all traffic, shows a certificate of its own (a man in the middle), and speaks plainly
    too. Where NetworkManager tells of it nobody is called; else each time, and the certificate is refused."""
    assert trip.flight.send() == "delivered"
    home = trip.flight.server
    with FaultServer(host=CAFE, port=443, tls=faults.context("another authority"),
                     listener=lambda: trip.lab.socket("internet", CAFE, 443)) as portal:
        portal.listen_too(trip.lab.socket("internet", CAFE, 8123))
        portal.listen_too(trip.lab.socket("internet", CAFE, 80))
        trip.lab.portal(True)
        trip.go("away", "portal" if told else "full")
        if told:
            wait_for(lambda: "portal" in trip.flight.warnings(), 30, "NetworkManager's word to be heard")
        at_home = len(home.exchanges)
        for kind, make in PORTALS.items():
            portal.behave()
            portal.misbehave(make())
            before, _ = trip.failure("remote_ui")
            assert trip.flight.send() == "queued", kind
            last, problem = trip.failure("remote_ui")
            if told:
                assert last == before, f"{kind}: it was called all the same: {problem}"
            else:
                assert last > before and "issuer that is not trusted" in problem, f"{kind}: {problem}"
        assert [each.request.path for each in portal.exchanges] == [], "not a request reached it"
        assert len(home.exchanges) == at_home
        trip.lab.portal(False)
    began = time.monotonic()
    if told:
        trip.bus.connectivity("full")
    else:
        trip.go("home")
    wait_for(lambda: trip.flight.queue()["queued"] == 0, 60, "what was kept")
    took = time.monotonic() - began
    assert took < count(30, 10)
    trip.flight.assert_sound()
    seen = "never called" if told else "its certificate refused each time"
    measured(f"{len(PORTALS)} answers of a portal, {seen}: 0 sent, 0 settled; "
             f"everything home {took:.1f} s after its end")


def test_a_portal_in_plain_http_settles_nothing(trip, measured):
    """With plain_http_away it is asked; what it learns is sealed."""
    text = trip.flight.agent.configuration.read_text()
    trip.flight.agent.configuration.write_text(text + "[home_assistant]\nplain_http_away = true\nuse_cloud = false\n")
    trip.flight.restart()
    assert trip.flight.send() == "delivered"
    with FaultServer(host=CAFE, port=8123, listener=lambda: trip.lab.socket("internet", CAFE, 8123)) as portal:
        portal.misbehave(misdeeds.redirect())
        trip.lab.portal(True)
        trip.go("away")
        for kind, make in PORTALS.items():
            portal.behave()
            portal.misbehave(make())
            asked = len(portal.exchanges)
            for _ in range(2):
                assert trip.flight.send() == "queued", kind
            assert len(portal.exchanges) > asked
        for each in portal.exchanges:
            assert b'"encrypted":true' in each.request.body and "authorization" not in each.request.headers
        trip.lab.portal(False)
    trip.go("home")
    trip.flight.wait_until_empty(60)
    trip.flight.assert_sound()
    measured(f"{len(PORTALS)} answers of a portal that was asked: 0 settled, nothing in the clear")


def test_somebody_elses_house_with_our_inner_address_gets_nothing(trip):
    """Half of all homes are 192.168.1.0: the inner URL, in plain HTTP, is for home alone."""
    assert trip.flight.send() == "delivered"
    trip.lab.stranger(HOME)
    with FaultServer(host=HOME, port=8123, listener=lambda: trip.lab.socket("internet", HOME, 8123)) as stranger:
        trip.lab.internet("reject")
        trip.go("away")
        assert trip.flight.send() == "queued"
        assert stranger.connections == 0
        trip.lab.internet()
        assert trip.flight.send() == "delivered" and trip.current() == "remote_ui"
        assert stranger.connections == 0
    trip.flight.wait_until_empty()
    trip.flight.assert_sound(duplicates=1)


def test_a_stranger_with_our_networks_name_and_our_inner_address_gets_no_token(trip):
    """It is believed to be home and asked in plain HTTP: what it gets is sealed. The channel for notifications has the
    token, and waits for a receipt that only our Home Assistant can give."""
    server, agent = trip.flight.server, trip.flight.agent
    agent.configuration.write_text(agent.configuration.read_text().replace("[push]\nmode = off", "[push]\nmode = always"))
    trip.flight.hang_up()
    agent.stop()
    registered = len(server.exchanges)
    agent.start()
    assert trip.flight.send() == "delivered" and trip.current() == "instance"
    wait_for(lambda: asked_for_a_socket(server.exchanges[registered:]), 60, "the channel, at home")
    trip.lab.stranger(HOME)
    with FaultServer(host=HOME, port=8123, listener=lambda: trip.lab.socket("internet", HOME, 8123)) as stranger:
        stranger.misbehave(misdeeds.redirect())
        trip.lab.internet("reject")
        trip.lab.move("away")
        trip.bus.wifi("HomeNet", "02:00:00:00:09:00")
        for kind, make in PORTALS.items():
            stranger.behave()
            stranger.misbehave(make())
            asked = len(stranger.exchanges)
            assert trip.flight.send() == "queued", kind
            assert len(stranger.exchanges) > asked, "it was asked"
        for each in stranger.exchanges:
            assert b'"encrypted":true' in each.request.body
            assert server.token not in f"{each.request.headers} {each.request.body}"
        assert not asked_for_a_socket(stranger.exchanges), "nor is the way opened by which the token would go"
        trip.lab.internet()
    trip.go("home")
    trip.flight.wait_until_empty(60)
    trip.flight.assert_sound()


def end_without_a_secret(trip):
    """End the daemon, and leave its registration as version 1 stored a registration without a secret; the next daemon
    takes notifications. Returns the registration."""
    agent = trip.flight.agent
    trip.flight.hang_up()
    agent.stop()
    stored = {name: value for name, value in agent.registration.items()
              if name not in ("secret", "sealed", "secret_fingerprint")}
    (agent.home / "registration.json").write_text(json.dumps({**stored, "version": 1}))
    text = agent.configuration.read_text()
    assert "[push]\nmode = off" in text
    agent.configuration.write_text(text.replace("[push]\nmode = off", "[push]\nmode = always"))
    return stored


def test_a_stranger_with_our_networks_name_gives_no_secret_to_a_registration_without_one(trip):
    """Nothing is sealed, so he can answer as ours does. He is not asked for a secret, and gets no token."""
    server, agent = trip.flight.server, trip.flight.agent
    stored = end_without_a_secret(trip)
    trip.lab.stranger(HOME)
    with FaultServer(host=HOME, port=8123, listener=lambda: trip.lab.socket("internet", HOME, 8123)) as stranger:
        known = server.app.by_webhook[stored["webhook_id"]]
        stranger.app.by_webhook[known.webhook_id] = dataclasses.replace(known, secret=None)
        trip.lab.internet("reject")
        trip.lab.move("away")
        trip.bus.wifi("HomeNet", "02:00:00:00:09:00")
        agent.start()
        trip.flight.send()
        wait_for(lambda: [each.type for each in stranger.exchanges].count("update_location") > 0, 30, "what is not sealed")
        time.sleep(3)
        assert "enable_encryption" not in [each.type for each in stranger.exchanges]
        assert not agent.registration.get("secret")
        assert not asked_for_a_socket(stranger.exchanges)
        for each in stranger.exchanges:
            assert server.token not in f"{each.request.headers} {each.request.body}"
        assert "unencrypted" in trip.flight.warnings()
        trip.lab.internet()


def test_a_secret_over_plain_http_is_for_a_person_to_confirm_and_opens_no_way_for_the_token(trip):
    server, agent = trip.flight.server, trip.flight.agent
    stored = end_without_a_secret(trip)
    server.app.by_webhook[stored["webhook_id"]].secret = server.app.remote_ui_url = None
    agent.start()
    registered = len(server.exchanges)
    assert trip.flight.send() == "delivered"
    unconfirmed = agent.homing("registration", "encrypt", check=False)
    assert unconfirmed.returncode == 64 and "plain HTTP" in unconfirmed.stderr and "--yes" in unconfirmed.stderr
    assert not agent.registration.get("secret")
    assert "over https only" in agent.homing("registration", "encrypt", "--yes").stdout
    assert agent.registration["secret"] and agent.registration["secret_over_plain_http"]
    assert trip.flight.send() == "delivered"
    assert "secret_unproven" in trip.flight.warnings()
    time.sleep(3)
    assert not asked_for_a_socket(server.exchanges[registered:])
    for each in server.exchanges[registered:]:
        assert server.token not in f"{each.request.headers} {each.request.body}"


def asked_for_a_socket(exchanges):
    return any(each.request.path == "/api/websocket" for each in exchanges)
