"""When the daemon goes to a gpsd that it could not reach."""

import select
import socket


class Closing:
    """A server that hangs up on whoever comes: each try of the daemon's fails at once."""

    def __init__(self):
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=16)
        self.port = self._socket.getsockname()[1]

    def is_tried_within(self, seconds):
        if not select.select([self._socket], [], [], seconds)[0]:
            return False
        self._socket.accept()[0].close()
        return True

    def wait_for_quiet(self):
        """A try makes more than one connection."""
        while self.is_tried_within(0.5):
            pass


def test_a_gpsd_out_of_reach_is_tried_at_once_when_the_network_changes(bus, make_agent):
    gpsd = Closing()
    make_agent(f"[gpsd]\nhost = 127.0.0.1\nport = {gpsd.port}\n", bus.environment).start()

    def is_tried_after_a_change(number):
        assert gpsd.is_tried_within(20), "it goes on trying"
        gpsd.wait_for_quiet()
        # By itself it would be tried 5 s after the last time, never sooner.
        bus.wifi(f"Network {number}")
        return gpsd.is_tried_within(3.5)

    assert any(is_tried_after_a_change(number) for number in range(5))
