"""Each installed Home Assistant does what the tests of the agent rely on, through fronts and recorder."""

import http.client
import json
import ssl
import time
import urllib.error

import pytest
from homing_rigs import checker, ha_install, netns, recorder, sealed, web
from homing_rigs.home_assistant import HomeAssistant, available_versions
from homing_rigs.nmea_track import HOME, WORK

DEVICE = "rig-device"
PLACES = [(round(HOME.latitude + n * 1e-4, 6), HOME.longitude) for n in range(20)] + [(WORK.latitude, WORK.longitude)]


class Agent:
    """The least that can speak to mobile_app, sealed."""

    def __init__(self, ha):
        answer = ha.post("/api/mobile_app/registrations", {
            "device_id": DEVICE, "app_id": "rig", "app_name": "Rig", "app_version": "1", "device_name": "Rig Laptop",
            "manufacturer": "m", "model": "m", "os_name": "Linux", "os_version": "1", "supports_encryption": True,
            "app_data": {"push_websocket_channel": True}})
        self.webhook_id, self.secret = answer["webhook_id"], answer["secret"]

    def send(self, url, kind, data, context=None):
        """POST a sealed command; returns (status, opened reply, or None for no reply)."""
        host, path = url.split("/", 3)[2:]
        opened = (http.client.HTTPSConnection(host, timeout=30, context=context) if url.startswith("https")
                  else http.client.HTTPConnection(host, timeout=30))
        opened.request("POST", "/" + path, json.dumps(
            {"type": kind, "encrypted": True, "encrypted_data": sealed.seal(data, self.secret)}))
        reply = opened.getresponse()
        body = reply.read()
        opened.close()
        if not body:
            return reply.status, None
        content = json.loads(body)
        return reply.status, (sealed.unseal(content["encrypted_data"], self.secret) if content.get("encrypted")
                              else content)


class Scene:
    """Home Assistant, a recorder before it, the three fronts before that, and a registered agent."""

    def __init__(self, version):
        self.ha = HomeAssistant(version).start()
        self.recorder = recorder.Recorder(self.ha.port).start()
        self.web = web.Web(self.recorder.port).start()
        self.agent = Agent(self.ha)
        self.web.cloudhook.set_webhook(self.agent.webhook_id)
        self.context = ssl.create_default_context(cafile=self.web.certificates.ca)

    def send(self, front, kind, data):
        """Send through a front."""
        url = front.url if front is self.web.cloudhook else f"{front.url}/api/webhook/{self.agent.webhook_id}"
        return self.agent.send(url, kind, data, self.context)

    def stop(self):
        self.web.stop()
        self.recorder.stop()
        self.ha.stop()


@pytest.fixture(scope="module", params=available_versions() or [pytest.param(None, marks=pytest.mark.skip(
    reason="no Home Assistant is installed: python3 -m homing_rigs.home_assistant install 2024.3.3"))])
def scene(request):
    running = Scene(request.param)
    yield running
    running.stop()


def test_it_is_the_version_and_has_the_zones(scene):
    assert scene.ha.get("/api/config")["version"] == scene.ha.version
    zones = scene.ha.states("zone.")
    assert zones["zone.home"]["attributes"]["friendly_name"] == "Rig Home"
    place = zones["zone.work"]["attributes"]
    assert (place["latitude"], place["longitude"], place["radius"]) == WORK[1:]


def test_every_front_delivers(scene):
    for front in scene.web.fronts:
        status, reply = scene.send(front, "get_zones", {})
        assert status == 200 and {zone["entity_id"] for zone in reply} >= {"zone.home", "zone.work"}


