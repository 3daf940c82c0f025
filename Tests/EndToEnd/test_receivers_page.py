"""docs/receivers.md as it stands there: the gpsd of Debian 12 and of Debian 13, each under its own systemd, reads a receiver
on this side, and a real daemon brings the location to a real Home Assistant."""

import os
import re
import shlex
import signal

import pytest
from agent import BINARIES
from homing_rigs import debian_tree, nmea_track
from homing_rigs.documents import REPOSITORY, Shell, block
from homing_rigs.gps import GPSD
from homing_rigs.machine import Machine
from homing_rigs.netns import Namespace
from homing_rigs.processes import Child, free_port, temporary_folder, wait_for

PAGE = "docs/receivers.md"
RIGS = REPOSITORY / "Tests/rigs/homing_rigs"
PORT = 10110
SEA = nmea_track.Zone("Sea", 54.18, 7.89, 100)
# What the pages' readers have in place of it: every move is told, and the receiver never rests.
LIVELY = "[location]\nmin_distance = 2\nstill_interval = 0\n"

pytestmark = [pytest.mark.skipif(not Machine.possible(), reason="needs root and systemd-nspawn"),
              pytest.mark.skipif(os.environ.get("HOMING_LONG") != "1", reason="boots machines: make test-packages does")]


class Computer:
    """A machine with the page's gpsd, which this side reaches as the page says. What is elsewhere on the page is here."""

    def __init__(self, release, network):
        self.release, self._network = release, network
        install = block(PAGE, "A receiver elsewhere", "sh")
        tree = debian_tree.to_boot(release)
        packages = install.removeprefix("sudo apt install ").split()
        debian_tree.add_downloads(tree, "-".join(packages), packages)
        self.machine = Machine(tree, network)
        self.address = network.far
        self._install = install

    def __enter__(self):
        self.machine.boot()
        self.machine.write("/usr/local/bin/sudo", '#!/bin/sh\nexec "$@"\n')
        self.machine.run("chmod", "755", "/usr/local/bin/sudo")
        self.types(self._install)
        self.writes("/etc/systemd/system/gpsd.socket.d/network.conf", block(PAGE, "From another gpsd", "systemd"))
        self.types(block(PAGE, "From another gpsd", "sh"))
        return self

    def __exit__(self, *_):
        self.machine.stop()

    def here(self, text):
        """A text of the page with the addresses of this network: the router's is this side."""
        return re.sub(r"192\.168\.1\.1(?=[:/])", self._network.near, text.replace("192.168.1.20", self.address))

    def types(self, text):
        """Runs a block of the page, with an Enter for each question."""
        self.machine.run("bash", "-euc", self.here(text), input="\n" * 9)

    def writes(self, path, text):
        self.machine.write(path, self.here(text))

    def reads(self, defaults):
        """Has gpsd read what a block of the page names."""
        self.writes("/etc/default/gpsd", defaults)
        self.types(block(PAGE, "A receiver elsewhere", "sh", 2))

    def asked(self):
        """gpsd, to be asked from this side."""
        gpsd = GPSD(port=2947)
        gpsd.host = self.address
        return gpsd

    def receiver(self, track=None):
        gps = GPSD()
        gps.start_receiver(track)
        gps.feed("goto 130")
        return gps

    def by_udp(self, gps, port=PORT):
        return _program("gps_udp", gps.device, port, self.address)

    def by_tcp(self, gps, heard):
        return _program("gps_tcp", gps.device, self._network.near, PORT, heard)

    def configuration(self, *blocks):
        """Homing's, by blocks of the page."""
        return self.here("".join(blocks)) + LIVELY


def _program(name, *words):
    return Child(["/usr/bin/python3", RIGS / f"{name}.py", *words], temporary_folder(name) / "log")


def _host():
    return block(PAGE, "From another gpsd", "ini")


@pytest.fixture(scope="module", params=list(debian_tree.NUMBERS))
def computer(request):
    with Namespace() as network, Computer(request.param, network) as computer:
        yield computer


@pytest.fixture
def receiver(computer):
    gps = computer.receiver()
    yield gps
    gps.stop()


def arrive(ha, agent, number=3, seconds=90):
    """Waits for so many more locations of the drive, and for the last ones in Home Assistant."""
    before = len(agent.accepted())

    def is_shown():
        new = {place[1:] for place in agent.accepted()[before + number - 1:]}
        shown = ha.state(ha.tracker_of(agent.registration["device_id"]))["attributes"]
        return (shown["latitude"], shown["longitude"]) in new

    wait_for(is_shown, seconds, "locations in Home Assistant")
    latitude, longitude = agent.accepted()[-1][1:]
    assert abs(latitude - nmea_track.HOME.latitude) < 0.1 and abs(longitude - nmea_track.HOME.longitude) < 0.1


