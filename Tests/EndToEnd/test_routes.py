"""Which endpoint a message takes, and what happens when an endpoint fails in each possible way."""

import time

import pytest
from homing_rigs.processes import wait_for

MODES = ["refuse", "timeout", "404", "503", "tls-expired", "portal-html", "empty-200"]
STRANGERS = ["portal-html", "portal-302", "json-not-ours", "empty-200", "empty-object", "401", "403", "404", "410",
             "500", "502"]


@pytest.fixture
def travelling(newest, recorder, web, bus, make_agent):
    """An agent registered at home with a cloud, whose three endpoints lead through the rig's fronts."""
    newest.cloud.offer(web.cloudhook.url, web.remote_ui.url)
    configuration = f"[home_assistant]\nca_file = {web.certificates.ca}\n[gpsd]\nenabled = false\n"
    agent = make_agent(configuration, bus.environment).start()
    agent.register(web.instance.url, newest.token)
    web.cloudhook.set_webhook(agent.registration["webhook_id"])
    wait_for(lambda: agent.status()["endpoints"][0]["current"], 60, "the first session, at home")
    # What a session asks by itself is asked now, and falls into no test.
    registration = agent.registration
    wait_for(lambda: {command.type for command in recorder.commands(registration["secret"], registration["webhook_id"])}
             >= {"get_config", "get_zones"}, 60, "the first questions")
    return agent


def current(agent):
    return next((endpoint["kind"] for endpoint in agent.status()["endpoints"] if endpoint["current"]), None)


def go(bus, agent, ssid, first):
    bus.wifi(ssid, "02:00:00:00:09:00")
    wait_for(lambda: any(e["order"] == 1 and e["kind"] == first for e in agent.status()["endpoints"]), 40,
             f"the way on {ssid}")


def send(agent, zone="Work"):
    done = agent.homing("send-location", "--zone", zone)
    return "Delivered" in done.stdout


def messages(front):
    """What was sent there. A front tells of a WebSocket when that is closed."""
    return [request for request in front.requests() if request["path"] != "/api/websocket"]


def test_the_way_follows_the_network_and_the_cloudhooks_health(newest, web, bus, travelling):
    agent = travelling
    assert send(agent) and current(agent) == "instance"
    go(bus, agent, "Cafe", "cloudhook")
    assert send(agent, "home") and current(agent) == "cloudhook"
    web.cloudhook.mode("503")
    assert send(agent) and current(agent) == "remote_ui"
    tracker = newest.tracker_of(agent.registration["device_id"])
    assert newest.state(tracker)["state"] == "Work"
    go(bus, agent, "HomeNet", "instance")
    assert send(agent, "home") and current(agent) == "instance"


@pytest.mark.parametrize("mode", MODES)
def test_each_failure_of_an_endpoint_leads_to_the_next_within_the_attempt(mode, web, bus, travelling):
    agent = travelling
    go(bus, agent, "Cafe", "cloudhook")
    web.cloudhook.mode(mode)
    assert send(agent), agent.log_text()[-2000:]
    assert current(agent) == "remote_ui"


def test_the_instance_comes_last_when_both_cloud_ways_fail(web, bus, travelling):
    agent = travelling
    go(bus, agent, "Cafe", "cloudhook")
    web.cloudhook.mode("tls-wrong-name")
    web.remote_ui.mode("refuse")
    assert send(agent) and current(agent) == "instance"


@pytest.mark.parametrize("mode", STRANGERS)
def test_a_stranger_at_the_address_moves_no_row_and_stops_nothing(mode, web, travelling):
    agent = travelling
    web.mode(mode)
    assert not send(agent)
    queue = agent.queue()
    assert queue["queued"] == 1 and sum(queue["fates"].values()) == 0, queue
    web.mode("ok")
    assert send(agent, "home")
    agent.wait_until_empty()
    assert agent.queue()["fates"]["rejected"] == 0


def test_a_proxy_that_wants_a_certificate_gets_the_configured_one(newest, web, bus, travelling):
    agent = travelling
    go(bus, agent, "Cafe", "cloudhook")
    web.mode("refuse")
    web.cloudhook.mode("client-certificate-required")
    assert not send(agent)
    pair = web.certificates.client
    agent.configuration.write_text(agent.configuration.read_text()
                                   + f"[home_assistant]\nclient_certificate = {pair.certificate}\n"
                                   f"client_key = {pair.key}\n")
    agent.signal(1)
    wait_for(lambda: "read again" in agent.log_text(), 20, "the reload")
    assert send(agent) and current(agent) == "cloudhook"


def silent(front, seconds=2):
    """Whether nginx writes down nothing for some seconds: it does so after its answer."""
    before = front.requests()
    time.sleep(seconds)
    return front.requests() == before


def test_a_portal_keeps_everything_and_its_end_is_noticed_at_once(web, bus, travelling):
    agent = travelling
    go(bus, agent, "Cafe", "cloudhook")
    assert send(agent)
    fronts = [web.instance, web.cloudhook, web.remote_ui]
    wait_for(lambda: all([silent(front) for front in fronts]), 30, "the lines to be quiet")
    before = [len(messages(front)) for front in fronts]
    bus.connectivity("portal")
    wait_for(lambda: "portal" in agent.status()["network"]["reason"], 30, "the portal")
    assert not send(agent)
    assert [len(messages(front)) for front in fronts] == before
    bus.connectivity("full")
    agent.wait_until_empty(20)


def test_behind_a_portal_at_home_the_instance_is_asked_and_nobody_else(bus, travelling):
    agent = travelling
    bus.connectivity("portal")
    wait_for(lambda: sum("login page" in each.get("excluded", "") for each in agent.status()["endpoints"]) == 2, 30,
             "the cloud to be left out")
    assert send(agent) and current(agent) == "instance"


def test_the_cloud_urls_go_when_the_subscription_ends(newest, bus, travelling):
    agent = travelling
    assert agent.registration["cloudhook_url"] and agent.registration["remote_ui_url"]
    newest.cloud.withdraw()
    agent.stop()
    agent.start()
    wait_for(lambda: agent.registration.get("remote_ui_url") is None, 60, "get_config")


def test_a_wrong_key_settles_nothing_and_the_status_says_so(newest, recorder, make_agent):
    agent = make_agent("[gpsd]\nenabled = false\n").start()
    agent.register(recorder.url, newest.token)
    assert send(agent)
    newest.set_registration_secret(agent.registration["device_id"], "ab" * 32)
    assert not send(agent, "home")
    queue = agent.queue()
    assert queue["queued"] == 1 and queue["fates"]["delivered_live"] == 1
    problem = next(e["problem"] for e in agent.status()["endpoints"] if e["kind"] == "instance")
    assert "could not decrypt" in problem
    agent.homing("register", "--again")
    agent.wait_until_empty()
