"""When the daemon goes to a gpsd that it could not reach."""

import math
import select
import socket
import time

RHYTHM = 5  # seconds between a try that failed and the next, as long as nothing changes


class Closing:
    """A server that hangs up on whoever comes: each try of the daemon's fails at once."""

    def __init__(self):
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=16)
        self.port = self._socket.getsockname()[1]

    def is_tried_within(self, seconds):
        if not select.select([self._socket], [], [], max(0, seconds))[0]:
            return False
        self._socket.accept()[0].close()
        return True

    def next_try(self, seconds):
        """Waits for a try. Returns a time shortly before it came, which is all that a busy machine can know."""
        empty, before = -math.inf, time.monotonic()
        end = before + seconds
        while not self.is_tried_within(0.05):
            assert before < end, "it goes on trying"
            empty, before = before, time.monotonic()
        return empty

    def wait_for_quiet(self):
        """A try makes more than one connection."""
        while self.is_tried_within(0.5):
            pass


def test_a_gpsd_out_of_reach_is_tried_at_once_when_the_network_changes(bus, make_agent):
    gpsd = Closing()
    make_agent(f"[gpsd]\nhost = 127.0.0.1\nport = {gpsd.port}\n", bus.environment).start()

    def is_tried_after_a_change(number):
        gpsd.wait_for_quiet()
        due = gpsd.next_try(30) + RHYTHM
        gpsd.wait_for_quiet()
        bus.wifi(f"Network {number}")
        # A try that came before it was due came because of the change. On a busy machine it may be due already.
        return gpsd.is_tried_within(due - 0.5 - time.monotonic()) and time.monotonic() < due

    assert any(is_tried_after_a_change(number) for number in range(10))
