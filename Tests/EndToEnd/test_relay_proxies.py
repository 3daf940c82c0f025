"""packaging/examples/nginx-relay.conf and packaging/examples/Caddyfile-relay as they stand there, before a real relay."""

import asyncio
import contextlib
import http.client
import json
import re
import signal
import socket
import ssl
import time

import pytest
from homing_rigs.processes import wait_for
from homing_rigs.relay_device import RelayDevice
from homing_rigs.relay_posts import Poster
from relay_program import RelayProgram
from relay_proxies import PROXIES, Nginx
from test_notifications import notify, push
from test_relay import AWAY, told

PUSH = "/v1/push"
JSON = {"Content-Type": "application/json"}


@contextlib.contextmanager
def before_a_relay(kind, **sections):
    """The proxy before a relay, which is its `relay`."""
    relay = RelayProgram()
    with kind(relay.port) as proxy:
        relay.write(listen={"trusted_proxies": "127.0.0.1", "public_url": proxy.url}, **sections)
        with relay:
            proxy.relay = relay
            yield proxy


@pytest.fixture(params=PROXIES, ids=lambda proxy: proxy.__name__)
def proxy(request):
    with before_a_relay(request.param) as proxy:
        yield proxy


def ask(url, method, path, body=b"", headers=JSON, ca=None, host=None):
    """Status, fields and body of an answer."""
    port = int(url.rsplit(":", 1)[1])
    context = ssl.create_default_context(cafile=ca) if url.startswith("https") else None
    connection = (http.client.HTTPSConnection("localhost", port, timeout=20, context=context) if context
                  else http.client.HTTPConnection("localhost", port, timeout=20))
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def readable(answer, status):
    """Whether Home Assistant reads it: JSON with a message, and no redirect."""
    code, headers, body = answer
    assert code == status, answer
    assert headers["Content-Type"].split(";")[0] == "application/json", answer
    assert json.loads(body)["message"] == json.loads(body)["errorMessage"] != ""
    assert "Location" not in headers
    return True


def test_a_notification_goes_through_the_proxy_to_a_device_that_waits_behind_it(newest, desktop, make_agent, proxy):
    agent = make_agent(f"[home_assistant]\nca_file = {proxy.ca}\n{AWAY}", desktop.environment).start()
    agent.register(newest.local_url, newest.token)
    agent.homing("relay", "join", proxy.url, "-", input=proxy.relay.invite())
    wait_for(lambda: told(newest, agent).get("push_url") == f"{proxy.url}{PUSH}", 20, "Home Assistant to be told")
    wait_for(lambda: push(agent)["relay"]["state"] == "held", 20, "the relay's socket")
    body = json.dumps({"message": "text", "title": "Door", "push_token": told(newest, agent)["push_token"],
                       "registration_info": {"webhook_id": agent.registration["webhook_id"]}}).encode()
    status, _, answer = ask(proxy.url, "POST", PUSH, body, ca=proxy.ca)
    assert status == 201 and json.loads(answer)["rateLimits"]["successful"] == 1
    desktop.wait_for("Door")
    # The address of the sender, not the proxy's: whoever comes by the proxy is a client of its own.
    assert "problems" not in proxy.relay.run("check").stdout
    assert "not in" not in proxy.relay.log_text()
    # A device says nothing for minutes; the proxy must not end that.
    time.sleep(3)
    assert push(agent)["relay"]["state"] == "held"


def test_each_error_of_the_proxy_itself_is_json(proxy):
    big = json.dumps({"message": "x" * 300_000, "push_token": "x"}).encode()
    refused = ask(proxy.url, "POST", PUSH, big, ca=proxy.ca)
    assert readable(refused, 413) and "errorType" not in json.loads(refused[2]), "the proxy's own words"
    middle = json.dumps({"message": "x" * 100_000, "push_token": "x"}).encode()
    status, _, body = ask(proxy.url, "POST", PUSH, middle, ca=proxy.ca)
    assert status == 413 and json.loads(body)["errorType"] == "PayloadTooLarge", "the relay's own words"
    assert readable(ask(proxy.url, "POST", "/nowhere", b"{}", ca=proxy.ca), 404)
    assert readable(ask(proxy.url, "GET", PUSH, ca=proxy.ca), 405)
    proxy.relay.stop()
    assert readable(ask(proxy.url, "POST", PUSH, b"{}", ca=proxy.ca), 502)


