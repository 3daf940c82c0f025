"""What libnm, UPower's and logind's clients really see. The clients run in processes of their own."""

import json
import os
import select
import subprocess

import pytest
from homing_rigs import bus as rig

LOOK = """
import gi, json
gi.require_version("NM", "1.0")
from gi.repository import NM
client = NM.Client.new(None)
primary = client.get_primary_connection()
wifi = [d for d in client.get_devices() if isinstance(d, NM.DeviceWifi)]
point = wifi[0].get_active_access_point() if wifi else None
print(json.dumps({
    "running": client.get_nm_running(), "connectivity": client.get_connectivity().value_nick,
    "metered": client.props.metered, "state": client.get_state().value_nick,
    "id": primary and primary.get_id(), "uuid": primary and primary.get_uuid(),
    "type": primary and primary.get_connection_type(),
    "profile": primary and primary.get_connection().get_id(),
    "ssid": point and bytes(point.get_ssid().get_data()).decode("utf-8", "replace"),
    "bssid": point and point.get_bssid(), "strength": point and point.get_strength(),
    "frequency": point and point.get_frequency(),
    "active": sorted([each.get_connection_type(), each.get_id()] for each in client.get_active_connections())}))
"""


@pytest.fixture(scope="module")
def bus():
    with rig.SystemBus() as running:
        running.network_manager_start()
        running.upower_start()
        running.logind_start()
        yield running


def look(bus):
    """What libnm sees."""
    done = subprocess.run(["/usr/bin/python3", "-c", LOOK], env={**os.environ, **bus.environment}, check=True,
                          stdout=subprocess.PIPE, text=True, timeout=60)
    return json.loads(done.stdout)


def properties(bus, service, path, interface, *names):
    """What busctl reads."""
    done = subprocess.run(["busctl", "--system", "get-property", service, path, interface, *names], check=True,
                          env={**os.environ, **bus.environment}, stdout=subprocess.PIPE, text=True, timeout=60)
    return [line.split(" ", 1)[1] for line in done.stdout.splitlines()]


def test_wifi_is_seen(bus):
    bus.wifi("HomeNet", "02:00:00:00:01:00", strength=61)
    seen = look(bus)
    assert (seen["ssid"], seen["bssid"], seen["strength"]) == ("HomeNet", "02:00:00:00:01:00", 61)
    assert (seen["id"], seen["profile"], seen["type"]) == ("HomeNet", "HomeNet", "802-11-wireless")
    assert (seen["connectivity"], seen["state"], seen["metered"]) == ("full", "connected-global", 2)
    bus.wifi("HomeNet", "02:00:00:00:02:00")
    assert look(bus) == {**seen, "bssid": "02:00:00:00:02:00", "strength": 70}
    bus.wifi("Café")
    assert look(bus)["ssid"] == look(bus)["id"] == "Café"


def test_a_frequency_a_connections_name_and_a_tunnel_are_seen(bus):
    bus.wifi("Harbour", frequency=2437, connection="Harbour guests")
    bus.tunnel("tailscale0", "tun")
    seen = look(bus)
    assert (seen["ssid"], seen["id"], seen["frequency"]) == ("Harbour", "Harbour guests", 2437)
    assert seen["active"] == [["802-11-wireless", "Harbour guests"], ["tun", "tailscale0"]]
    bus.network_manager_stop()
    bus.network_manager_start()
    assert look(bus) == seen
    bus.tunnel("tailscale0", None)
    assert look(bus)["active"] == [["802-11-wireless", "Harbour guests"]]


def test_wired_is_primary(bus):
    bus.wifi("HomeNet")
    bus.wired(True, "Dock")
    seen = look(bus)
    assert (seen["id"], seen["profile"], seen["type"], seen["ssid"]) == ("Dock", "Dock", "802-3-ethernet", "HomeNet")
    assert len(seen["uuid"]) == 36
    bus.wired(False)
    assert look(bus)["id"] == "HomeNet"
    bus.wired(True, "Dock")
    assert look(bus)["uuid"] == seen["uuid"]
    bus.wired(False)


