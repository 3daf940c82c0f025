"""NetworkManager as a dbusmock template: one Wi-Fi and one Ethernet device, as libnm wants to see them.

Loaded by `python3 -m dbusmock --template <this file>`. It keeps the order of signals that NetworkManager 1.42 was
measured to have, and groups properties as it does. dbusmock's own template leaves out what a roaming laptop
needs (the active access point, the primary connection) and sends each property by itself.
"""

import uuid

import dbus
import dbusmock
from dbusmock import MOCK_IFACE

BUS_NAME = "org.freedesktop.NetworkManager"
MAIN_OBJ = "/org/freedesktop"
IS_OBJECT_MANAGER = True
SYSTEM_BUS = True

NM = "org.freedesktop.NetworkManager"
MANAGER, SETTINGS = "/org/freedesktop/NetworkManager", "/org/freedesktop/NetworkManager/Settings"
WIFI, WIRED = MANAGER + "/Devices/2", MANAGER + "/Devices/1"
DEVICE, WIRELESS, ETHERNET = NM + ".Device", NM + ".Device.Wireless", NM + ".Device.Wired"
POINT, ACTIVE, CONNECTION = NM + ".AccessPoint", NM + ".Connection.Active", NM + ".Settings.Connection"
NOTHING = dbus.ObjectPath("/")
UNAVAILABLE, DISCONNECTED, ACTIVATED, DEACTIVATING = 20, 30, 100, 110  # NMDeviceState
CONNECTIVITY_TO_STATE = {0: 70, 1: 50, 2: 60, 3: 60, 4: 70}  # NMConnectivityState to NMState
TYPES = {WIFI: "802-11-wireless", WIRED: "802-3-ethernet"}

network = None  # the one Network of this process


def paths(*values):
    return dbus.Array([dbus.ObjectPath(value) for value in values], signature="o")


def change(path, interface, **properties):
    """Set properties of an object and send one PropertiesChanged for all of them."""
    target = dbusmock.get_object(path)
    target.props[interface].update(properties)
    target.EmitSignal(dbus.PROPERTIES_IFACE, "PropertiesChanged", "sa{sv}as", [
        interface, dbus.Dictionary(properties, signature="sv"), dbus.Array([], signature="s")])


def value(path, interface, name):
    """A property's present value."""
    return dbusmock.get_object(path).props[interface][name]


