"""What Home Assistant says of each answer of the relay: its log, and the error of its notify entity.

Golden/relay-answers has a file for each version. `HOMING_UPDATE_GOLDEN=1` writes them again; what changed is then
shown by git."""

import contextlib
import http.client
import http.server
import json
import os
import pathlib
import re
import signal
import socket
import threading
import time

import pytest
from homing_rigs.ha_websocket import Refused
from homing_rigs.processes import wait_for
from phone import Phone
from relay_program import RelayProgram
from test_notifications import QUIET
from test_relay import post

GOLDEN = pathlib.Path(__file__).with_name("Golden") / "relay-answers"
LINE = re.compile(r"^\d{4}-\d\d-\d\d \S+ (\w+) \(\S+\) \[homeassistant\.components\.([\w.]+)\] (.*)$")
# What is another each time.
VARIABLE = [(r"resets in [\d:]+", "resets in TIME"), (r"\d{4}-\d\d-\d\dT00:00:00\.000Z", "MIDNIGHT"),
            (r"127\.0\.0\.1:\d+", "127.0.0.1:PORT"), (r"port=\d+", "port=PORT"), (r"'127\.0\.0\.1', \d+", "'127.0.0.1', PORT"),
            (r"hash=-?\d+", "hash=NUMBER")]
NAME = "Golden phone"
DEEP = 40
LARGE = 70_000


def joined_token(make_agent, ha, relay):
    """The token of a machine that joined, and that is off."""
    agent = make_agent(f"{QUIET}mode = off\n").start()
    agent.register(ha.local_url, ha.token)
    agent.homing("relay", "join", relay.url, "-", input=relay.invite())
    device = agent.registration["device_id"]
    token = wait_for(lambda: ha.registration(device).data["app_data"].get("push_token"), 20, "the relay in the registration")
    agent.stop()
    return token


class Log:
    """Home Assistant's log, and what the callers of notify are told, by answers of the relay."""

    def __init__(self, ha, phone):
        self._ha, self._phone = ha, phone
        self._entity = phone.entity_id
        self.text = []

    def level(self, word):
        self._ha.post("/api/services/logger/set_level", {"homeassistant.components.mobile_app.notify": word})

    def note(self, title, message="text", data=None):
        """Has Home Assistant notify, and notes under this title what it says to that."""
        self._told = []
        before = len(self._ha.log_text())
        self._phone.notify(message, data)
        lines = self._lines(before)
        if self._entity and data is None:
            before = len(self._ha.log_text())
            lines.append(f"notify.send_message: {self._send(message)}")
            lines += [f"    {line}" for line in self._lines(before)]
        self.text += [title, *(f"    {line}" for line in lines), ""]

    def _send(self, message):
        try:
            with self._ha.websocket() as websocket:
                websocket.call("call_service", domain="notify", service="send_message", service_data={"message": message},
                               target={"entity_id": self._entity})
            return "done"
        except Refused as error:
            return re.search(r"'message': '([^']+)'", str(error))[1]

    def _lines(self, before):
        """The lines since then, without their times; the log is written a moment later."""
        size = None
        while size != (size := len(self._ha.log_text())):
            time.sleep(0.3)
        new = self._ha.log_text()[before:]
        assert "Traceback" not in new, new
        found = [LINE.match(line) for line in new.splitlines()]
        lines = [f"{match[1]} [{match[2]}] {match[3]}" for match in found if match and match[2].startswith("mobile_app")]
        return [self._constant(line) for line in lines]

    @staticmethod
    def _constant(line):
        for pattern, word in VARIABLE:
            line = re.sub(pattern, word, line)
        return line

    def check(self, version):
        """Compares all of it with the golden file, or writes that."""
        text, path = "\n".join(self.text), GOLDEN / f"{version}.txt"
        if os.environ.get("HOMING_UPDATE_GOLDEN") == "1":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        assert text == path.read_text(), f"Home Assistant {version} says it otherwise; HOMING_UPDATE_GOLDEN=1 takes it over"


class Proxy:
    """A proxy before the relay that mends or spoils a request. `with Proxy(relay.port, change) as proxy:`"""

    def __init__(self, port, change):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers, body = change({"Content-Type": self.headers["Content-Type"]}, body)
                there = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
                there.request("POST", self.path, body, headers)
                answer = there.getresponse()
                content = answer.read()
                there.close()
                self.send_response(answer.status)
                self.send_header("Content-Type", answer.headers["Content-Type"])
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.push_url = f"http://127.0.0.1:{self._server.server_port}/v1/push"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


def exhaust(relay, token, **members):
    """Posts until the relay takes no more of it."""
    for _ in range(20):
        status, _ = post(relay.push_url, {"message": "filling", "push_token": token, **members})
        if status == 429:
            return
    pytest.fail("there is no limit")


