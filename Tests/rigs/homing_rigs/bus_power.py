"""The part of SystemBus that is UPower and logind."""

import dbus

UPOWER, UPOWER_PATH = "org.freedesktop.UPower", "/org/freedesktop/UPower"
DEVICE = UPOWER + ".Device"
BATTERY, MAINS = UPOWER_PATH + "/devices/BAT0", UPOWER_PATH + "/devices/AC"
DISPLAY = UPOWER_PATH + "/devices/DisplayDevice"
LOGIND, LOGIND_PATH = "org.freedesktop.login1", "/org/freedesktop/login1"
MANAGER = LOGIND + ".Manager"
CHARGING, DISCHARGING, FULL = 1, 2, 4  # UpDeviceState
NO_BATTERY = (0, 0, 0.0)


class Power:
    """A battery (or none) and going to sleep."""

    def __init__(self):
        super().__init__()
        self._battery = None
        self._has_battery = False

    # UPower

    def upower_start(self):
        """Start UPower, with the battery that was last set (at first: none, as in a desktop machine)."""
        self._start_service("upower", "upower", UPOWER)
        self._has_battery = False
        if self._battery:
            self.battery(*self._battery)

    def upower_stop(self):
        """End UPower: its name leaves the bus."""
        self._end_service("upower")

    def battery(self, percent, charging):
        """Have a battery with this charge; not charging means running on it."""
        self._battery = (percent, charging)
        if not self._serves("upower"):
            return
        if not self._has_battery:
            self._mock(UPOWER, UPOWER_PATH, "AddDischargingBattery", "ssdx", "BAT0", "Rig battery", percent, 5400)
            self._mock(UPOWER, UPOWER_PATH, "AddAC", "ss", "AC", "Rig mains")
            self._has_battery = True
        state = DISCHARGING if not charging else FULL if percent >= 100 else CHARGING
        warning = 1 if charging else 4 if percent <= 3 else 3 if percent <= 10 else 1
        self._update(BATTERY, DEVICE, Percentage=dbus.Double(percent), State=dbus.UInt32(state),
                     Energy=dbus.Double(percent * 0.5))
        self._update(MAINS, DEVICE, Online=charging)
        self._display(2, state, percent, True, warning)
        self._update(UPOWER_PATH, UPOWER, OnBattery=not charging)

    def no_battery(self):
        """Take the battery out (or have had none)."""
        self._battery = None
        if not self._serves("upower"):
            return
        if self._has_battery:
            for path in (BATTERY, MAINS):
                self._mock(UPOWER, UPOWER_PATH, "RemoveDevice", "o", path)
            self._has_battery = False
        self._display(*NO_BATTERY, False, 1)
        self._update(UPOWER_PATH, UPOWER, OnBattery=False)

    def _display(self, kind, state, percent, present, warning):
        """The device that stands for all batteries, and that programs look at."""
        self._update(DISPLAY, DEVICE, Type=dbus.UInt32(kind), State=dbus.UInt32(state), IsPresent=present,
                     Percentage=dbus.Double(percent), WarningLevel=dbus.UInt32(warning),
                     Energy=dbus.Double(percent * 0.5), EnergyFull=dbus.Double(50.0 if present else 0.0),
                     EnergyRate=dbus.Double(9.5 if state == DISCHARGING else 0.0),
                     TimeToEmpty=dbus.Int64(percent * 190 if state == DISCHARGING else 0))

    def _update(self, path, interface, **properties):
        """Change properties with one signal for all of them, as UPower sends it."""
        self._mock(UPOWER, path, "UpdateProperties", "sa{sv}", interface, properties)

    # logind

    def logind_start(self):
        """Start logind."""
        self._start_service("logind", "logind", LOGIND)

    def logind_stop(self):
        """End logind: its name leaves the bus."""
        self._end_service("logind")

    def prepare_for_sleep(self, going):
        """True: the machine is about to sleep. False: it has woken up."""
        self._mock(LOGIND, LOGIND_PATH, "UpdateProperties", "sa{sv}", MANAGER, {"PreparingForSleep": going})
        self._mock(LOGIND, LOGIND_PATH, "EmitSignal", "sssav", MANAGER, "PrepareForSleep", "b",
                   [dbus.Boolean(going, variant_level=1)])

    def inhibitors(self):
        """What is held against sleep and shutdown: a list of (what, who, why, mode)."""
        found = self._call(LOGIND, LOGIND_PATH, MANAGER, "ListInhibitors", "")
        return [tuple(map(str, inhibitor[:4])) for inhibitor in found]

    def session(self, uid, user, active=True):
        """Add a graphical session of a user, as a login does; returns its object path."""
        path = self._mock(LOGIND, LOGIND_PATH, "AddSession", "ssusb", f"c{uid}", "seat0", uid, user, active)
        self._mock(LOGIND, LOGIND_PATH, "EmitSignal", "sssav", MANAGER, "SessionNew", "so",
                   [dbus.String(f"c{uid}", variant_level=1), dbus.ObjectPath(path, variant_level=1)])
        return str(path)

    def lock(self, session, locked=True):
        """Lock a session, or unlock it; `session` is its path."""
        self._mock(LOGIND, session, "UpdateProperties", "sa{sv}", f"{LOGIND}.Session", {"LockedHint": locked})

    def asked_of_logind(self, method):
        """How often this method of logind's was called."""
        return self._services["logind"].log_text().count(f" {method}")