class Network:
    """What is connected, and the objects that say so."""

    def __init__(self, mock):
        self.mock = mock
        self.number = 0  # objects are numbered and never reused, as NetworkManager does
        self.known = {}  # (type, id) -> settings object
        self.active = {}  # device, or a tunnel's name -> active connection
        self.connectivity, self.metered = 4, 2
        self.ip4 = {}  # device -> this machine's address and the gateway's
        self._manager()
        self._device(WIRED, ETHERNET, "eth0", 1, UNAVAILABLE, {
            "HwAddress": "02:00:00:00:00:01", "Carrier": False, "Speed": dbus.UInt32(1000)})
        self._device(WIFI, WIRELESS, "wlan0", 2, DISCONNECTED, {
            "HwAddress": "02:00:00:00:00:02", "Mode": dbus.UInt32(2), "Bitrate": dbus.UInt32(54000),
            "WirelessCapabilities": dbus.UInt32(255), "LastScan": dbus.Int64(1), "AccessPoints": paths(),
            "ActiveAccessPoint": NOTHING})

    def _add(self, path, interface, properties, methods=(), more=None):
        """Add an object; `more` holds further interfaces' properties, by name."""
        self.mock.AddObject(path, interface, properties, list(methods))
        for name, others in (more or {}).items():
            dbusmock.get_object(path).AddProperties(name, others)
        self.mock.object_manager_emit_added(path)
        return dbus.ObjectPath(path)

    def _manager(self):
        self._add(MANAGER, NM, {
            "Version": "1.42.4", "Startup": False, "State": dbus.UInt32(20), "Connectivity": dbus.UInt32(1),
            "Metered": dbus.UInt32(0), "ConnectivityCheckAvailable": True, "ConnectivityCheckEnabled": True,
            "NetworkingEnabled": True, "WirelessEnabled": True, "WirelessHardwareEnabled": True,
            "Devices": paths(WIRED, WIFI), "AllDevices": paths(WIRED, WIFI),
            "ActiveConnections": paths(), "PrimaryConnection": NOTHING, "PrimaryConnectionType": "",
            "ActivatingConnection": NOTHING}, [
            ("GetDevices", "", "ao", f"ret = self.props['{NM}']['Devices']"),
            ("CheckConnectivity", "", "u", f"ret = self.props['{NM}']['Connectivity']"),
            ("GetPermissions", "", "a{ss}", "ret = {}")])
        self._add(SETTINGS, NM + ".Settings", {"Connections": paths(), "Hostname": "", "CanModify": True}, [
            ("ListConnections", "", "ao", f"ret = self.props['{NM}.Settings']['Connections']")])

    def _device(self, path, interface, name, kind, state, properties):
        self._add(path, interface, properties, more={DEVICE: {
            "Udi": "/sys/devices/virtual/net/" + name, "Interface": name, "IpInterface": name, "Driver": "rig",
            "State": dbus.UInt32(state), "StateReason": (dbus.UInt32(state), dbus.UInt32(0)),
            "ActiveConnection": NOTHING, "Ip4Config": NOTHING, "Ip6Config": NOTHING, "Managed": True,
            "Autoconnect": True, "DeviceType": dbus.UInt32(kind), "AvailableConnections": paths(), "Real": True,
            "Mtu": dbus.UInt32(1500), "Metered": dbus.UInt32(0), "Ip4Connectivity": dbus.UInt32(1),
            "HwAddress": properties["HwAddress"], "InterfaceFlags": dbus.UInt32(0x10003)}})

    def _next(self):
        self.number += 1
        return self.number

    def _settings_of(self, kind, name, ssid=b""):
        """The stored connection profile of that type and name, made on first use; its uuid follows from its name."""
        key = (kind, name)
        if key not in self.known:
            settings = {"connection": dbus.Dictionary({
                "id": name, "type": kind, "uuid": str(uuid.uuid5(uuid.NAMESPACE_DNS, kind + name)),
                "timestamp": dbus.UInt64(1700000000)}, signature="sv")}
            settings[kind] = dbus.Dictionary(
                {"ssid": dbus.ByteArray(ssid), "mode": "infrastructure"} if kind == TYPES[WIFI] else {}, signature="sv")
            path = self._add(f"{SETTINGS}/{self._next()}", CONNECTION, {
                "Unsaved": False, "Flags": dbus.UInt32(0), "Filename": ""},
                [("GetSettings", "", "a{sa{sv}}", "ret = self.rig_settings")])
            dbusmock.get_object(path).rig_settings = dbus.Dictionary(settings, signature="sa{sv}")
            self.known[key] = path
            change(SETTINGS, NM + ".Settings", Connections=paths(*self.known.values()))
            dbusmock.get_object(SETTINGS).EmitSignal(NM + ".Settings", "NewConnection", "o", [path])
        return self.known[key]

    def _point(self, ssid, bssid, strength, frequency):
        """The access point with this BSSID, put in sight if it was not."""
        for path in value(WIFI, WIRELESS, "AccessPoints"):
            if value(path, POINT, "HwAddress") == bssid and bytes(value(path, POINT, "Ssid")) == ssid:
                change(path, POINT, Strength=dbus.Byte(strength), Frequency=dbus.UInt32(frequency))
                return path
        path = self._add(f"{MANAGER}/AccessPoint/{self._next()}", POINT, {
            "Flags": dbus.UInt32(1), "WpaFlags": dbus.UInt32(0), "RsnFlags": dbus.UInt32(0x188),
            "Ssid": dbus.ByteArray(ssid), "Frequency": dbus.UInt32(frequency), "HwAddress": bssid, "Mode": dbus.UInt32(2),
            "Strength": dbus.Byte(strength), "LastSeen": dbus.Int32(1)})
        change(WIFI, WIRELESS, AccessPoints=paths(*value(WIFI, WIRELESS, "AccessPoints"), path))
        dbusmock.get_object(WIFI).EmitSignal(WIRELESS, "AccessPointAdded", "o", [path])
        return path

    def _device_state(self, device, state, reason=0):
        old = value(device, DEVICE, "State")
        new, why = dbus.UInt32(state), dbus.UInt32(reason)
        change(device, DEVICE, State=new, StateReason=dbus.Struct((new, why), signature="uu"))
        dbusmock.get_object(device).EmitSignal(DEVICE, "StateChanged", "uuu", [new, old, why])

    def _active_state(self, path, state, reason):
        change(path, ACTIVE, State=dbus.UInt32(state))
        dbusmock.get_object(path).EmitSignal(ACTIVE, "StateChanged", "uu", [dbus.UInt32(state), dbus.UInt32(reason)])

    def _ip4_of(self, devices):
        """The addresses of a connection on these devices, as an object; none where the test gives none."""
        address, gateway = next((self.ip4[each] for each in devices if each in self.ip4), (None, None))
        if address is None:
            return NOTHING
        data = dbus.Dictionary({"address": address, "prefix": dbus.UInt32(24)}, signature="sv")
        return self._add(f"{MANAGER}/IP4Config/{self._next()}", NM + ".IP4Config", {
            "AddressData": dbus.Array([data], signature="a{sv}"), "Gateway": gateway,
            "Addresses": dbus.Array([], signature="au")})

    def _activate(self, profile, state, devices, point=NOTHING):
        """A new active connection of a profile."""
        settings = dbusmock.get_object(profile).rig_settings["connection"]
        return self._add(f"{MANAGER}/ActiveConnection/{self._next()}", ACTIVE, {
            "Connection": profile, "SpecificObject": point, "Id": settings["id"], "Uuid": settings["uuid"],
            "Type": settings["type"], "Devices": devices, "State": dbus.UInt32(state), "Default": False,
            "Ip4Config": self._ip4_of(devices), "Ip6Config": NOTHING, "StateFlags": dbus.UInt32(0), "Vpn": False})

    def tunnel(self, name, kind):
        """Have a connection that leads elsewhere over the others, of NetworkManager's type `kind`; "" ends it."""
        active = self.active.pop(name, None)
        if kind:
            self.active[name] = self._activate(self._settings_of(kind, name), 2, paths())
        self.tell_manager()
        if active:
            self.mock.object_manager_emit_removed(active)
            self.mock.RemoveObject(active)

    def connect(self, device, name, ssid=b"", point=NOTHING):
        """Activate a connection on a device, through all the states."""
        active = self._activate(self._settings_of(TYPES[device], name, ssid), 1, paths(device), point)
        self.active[device] = active
        change(device, DEVICE, ActiveConnection=active)
        change(MANAGER, NM, ActiveConnections=paths(*self.active.values()), ActivatingConnection=active)
        for state in (40, 50, 70, 80, 90):
            if state == 50 and device == WIFI:
                change(WIFI, WIRELESS, ActiveAccessPoint=point)
            self._device_state(device, state)
        change(active, ACTIVE, Default=True)
        self._active_state(active, 2, 0)
        self._device_state(device, ACTIVATED)
        change(MANAGER, NM, ActivatingConnection=NOTHING)
        self.tell_manager()

    def disconnect(self, device, state, reason):
        """End the connection of a device, which goes to `state`."""
        active = self.active.pop(device, None)
        if device == WIFI:
            change(WIFI, WIRELESS, ActiveAccessPoint=NOTHING)
        if active is None:
            return
        self._active_state(active, 3, 0)
        self._device_state(device, DEACTIVATING, reason)
        self.tell_manager()
        self._device_state(device, state, reason)
        self._active_state(active, 4, 2)
        change(device, DEVICE, ActiveConnection=NOTHING)
        self.mock.object_manager_emit_removed(active)
        self.mock.RemoveObject(active)

    def tell_manager(self):
        """Say which connection is the primary one (a wired one wins) and how far it reaches."""
        device = next((d for d in (WIRED, WIFI) if d in self.active), None)
        connectivity = self.connectivity if device else 1
        state = CONNECTIVITY_TO_STATE[connectivity] if device else 20
        metered = dbus.UInt32(self.metered if device else 0)
        before = value(MANAGER, NM, "State")
        change(MANAGER, NM, ActiveConnections=paths(*self.active.values()),
               PrimaryConnection=self.active.get(device, NOTHING), PrimaryConnectionType=TYPES.get(device, ""),
               Metered=metered, State=dbus.UInt32(state), Connectivity=dbus.UInt32(connectivity))
        if device:
            change(device, DEVICE, Metered=metered, Ip4Connectivity=dbus.UInt32(connectivity))
        if before != state:
            dbusmock.get_object(MANAGER).EmitSignal(NM, "StateChanged", "u", [dbus.UInt32(state)])


