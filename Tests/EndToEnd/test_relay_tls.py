"""The relay's own TLS: a real Home Assistant, the real daemon, openssl and Python's TLS as clients."""

import collections
import contextlib
import json
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import ssl
import subprocess
import time

import pytest
from conftest import VERSIONS
from homing_rigs.certificates import Certificates
from homing_rigs.home_assistant import HomeAssistant
from homing_rigs.ports import free_port
from homing_rigs.processes import temporary_folder, wait_for
from relay_program import RelayProgram
from test_notifications import notify, push
from test_relay import AWAY, told
from own_process import as_root

UPGRADE = ("GET /v1/mailbox HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer {}\r\n\r\n")


class SecureRelay(RelayProgram):
    """A relay that speaks TLS at `tls_port`, with a certificate of `authority`."""

    def __init__(self, **sections):
        self.authority = Certificates()
        self.tls_port = free_port()
        self.pair = temporary_folder("relay-tls")
        self.certificate, self.key = self.pair / "fullchain.pem", self.pair / "privkey.pem"
        self.install(self.authority)
        super().__init__(**sections)
        self.url = f"https://localhost:{self.tls_port}"
        self.push_url = f"{self.url}/v1/push"
        self.write(**sections)

    def install(self, authority, name="server"):
        """As certbot renews: each file is replaced."""
        pair = getattr(authority, name)
        for source, target in ((pair.certificate, self.certificate), (pair.key, self.key)):
            new = target.with_suffix(".new")
            shutil.copy(source, new)
            new.chmod(0o600)
            new.rename(target)

    def write(self, **sections):
        listen = {"tls_address": f"127.0.0.1:{self.tls_port}", "tls_certificate": self.certificate, "tls_key": self.key,
                  **sections.pop("listen", {})}
        super().write(listen=listen, **sections)

    def connect(self, ca=None, **options):
        """A connection of TLS."""
        context = ssl.create_default_context(cafile=ca or self.authority.ca)
        for name, value in options.items():
            setattr(context, name, value)
        return context.wrap_socket(socket.create_connection(("127.0.0.1", self.tls_port), timeout=30),
                                   server_hostname="localhost")


@pytest.fixture
def relay():
    with SecureRelay() as relay:
        yield relay


