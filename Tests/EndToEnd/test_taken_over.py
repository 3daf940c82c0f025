"""A daemon that was taken over, played here, and what the helper in a person's session does for it."""

import json
import os
import socket
import types

import pytest
from homing_rigs.processes import temporary_folder, wait_for
from session import GAMES, Person

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="to be several users needs root")
ANNA = GAMES


class PlayedDaemon:
    """Listens where a daemon does. `orders` go to the helper that attends; `report()` is the next thing it says."""

    def __init__(self):
        self.runtime = temporary_folder("played")
        self.runtime.chmod(0o755)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.runtime / "control.sock"))
        (self.runtime / "control.sock").chmod(0o666)
        self._listener.listen()
        self._listener.settimeout(20)

    def welcome(self):
        """Take the helper in."""
        connection, _ = self._listener.accept()
        connection.settimeout(20)
        self._stream = connection.makefile("rw")
        greeting = json.loads(self._stream.readline())
        assert greeting["method"] == "attend_desktop"
        self._attends = greeting["id"]
        self.order(welcome={})

    def order(self, **order):
        self._write({"v": 1, "id": self._attends, "event": order})

    def report(self, kind):
        """The next report of this kind."""
        while True:
            request = json.loads(self._stream.readline())
            self._write({"v": 1, "id": request["id"], "result": {}})
            if kind in request["params"]:
                return request["params"][kind]

    def show(self, key, **changes):
        shown = {"key": key, "message": "text", "title": key, "urgency": 1, "isSilent": False, "isPersistent": False,
                 "isSticky": False, "isAlertedOnce": False, "isClickable": True, "buttons": [], **changes}
        self.order(show={"notification": shown})
        assert self.report("shown")["key"] == key

    def open(self, key, address):
        """What the helper says to the order."""
        self.order(open={"number": 7, "key": key, "address": address})
        return self.report("done").get("problem")

    def _write(self, message):
        self._stream.write(json.dumps(message) + "\n")
        self._stream.flush()


@pytest.fixture
def programs():
    """What would be run in her session, with its arguments in `ran`."""
    folder = temporary_folder("programs")
    folder.chmod(0o777)
    for name in ("xdg-open", "zenity", "kdialog"):
        (folder / name).write_text(f'#!/bin/sh\necho "{name} $*" >> {folder}/ran\n')
        (folder / name).chmod(0o755)
    return folder


def test_it_opens_web_pages_alone_once_for_each_answer_and_asks_nothing_unasked(bus, programs):
    bus.logind_start()
    daemon = PlayedDaemon()
    ran = programs / "ran"
    with Person(bus, types.SimpleNamespace(runtime=daemon.runtime), ANNA, "anna",
                environment={"PATH": f"{programs}:/usr/bin:/bin", "DISPLAY": ":99"}) as anna:
        anna.start(ready=False)
        daemon.welcome()
        daemon.show("early")
        assert "no click arrived" in daemon.open("early", "https://example.org/unasked")
        daemon.order(ask={"number": 8, "key": "early", "question": "Password?"})
        assert "text" not in daemon.report("asked")
        for address in ("file:///etc/passwd", "javascript:alert(1)", "--help", "/bin/sh"):
            daemon.show(address)
            anna.server(f"emit ActionInvoked {anna.server.wait_for(address).id} default")
            assert daemon.report("clicked")["key"] == address
            assert "no web address" in daemon.open(address, address)
        assert not ran.exists(), ran.read_text()
        daemon.show("right")
        anna.server(f"emit ActionInvoked {anna.server.wait_for('right').id} default")
        daemon.report("clicked")
        daemon.order(open={"number": 9, "key": "right", "address": "https://example.org/asked"})
        wait_for(ran.exists, 10, "the page is opened")
        assert "no click arrived" in daemon.open("right", "https://example.org/again")
        assert ran.read_text() == "xdg-open https://example.org/asked\n"
