"""Who answers in Home Assistant's place: under a copied network name, or with addresses of their own."""

import json
import time

import pytest
from faults.flight import CONFIGURATION, Flight
from homing_rigs.faults.gpsd import FakeGPSD
from homing_rigs.faults.server import FaultServer, misdeeds
from homing_rigs.netns import Namespace
from homing_rigs.processes import wait_for

EVIL = {"cloudhook_url": "https://evil.example/hook", "remote_ui_url": "https://evil.example"}


def endpoint(agent, kind):
    return next(each for each in agent.status()["endpoints"] if each["kind"] == kind)


def send(agent):
    return "Delivered" in agent.homing("send-location", "--zone", "Work").stdout


@pytest.mark.parametrize("scheme, mode, problem", [
    ("https", "tls-wrong-name", "is for another name"), ("https", "tls-self-signed", "self-signed"),
    ("http", "portal-html", "not Home Assistant"), ("http", "empty-200", "")])
def test_a_stranger_under_our_networks_name_is_passed_over_for_the_cloud(
        scheme, mode, problem, newest, web, bus, make_agent):
    newest.cloud.offer(web.cloudhook.url, None)
    configuration = f"[home_assistant]\nca_file = {web.certificates.ca}\n[gpsd]\nenabled = false\n[home_network]\nssid = HomeNet\n"
    agent = make_agent(configuration, bus.environment).start()
    front = web.remote_ui if scheme == "https" else web.instance
    assert front.url.startswith(f"{scheme}://")
    agent.register(front.url, newest.token)
    web.cloudhook.set_webhook(agent.registration["webhook_id"])
    wait_for(lambda: endpoint(agent, "instance")["current"], 60, "the first session, at home")
    assert send(agent)
    front.mode(mode)
    # What was under way has ended with its connection.
    before = len(front.requests())
    assert send(agent), agent.log_text()[-2000:]
    assert endpoint(agent, "instance")["order"] == 1, "the name alone makes it home"
    assert endpoint(agent, "cloudhook")["current"]
    assert problem in endpoint(agent, "instance")["problem"]
    if scheme == "https":
        assert len(front.requests()) == before, "nothing is sent where the certificate is wrong"


@pytest.fixture
def flight(make_agent):
    """A daemon in flight before a played Home Assistant."""
    with FaultServer() as server, FakeGPSD() as gpsd:
        agent = make_agent(CONFIGURATION.format(gpsd=gpsd)).start()
        agent.register(server.url, server.token)
        yield Flight(agent, gpsd, server)


def clouds(agent):
    return {name: agent.registration.get(name) for name in EVIL}


def test_addresses_of_the_cloud_that_are_not_sealed_are_not_taken_over(flight):
    assert flight.send() == "delivered"
    before = clouds(flight.agent)
    body = json.dumps({**EVIL, "version": "2026.11.0", "components": ["mobile_app"], "entities": {}, "location_name": "x",
                       "latitude": 1, "longitude": 1, "elevation": 0, "unit_system": {}, "time_zone": "UTC"})
    asked = len(flight.server.exchanges)
    flight.server.misbehave(misdeeds.answer(200, body), on="get_config")
    flight.restart()
    assert flight.send() == "queued"
    assert "get_config" in [each.type for each in flight.server.exchanges[asked:]]
    assert clouds(flight.agent) == before
    # The same, sealed with our secret, is taken.
    flight.server.behave()
    flight.server.app.remote_ui_url = EVIL["remote_ui_url"]
    flight.restart()
    wait_for(lambda: clouds(flight.agent)["remote_ui_url"] == EVIL["remote_ui_url"], 60, "the address, sealed")


def test_an_address_of_the_cloud_without_https_is_never_used(flight):
    assert flight.send() == "delivered"
    with FaultServer() as stranger:
        flight.server.app.remote_ui_url = stranger.url
        flight.restart()
        wait_for(lambda: clouds(flight.agent)["remote_ui_url"] == stranger.url, 60, "the address")
        flight.server.stop()
        assert flight.send() == "queued"
        assert "plain HTTP" in endpoint(flight.agent, "remote_ui")["excluded"]
        assert stranger.connections == 0


@pytest.mark.skipif(not Namespace.possible(), reason="network namespaces need root")
def test_over_plain_http_nothing_registers_again_by_itself(make_agent):
    with Namespace() as island, FaultServer(host=island.near) as server, FakeGPSD(host=island.near) as gpsd:
        configuration = CONFIGURATION.format(gpsd=gpsd) + "[home_assistant]\nreregister = auto\n"
        agent = make_agent(configuration, prefix=tuple(island.prefix)).start()
        agent.register(server.url, server.token)
        flight = Flight(agent, gpsd, server)
        assert flight.send() == "delivered"
        registration = agent.registration
        registered = len(server.exchanges)
        server.app.delete(registration["webhook_id"])
        server.restart(0, 0, 0)
        assert flight.send() == "queued"
        wait_for(lambda: "gone" in flight.warnings(), 30, "the end of the registration to be known")
        time.sleep(3)
        after = server.exchanges[registered:]
        assert "/api/mobile_app/registrations" not in [each.request.path for each in after]
        assert agent.registration == registration and flight.queue()["queued"] == 1
        assert all(server.token not in f"{each.request.headers} {each.request.body}" for each in after)
