#!/usr/bin/python3
"""A mock of a service on the bus $DBUS_SYSTEM_BUS_ADDRESS, played by python-dbusmock.

  mock.py networkmanager|upower|logind|power-profiles|power-profiles-old|player:NAME

Says "ready", then takes a command a line on its standard input and answers "ok" to each. The
template leaves out what libnm needs to see a network (PrimaryConnection, ActiveAccessPoint, …):
it is added here before anybody looks.
"""
import sys
import traceback

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
from dbusmock import mockobject  # noqa: E402 (wants the main loop set)

NM = "org.freedesktop.NetworkManager"
ROOT = "/org/freedesktop/NetworkManager"
DEVICE, WIRELESS, AP = NM + ".Device", NM + ".Device.Wireless", NM + ".AccessPoint"
NOTHING = dbus.ObjectPath("/")
WLAN0, ETH0 = (ROOT + "/Devices/" + name for name in ("wlan0", "eth0"))


def load(template):
    module = mockobject.load_module(template)
    name = dbus.service.BusName(module.BUS_NAME, dbus.SystemBus(), do_not_queue=True)
    manager = getattr(module, "IS_OBJECT_MANAGER", False)
    interface = getattr(module, "MAIN_IFACE", mockobject.OBJECT_MANAGER_IFACE)
    main = mockobject.DBusMockObject(name, module.MAIN_OBJ, interface, {}, "/dev/null", manager)
    mockobject.objects[module.MAIN_OBJ] = main
    main.AddTemplate(template, dbus.Dictionary({}, signature="sv"))
    return main


def put(path, interface, **properties):
    """Sets properties, each with a PropertiesChanged of its own; new ones without."""
    target = mockobject.objects[path]
    for key, value in properties.items():
        if key in target.props[interface]:
            target.Set(interface, key, value)
        else:
            target.props[interface][key] = value


class NetworkManager:
    def __init__(self):
        self.main = load("networkmanager")
        self.count = 0
        put(ROOT, NM, PrimaryConnection=NOTHING, PrimaryConnectionType="", Metered=dbus.UInt32(4),
            ActivatingConnection=NOTHING, AllDevices=dbus.Array([], signature="o"))
        self.main.AddEthernetDevice("eth0", "eth0", 20)
        self.add_wifi("wlan0")
        self.none()

    def add_wifi(self, name):
        path = self.main.AddWiFiDevice(name, name, 30)
        put(path, WIRELESS, ActiveAccessPoint=NOTHING)
        put(ROOT, NM, AllDevices=mockobject.objects[ROOT].props[NM]["Devices"])

    def none(self):
        for active in list(mockobject.objects[ROOT].props[NM]["ActiveConnections"]):
            for device in mockobject.objects[active].props[NM + ".Connection.Active"]["Devices"]:
                self.main.RemoveActiveConnection(device, active)
                if device != ETH0:
                    put(device, WIRELESS, ActiveAccessPoint=NOTHING)
        put(ROOT, NM, PrimaryConnection=NOTHING, PrimaryConnectionType="",
            State=dbus.UInt32(20), Connectivity=dbus.UInt32(1))

    def access_point(self, device, ssid, bssid):
        self.count += 1
        name = "ap%d" % self.count
        path = self.main.AddAccessPoint(device, name, "?", bssid, 2, 5180, 54000, 70, 0x100)
        put(path, AP, Ssid=dbus.ByteArray(bytes.fromhex(ssid)))
        return dbus.ObjectPath(path)

    def activate(self, device, kind, name, uuid, specific=NOTHING):
        self.count += 1
        settings = {"connection": {"id": name, "uuid": uuid, "type": kind}}
        connection = mockobject.objects[ROOT + "/Settings"].AddConnection(settings)
        active = self.main.AddActiveConnection(
            [device], connection, specific, "a%d" % self.count, 2)
        put(ROOT, NM, PrimaryConnection=dbus.ObjectPath(active), PrimaryConnectionType=kind,
            State=dbus.UInt32(70), Connectivity=dbus.UInt32(4))

    def wifi(self, ssid, bssid, device="wlan0"):
        path = ROOT + "/Devices/" + device
        ap = self.access_point(path, ssid, bssid)
        put(path, WIRELESS, ActiveAccessPoint=ap)
        self.activate(path, "802-11-wireless", "Wi-Fi", "uuid-wifi-%d" % self.count, ap)

    def roam(self, ssid, bssid, device="wlan0"):
        path = ROOT + "/Devices/" + device
        put(path, WIRELESS, ActiveAccessPoint=self.access_point(path, ssid, bssid))

    def lose_access_point(self):
        put(WLAN0, WIRELESS, ActiveAccessPoint=NOTHING)

    def wired(self, name, uuid):
        self.activate(ETH0, "802-3-ethernet", name, uuid)

    def other(self, kind):
        self.activate(ETH0, kind, kind, "uuid-other")

    def ip4(self, address, gateway):
        """Gives the primary connection an address and a gateway, or none for ""."""
        self.count += 1
        path = ROOT + "/IP4Config/%d" % self.count
        data = dbus.Array([dbus.Dictionary(
            {"address": address, "prefix": dbus.UInt32(24)}, signature="sv")], signature="a{sv}")
        self.main.AddObject(path, NM + ".IP4Config", {
            "AddressData": data, "Gateway": gateway, "Addresses": dbus.Array([], signature="au")}, [])
        mockobject.objects[ROOT].object_manager_emit_added(path)
        active = mockobject.objects[ROOT].props[NM]["PrimaryConnection"]
        for value in (NOTHING, dbus.ObjectPath(path)):
            put(active, NM + ".Connection.Active", Ip4Config=value)

    def ip4_change(self, address, gateway):
        """Changes both within the object that the primary connection has."""
        path = ROOT + "/IP4Config/%d" % self.count
        data = dbus.Array([dbus.Dictionary(
            {"address": address, "prefix": dbus.UInt32(24)}, signature="sv")], signature="a{sv}")
        put(path, NM + ".IP4Config", AddressData=data, Gateway=gateway)

    def generated(self):
        """The primary connection was made by NetworkManager itself."""
        active = mockobject.objects[ROOT].props[NM]["PrimaryConnection"]
        profile = mockobject.objects[active].props[NM + ".Connection.Active"]["Connection"]
        put(profile, NM + ".Settings.Connection", Flags=dbus.UInt32(2))

    def wireguard(self, name, state):
        self.count += 1
        settings = {"connection": {"id": name, "uuid": "uuid-" + name, "type": "wireguard"}}
        connection = mockobject.objects[ROOT + "/Settings"].AddConnection(settings)
        self.tunnel = self.main.AddActiveConnection(
            [], connection, NOTHING, "t%d" % self.count, int(state))

    def tunnel_state(self, state):
        put(self.tunnel, NM + ".Connection.Active", State=dbus.UInt32(int(state)))

    def strength(self, percent):
        put(mockobject.objects[WLAN0].props[WIRELESS]["ActiveAccessPoint"], AP,
            Strength=dbus.Byte(int(percent)))

    def connectivity(self, state):
        put(ROOT, NM, Connectivity=dbus.UInt32(int(state)))

    def metered(self, state):
        put(ROOT, NM, Metered=dbus.UInt32(int(state)))


