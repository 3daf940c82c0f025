"""A daemon under fault: fed fix by fix, asked over its own socket, and judged at the end."""

import itertools
import json
import socket
import time

from agent import of_home
from homing_rigs import checker
from homing_rigs.faults.gpsd import places
from homing_rigs.processes import own_memory, wait_for
from homing_rigs.slope import lasting_rise
from own_process import open_files

CONFIGURATION = """\
[gpsd]
host = {gpsd.host}
port = {gpsd.port}
[location]
min_distance = 1
still_interval = 0
"""


# Besides the tracker, an entity that never changes by itself.
WITNESS = """\
[sensors]
disable = all
enable = kernel
scripts =
"""


def places_of_track(events):
    """The places in the data of `homing_track` events, in order."""
    places_in_order = []
    for event in events:
        column = {name: index for index, name in enumerate(event["fields"])}
        places_in_order += [(row[column["latitude"]], row[column["longitude"]]) for row in event["positions"]]
    return places_in_order


class Control:
    """The daemon's control socket, kept open: faster than a `homing` for each question."""

    def __init__(self, path):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(40)
        self._socket.connect(str(path))
        self._lines = self._socket.makefile("rb")
        self._numbers = itertools.count(1)
        self._early = {}  # replies to others than the one waited for

    def close(self):
        self._lines.close()
        self._socket.close()

    def ask(self, method, **params):
        """Send a request; returns its number."""
        number = next(self._numbers)
        request = {"v": 1, "id": number, "method": method, "params": params}
        self._socket.sendall(json.dumps(request).encode() + b"\n")
        return number

    def reply(self, number):
        """The result of a request; raises OSError if the daemon ends first."""
        while number not in self._early:
            line = self._lines.readline()
            if not line:
                raise ConnectionError("the daemon hung up")
            reply = json.loads(line)
            self._early[reply["id"]] = reply
        reply = self._early.pop(number)
        assert "error" not in reply, reply
        return reply["result"]

    def call(self, method, **params):
        """Send a request and wait for its result."""
        return self.reply(self.ask(method, **params))


class Flight:
    """`agent` (registered), the gpsd that is played for it, and the server that it reports to."""

    def __init__(self, agent, gpsd, server, home=None):
        self.home = home  # its name; None for the only one
        self.agent, self.gpsd, self.server = agent, gpsd, server
        self.zones = 0
        self.places = places()
        self.memories = []
        self._control = None

    # Asking

    @property
    def control(self):
        """The control socket of the daemon that runs now."""
        if self._control is None:
            self._control = Control(self.agent.runtime / "control.sock")
        return self._control

    def hang_up(self):
        """Let go of the control socket: the daemon was ended."""
        if self._control:
            self._control.close()
            self._control = None

    def restart(self, kill=False):
        """End the daemon and start it again."""
        self.hang_up()
        self.agent.kill() if kill else self.agent.stop()
        self.agent.start()

    def status(self):
        """The status, with the protocol's own keys."""
        return of_home(self.control.call("status"), self.home)

    def queue(self):
        """The book of the positions."""
        return next(queue for queue in self.status()["queues"] if queue["stream"] == "location")

    def problem(self, kind="instance"):
        """What is wrong with an endpoint, None if nothing."""
        return next((each.get("problem") for each in self.status()["endpoints"] if each["kind"] == kind), None)

    def warnings(self):
        """The codes of what is wrong."""
        return [warning["code"] for warning in self.status()["warnings"]]

    def descriptors(self):
        """How many files and sockets the daemon has open."""
        return len(list(open_files(self.agent.pid).iterdir()))

    def memory(self):
        """What the daemon has allocated, in kB."""
        return own_memory(self.agent.pid)

    def note_memory(self):
        """Look at it, for `assert_sound(growth=…)`: once in each round of a test that does not end the daemon."""
        self.memories.append(self.memory())

    # Feeding

    def send(self):
        """One fix, at a place of its own, to be reported now; returns what became of it: "delivered", "queued",
        "rejected"."""
        return self.control.reply(self.begin_to_send())["outcome"]

    def begin_to_send(self):
        """The same without waiting: the number of the request."""
        wait_for(lambda: self.gpsd.watchers or not self.agent.alive, 40, "the daemon watches gpsd")
        number = self.control.ask("send_location", **({"home": self.home} if self.home else {}))
        self.control.call("status")  # answered after the request was taken: the fix comes second
        self.gpsd.tell(next(self.places))
        return number

    def send_zone(self):
        """The same with a zone of a new name, as a person reports it."""
        self.zones += 1
        return self.control.call("send_location", zone=f"Zone {self.zones}", allow_unknown=True)["outcome"]

    def stream(self, rate):
        """Fixes at a rate, each at a place of its own, until `gpsd.hold()`."""
        self.gpsd.stream(rate, self.places)

    def drive(self, rate, count, seconds=60):
        """Fixes at a rate, until so many more were accepted."""
        goal = self.queue()["accepted"] + count
        self.stream(rate)
        wait_for(lambda: self.queue()["accepted"] >= goal, seconds, f"{count} accepted")
        self.gpsd.hold()

    def drive_nowhere(self, seconds, rate=50):
        """Fixes for some seconds, whatever becomes of them."""
        self.stream(rate)
        time.sleep(seconds)
        self.gpsd.hold()

    # Judging

    def wait_until_empty(self, seconds=60):
        """Until everything is delivered, asking for it, as a person would, if the daemon rests."""
        wait_for(lambda: self.queue()["queued"] == 0, seconds, "the queue to be empty")

    def accepted(self):
        """What was accepted, by the log; and what arrived though the daemon was killed before it could log it, where
        the receiver's order puts it."""
        logged = {checker.key_of(*place) for _, *place in self.agent.accepted(self.home)}
        arrived = {checker.key_of(*place) for stream in self.arrived() for place in stream}
        told = [checker.key_of(latitude, longitude) for _, latitude, longitude in self.gpsd.told]
        known = logged | arrived
        return [(number, *place) for number, place in enumerate((place for place in told if place in known), 1)]

    def audit(self, duplicates=0):
        """What the checker finds wrong."""
        return checker.audit(self.queue(), self.accepted(), *self.arrived(), duplicates)

    def arrived(self):
        """What the server was told as news, and as history."""
        return self.server.live(), places_of_track(self.server.events("homing_track"))

    def assert_sound(self, duplicates=0, growth=None):
        """Nothing lost, swapped or invented; the book true; and with `growth`, kB, its memory where it was: the looks of
        the second half show no more than that above those of the first (`lasting_rise`)."""
        found = self.audit(duplicates)
        assert not found, found
        if growth is not None:
            grown = lasting_rise(self.memories)
            assert grown <= growth, f"{grown} kB more: {self.memories}"
