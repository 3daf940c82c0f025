"""`homing setup` finds Home Assistant on the local network: by a real Avahi, and by a resolved that is played."""

import os

import pytest
from homing_rigs.avahi import Avahi
from homing_rigs.processes import Child
from test_setup import agent, answer, ended, setup  # noqa: F401 (fixtures)

RESOLVED = """
import sys, dbus, dbus.service, dbus.bus, dbus.mainloop.glib
from gi.repository import GLib
dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
NAME = "org.freedesktop.resolve1"

class Manager(dbus.service.Object):
    @dbus.service.method(NAME + ".Manager", in_signature="isqqt", out_signature="a(iqqay)t")
    def ResolveRecord(self, interface, name, class_, type_, flags):
        assert (str(name), class_, type_) == ("_home-assistant._tcp.local", 1, 12)
        labels = lambda *words: b"".join(bytes([len(word)]) + word.encode() for word in words) + bytes(1)
        target = labels("Home", "_home-assistant", "_tcp", "local")
        record = labels("_home-assistant", "_tcp", "local") + bytes([0, 12, 0, 1, 0, 0, 0, 60, 0, len(target)]) + target
        return [(2, 1, 12, dbus.ByteArray(record))], 0

    @dbus.service.method(NAME + ".Manager", in_signature="isssit",
                         out_signature="a(qqqsa(iiay)s)aaysssst")
    def ResolveService(self, interface, name, type_, domain, family, flags):
        assert (str(name), str(type_), str(domain)) == ("Home", "_home-assistant._tcp", "local")
        address = (2, 2, dbus.ByteArray(bytes([127, 0, 0, 1])))
        return ([(0, 0, int(sys.argv[1]), "ha.local", [address], "ha.local")],
                [dbus.ByteArray(b"location_name=By resolved")], "Home", "_home-assistant._tcp", "local", "", 0)

connection = dbus.SystemBus()
name = dbus.service.BusName(NAME, connection)
Manager(connection, "/org/freedesktop/resolve1")
GLib.MainLoop().run()
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="a file system of its own needs root")
def test_avahi_announces_two_and_the_first_is_wrong(bus, newest, agent, setup):  # noqa: F811
    with Avahi(bus) as avahi:
        avahi.announce("Cabin", 1, location_name="Cabin", internal_url="http://127.0.0.1:1", uuid="a")
        avahi.announce("House", newest.port, location_name="House \x1b[31m", base_url="", internal_url=newest.url, uuid="b")
        terminal = setup("--name", "Found", "--home-network")
        terminal.wait_for(r"1\. Cabin, http://127.0.0.1:1\r?\n *2\. House")
        assert "\x1b" not in terminal.text
        answer(terminal, "Number, or another address", "3")
        answer(terminal, "There is no number 3", "1")
        answer(terminal, "refuses the connection(.|\n)*Press Enter", "2")
        terminal.wait_for("Waiting for your login")
        assert newest.url in terminal.text
        terminal.type("\x03")
        assert ended(terminal) == "killed 2"


def test_resolved_is_asked_where_there_is_no_avahi(bus, newest, agent, setup, tmp_path):  # noqa: F811
    child = Child(["/usr/bin/python3", "-c", RESOLVED, str(newest.port)], tmp_path / "resolved.log",
                  {"PATH": "/usr/bin", **bus.environment})
    try:
        bus.wait_for_name("org.freedesktop.resolve1")
        terminal = setup("--name", "Found", "--home-network")
        terminal.wait_for(rf"1\. By resolved, http://127.0.0.1:{newest.port}")
        answer(terminal, "Press Enter to take it", "")
        terminal.wait_for("Waiting for your login")
    finally:
        child.stop()


def test_where_nothing_can_search_the_missing_package_is_named(newest, agent, setup):  # noqa: F811
    terminal = setup("--name", "Found", "--home-network")
    answer(terminal, "Cannot search this network(.|\n)*avahi-daemon(.|\n)*Address of Home Assistant", newest.url)
    terminal.wait_for("Waiting for your login")
    assert "No Home Assistant found" not in terminal.text


@pytest.mark.parametrize(("error", "said"), [
    ("QueryTimedOut", "No Home Assistant found"), ("NoNameServers", "Cannot search this network"),
])
def test_a_resolved_that_does_not_ask_the_local_network_is_told_from_silence(
        bus, newest, agent, setup, tmp_path, error, said):  # noqa: F811
    record = "        raise dbus.DBusException('played', name=NAME + '.%s')\n" % error
    program = RESOLVED.replace("        labels = ", record + "        labels = ")
    child = Child(["/usr/bin/python3", "-c", program, str(newest.port)], tmp_path / "resolved.log",
                  {"PATH": "/usr/bin", **bus.environment})
    try:
        bus.wait_for_name("org.freedesktop.resolve1")
        terminal = setup("--name", "Found", "--home-network")
        answer(terminal, f"{said}(.|\n)*Address of Home Assistant", newest.url)
        terminal.wait_for("Waiting for your login")
    finally:
        child.stop()


@pytest.mark.skipif(os.geteuid() != 0, reason="a file system of its own needs root")
def test_where_nothing_is_found_the_address_is_asked_for(bus, newest, agent, setup):  # noqa: F811
    with Avahi(bus):
        terminal = setup("--name", "Found", "--home-network")
        answer(terminal, "No Home Assistant found(.|\n)*Address of Home Assistant", newest.url)
        terminal.wait_for("Waiting for your login")


@pytest.mark.skipif(os.geteuid() != 0, reason="a file system of its own needs root")
def test_what_announces_itself_is_taken_unasked_only_with_yes_and_only_alone(bus, newest, agent, setup):  # noqa: F811
    with Avahi(bus) as avahi:
        avahi.announce("House", newest.port, location_name="House", internal_url=newest.url, uuid="a")
        script = agent.homing("setup", "--token-file", "-", "--yes", "--no-service", input=newest.token, check=False)
        assert script.returncode == 64 and "--url" in script.stderr, "a script gives the address"
        terminal = setup("--name", "Found", "--home-network", "--yes")
        terminal.wait_for("Waiting for your login")
        assert "Press Enter" not in terminal.text and newest.url in terminal.text
        terminal.type("\x03")
        assert ended(terminal) == "killed 2"
        avahi.announce("Other", 1, location_name="Other", internal_url="http://127.0.0.1:1", uuid="b")
        terminal = setup("--name", "Found", "--home-network", "--yes")
        terminal.wait_for("Number, or another address")
        assert "Waiting for your login" not in terminal.text
        terminal.type("\x04")
        ended(terminal)
