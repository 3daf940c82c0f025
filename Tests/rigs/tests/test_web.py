"""Every mode of every front breaks what it says, at once, also for a client that keeps its connection."""

import http.client
import json
import ssl
import time
import urllib.parse

import pytest
from homing_rigs import processes
from homing_rigs import web as rig
from upstream import Upstream

ARGUMENTS = {"slow": (0.4,), "429": (9,)}
STATUS = {"portal-html": 200, "portal-302": 302, "json-not-ours": 200, "empty-200": 200, "empty-object": 200,
          "ok": 200, "slow": 200, "client-certificate-required": 400}
TLS_WORDS = {"tls-expired": "expired", "tls-wrong-name": "mismatch", "tls-self-signed": "self-signed"}


@pytest.fixture(scope="module")
def web():
    upstream = Upstream()
    with rig.Web(upstream.port) as running:
        running.cloudhook.set_webhook("abc")
        yield running
    upstream.stop()


class Client:
    """A client of one front that keeps its connection."""

    def __init__(self, web, front, certificate=None, timeout=20):
        address = urllib.parse.urlsplit(front.url)
        if front.certificates:
            context = ssl.create_default_context(cafile=web.certificates.ca)
            if certificate:
                context.load_cert_chain(*certificate)
            self.connection = http.client.HTTPSConnection("localhost", address.port, timeout=timeout, context=context)
        else:
            self.connection = http.client.HTTPConnection("127.0.0.1", address.port, timeout=timeout)
        self.path = address.path or "/api/webhook/abc"

    def ask(self, method="POST"):
        """(status, headers, body)"""
        self.connection.request(method, self.path, b'{"a":1}')
        reply = self.connection.getresponse()
        return reply.status, reply.headers, reply.read()


@pytest.fixture(params=["cloudhook", "remote_ui", "instance"])
def front(request, web):
    chosen = getattr(web, request.param)
    chosen.mode("ok")
    yield chosen
    chosen.mode("ok")


def test_ok_reaches_home_assistant(web, front):
    status, _, body = Client(web, front).ask()
    assert status == 200
    assert json.loads(body) == {"path": "/api/webhook/abc", "body": '{"a":1}',
                                "forwarded": "203.0.113.7" if front.certificates else None}


@pytest.mark.parametrize("mode", sorted(set(rig.MODES) - {"refuse", "timeout", "freeze", "reset", *TLS_WORDS}))
def test_modes_that_answer(web, front, mode):
    if mode == "client-certificate-required" and not front.certificates:
        with pytest.raises(ValueError):
            front.mode(mode)
        return
    front.mode(mode, *ARGUMENTS.get(mode, ()))
    began = time.monotonic()
    status, headers, body = Client(web, front).ask()
    took = time.monotonic() - began
    assert status == STATUS.get(mode) or status == int(mode)
    assert took >= 0.4 or mode != "slow"
    assert headers.get("Retry-After") == ("9" if mode == "429" else None)
    expected = {"json-not-ours": b'{"hello":"world"}', "empty-200": b"", "empty-object": b"{}", "410": b""}
    assert body == expected.get(mode, body)


@pytest.mark.parametrize("mode, error", [("refuse", ConnectionRefusedError), ("timeout", TimeoutError),
                                         ("freeze", TimeoutError), ("reset", (ConnectionError, ssl.SSLError))])
def test_modes_that_do_not_answer(web, front, mode, error):
    front.mode(mode)
    with pytest.raises(error):
        Client(web, front, timeout=0.3 if error is TimeoutError else 20).ask()


@pytest.mark.parametrize("mode", sorted(TLS_WORDS))
def test_certificates_that_must_be_refused(web, front, mode):
    if not front.certificates:
        pytest.skip("plain HTTP")
    front.mode(mode)
    with pytest.raises(ssl.SSLCertVerificationError, match=TLS_WORDS[mode]):
        Client(web, front).ask()


def test_a_client_certificate_opens(web, front):
    if not front.certificates:
        pytest.skip("plain HTTP")
    front.mode("client-certificate-required")
    assert Client(web, front, web.certificates.client).ask()[0] == 200


def test_a_kept_connection_meets_the_new_mode(web, front):
    client = Client(web, front)
    assert client.ask()[0] == 200
    front.mode("503")
    try:
        status = client.ask()[0]
    except (http.client.RemoteDisconnected, OSError):
        client.connection.close()
        status = client.ask()[0]
    assert status == 503


def test_frozen_connections_thaw(web, front):
    client = Client(web, front)
    assert client.ask()[0] == 200
    front.mode("freeze")
    client.connection.sock.settimeout(0.3)
    with pytest.raises(TimeoutError):
        client.ask()
    front.mode("ok")
    client.connection.close()
    assert client.ask()[0] == 200


def test_a_reply_under_way_is_not_cut_by_ok(web):
    front = web.instance
    front.mode("slow", 0.05)
    client = Client(web, front)
    client.connection.request("POST", client.path, b"{}")
    time.sleep(0.03)
    front.mode("ok", cut=False)
    assert client.connection.getresponse().status == 200


def test_any_answer(web, front):
    front.answer(413, '{"a":1}', "application/json", {"X-Rig": "1"})
    status, headers, body = Client(web, front).ask()
    assert (status, body, headers["Content-Type"], headers["X-Rig"]) == (413, b'{"a":1}', "application/json", "1")


def test_requests_are_counted(web, front):
    # No other test asks by GET: what nginx writes late of their requests does not count.
    Client(web, front).ask("GET")
    front.mode("403")
    Client(web, front).ask("GET")
    processes.wait_for(lambda: [(each["room"], each["status"]) for each in front.requests() if each["method"] == "GET"]
                       == [("open", 200), ("canned", 403)], 10, "both in nginx's log, which it writes after its answer")


def test_a_cloudhook_is_one_webhook_and_nothing_else(web):
    client = Client(web, web.cloudhook)
    client.path = "/api/config"
    assert client.ask()[0] == 404
    web.cloudhook.set_webhook("another")
    client = Client(web, web.cloudhook)
    assert json.loads(client.ask()[2])["path"] == "/api/webhook/another"