@contextlib.contextmanager
def unfinished_posts(relay, count=24):
    """Clients that have sent most of a large body, and wait."""
    clients = []
    for _ in range(count):
        client = socket.create_connection(("127.0.0.1", relay.port), 5)
        head = "POST /v1/push HTTP/1.1\r\nHost: relay\r\nContent-Type: application/json\r\nContent-Length: 65000\r\n\r\n"
        client.sendall(head.encode() + b"x" * 64_900)
        clients.append(client)
    time.sleep(0.5)
    yield
    for client in clients:
        client.close()


def nested(depth):
    value = "deep"
    for _ in range(depth):
        value = {"deeper": value}
    return value


def note_answers(log, phone, relay, token):
    """What is answered to the sender, to its token, and to the relay's own limits."""
    log.note("201, taken")
    log.note("400 TooDeeplyNested, by data that is nested too deep", data=nested(DEEP))
    log.note("413 PayloadTooLarge, by a message that is too large", "x" * LARGE)
    with Proxy(relay.port, lambda headers, body: (headers, body[:-20])) as proxy:
        phone.tell(proxy.push_url, token)
        log.note("400 MalformedJSON, behind a proxy that cuts bodies off")
    with Proxy(relay.port, lambda headers, body: ({"Content-Type": "text/plain"}, body)) as proxy:
        phone.tell(proxy.push_url, token)
        log.note("415 WrongContentType, behind a proxy that changes the type")
    phone.tell(f"{relay.url}/elsewhere", token)
    log.note("404 NotFound, at another path")
    phone.tell(f"{relay.url}/v1/mailbox", token)
    log.note("405 WrongMethod, at the path of devices")
    phone.tell(f"{relay.url}/{'x' * 9000}/v1/push", token)
    log.note("431 HeadTooLarge, at an address that is too long")
    phone.tell(relay.push_url, "")
    log.note("403 NoToken")
    exhaust(relay, token)
    phone.tell(relay.push_url, token)
    log.note("429 RateLimited, after the notifications of the day")
    exhaust(relay, token, message="command_update_sensors")
    log.note("429 TooManyOrders, after the orders of the day", "command_update_sensors", {"priority": "high"})
    phone.tell(relay.push_url, "hr1.nonsense")
    log.note("403 InvalidToken")
    for _ in range(40):
        post(relay.push_url, {"message": "text", "push_token": "hr1.nonsense"})
    log.note("429 TooManyBadTokens, after thirty of them in a minute")
    phone.tell(relay.push_url, token)


def note_blocks(log, relay):
    [mailbox] = json.loads(relay.run("mailbox", "list", "--json").stdout)["mailboxes"]
    relay.run("mailbox", "block", mailbox["label"])
    log.note("403 Blocked")
    relay.run("mailbox", "unblock", mailbox["label"])
    log.note("403 RevokedToken, as blocking revoked it")


def note_full_memory(log, relay):
    with unfinished_posts(relay):
        log.note("503 Overloaded, while requests under way fill [limits] memory", "x" * 30_000)


def note_full_store(log, phone, relay, join):
    relay.stop()
    relay.write(limits={"maximum": 0})
    relay.start()
    phone.tell(relay.push_url, join())
    log.note("201, by a relay without a maximum")
    relay.stop()
    relay.write(limits={"maximum": 0}, store={"mailboxes": 1})
    relay.start()
    phone.tell(relay.push_url, join())
    log.note("503 StoreFailed, as the store has as many mailboxes as it may have")


def note_absence(log, relay):
    # Home Assistant 2026.11 writes how a connection failed at the level of debug, with a traceback.
    log.level("info")
    os.kill(relay.pid, signal.SIGSTOP)
    log.note("no answer, as the relay stands still")
    os.kill(relay.pid, signal.SIGCONT)
    relay.stop()
    log.note("no relay there")
    relay.start()
    os.kill(relay.pid, signal.SIGSTOP)
    threading.Timer(1, relay.kill).start()
    log.note("a relay that is killed while it has the notification")


def test_home_assistant_says_of_each_answer_of_the_relay_what_it_said_before(ha, make_agent):
    with RelayProgram(limits={"maximum": 4, "commands": 1, "memory": 1}) as relay:
        token = joined_token(make_agent, ha, relay)
        with Phone(ha, NAME, relay.push_url, token) as phone:
            log = Log(ha, phone)
            log.level("debug")
            note_answers(log, phone, relay, token)
            note_blocks(log, relay)
            note_full_memory(log, relay)
            note_full_store(log, phone, relay, lambda: joined_token(make_agent, ha, relay))
            note_absence(log, relay)
    log.check(ha.version)