class UPower:
    DISPLAY = "/org/freedesktop/UPower/devices/DisplayDevice"
    INTERFACE = "org.freedesktop.UPower.Device"

    def __init__(self):
        self.main = load("upower")
        put(self.DISPLAY, self.INTERFACE, UpdateTime=dbus.UInt64(0))

    def add(self, name, kind, supply="yes"):
        path = "/org/freedesktop/UPower/devices/" + name
        self.main.AddObject(path, self.INTERFACE, {
            "NativePath": name, "Model": "M-" + name, "Type": dbus.UInt32(int(kind)),
            "PowerSupply": dbus.Boolean(supply == "yes"), "IsPresent": dbus.Boolean(True),
            "State": dbus.UInt32(2), "Percentage": dbus.Double(50.0),
            "EnergyRate": dbus.Double(7.5), "Capacity": dbus.Double(90.0),
            "Temperature": dbus.Double(0.0), "ChargeCycles": dbus.Int32(-1)}, [])
        self.main.EmitSignal("org.freedesktop.UPower", "DeviceAdded", "o", [path])

    def change(self, name, key, value):
        path = "/org/freedesktop/UPower/devices/" + name
        kind = type(mockobject.objects[path].props[self.INTERFACE][key])
        put(path, self.INTERFACE, **{key: kind(float(value))})

    def remove(self, name):
        self.main.RemoveDevice("/org/freedesktop/UPower/devices/" + name)

    def battery(self, percent):
        put(self.DISPLAY, self.INTERFACE, Percentage=dbus.Double(float(percent)))
        put(self.DISPLAY, self.INTERFACE, IsPresent=dbus.Boolean(True))

    def no_battery(self):
        put(self.DISPLAY, self.INTERFACE, IsPresent=dbus.Boolean(False))

    def on_battery(self, value):
        put(self.main.path, "org.freedesktop.UPower", OnBattery=dbus.Boolean(value == "yes"))

    def update_time(self, value):
        put(self.DISPLAY, self.INTERFACE, UpdateTime=dbus.UInt64(int(value)))