def test_positions_reach_tracker_history_and_checker(scene):
    since = time.time()
    scene.recorder.forget()
    for latitude, longitude in PLACES:
        assert scene.send(scene.web.cloudhook, "update_location", {
            "gps": [latitude, longitude], "gps_accuracy": 5}) == (200, {})
    tracker = scene.ha.tracker_of(DEVICE)
    assert scene.ha.state(tracker)["state"] == "Work"
    history = scene.ha.history(tracker, since)
    assert [state for _, state, _ in history][-1] == "Work" and "home" in {state for _, state, _ in history}
    assert checker.history_differences(history, PLACES) == []
    assert not scene.recorder.sealed_violations()
    sent = [tuple(command.data["gps"]) for command in scene.recorder.commands(scene.agent.secret)
            if command.type == "update_location"]
    assert checker.judge([(n, *place) for n, place in enumerate(PLACES)], sent).clean


def test_events_are_collected_in_order(scene):
    with scene.ha.events("homing_test") as events:
        for number in range(10):
            scene.send(scene.web.instance, "fire_event", {"event_type": "homing_test", "event_data": {"n": number}})
        assert [event["data"]["n"] for event in events.wait(count=10)] == list(range(10))


def test_the_remote_ui_carries_websockets(scene):
    connection = http.client.HTTPSConnection("localhost", scene.web.remote_ui.port, context=scene.context, timeout=30)
    connection.request("GET", "/api/websocket", headers={
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="})
    reply = connection.getresponse()
    assert reply.status == 101
    assert b"auth_required" in reply.fp.read1(4096)


def test_a_disabled_registration_answers_nothing(scene):
    scene.ha.disable_entry(DEVICE)
    assert scene.ha.registration(DEVICE).disabled
    assert scene.send(scene.web.instance, "get_config", {}) == (200, None)
    scene.ha.enable_entry("Rig Laptop")
    assert scene.send(scene.web.instance, "get_config", {})[1]["version"] == scene.ha.version


def test_it_keeps_its_data_over_restart_and_kill(scene):
    tracker = scene.ha.tracker_of(DEVICE)
    for again in (scene.ha.restart, lambda: (scene.ha.kill(), scene.ha.start())):
        again()
        place = scene.ha.state(tracker)["attributes"]
        assert (place["latitude"], place["longitude"]) == PLACES[-1]


def test_another_secret_makes_the_key_wrong(scene):
    right = scene.ha.registration(DEVICE).secret
    assert right == scene.agent.secret
    scene.ha.set_registration_secret(DEVICE, "ab" * 32)
    assert scene.send(scene.web.instance, "get_config", {}) == (200, {})
    scene.ha.set_registration_secret(DEVICE, right)
    assert "version" in scene.send(scene.web.instance, "get_config", {})[1]


def test_deleted_is_silent_first_and_gone_after_a_restart(scene):
    backup = scene.ha.backup()
    scene.ha.delete_mobile_app(DEVICE)
    assert scene.ha.registrations() == []
    assert scene.send(scene.web.instance, "get_config", {}) == (200, None)
    scene.ha.restart()
    assert scene.send(scene.web.instance, "get_config", {}) == (410, None)
    scene.ha.restore(backup)
    assert "version" in scene.send(scene.web.instance, "get_config", {})[1]


def test_the_log_names_no_token(scene):
    assert scene.ha.token not in scene.ha.log_text()
    with pytest.raises(urllib.error.HTTPError):
        scene.ha.get("/api/no_such_thing")


@pytest.mark.skipif(not netns.Namespace.possible() or not available_versions(), reason="needs root")
def test_a_namespace_reaches_it():
    with netns.Namespace() as namespace, HomeAssistant(available_versions()[0], host=namespace.near) as ha:
        fetch = "import urllib.request as u, sys; print(u.urlopen(sys.argv[1], timeout=30).status)"
        assert namespace.run("/usr/bin/python3", "-c", fetch, f"{ha.url}/api/onboarding").stdout == "200\n"


def test_a_version_without_its_python_says_what_to_do(monkeypatch):
    monkeypatch.setattr(ha_install, "find_python", lambda wanted: None)
    with pytest.raises(ha_install.CannotInstall, match="needs Python 3.11"):
        ha_install.install("2024.3.2")