def load(mock, parameters):
    """Called by dbusmock."""
    global network
    network = Network(mock)


@dbus.service.method(MOCK_IFACE, in_signature="aysyus", out_signature="")
def Wifi(self, ssid, bssid, strength, frequency, name):
    """Be on this network, by the connection of that name; with the same SSID as now it is roaming: one change of the
    access point, no more."""
    ssid = bytes(ssid)
    now = value(WIFI, WIRELESS, "ActiveAccessPoint")
    on_same = WIFI in network.active and now != "/" and bytes(value(now, POINT, "Ssid")) == ssid
    point = network._point(ssid, bssid, strength, frequency)
    if on_same:
        change(network.active[WIFI], ACTIVE, SpecificObject=point)
        change(WIFI, WIRELESS, ActiveAccessPoint=point)
        return
    network.disconnect(WIFI, DISCONNECTED, 60)
    network.connect(WIFI, str(name) or ssid.decode("utf-8", "replace"), ssid, point)


@dbus.service.method(MOCK_IFACE, in_signature="", out_signature="")
def WifiOff(self):
    """Leave the Wi-Fi network."""
    network.disconnect(WIFI, DISCONNECTED, 39)


@dbus.service.method(MOCK_IFACE, in_signature="", out_signature="")
def WifiLost(self):
    """Every access point is gone: at first the device still calls itself activated."""
    change(WIFI, WIRELESS, ActiveAccessPoint=NOTHING)