class Logind:
    SESSION = "org.freedesktop.login1.Session"
    MANAGER = "org.freedesktop.login1.Manager"
    WAIT = 5  # s, InhibitDelayMaxSec

    def __init__(self):
        self.main = load("logind")
        mockobject.inhibitors = []

    def prepare(self, going):
        self.main.EmitSignal(self.MANAGER, "PrepareForSleep", "b", [dbus.Boolean(going == "yes")])

    def suspend(self):
        """Announces sleep and waits for the locks, as logind does; fails where it would not wait any longer."""
        self.prepare("yes")
        self.locks(0)

    def locks(self, count):
        """Waits until so many locks of ours are held."""
        late = []
        timer = GLib.timeout_add_seconds(self.WAIT, late.append, True)
        while len(mockobject.inhibitors) != int(count) and not late:
            GLib.MainContext.default().iteration(True)
        if not late:
            GLib.source_remove(timer)
        held = [tuple(map(str, lock[:2] + lock[3:4])) for lock in mockobject.inhibitors]
        assert held == [("sleep", "Homing", "delay")] * int(count), held

    def refuse(self):
        """Grants no lock from now on."""
        self.main.AddMethod(self.MANAGER, "Inhibit", "ssss", "h", "raise dbus.exceptions.DBusException("
                            "'no', name='org.freedesktop.DBus.Error.AccessDenied')")

    def add(self, name, user, kind, seat="seat0", session_class="user"):
        path = self.main.AddSession(name, seat, 1000, user, True)
        put(path, self.SESSION, Type=kind, Class=session_class)
        if seat == "none":
            put(path, self.SESSION, Seat=("", dbus.ObjectPath("/")), Remote=True)
        self.main.EmitSignal(self.MANAGER, "SessionNew", "so", [name, dbus.ObjectPath(path)])

    def change(self, name, key, value):
        put("/org/freedesktop/login1/session/" + name, self.SESSION,
            **{key: value if key == "State" else dbus.Boolean(value == "yes")})

    def remove(self, name):
        path = "/org/freedesktop/login1/session/" + name
        self.main.RemoveObject(path)
        self.main.EmitSignal(self.MANAGER, "SessionRemoved", "so", [name, dbus.ObjectPath(path)])


class Alone:
    """A service with one object and no template."""

    def __init__(self, service, path, interface, properties):
        name = dbus.service.BusName(service, dbus.SystemBus(), do_not_queue=True)
        self.path, self.interface = path, interface
        main = mockobject.DBusMockObject(name, path, interface, properties, "/dev/null", False)
        mockobject.objects[path] = main

    def set(self, **properties):
        put(self.path, self.interface, **properties)


class PowerProfiles(Alone):
    def __init__(self, service="org.freedesktop.UPower.PowerProfiles"):
        super().__init__(service, "/" + service.replace(".", "/"), service,
                         {"ActiveProfile": "balanced"})

    def profile(self, name):
        self.set(ActiveProfile=name)


class Player(Alone):
    def __init__(self, name):
        super().__init__("org.mpris.MediaPlayer2." + name, "/org/mpris/MediaPlayer2",
                         "org.mpris.MediaPlayer2.Player",
                         {"PlaybackStatus": "Stopped", "Metadata": self.metadata()})

    def metadata(self, **words):
        return dbus.Dictionary({"mpris:length": dbus.Int64(1), **words}, signature="sv")

    def play(self, title, artist, album):
        self.set(Metadata=self.metadata(**{
            "xesam:title": title, "xesam:artist": dbus.Array([artist], signature="s"),
            "xesam:album": album}))
        self.set(PlaybackStatus="Playing")

    def flood(self):
        """A song whose every field is a megabyte, as of a stream that wants to fill memory."""
        big = "x" * (1 << 20)
        self.set(Metadata=self.metadata(**{
            "mpris:artUrl": big, "xesam:title": "Title " + big, "xesam:artist": dbus.Array([big] * 3, signature="s"),
            "xesam:album": big}))

    def pause(self):
        self.set(PlaybackStatus="Paused")


def obey(stream, _condition):
    line = stream.readline()
    if not line:
        loop.quit()
        return False
    command, *arguments = line.split()
    try:
        getattr(played, command)(*arguments)
        print("ok", flush=True)
    except Exception:  # the test must see it, whatever it is
        print(traceback.format_exc().replace("\n", " | "), flush=True)
    return True


service, _, argument = sys.argv[1].partition(":")
played = {
    "networkmanager": NetworkManager, "upower": UPower, "logind": Logind,
    "power-profiles": PowerProfiles,
    "power-profiles-old": lambda: PowerProfiles("net.hadess.PowerProfiles"),
    "player": lambda: Player(argument)}[service]()
loop = GLib.MainLoop()
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, obey)
print("ready", flush=True)
loop.run()