def request(body, more="", path="/v1/push"):
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{more}"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def answer(wire):
    """Status and JSON of the next answer."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = wire.recv(1)
        assert byte, f"the relay ended the connection: {head}"
        head += byte
    size = int(next(line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")))
    body = b""
    while len(body) < size:
        body += wire.recv(size - len(body))
    return int(head.split()[1]), json.loads(body)


def joined(agent, home_assistant, relay):
    """An agent that Home Assistant reaches by the relay; gives its token."""
    agent.start()
    agent.register(home_assistant.local_url, home_assistant.token)
    agent.homing("relay", "join", relay.url, "-", input=relay.invite())
    wait_for(lambda: told(home_assistant, agent).get("push_url") == relay.push_url, 20, "Home Assistant to be told")
    wait_for(lambda: push(agent)["relay"]["state"] == "held", 20, "the relay's socket")
    return told(home_assistant, agent)["push_token"]


def configuration(relay):
    return f"[home_assistant]\nca_file = {relay.authority.ca}\n{AWAY}"


@pytest.mark.parametrize("version", [VERSIONS[0], VERSIONS[-1]])
def test_a_real_home_assistant_reaches_a_device_over_tls(version, desktop, make_agent, relay, monkeypatch):
    folder = temporary_folder(f"ha-tls-{version}")
    bundle = folder / "bundle.pem"
    shutil.copy(relay.authority.ca, bundle)
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(bundle))
    with HomeAssistant(version, config_dir=folder) as home_assistant:
        agent = make_agent(configuration(relay), desktop.environment)
        joined(agent, home_assistant, relay)
        before = len(home_assistant.log_text())
        notify(home_assistant, agent, "over TLS", "Door")
        desktop.wait_for("Door")
        wait_for(lambda: relay.waiting() == 0, 10, "the device to acknowledge")
        # The relay ends while Home Assistant keeps its connection, and comes back: the next is taken again.
        relay.stop()
        relay.start()
        notify(home_assistant, agent, "again", "Window")
        assert relay.status()["posts"]["accepted"] == 1
        assert "Traceback" not in home_assistant.log_text()[before:]
        # Devices come back within a minute of a restart.
        wait_for(lambda: relay.waiting() == 0, 90, "the device to come back")
        desktop.wait_for("Window")


def test_a_device_that_joins_by_tls_is_told_an_address_with_https(newest, desktop, make_agent):
    with SecureRelay(listen={"public_url": ""}) as relay:
        joined(make_agent(configuration(relay), desktop.environment), newest, relay)
        assert relay.push_url.startswith("https://localhost:")


def test_openssl_sees_tls_1_2_and_1_3_with_the_whole_certificate(relay):
    for version, works in (("-tls1_3", True), ("-tls1_2", True), ("-tls1_1", False)):
        done = subprocess.run(
            ["openssl", "s_client", "-connect", f"127.0.0.1:{relay.tls_port}", "-servername", "localhost", "-CAfile",
             relay.authority.ca, "-verify_return_error", "-cipher", "DEFAULT@SECLEVEL=0", version],
            input="", capture_output=True, text=True, timeout=30)
        assert (done.returncode == 0 and "Verify return code: 0 (ok)" in done.stdout) == works, done.stdout + done.stderr


def test_http_on_the_port_of_tls_is_told_so_in_json(relay):
    with socket.create_connection(("127.0.0.1", relay.tls_port), timeout=20) as wire:
        wire.sendall(request(b"{}"))
        status, body = answer(wire)
        assert status == 400 and "https" in body["message"]


def test_requests_of_any_shape_arrive_whole(relay):
    token = {"push_token": "x"}
    large = json.dumps({**token, "message": "x" * 60_000}).encode()
    too_large = json.dumps({**token, "message": "x" * 200_000}).encode()
    with relay.connect() as wire:
        # Byte by byte, so that each is a record of its own.
        for byte in request(b'{"push_token":"x"}'):
            wire.sendall(bytes([byte]))
        assert answer(wire)[1]["errorType"] == "InvalidToken"
        # Several in one piece, and one over many records.
        wire.sendall(request(b"{}") + request(b"[]") + request(large))
        assert [answer(wire)[1]["errorType"] for _ in range(3)] == ["NoToken", "NotAnObject", "InvalidToken"]
        wire.sendall(request(too_large))
        assert answer(wire)[0] == 413


def test_slow_clients_are_ended_and_told_so(relay):
    with relay.connect() as wire, socket.create_connection(("127.0.0.1", relay.tls_port)) as silent:
        wire.sendall(request(b"{}", more="X-More: 1\r\n")[:-1])
        silent.sendall(b"\x16\x03\x01")
        silent.settimeout(20)
        began = time.monotonic()
        assert answer(wire)[0] == 408
        assert silent.recv(1) == b""
        assert 8 < time.monotonic() - began < 16


def test_a_renewed_certificate_is_shown_without_a_restart_and_sockets_stay(newest, desktop, make_agent, relay):
    agent = make_agent(configuration(relay), desktop.environment)
    joined(agent, newest, relay)
    other = Certificates()
    first = ssl.get_server_certificate(("127.0.0.1", relay.tls_port))
    # Half of a renewal is no pair: what there was stays.
    shutil.copy(other.server.key, relay.key)
    relay.key.chmod(0o600)
    os.kill(relay.pid, signal.SIGHUP)
    wait_for(lambda: "stays in use" in relay.log_text(), 10, "the warning")
    assert ssl.get_server_certificate(("127.0.0.1", relay.tls_port)) == first
    assert "was not replaced" in relay.run("check", check=False).stdout
    relay.install(other)
    os.kill(relay.pid, signal.SIGHUP)
    wait_for(lambda: ssl.get_server_certificate(("127.0.0.1", relay.tls_port)) != first, 10, "the new certificate")
    assert "The relay runs." in relay.run("check").stdout
    with pytest.raises(ssl.SSLCertVerificationError):
        relay.connect()
    relay.connect(ca=other.ca).close()
    status = relay.status()
    assert status["connections"]["devices"] == 1, "the socket of before goes on"
    assert push(agent)["relay"]["state"] == "held"


def test_a_file_that_changes_is_read_by_itself(relay):
    first = ssl.get_server_certificate(("127.0.0.1", relay.tls_port))
    relay.install(Certificates())
    wait_for(lambda: ssl.get_server_certificate(("127.0.0.1", relay.tls_port)) != first, 75, "the new certificate")


def test_a_certificate_that_ends_soon_is_warned_of(relay):
    relay.install(relay.authority, "expired")
    os.kill(relay.pid, signal.SIGHUP)
    wait_for(lambda: "read again" in relay.log_text(), 10, "the certificate")
    assert "The certificate ends at 2020-02-01" in relay.run("check", check=False).stdout


def test_a_relay_without_a_pair_does_not_start():
    relay = SecureRelay()
    shutil.copy(relay.authority.client.key, relay.key)
    relay.run("init")
    done = subprocess.run(relay._words("serve"), env=relay.environment, capture_output=True, text=True, timeout=30)
    assert done.returncode == 1 and "cannot be used" in done.stderr


@as_root
def test_many_idle_sockets_cost_little_and_go_without_a_trace(newest, desktop, make_agent):
    with SecureRelay(limits={"per_address": 2000}) as relay:
        agent = make_agent(configuration(relay), desktop.environment)
        token = joined(agent, newest, relay)
        # A device that connects meanwhile would be counted.
        agent.stop()
        wait_for(lambda: relay.status()["connections"]["sockets"] == 0, 20, "the device to be gone")
        start = settled(relay.pid)
        for wire in [upgraded(relay, token) for _ in range(20)]:
            wire.close()
        wait_for(lambda: count(relay.pid) <= start, 20, "the descriptors to be closed")
        before, descriptors = memory(relay.pid), count(relay.pid)
        wires = [upgraded(relay, token) for _ in range(300)]
        each = (memory(relay.pid) - before) / 300
        assert count(relay.pid) - descriptors == 300, "one descriptor each"
        for wire in wires:
            wire.close()
        wait_for(lambda: count(relay.pid) <= descriptors + 1, 20, "the descriptors to be closed")
        print(f"idle WebSocket within TLS: {each:.1f} KiB")
        assert each < 32


def upgraded(relay, token):
    """A WebSocket that has not proved its key, and reads the relay's greeting."""
    wire = relay.connect()
    wire.sendall(UPGRADE.format(token).encode())
    text = b""
    while b"hello" not in text and b"challenge" not in text:
        piece = wire.recv(4096)
        assert piece, text
        text += piece
    assert text.startswith(b"HTTP/1.1 101")
    return wire