@dbus.service.method(MOCK_IFACE, in_signature="bss", out_signature="")
def Ip4(self, wired, address, gateway):
    """Have the next connection of the cable, or of the radio, bring these addresses."""
    network.ip4[WIRED if wired else WIFI] = (address, gateway)


@dbus.service.method(MOCK_IFACE, in_signature="bs", out_signature="")
def Wired(self, on, name):
    """Plug the cable in or out."""
    network.disconnect(WIRED, UNAVAILABLE, 40)
    change(WIRED, ETHERNET, Carrier=on)
    if on:
        network._device_state(WIRED, DISCONNECTED, 40)
        network.connect(WIRED, name)


@dbus.service.method(MOCK_IFACE, in_signature="ss", out_signature="")
def Tunnel(self, name, kind):
    """Have a tunnel of NetworkManager's type `kind`, or none where that is empty."""
    network.tunnel(str(name), str(kind))


@dbus.service.method(MOCK_IFACE, in_signature="u", out_signature="")
def SetReach(self, connectivity):
    """How far the primary connection reaches (NMConnectivityState)."""
    network.connectivity = int(connectivity)
    network.tell_manager()


@dbus.service.method(MOCK_IFACE, in_signature="u", out_signature="")
def SetMetered(self, metered):
    """Whether the primary connection is metered (NMMetered)."""
    network.metered = int(metered)
    network.tell_manager()
