"""The recorder passes on what it sees, and finds what is not sealed."""

import base64
import http.client
import json

import pytest
from homing_rigs import recorder as rig
from homing_rigs import processes, sealed
from upstream import Upstream

SECRET = bytes(range(32)).hex()
# Of Home Assistant's contract: nonce bytes 0x40 to 0x57, the key above, an empty object.
EMPTY_OBJECT = "QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXg17aVUsfmrcgFZvvP1sYPjFq"


@pytest.fixture
def upstream():
    running = Upstream()
    yield running
    running.stop()


@pytest.fixture
def recorder(upstream, tmp_path):
    with rig.Recorder(upstream.port, file=tmp_path / "record.jsonl") as running:
        yield running


def post(connection, path, body, headers=None):
    connection.request("POST", path, body if isinstance(body, bytes) else json.dumps(body), headers or {})
    reply = connection.getresponse()
    return reply.status, reply.read()


def envelope(kind, data):
    return {"type": kind, "encrypted": True, "encrypted_data": sealed.seal(data, SECRET)}


def test_requests_pass_and_are_kept(recorder, upstream, tmp_path):
    client = http.client.HTTPConnection("127.0.0.1", recorder.port, timeout=20)
    for number in range(3):
        status, body = post(client, "/api/x", {"n": number}, {"Authorization": "Bearer t"})
        assert status == 200 and json.loads(body)["path"] == "/api/x"
    assert [json.loads(exchange.body)["n"] for exchange in recorder.exchanges] == [0, 1, 2]
    assert all(exchange.with_token and exchange.status == 200 for exchange in recorder.exchanges)
    assert len((tmp_path / "record.jsonl").read_text().splitlines()) == 3
    assert "Bearer" not in (tmp_path / "record.jsonl").read_text()
    assert not recorder.webhook_exchanges()


def test_a_chunked_request_passes(recorder):
    client = http.client.HTTPConnection("127.0.0.1", recorder.port, timeout=20)
    client.request("POST", "/api/x", iter([b'{"a"', b":1}"]), encode_chunked=True,
                   headers={"Transfer-Encoding": "chunked"})
    assert json.loads(client.getresponse().read())["body"] == '{"a":1}'


def test_without_upstream_it_hangs_up(tmp_path):
    with rig.Recorder(processes.free_port()) as recorder:
        client = http.client.HTTPConnection("127.0.0.1", recorder.port, timeout=20)
        with pytest.raises(OSError):
            post(client, "/api/webhook/a", {})
        assert recorder.exchanges[0].status is None


@pytest.mark.parametrize("body, wrong", [
    (envelope("get_config", {}), None),
    ({"type": "get_config", "data": {}}, "keys"),
    ({**envelope("get_config", {}), "data": {}}, "keys"),
    ({**envelope("get_config", {}), "encrypted": False}, "not sealed"),
    ({**envelope("get_config", {}), "type": "encrypted"}, "type"),
    ({**envelope("get_config", {}), "encrypted_data": "e30="}, "short"),
    ({**envelope("get_config", {}), "encrypted_data": EMPTY_OBJECT[:-1]}, "Base64"),
    ({**envelope("get_config", {}), "encrypted_data": EMPTY_OBJECT.replace("P", "_")}, "Base64"),
    (b"[]", "not an object"), (b"{", "not JSON"), (b"", "not JSON")])
def test_what_is_not_sealed_is_found(recorder, body, wrong):
    client = http.client.HTTPConnection("127.0.0.1", recorder.port, timeout=20)
    post(client, "/api/webhook/abc", body)
    post(client, "/hook/abc", body)
    found = recorder.sealed_violations()
    assert len(found) == (2 if wrong else 0)
    assert all(wrong in text for _, text in found)


def test_commands_are_opened(recorder, upstream):
    client = http.client.HTTPConnection("127.0.0.1", recorder.port, timeout=20)
    upstream.reply = b"{}"
    post(client, "/api/webhook/abc", envelope("update_location", {"gps": [1, 2]}))
    upstream.reply = json.dumps({"encrypted": True, "encrypted_data": sealed.seal({"v": 1}, SECRET)}).encode()
    post(client, "/api/webhook/abc", envelope("get_config", {}))
    upstream.reply = b""
    post(client, "/api/webhook/abc", envelope("scan_tag", {"tag_id": "t"}))
    opened = recorder.commands(SECRET)
    assert [(c.type, c.data, c.status, c.reply, c.problem) for c in opened] == [
        ("update_location", {"gps": [1, 2]}, 200, {}, None), ("get_config", {}, 200, {"v": 1}, None),
        ("scan_tag", {"tag_id": "t"}, 200, None, None)]
    assert all(command.problem for command in recorder.commands("00" * 32))


def test_the_known_ciphertext_opens():
    assert sealed.unseal(EMPTY_OBJECT, SECRET) == {}
    assert base64.b64decode(EMPTY_OBJECT)[:24] == bytes(range(0x40, 0x58))