def memory(pid):
    """KiB."""
    return int(next(line for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
                    if line.startswith("VmRSS")).split()[1])


def count(pid):
    return len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir()))


def settled(pid):
    """The number of descriptors, once all that ended are closed: the same number for a second."""
    def same():
        number = count(pid)
        time.sleep(1)
        return number if count(pid) == number else None
    return wait_for(same, 20, "the descriptors to be closed")


class LateReader:
    """A client of TLS that sends all it has, and reads when asked for an answer. One thread does both: OpenSSL lets no two use
    a session, and a reader beside a writer sees the connection end where it has not."""

    def __init__(self, wire, data):
        self._wire, self._unsent, self._received, self._read = wire, memoryview(data), bytearray(), 0
        wire.setblocking(False)

    def send_until_nothing_moves(self):
        """The number of bytes that are left."""
        while select.select([], [self._wire], [], 1)[1]:
            self._send()
        return len(self._unsent)

    def next_answer(self):
        """Its JSON."""
        while True:
            end = self._received.find(b"\r\n\r\n", self._read)
            if end >= 0:
                size = int(re.search(rb"content-length: *(\d+)", self._received[self._read:end].lower())[1])
                body = self._received[end + 4:end + 4 + size]
                if len(body) == size:
                    self._read = end + 4 + size
                    return json.loads(body)
            self._move()

    def _move(self):
        readable, writable, _ = select.select([self._wire], [self._wire] if self._unsent else [], [], 30)
        assert readable or writable, f"nothing moves, {len(self._unsent)} bytes are unsent"
        if writable:
            self._send()
        with contextlib.suppress(ssl.SSLWantReadError):
            while True:
                piece = self._wire.recv(65536)
                assert piece, f"the relay ended the connection after {len(self._received)} bytes"
                self._received += piece

    def _send(self):
        with contextlib.suppress(ssl.SSLWantWriteError):
            self._unsent = self._unsent[self._wire.send(self._unsent[:16384]):]


def test_a_client_that_reads_late_gets_every_answer_whole(relay):
    """More than all buffers on the way hold, both ways: nothing is lost, mixed up or kept without bound."""
    requests, one = 30_000, request(b'{"push_token":"x"}', more="X-Padding: " + "p" * 400 + "\r\n")
    with relay.connect() as wire:
        client, began = LateReader(wire, one * requests), time.monotonic()
        assert client.send_until_nothing_moves() > 0, "the relay takes no more than it can answer"
        assert memory(relay.pid) < 60_000
        types = collections.Counter(client.next_answer()["errorType"] for _ in range(requests))
        # After the first thirty, a bad token is let through every two seconds.
        assert set(types) == {"InvalidToken", "TooManyBadTokens"} and sum(types.values()) == requests
        elapsed = time.monotonic() - began
        assert 30 <= types["InvalidToken"] <= 31 + elapsed / 2, (types, elapsed)


def test_a_relay_ends_in_order_whatever_its_clients_of_tls_do(relay):
    with relay.connect() as idle, relay.connect() as half, relay.connect() as answered, \
            socket.create_connection(("127.0.0.1", relay.tls_port)) as silent:
        half.sendall(request(b"{}")[:-1])
        answered.sendall(request(b"{}"))
        assert answer(answered)[0] == 403
        silent.sendall(b"\x16\x03\x01")
        began = time.monotonic()
        assert relay.stop() == 0
        assert time.monotonic() - began < 14, "what has begun may end"
        assert idle.recv(1) == b"" and answered.recv(1) == b""
