"""A recorded machine's services on a bus: its dbus.json in Tests/HomingSensorsTests/Machines, which the unit tests read too."""

import json

import dbus

from .recorded_machine import MACHINES

# UPower's names for what a recording may have of a battery, and their types.
OF_A_BATTERY = {"rate": ("EnergyRate", dbus.Double), "capacity": ("Capacity", dbus.Double),
                "temperature": ("Temperature", dbus.Double), "cycles": ("ChargeCycles", dbus.Int32)}


def play(bus, machine):
    """Have a SystemBus say what that machine's services said; a service that was not there ends."""
    said = json.loads((MACHINES / machine / "dbus.json").read_text())
    _network(bus, said.get("network"))
    _power(bus, said.get("power"))
    if "profile" in said:
        bus.power_profile(said["profile"])
    if "sessions" in said:
        bus.logind_start()
    for session in said.get("sessions", []):
        path = bus.session(session["uid"], session["user"], session["active"])
        bus.change_session(path, Type=session["type"], Remote=session["remote"])
    for player in said.get("players", []):
        fields = {key: player[key] for key in ("title", "album") if key in player}
        if "artist" in player:
            fields["artist"] = dbus.Array([player["artist"]], signature="s")
        bus.media_player(player["name"], player["status"], **fields)


def _network(bus, said):
    if said is None:
        bus.network_manager_stop()
        return
    assert said["radio"], "the played NetworkManager always has a radio"
    bus.network_manager_start()
    if wifi := said.get("wifi"):
        bus.wifi(wifi["ssid"], wifi["bssid"], wifi["strength"], wifi["frequency"], wifi["connection"])
    else:
        bus.wifi_off()
    if wired := said.get("wired"):
        bus.wired(True, wired)
    for name, kind in said["tunnels"].items():
        bus.tunnel(name, kind)
    bus.connectivity(said["connectivity"])
    bus.metered(said["metered"])


def _power(bus, said):
    bus.no_battery()
    if said is None:
        bus.upower_stop()
        return
    bus.upower_start()
    for battery in said["batteries"]:
        more = {name: kind(battery[key]) for key, (name, kind) in OF_A_BATTERY.items() if key in battery}
        bus.add_battery(battery["name"], battery["model"], battery["charge"], battery["state"], **more)
    bus.laptop_display(said["charge"], said["battery"])
