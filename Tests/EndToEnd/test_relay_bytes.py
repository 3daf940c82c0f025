"""The bytes that Home Assistant's client sends to a relay: nothing of it is what libmicrohttpd would refuse with a text
of its own, which is no JSON (docs/decisions/0042-http-server.md)."""

import json
import re
import socket
import threading

from test_notifications import notify
from test_push_relay import configuration, token_file

ANSWER = json.dumps({"id": "1", "rateLimits": {"successful": 1, "errors": 0, "total": 1, "maximum": 150, "remaining": 149,
                                               "resetsAt": "2030-01-01T00:00:00.000Z"}}).encode()
# What fields a request may have: a new one is to be looked at.
FIELDS = {"host", "user-agent", "accept", "accept-encoding", "content-length", "content-type"}


class Listener:
    """Keeps the bytes of each request as they come, over connections that stay open, and answers 201."""

    def __init__(self):
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1/push"
        self.requests, self.connections = [], 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        while True:
            try:
                wire, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(wire,), daemon=True).start()

    def _serve(self, wire):
        kept = b""
        while piece := wire.recv(65536):
            kept += piece
            head, found, body = kept.partition(b"\r\n\r\n")
            length = re.search(rb"content-length: *(\d+)", head, re.I)
            if found and len(body) >= int(length[1] if length else 0):
                self.requests.append(kept)
                kept = b""
                wire.sendall(b"HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                             % len(ANSWER) + ANSWER)

    def close(self):
        self._socket.close()


def faults(request):
    """What of a request the library might refuse, or two readers might read differently."""
    head, _, body = request.partition(b"\r\n\r\n")
    line, *fields = head.split(b"\r\n")
    names = [field.partition(b":")[0].decode("latin-1").lower() for field in fields]
    value = {field.partition(b":")[0].decode("latin-1").lower(): field.partition(b":")[2].strip() for field in fields}
    wrong = {
        "the line": not re.fullmatch(rb"POST /v1/push HTTP/1\.1", line),
        "a field twice": len(names) != len(set(names)),
        "a field's form": any(not re.fullmatch(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+: ?[\x20-\x7e]*", field) for field in fields),
        "a bare CR or LF": re.search(rb"(?<!\r)\n|\r(?!\n)", head) is not None,
        "no Host": "host" not in names,
        "an encoding": "transfer-encoding" in names,
        "the length": not value.get("content-length", b"").isdigit() or int(value["content-length"]) != len(body),
        "an expectation": "expect" in names or "upgrade" in names,
        "a head of more than 8 KiB": len(head) > 8192,
        "the type": value.get("content-type") != b"application/json",
        "fields that nobody has looked at": not set(names) <= FIELDS,
    }
    return [fault for fault, is_there in wrong.items() if is_there]


def test_what_home_assistant_sends_is_nothing_that_the_library_refuses(ha, desktop, make_agent):
    listener = Listener()
    agent = make_agent(configuration(listener, token_file(), "mode = off"), desktop.environment).start()
    agent.register(ha.local_url, ha.token)
    agent.stop()
    for text in ("short", "Grüße 🚐 " * 300, "x" * 40_000):
        notify(ha, agent, text, "Title", tag="t", actions=[{"action": "A", "title": "B"}])
    listener.close()
    assert len(listener.requests) == 3 and listener.connections == 1, "one connection, which is kept"
    assert [faults(request) for request in listener.requests] == [[], [], []], listener.requests[0][:600]
    print(listener.requests[0].partition(b"\r\n\r\n")[0].decode())
    assert json.loads(listener.requests[1].partition(b"\r\n\r\n")[2])["push_token"]


def test_each_fault_would_be_seen():
    good = (b"POST /v1/push HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
    assert faults(good) == []
    for before, after in ((b"1.1", b"1.0"), (b"Host: h", b"Host: h\r\nHost: i"), (b"Host: h\r\n", b""),
                          (b"Content-Length: 2", b"Transfer-Encoding: chunked"), (b"Length: 2", b"Length: 3"),
                          (b"Host: h", b"Host: h\n x"), (b"application/json", b"text/plain"), (b"Host: h", b"Host : h"),
                          (b"Host: h", b"Host: h\r\nExpect: 100-continue"), (b"Host: h", b"Host: h\r\nX-New: 1"),
                          (b"Host: h", b"Host: " + b"h" * 9000)):
        assert faults(good.replace(before, after)) != [], before