def test_nginx_answers_in_json_what_is_not_by_https_or_has_no_head_that_it_reads():
    with Nginx(upstream=9) as proxy:
        plain = http.client.HTTPConnection("localhost", proxy.port, timeout=20)
        plain.request("POST", PUSH, b"{}", JSON)
        for answer in (plain.getresponse(), answer_to(proxy, b"POST /v1/push HTTP/1.1\r\nX: " + b"x" * 9000 + b"\r\n\r\n"),
                       answer_to(proxy, b"POST /v1/push HTTP/3.1\r\n\r\n")):
            assert readable((answer.status, answer.headers, answer.read()), 505 if answer.status == 505 else 400)


def answer_to(proxy, head):
    """The answer to a head, by https."""
    wire = ssl.create_default_context(cafile=proxy.ca).wrap_socket(
        socket.create_connection(("localhost", proxy.port), timeout=20), server_hostname="localhost")
    wire.sendall(head)
    answer = http.client.HTTPResponse(wire)
    answer.begin()
    return answer


@pytest.mark.parametrize("kind", PROXIES, ids=lambda proxy: proxy.__name__)
def test_a_relay_that_stands_still_is_told_in_time_and_a_silent_device_keeps_its_socket(kind):
    """Home Assistant waits for 10 s."""
    async def main(proxy):
        trust = ssl.create_default_context(cafile=proxy.ca)
        device, poster = RelayDevice(proxy.port, tls=trust), Poster(proxy.port, tls=trust)
        await device.join()
        device.start()
        await asyncio.wait_for(device.is_attending.wait(), 10)
        proxy.relay.signal(signal.SIGSTOP)
        status, answer = await poster.post({"message": "Meanwhile", "push_token": device.token})
        assert status == 504 and "in time" in answer["message"]
        await asyncio.sleep(2)
        proxy.relay.signal(signal.SIGCONT)
        status, _ = await poster.post({"message": "After", "push_token": device.token})
        assert status == 201
        while "After" not in device.shown.values():
            device.must_live()
            await asyncio.sleep(0.02)
        assert device.connections == 1
        poster.close()
        await device.stop()

    with before_a_relay(kind, join={"mode": "open"}) as proxy:
        asyncio.run(asyncio.wait_for(main(proxy), 60))


def test_a_push_by_http_is_refused_in_json_and_never_redirected(proxy):
    for path in (PUSH, "/", "/v1/join"):
        answer = ask(proxy.plain, "POST", path, b'{"push_token":"x"}')
        assert readable(answer, 403) and b"https" in answer[2]


def test_the_relay_counts_each_client_of_the_proxy_by_its_own_address(proxy):
    """Thirty bad tokens of one client do not shut out another, though both come by the proxy."""
    bad = b'{"push_token":"x"}'
    statuses = [ask(proxy.url, "POST", PUSH, bad, {**JSON, "X-Forwarded-For": f"192.0.2.{number}"}, ca=proxy.ca)[0]
                for number in range(33)]
    assert statuses[:30] == [403] * 30 and statuses[-1] == 429, "a client cannot make up another address"
    if proxy.__class__.__name__ == "Nginx":
        assert by_ipv6(proxy, bad) == 403


def by_ipv6(proxy, body):
    """The status for a client of another address."""
    context = ssl.create_default_context(cafile=proxy.ca)
    with socket.create_connection(("::1", proxy.port), timeout=20) as plain:
        with context.wrap_socket(plain, server_hostname="localhost") as wire:
            wire.sendall(b"POST /v1/push HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                         b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(body) + body)
            return int(wire.recv(64).split()[1])


@pytest.mark.ends
def test_home_assistant_reads_the_answers_of_the_proxy_without_a_traceback(ha, desktop, make_agent, proxy):
    agent = make_agent(f"[home_assistant]\nca_file = {proxy.ca}\n{AWAY}", desktop.environment).start()
    agent.register(ha.local_url, ha.token)
    # By http, as Home Assistant does not trust the test's certificate: the proxy refuses, in JSON.
    proxy.relay.stop()
    proxy.relay.write(listen={"trusted_proxies": "127.0.0.1", "public_url": proxy.plain})
    proxy.relay.start()
    agent.homing("relay", "join", proxy.url, "-", input=proxy.relay.invite())
    wait_for(lambda: told(ha, agent).get("push_url") == f"{proxy.plain}{PUSH}", 20, "Home Assistant to be told")
    before = len(ha.log_text())
    notify(ha, agent, "text", "Refused")

    def log():
        return ha.log_text()[before:]
    if tuple(map(int, ha.version.split("."))) < (2026, 5):  # later ones keep the words to themselves
        wait_for(lambda: re.search(r"reached by https", log()), 10, "Home Assistant to log the refusal")
    assert "Traceback" not in log() and "JSON" not in log()
