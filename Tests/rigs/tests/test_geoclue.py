"""What a client of a real geoclue sees, of Debian 12 and of Debian 13. The client runs in a process of its own."""

import json
import pathlib
import signal
import time

import pytest
from homing_rigs import bus as bus_rig
from homing_rigs import geoclue as rig
from homing_rigs import processes
from homing_rigs.geoclue_agent import as_user

USER, HARBOUR, STATION = 65534, (52.36760, 4.90410), (48.87650, 2.35860)
NETWORKS = [("02:00:00:00:01:00", "HomeNet", -50), ("02:00:00:00:02:00", "Neighbour", -70)]
ASK = """
import dbus, dbus.mainloop.glib, json, sys, time
from gi.repository import GLib
NAME, PATH = "org.freedesktop.GeoClue2", "/org/freedesktop/GeoClue2"
dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus, began = dbus.SystemBus(), time.monotonic()
def tell(what, **more):
    print(json.dumps({"what": what, "after": round(time.monotonic() - began, 3), **more}), flush=True)
def call(path, interface, method, signature, words, then):
    bus.call_async(NAME, path, interface, method, signature, words, then,
                   lambda error: tell("failed", method=method, error=error.get_dbus_name()), timeout=60)
def got(client):
    def moved(old, new):
        call(new, dbus.PROPERTIES_IFACE, "GetAll", "s", (NAME + ".Location",), lambda all: told(all))
    def told(all):
        tell("location", **{name: all[name] if name == "Description" else float(all[name]) for name in
                            ("Latitude", "Longitude", "Accuracy", "Altitude", "Speed", "Description")})
        if "leave" in sys.argv:
            call(client, NAME + ".Client", "Stop", "", (), lambda: None)
            call(PATH + "/Manager", NAME + ".Manager", "DeleteClient", "o", (client,), lambda: tell("deleted"))
    def put(name, value):
        call(client, dbus.PROPERTIES_IFACE, "Set", "ssv", (NAME + ".Client", name, value), lambda: None)
    tell("client", path=client)
    bus.add_signal_receiver(moved, "LocationUpdated", NAME + ".Client", path=client)
    put("DesktopId", "asker")
    put("RequestedAccuracyLevel", dbus.UInt32(int(sys.argv[1])))
    call(client, NAME + ".Client", "Start", "", (), lambda: tell("started"))
call(PATH + "/Manager", NAME + ".Manager", "GetClient", "", (), got)
GLib.MainLoop().run()
"""


@pytest.fixture(scope="module")
def bus():
    with bus_rig.SystemBus() as running:
        yield running


@pytest.fixture(params=["bookworm", "trixie"])
def release(request):
    if reason := rig.problem(request.param):
        pytest.skip(reason)
    return request.param