def test_a_sender_of_udp_is_on_the_map_and_may_come_and_go(computer, receiver, newest, make_agent):
    agent = make_agent(LIVELY).start()
    agent.register(newest.url, newest.token)
    shell = Shell(temporary_folder("shell"), [BINARIES / "homing", "--config", agent.configuration], agent.environment)
    systemctl = shell.folder / "programs/systemctl"
    systemctl.write_text(f'#!/bin/sh\ntest "$*" = "reload homing" && kill -{signal.SIGHUP} {agent.pid}\n')
    systemctl.chmod(0o755)
    computer.reads(block(PAGE, "By UDP", "sh"))
    # Homing here asks the gpsd there, once its configuration says so.
    agent.configuration.write_text(agent.configuration.read_text() + computer.here(_host()))
    shell.run(block(PAGE, "From another gpsd", "sh", 2))
    sender = computer.by_udp(receiver)
    arrive(newest, agent)
    shown = shell.run(block(PAGE, "See that it works", "sh"), check=False).stdout
    assert f"udp://*:{PORT}" in shown and re.search(r"Last fix +3D", shown), shown
    sender.stop()
    wait_for(lambda: agent.status()["position"]["age"] > 5, 30, "the silence")
    computer.by_udp(receiver)
    arrive(newest, agent)


def test_the_service_of_the_page_reads_tcp_whenever_the_other_end_is_there(computer, receiver, newest, make_agent, tmp_path):
    computer.writes("/etc/systemd/system/nmea.service", block(PAGE, "By TCP", "systemd"))
    computer.writes("/etc/default/gpsd", block(PAGE, "By TCP", "sh", 2))
    computer.types(block(PAGE, "By TCP", "sh", 3))
    agent = make_agent(computer.configuration(_host())).start()
    agent.register(newest.url, newest.token)
    wait_for(lambda: int(computer.machine.show("nmea", "NRestarts")["NRestarts"]) > 0, 30, "a first try in vain")
    try:
        for _ in range(2):
            router = computer.by_tcp(receiver, tmp_path / "heard")
            arrive(newest, agent)
            router.stop()
        assert not (tmp_path / "heard").read_bytes(), "nothing is written to the other end"
    finally:
        computer.machine.run("systemctl", "disable", "--now", "nmea")


@pytest.mark.parametrize("is_quiet", [True, False], ids=["with -b", "without -b"])
def test_gpsd_of_debian_13_reads_tcp_by_itself_and_writes_nothing_with_b(computer, receiver, newest, make_agent, tmp_path,
                                                                         is_quiet):
    if computer.release == "bookworm":
        pytest.skip("the page has another way for Debian 12")
    defaults = block(PAGE, "By TCP", "sh")
    assert defaults.count(" -b") == 1
    computer.reads(defaults if is_quiet else defaults.replace(" -b", ""))
    agent = make_agent(computer.configuration(_host())).start()
    agent.register(newest.url, newest.token)
    for _ in range(2):
        router = computer.by_tcp(receiver, tmp_path / "heard")
        # gpsd takes up to 67 s to make another connection: of 29 that ended, 8 took it more than 30 s.
        arrive(newest, agent, seconds=200)
        router.stop()
    assert ((tmp_path / "heard").read_bytes() == b"") == is_quiet


def test_a_gpsd_of_this_machine_passes_on_what_another_one_reads(computer, receiver, newest, make_agent):
    computer.reads(block(PAGE, "By UDP", "sh"))
    computer.by_udp(receiver)
    words = dict(line.split("=", 1) for line in shlex.split(computer.here(block(PAGE, "From another gpsd", "sh", 3))))
    port = free_port()
    Child(["gpsd", "-N", "-S", port, *words["GPSD_OPTIONS"].split(), *words["DEVICES"].split()],
          temporary_folder("gpsd") / "log")
    agent = make_agent(f"[gpsd]\nport = {port}\n{LIVELY}").start()
    agent.register(newest.url, newest.token)
    arrive(newest, agent)
    assert f"gpsd://{computer.address}:2947#udp://*:{PORT}" in agent.homing("doctor", check=False).stdout


def test_of_several_receivers_the_one_that_is_named_is_believed(computer, receiver, newest, make_agent):
    track = temporary_folder("sea") / "sea.nmea"
    nmea_track.drive_track(track, home=SEA)
    other = computer.receiver(track)
    other.feed("goto 0")
    other.feed("hold")
    defaults = block(PAGE, "By UDP", "sh")
    assert defaults.count(f"udp://*:{PORT}") == 1
    computer.reads(defaults.replace(f"udp://*:{PORT}", f"udp://*:{PORT + 1} udp://*:{PORT}"))
    computer.by_udp(receiver)
    computer.by_udp(other, PORT + 1)
    heard = {f"udp://*:{port}" for port in (PORT, PORT + 1)}
    wait_for(lambda: {report["device"] for report in computer.asked().reports(3)} == heard, 30, "both receivers")
    host = _host()
    named = block(PAGE, "Several receivers", "ini")
    agent = make_agent(computer.configuration(host, named.removeprefix("[gpsd]\n"))).start()
    agent.register(newest.url, newest.token)
    arrive(newest, agent, number=6)
    assert max(latitude for _, latitude, _ in agent.accepted()) < 53
    other.stop()
