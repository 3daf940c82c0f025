"""The part of SystemBus that a desktop has besides: several batteries, a power profile, media players, who is there."""

import dbus

from .bus_power import CHARGING, DEVICE, DISCHARGING, LOGIND, UPOWER, UPOWER_PATH

PROFILES, PROFILES_PATH = "net.hadess.PowerProfiles", "/net/hadess/PowerProfiles"
PLAYER = "org.mpris.MediaPlayer2"
PLAYER_PATH = "/org/mpris/MediaPlayer2"
SESSION = LOGIND + ".Session"


class Desktop:
    """What a laptop's desktop says of itself. A session bus is a bus as well: a program given this one's address as
    its session bus finds the players here."""

    def add_battery(self, name, model, percent, state, **properties):
        """Add a battery to UPower, with a UpDeviceState and properties that the mock has not."""
        path = self._mock(UPOWER, UPOWER_PATH, "AddDischargingBattery", "ssdx", name, model, percent, 5400)
        self._mock(UPOWER, path, "UpdateProperties", "sa{sv}", DEVICE, {"State": dbus.UInt32(state)})
        self._mock(UPOWER, path, "AddProperties", "sa{sv}", DEVICE, {"NativePath": name, **properties})

    def change_battery(self, name, **properties):
        """Change properties of a battery that `add_battery` added."""
        self._update(f"{UPOWER_PATH}/devices/{name}", DEVICE, **properties)

    def laptop_display(self, percent, on_battery=False):
        """Have all batteries together show this charge."""
        self._display(2, DISCHARGING if on_battery else CHARGING, percent, True, 1)
        self._update(UPOWER_PATH, UPOWER, OnBattery=on_battery)

    def power_profile(self, name):
        """Start power-profiles-daemon if need be, and choose a profile."""
        self._start_service("power_profiles", "power_profiles_daemon", PROFILES)
        self._mock(PROFILES, PROFILES_PATH, "UpdateProperties", "sa{sv}", PROFILES, {"ActiveProfile": name})

    def change_session(self, path, **properties):
        """Change properties of a session that `session` gave."""
        self._mock(LOGIND, path, "UpdateProperties", "sa{sv}", SESSION, properties)

    def media_player(self, name, status, **metadata):
        """Have a media player (MPRIS) with this PlaybackStatus and these xesam fields."""
        bus_name = f"{PLAYER}.{name}"
        self._start_mock(name, [bus_name, PLAYER_PATH, PLAYER + ".Player"], bus_name)
        fields = dbus.Dictionary({f"xesam:{key}": value for key, value in metadata.items()}, signature="sv")
        self._mock(bus_name, PLAYER_PATH, "AddProperties", "sa{sv}", PLAYER + ".Player",
                   {"PlaybackStatus": status, "Metadata": fields})
