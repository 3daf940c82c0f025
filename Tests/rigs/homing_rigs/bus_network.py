"""The part of SystemBus that is NetworkManager: a laptop with one Wi-Fi and one Ethernet device."""

import pathlib

from . import mock_network_manager as mock

CONNECTIVITY = {"unknown": 0, "none": 1, "portal": 2, "limited": 3, "full": 4}
HOME_BSSID = "02:00:00:00:01:00"


class NetworkManager:
    """What is set is remembered: NetworkManager comes up with it after a stop, and after the bus was restarted."""

    def __init__(self):
        super().__init__()
        self._wifi = self._wired = None
        self._tunnels = {}
        self._addresses = {}
        self._connectivity, self._metered = "full", False

    def network_manager_start(self):
        """Start NetworkManager, as it was when it was stopped (at first: not connected to anything)."""
        self._start_service("network_manager", pathlib.Path(mock.__file__), mock.BUS_NAME)
        self.connectivity(self._connectivity)
        self.metered(self._metered)
        for wired, pair in self._addresses.items():
            self.addresses(*pair, wired=wired)
        if self._wired:
            self.wired(True, self._wired)
        if self._wifi:
            self.wifi(*self._wifi)
        for name, kind in self._tunnels.items():
            self.tunnel(name, kind)

    def network_manager_stop(self):
        """End NetworkManager: its name leaves the bus."""
        self._end_service("network_manager")

    def wifi(self, ssid, bssid=HOME_BSSID, strength=70, frequency=5180, connection=""):
        """Be on a Wi-Fi network (`ssid` as text or bytes), at a frequency in MHz, by a connection that has the network's
        name if it is given none. The same SSID with another BSSID is roaming."""
        self._wifi = (ssid, bssid, strength, frequency, connection)
        self._network("Wifi", "aysyus", ssid.encode() if isinstance(ssid, str) else ssid, *self._wifi[1:])

    def wifi_off(self):
        """Leave the Wi-Fi network."""
        self._wifi = None
        self._network("WifiOff", "")

    def join(self, ssid, bssid):
        """Leave the Wi-Fi network, and join this one with the addresses that were set for it."""
        self.wifi_off()
        self.wifi(ssid, bssid)

    def wifi_lost(self):
        """All access points are gone. Real NetworkManager shows no access point at once and gives up the
        connection only 15 s later: call `wifi_off` for that."""
        self._network("WifiLost", "")

    def wired(self, on, connection_id="Wired connection 1"):
        """Plug the network cable in or out; plugged in, it is the primary connection."""
        self._wired = connection_id if on else None
        self._network("Wired", "bs", on, connection_id)

    def addresses(self, address, gateway, wired=False):
        """What the next Wi-Fi network, or the next cable, brings: an address of this machine and its gateway's."""
        self._addresses[wired] = (address, gateway)
        self._network("Ip4", "bss", wired, address, gateway)

    def tunnel(self, name, kind):
        """Bring up a connection that leads elsewhere, of NetworkManager's type `kind` (`wireguard`, `tun`); None ends it."""
        self._tunnels[name] = kind
        if not kind:
            del self._tunnels[name]
        self._network("Tunnel", "ss", name, kind or "")

    def connectivity(self, reach):
        """What NetworkManager's connectivity check finds while connected: none, portal, limited, full, unknown."""
        self._connectivity = reach
        self._network("SetReach", "u", CONNECTIVITY[reach])

    def metered(self, yes):
        """Whether the primary connection is metered."""
        self._metered = yes
        self._network("SetMetered", "u", 1 if yes else 2)

    def _network(self, method, signature, *arguments):
        if self._serves("network_manager"):
            self._mock(mock.BUS_NAME, mock.MANAGER, method, signature, *arguments)