class Client:
    """A program that asks geoclue, and tells what it is told. `flatpak` is (geoclue, what it takes it for)."""

    def __init__(self, bus, *words, level=8, flatpak=None):
        log = processes.temporary_folder("asker") / "log"
        asks = ["sh", "-c", 'kill -STOP $$; exec "$@"', "sh", "/usr/bin/python3", "-c", ASK, level, *words]
        self._child = processes.Child(as_user(USER, *asks), log, {**bus.environment, "PATH": "/usr/bin:/bin"})
        processes.wait_for(self._stands_still, 10, "the client is there")
        if flatpak:
            geoclue, application = flatpak
            geoclue.take_for_flatpak(self._child.pid, application)
        self._child.signal(signal.SIGCONT)

    def _stands_still(self):
        return pathlib.Path(f"/proc/{self._child.pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "T"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._child.stop()

    def told(self, what):
        """All it has told of this kind."""
        lines = [json.loads(line) for line in self._child.log_text().splitlines() if line.startswith("{")]
        return [line for line in lines if line["what"] == what]

    def wait(self, what, place=None):
        """The first it tells of this kind; a location: there."""
        def found():
            return [told for told in self.told(what)
                    if not place or (round(told["Latitude"], 4), round(told["Longitude"], 4)) == place]
        return processes.wait_for(found, 20, f"a client is told {what}")[0]

    def failure(self):
        """(method, name of the error) of the first call that fails."""
        told = self.wait("failed")
        return told["method"], told["error"].removeprefix("org.freedesktop.DBus.Error.")


def test_a_position_of_the_receiver_reaches_a_client_and_follows_it(bus, release):
    receiver = rig.Receiver(HARBOUR)
    with rig.Geoclue(bus, release, receiver=receiver) as geoclue, rig.Agent(bus, USER), Client(bus) as client:
        assert client.wait("location", HARBOUR)["Altitude"] == 12
        assert (geoclue.clients(), geoclue.connected(), receiver.connections) == ([1], 1, 1)
        receiver.place = STATION
        client.wait("location", STATION)


def test_a_good_receivers_accuracy_is_told_as_nothing(bus, release):
    for mode, accuracy in ((3, 0), (2, 3)):
        with (rig.Geoclue(bus, release, receiver=rig.Receiver(HARBOUR, mode)), rig.Agent(bus, USER),
              Client(bus) as client):
            assert client.wait("location", HARBOUR)["Accuracy"] == accuracy


@pytest.mark.parametrize("silent", [True, False])
def test_a_receiver_that_is_silent_or_has_no_fix_tells_nothing(bus, release, silent):
    receiver = rig.Receiver(HARBOUR if silent else None, every=0.1)
    receiver.silent = silent
    with rig.Geoclue(bus, release, receiver=receiver), rig.Agent(bus, USER), Client(bus) as client:
        processes.wait_for(lambda: receiver.connections, 10, "geoclue listens to the receiver")
        time.sleep(0.5)
        assert client.told("started") and not client.told("location")
        receiver.place, receiver.silent = HARBOUR, False
        client.wait("location", HARBOUR)


def test_without_an_agent_there_is_no_answer_until_one_comes(bus, release):
    with rig.Geoclue(bus, release, receiver=rig.Receiver(HARBOUR)) as geoclue, Client(bus) as client:
        time.sleep(1.5)
        assert not client.told("client") and not client.told("failed") and geoclue.connected() == 0
        with rig.Agent(bus, USER):
            client.wait("location", HARBOUR)


def test_a_place_in_a_file_is_told_by_debian_13(bus, release):
    with rig.Geoclue(bus, release, static=(*HARBOUR, 3, 15)) as geoclue, rig.Agent(bus, USER), Client(bus) as client:
        client.wait("started")
        if release == "bookworm":
            time.sleep(0.5)
            assert not client.told("location")
            return
        assert client.wait("location", HARBOUR)["Accuracy"] == 15
        geoclue.place_in_file((*STATION, 3, 20))
        processes.wait_for(lambda: "Ignoring less accurate" in geoclue.log_text(), 10, "geoclue reads the file again")
        geoclue.place_in_file((*STATION, 3, 15))
        client.wait("location", STATION)
        geoclue.place_in_file(None)
        processes.wait_for(lambda: "flushing location" in geoclue.log_text(), 10, "geoclue forgets the place")


def test_a_look_up_by_the_address_of_this_machine(bus, release):
    look_up = rig.LookUp(STATION, 2500)
    with rig.Geoclue(bus, release, look_up=look_up), rig.Agent(bus, USER), Client(bus) as client:
        assert client.wait("location", STATION)["Accuracy"] == 2500
        assert [(request.path, request.body) for request in look_up.requests] == [("/v1/geolocate?key=rig", {})]


def test_a_look_up_by_the_networks_in_sight(bus, release):
    look_up, wifi = rig.LookUp(STATION), rig.Wifi(bus, NETWORKS)
    with rig.Geoclue(bus, release, look_up=look_up, wifi=wifi) as geoclue, rig.Agent(bus, USER), Client(bus) as client:
        client.wait("location", STATION)
        assert look_up.requests[-1].networks == [address for address, _, _ in NETWORKS]
        told = look_up.requests[-1].body["wifiAccessPoints"]
        assert [network["ssid"] for network in told] == [name for _, name, _ in NETWORKS]
        assert wifi.scans() == geoclue.scans() == 1 and geoclue.wake_ups() > 10


def test_a_look_up_that_fails_tells_nothing(bus, release):
    look_up = rig.LookUp(STATION)
    with rig.Geoclue(bus, release, look_up=look_up) as geoclue, rig.Agent(bus, USER):
        for number, answer in enumerate(("not found", "503", "429", "portal-html", "hang up", "hang"), 1):
            look_up.answer = answer
            with Client(bus) as client:
                processes.wait_for(lambda: len(look_up.requests) == number, 10, f"the look-up before {answer}")
                time.sleep(0.3)
                assert client.told("started") and not client.told("location"), answer
        assert geoclue.alive


def test_a_look_up_without_a_place_is_told_as_a_place_off_africa(bus, release):
    look_up = rig.LookUp(STATION)
    look_up.answer = "empty-object"
    with rig.Geoclue(bus, release, look_up=look_up), rig.Agent(bus, USER), Client(bus) as client:
        assert client.wait("location", (0, 0))["Accuracy"] == 0


def test_an_agent_is_asked_about_flatpaks_alone(bus, release):
    application = "org.example.Map"
    with rig.Geoclue(bus, release, receiver=rig.Receiver(HARBOUR)) as geoclue, rig.Agent(bus, USER, "no") as agent:
        with Client(bus) as client:
            client.wait("location", HARBOUR)
            assert agent.asked == []
        with Client(bus, flatpak=(geoclue, application)) as client:
            assert client.failure() == ("Start", "AccessDenied")
        agent.answer = "never"
        with Client(bus, flatpak=(geoclue, application)) as client:
            processes.wait_for(lambda: len(agent.asked) == 2, 10, "the agent is asked")
            time.sleep(0.3)
            assert client.told("client") and not client.told("started") and not client.told("failed")
        agent.answer = "yes"
        with Client(bus, flatpak=(geoclue, application)) as client:
            client.wait("location", HARBOUR)
        assert agent.asked == [(application, 8)] * 3


def test_a_user_who_has_switched_location_off_is_refused(bus, release):
    with rig.Geoclue(bus, release, receiver=rig.Receiver(HARBOUR)), rig.Agent(bus, USER, accuracy=0) as agent:
        with Client(bus) as client:
            assert client.failure() == ("Start", "AccessDenied")
        assert agent.asked == []


def test_a_user_whom_the_configuration_does_not_name_is_refused(bus, release):
    settings = {"asker": {"allowed": "true", "system": "true", "users": "7"}}
    with rig.Geoclue(bus, release, settings=settings), rig.Agent(bus, USER), Client(bus) as client:
        assert client.failure() == ("Start", "AccessDenied")


@pytest.mark.parametrize("leave", [True, False])
def test_a_client_that_is_deleted_or_ends_is_gone(bus, release, leave):
    receiver = rig.Receiver(HARBOUR)
    with rig.Geoclue(bus, release, receiver=receiver) as geoclue, rig.Agent(bus, USER):
        with Client(bus, *(["leave"] if leave else [])) as client:
            client.wait("deleted" if leave else "location")
            assert geoclue.connected() == (0 if leave else 1)
        processes.wait_for(lambda: geoclue.connected() == receiver.connections == 0, 10, "the client is gone")
        processes.wait_for(lambda: geoclue.clients() == [], 10, "its object is gone")


def test_a_restart_forgets_clients_and_an_agent_comes_back(bus, release):
    with rig.Geoclue(bus, release, receiver=rig.Receiver(HARBOUR)) as geoclue, rig.Agent(bus, USER) as agent:
        with Client(bus) as client:
            client.wait("location")
            geoclue.restart()
            assert (geoclue.clients(), geoclue.connected()) == ([], 0)
            agent.wait_until_known(2)
        with Client(bus) as client:
            client.wait("location", HARBOUR)


def test_what_a_client_is_told_when_geoclue_is_absent_freezes_or_dies(bus, release):
    with Client(bus) as client:
        assert client.failure() == ("GetClient", "ServiceUnknown")
    with rig.Geoclue(bus, release, receiver=rig.Receiver(HARBOUR)) as geoclue, rig.Agent(bus, USER):
        geoclue.freeze()
        with Client(bus) as client:
            time.sleep(0.5)
            assert not client.told("client")
            geoclue.thaw()
            client.wait("location", HARBOUR)
        geoclue.freeze()
        with Client(bus) as client:
            time.sleep(0.5)
            geoclue.kill()
            assert client.failure() == ("GetClient", "NoReply")


def test_it_ends_by_itself_when_nobody_asks(bus, release):
    with rig.Geoclue(bus, release, exits_after=1) as geoclue:
        processes.wait_for(lambda: not geoclue.alive, 10, "geoclue ends")
        geoclue.restart()
        assert geoclue.alive
