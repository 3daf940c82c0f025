"""The fault server misbehaves exactly as it was told, and keeps an honest record. (That it behaves as a real Home
Assistant otherwise is shown in Tests/EndToEnd/faults/test_conformance.py.)"""

import http.client
import json

import pytest
from homing_rigs import processes, sealed
from homing_rigs.faults import toxics
from homing_rigs.faults.server import FaultServer, Misdeed, control, misdeeds

DEVICE = {"app_id": "t", "app_name": "t", "app_version": "1", "device_name": "Van", "device_id": "van",
          "manufacturer": "x", "model": "x", "os_name": "Linux", "os_version": "1", "supports_encryption": True}
PLACE = {"gps": [52.0, 4.0], "gps_accuracy": 5}


class Client:
    """A registered client with one connection, kept as long as the server lets it."""

    def __init__(self, server):
        self.server = server
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        _, body = self.post("/api/mobile_app/registrations", DEVICE)
        self.registration = json.loads(body)
        self.path = "/api/webhook/" + self.registration["webhook_id"]

    def be_patient_for(self, seconds):
        """Until the connection ends."""
        self.connection.sock.settimeout(seconds)

    def post(self, path, content):
        try:
            self.connection.request("POST", path, json.dumps(content), {"Authorization": f"Bearer {self.server.token}"})
            reply = self.connection.getresponse()
            return reply.status, reply.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            raise

    def ask(self, kind, data):
        secret = self.registration["secret"]
        return self.post(self.path, {"type": kind, "encrypted": True, "encrypted_data": sealed.seal(data, secret)})

    def opened(self, kind, data):
        return sealed.unseal(json.loads(self.ask(kind, data)[1])["encrypted_data"], self.registration["secret"])

    def state(self):
        return self.opened("render_template", {"s": {"template": "{{states('device_tracker.van')}}"}})["s"]


@pytest.fixture
def server():
    with FaultServer() as running:
        yield running


@pytest.fixture
def client(server):
    return Client(server)


def test_it_behaves_when_nothing_else_is_asked(server, client):
    assert client.ask("update_location", PLACE) == (200, b"{}")
    assert server.live() == [(52.0, 4.0)] and client.state() == "not_home"
    assert client.ask("fire_event", {"event_type": "x", "event_data": {"a": 1}}) == (200, b"{}")
    assert server.events("x") == [{"a": 1}] and server.events("y") == []


@pytest.mark.parametrize("end, raised", [
    (toxics.ResetAt, (ConnectionResetError, http.client.IncompleteRead)),
    (toxics.CloseAt, (http.client.HTTPException, ConnectionResetError)), (toxics.StallAt, (TimeoutError,))])
@pytest.mark.parametrize("byte", [0, 10, 200])
def test_an_answer_is_spoilt_at_that_byte_and_yet_done(server, client, end, raised, byte):
    server.misbehave(misdeeds.spoilt(end(byte)), on="update_location", times=1)
    if end is toxics.StallAt:
        client.be_patient_for(0.5)
    with pytest.raises(raised):
        client.ask("update_location", PLACE)
    # The client may know before the server has come to write it down.
    exchange = processes.wait_for(lambda: server.performed("update_location")[0], 10, "it was done")
    processes.wait_for(lambda: exchange.cut, 10, "the answer was cut")
    assert exchange.sent == byte
    assert client.ask("update_location", PLACE)[0] == 200
    assert len(server.live()) == 2


def test_not_done_and_twice(server, client):
    server.misbehave(misdeeds.not_done(), on="update_location", times=1)
    assert client.ask("update_location", PLACE) == (200, b"{}")
    assert server.live() == [] and client.state() == "unknown"
    server.misbehave(misdeeds.twice(), times=1)
    client.ask("update_location", PLACE)
    assert server.live() == [(52.0, 4.0)] * 2


def test_plans_count_their_own_requests_only(server, client):
    plan = server.misbehave(misdeeds.answer(500), on="get_zones", skip=1, times=2)
    statuses = [client.ask(kind, {})[0] for kind in ["get_zones", "get_config", "get_zones", "get_zones", "get_zones"]]
    assert statuses == [200, 200, 500, 500, 200] and plan.met == 2
    now = 1000.0
    server.clock = lambda: now
    server.misbehave(misdeeds.answer(500), seconds=5)
    now = 1004.9
    assert client.ask("get_zones", {})[0] == 500
    now = 1005.0
    assert client.ask("get_zones", {})[0] == 200
    server.misbehave(misdeeds.answer(500))
    server.behave()
    assert client.ask("get_zones", {})[0] == 200