@pytest.mark.parametrize("reach", ["none", "portal", "limited", "full"])
def test_connectivity(bus, reach):
    bus.wifi("HomeNet")
    bus.connectivity(reach)
    assert look(bus)["connectivity"] == reach


def test_metered(bus):
    bus.wifi("HomeNet")
    bus.metered(True)
    assert look(bus)["metered"] == 1
    bus.metered(False)
    assert look(bus)["metered"] == 2


def test_off(bus):
    bus.wifi_off()
    seen = look(bus)
    assert seen["ssid"] is seen["id"] is None and seen["connectivity"] == "none"


def test_access_points_gone_and_connection_still_there(bus):
    bus.wifi("HomeNet")
    bus.wifi_lost()
    seen = look(bus)
    assert seen["ssid"] is None and seen["id"] == "HomeNet"
    bus.wifi_off()


def test_network_manager_comes_back_as_it_was(bus):
    bus.wifi("HomeNet")
    bus.network_manager_stop()
    assert not look(bus)["running"]
    bus.network_manager_start()
    assert look(bus)["ssid"] == "HomeNet"


def test_battery(bus):
    display = ("org.freedesktop.UPower", "/org/freedesktop/UPower/devices/DisplayDevice",
               "org.freedesktop.UPower.Device", "Percentage", "State", "IsPresent", "Type")
    manager = ("org.freedesktop.UPower", "/org/freedesktop/UPower", "org.freedesktop.UPower", "OnBattery")
    assert properties(bus, *display) == ["0", "0", "false", "0"]
    bus.battery(42, charging=False)
    assert properties(bus, *display) == ["42", "2", "true", "2"]
    assert properties(bus, *manager) == ["true"]
    bus.battery(43, charging=True)
    assert properties(bus, *display) == ["43", "1", "true", "2"]
    bus.no_battery()
    assert properties(bus, *display) == ["0", "0", "false", "0"]
    assert properties(bus, *manager) == ["false"]


def test_sleep_and_inhibitors(bus):
    monitor = subprocess.Popen(
        ["busctl", "--system", "monitor", "--json=short", "--match", "type=signal,member=PrepareForSleep"],
        env={**os.environ, **bus.environment}, stdout=subprocess.PIPE, text=True)
    sleeper = subprocess.Popen(
        ["/usr/bin/python3", "-c", "import dbus, time; b = dbus.SystemBus(); "
         "fd = b.call_blocking('org.freedesktop.login1', '/org/freedesktop/login1', "
         "'org.freedesktop.login1.Manager', 'Inhibit', 'ssss', ('sleep', 'rig', 'test', 'delay')).take(); "
         "print('held', flush=True); time.sleep(100)"],
        env={**os.environ, **bus.environment}, stdout=subprocess.PIPE, text=True)
    try:
        assert sleeper.stdout.readline() == "held\n"
        assert bus.inhibitors() == [("sleep", "rig", "test", "delay")]
        while not select.select([monitor.stdout], [], [], 0.2)[0]:  # the monitor needs a moment
            bus.prepare_for_sleep(True)
        assert json.loads(monitor.stdout.readline())["payload"]["data"] == [True]
        bus.prepare_for_sleep(False)
        while (told := json.loads(monitor.stdout.readline())["payload"]["data"]) == [True]:
            pass
        assert told == [False]
    finally:
        monitor.kill()
        sleeper.kill()


def test_the_bus_comes_back_with_everything(bus):
    bus.wifi("HomeNet")
    bus.battery(80, charging=True)
    bus.restart()
    assert look(bus)["ssid"] == "HomeNet"
    assert properties(bus, "org.freedesktop.UPower", "/org/freedesktop/UPower/devices/DisplayDevice",
                      "org.freedesktop.UPower.Device", "Percentage") == ["80"]