def test_strangers_keys_shapes_and_old_answers(server, client):
    for misdeed in (misdeeds.wrong_key(), misdeeds.wrong_shape("x"), misdeeds.played_back()):
        first = client.opened("render_template", {"a": {"template": "1"}})
        server.misbehave(misdeed, on="render_template", times=2)
        if misdeed.reply.__qualname__.startswith("wrong_key"):
            with pytest.raises(ValueError):
                client.opened("render_template", {"a": {"template": "2"}})
        else:
            client.opened("render_template", {"a": {"template": "1"}})
            assert client.opened("render_template", {"a": {"template": "2"}}) in ("x", first)
        server.behave()


@pytest.mark.parametrize("kind", ["body", "unannounced", "chunks", "headers", "line"])
def test_an_endless_answer_goes_on_until_the_client_hangs_up(server, client, kind):
    server.misbehave(misdeeds.endless(kind), times=1)
    client.connection.request("POST", client.path, b"{}")
    there = client.connection.sock
    got = 0
    while got < 3_000_000:
        got += len(there.recv(1 << 20))
    there.close()
    client.connection.close()
    assert client.ask("get_zones", {})[0] == 200


def test_hooks_run_before_the_answer_and_after_it(server, client):
    seen = []
    server.misbehave(Misdeed(before=lambda each: seen.append(("before", each.sent)),
                             after=lambda each: seen.append(("after", each.sent > 0))), times=1)
    client.ask("get_zones", {})
    # The client has the last byte before the server comes to the hook that tells of it.
    processes.wait_for(lambda: len(seen) == 2, 10, "both hooks were called")
    assert seen == [("before", 0), ("after", True)]


def test_a_restart_has_the_windows_of_a_real_one(server, client):
    client.ask("update_location", {"location_name": "Work"})
    server.stop()
    client.connection.close()
    with pytest.raises(ConnectionRefusedError):
        client.ask("get_zones", {})
    server.app.restart()
    server.app.set_up = server.app.tracker_loaded = False
    server.start()
    assert client.ask("get_zones", {}) == (200, b"")
    server.app.set_up = True
    assert "mobile_app.device_tracker" not in client.opened("get_config", {})["components"]
    assert client.ask("update_location", PLACE) == (200, b"{}")
    assert server.live() == ["Work"] and client.state() == "unavailable"
    server.app.tracker_loaded = True
    assert client.state() == "Work", "what was told before the restart"


def test_a_deleted_registration_is_gone_after_a_restart_only(server, client):
    server.app.delete(client.registration["webhook_id"])
    assert client.ask("get_zones", {}) == (200, b"")
    server.app.restart()
    assert client.ask("get_zones", {}) == (410, b"")


def test_the_control_port_obeys(server, client):
    with control.Control(server) as door:

        def tell(method, path, content=None):
            connection = http.client.HTTPConnection("127.0.0.1", door.port, timeout=20)
            connection.request(method, path, content and json.dumps(content))
            reply = connection.getresponse()
            return reply.status, json.loads(reply.read())

        assert tell("POST", "/misbehave", {"do": "retry_after", "with": [429, 7], "on": "get_zones"}) == (200, {})
        assert client.ask("get_zones", {})[0] == 429
        spoilt = {"do": "spoilt", "with": ["latency 0.01", "reset_at 3"], "times": 1}
        assert tell("POST", "/misbehave", spoilt)[0] == 200
        with pytest.raises((OSError, http.client.HTTPException)):
            client.ask("get_zones", {})
        assert tell("POST", "/behave") == (200, {})
        assert client.ask("update_location", PLACE)[0] == 200
        assert tell("GET", "/live") == (200, [[52.0, 4.0]])
        assert tell("GET", "/exchanges")[1][-1]["type"] == "update_location"
        status, content = tell("POST", "/misbehave", {"do": "nothing of that name"})
        assert status == 400 and "lost_answer" in content["misdeeds"]
        assert tell("POST", "/restart", {"down": 0, "empty": 0, "trackerless": 0}) == (200, {})
