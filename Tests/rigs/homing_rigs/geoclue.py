"""A real geoclue of Debian 12 or 13 on a private bus, in a mount namespace of its own, with sources for it.

Its /etc is a layer over that of its release, so that nothing on this machine changes. Debian's own configuration is
used as it is shipped, but for the sources: a receiver, networks in sight, a look-up service, and a place in a file.
What a source is not given for is off, and no look-up leaves this machine. A client of it needs an agent of its user's.

By hand (from Tests/rigs, as root):
    /usr/bin/python3 -m homing_rigs.geoclue bookworm|trixie LATITUDE LONGITUDE
prints DBUS_SYSTEM_BUS_ADDRESS for another terminal; a receiver is at that place, and root has an agent.
"""

import configparser
import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import dbus
import dbus.bus

from . import debian_tree, processes
from .bus import SystemBus
from .geoclue_agent import Agent
from .geoclue_sources import LookUp, Receiver, Wifi  # noqa: F401 (part of this module's face)
from .ha_install import CannotInstall

NAME, PATH, PROGRAM = "org.freedesktop.GeoClue2", "/org/freedesktop/GeoClue2", "/usr/libexec/geoclue"
PROGRAM_WITH_ITS_LAYER = """
mount -t tmpfs none "$1/layer"
cp -r "$1/etc" "$1/layer/upper"
mkdir "$1/layer/work"
mount -t overlay overlay -o "lowerdir=/etc,upperdir=$1/layer/upper,workdir=$1/layer/work" /etc
shift
exec "$@"
"""
# Where a look-up goes if there is none: nothing may listen on that port.
NOWHERE = "http://127.0.0.1:1/"


def tree_of(release):
    """Where that release's geoclue is: this machine's root, or a tree, which takes a minute the first time."""
    if release == debian_tree.host_release():
        return pathlib.Path("/")
    return debian_tree.to_locate(release)


def problem(release):
    """Why that release's geoclue cannot run here, or None."""
    if os.geteuid() != 0:
        return "a mount namespace needs root"
    switch = f"HOMING_DEBIAN_{debian_tree.NUMBERS[release]}"
    if release != debian_tree.host_release() and os.environ.get(switch) == "skip":
        return f"{switch}=skip"
    try:
        return None if (tree_of(release) / PROGRAM[1:]).exists() else "the package geoclue-2.0 is not installed"
    except (CannotInstall, subprocess.CalledProcessError) as cannot:
        return str(cannot)


class Geoclue:
    """The service. `bus` is a running SystemBus. `receiver`, `look_up` and `wifi` are started and ended with it, as far
    as given; `static` is (latitude, longitude, altitude, accuracy) and means something to Debian 13 only."""

    def __init__(self, bus, release=None, receiver=None, look_up=None, wifi=None, static=None, settings=None,
                 exits_after=0):
        """`settings` are more of geoclue.conf, by section and key. `exits_after` are the seconds without a client after
        which it ends, 0 for never (as Debian starts it: 60)."""
        self._bus = bus
        self.release = release or debian_tree.host_release()
        self.receiver, self.look_up, self.wifi = receiver, look_up, wifi
        self._static, self._settings, self._exits_after = static, settings or {}, exits_after
        self.folder = processes.temporary_folder("geoclue")
        self._tree = tree_of(self.release)
        self._daemon, self._life_began = None, 0  # where its log was then

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Start the sources and geoclue; returns when it is on the bus."""
        for source in self._sources:
            source.start()
        self._write_etc()
        self._start_daemon()
        return self

    def stop(self):
        """End it and its sources."""
        if self._daemon:
            self._daemon.signal(signal.SIGCONT)
            self._daemon.stop()
        for source in self._sources:
            source.stop()
        if self._tree != pathlib.Path("/"):
            for folder in self._seen:
                with contextlib.suppress(OSError):
                    (self._tree / str(folder)[1:]).rmdir()  # where it was mounted

    def kill(self):
        """Kill it, as a crash does; the sources go on."""
        self._daemon.kill()
        processes.wait_for(lambda: not self._bus.has_name(NAME), 10, f"{NAME} has left the bus")

    def restart(self):
        """Kill it if it runs, and start it again: it forgets its clients and agents."""
        if self._daemon.alive:
            self.kill()
        self._start_daemon()

    def freeze(self):
        """From now on it answers nobody, until `thaw`."""
        self._daemon.signal(signal.SIGSTOP)

    def thaw(self):
        """It goes on."""
        self._daemon.signal(signal.SIGCONT)

    @property
    def alive(self):
        """Whether it still runs."""
        return self._daemon.alive

    def place_in_file(self, place):
        """Change /etc/geolocation while it runs; None removes the file."""
        self._static = place
        _write_place(pathlib.Path(f"/proc/{self._daemon.pid}/root/etc/geolocation"), place)

    def take_for_flatpak(self, pid, application):
        """Have it take a process for one of this Flatpak application: only then does it ask the agent. The process must
        not have asked for a client yet."""
        file = self.folder / f"{pid}.cgroup"
        file.write_text(f"0::/user.slice/app-flatpak-{application}-1.scope\n")
        subprocess.run(["nsenter", "--target", str(self._daemon.pid), "--mount", "--root", "mount", "--bind", file,
                        f"/proc/{pid}/cgroup"], check=True)

    def connected(self):
        """How many clients it says it has."""
        counts = re.findall(r"Number of connected clients: (\d+)", self.log_text()[self._life_began:])
        return int(counts[-1]) if counts else 0

    def clients(self):
        """The numbers of its clients of now, by their objects on the bus. One that has gone while its call was not yet
        answered keeps its object for a while."""
        connection = dbus.bus.BusConnection(self._bus.address)
        connection.set_exit_on_disconnect(False)
        try:
            found = connection.call_blocking(NAME, f"{PATH}/Client", dbus.INTROSPECTABLE_IFACE, "Introspect", "", (),
                                             timeout=5)
        finally:
            connection.close()
        return sorted(map(int, re.findall(r'<node name="(\d+)"', found)))

    def wake_ups(self):
        """How often its threads have waited for something until now."""
        texts = [file.read_text() for file in pathlib.Path(f"/proc/{self._daemon.pid}/task").glob("*/status")]
        return sum(int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", text, re.MULTILINE)[1]) for text in texts)

    def scans(self):
        """How often it has asked for a scan of the networks in sight."""
        return self.log_text().count("Starting WiFi scan")

    def log_text(self):
        """What it has written so far, in all its lives."""
        return self._daemon.log_text()

    @property
    def _sources(self):
        return [source for source in (self.receiver, self.look_up, self.wifi) if source]

    @property
    def _seen(self):
        """The folders that it must see."""
        return [self.folder, self._bus.folder, *([self.receiver.folder] if self.receiver else [])]

    def _write_etc(self):
        configuration = configparser.ConfigParser(interpolation=None)
        configuration.optionxform = str
        configuration.read(self._tree / "etc/geoclue/geoclue.conf")
        changes = {"network-nmea": {"enable": "true" if self.receiver else "false"},
                   "wifi": {"enable": "true" if self.look_up or self.wifi else "false",
                            "url": self.look_up.url if self.look_up else NOWHERE}}
        if self.receiver:
            changes["network-nmea"]["nmea-socket"] = str(self.receiver.socket)
        for section, values in [*changes.items(), *self._settings.items()]:
            configuration.read_dict({section: values})
        (self.folder / "layer").mkdir(exist_ok=True)
        file = self.folder / "etc/geoclue/geoclue.conf"
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file, "w") as opened:
            configuration.write(opened, space_around_delimiters=False)

    def _start_daemon(self):
        _write_place(self.folder / "etc/geolocation", self._static)
        words = ["sh", "-ec", PROGRAM_WITH_ITS_LAYER, "sh", self.folder, PROGRAM, "-t", self._exits_after]
        if self._tree == pathlib.Path("/"):
            command = ["unshare", "--mount", "--propagation", "private", *words]
        else:
            command, _ = debian_tree.command_in_tree(self._tree, *words, binds=[(each, each) for each in self._seen])
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "G_MESSAGES_DEBUG": "Geoclue",
                       **self._bus.environment}
        self._life_began = len(self.log_text()) if self._daemon else 0
        self._daemon = processes.Child(command, self.folder / "geoclue.log", environment)

        def is_there():
            self._daemon.must_live()
            return self._bus.has_name(NAME)

        processes.wait_for(is_there, 15, "geoclue is on the bus")


def _write_place(file, place):
    if place is None:
        file.unlink(missing_ok=True)
    else:
        file.write_text("".join(f"{number}\n" for number in place))


def _main(release, latitude, longitude):
    place = float(latitude), float(longitude)
    with SystemBus() as bus, Geoclue(bus, release, receiver=Receiver(place)) as geoclue, Agent(bus, 0):
        print(f"export DBUS_SYSTEM_BUS_ADDRESS={bus.address}\nlog: {geoclue.folder}/geoclue.log", flush=True)
        signal.pause()


if __name__ == "__main__":
    if len(sys.argv) != 4 or not shutil.which("unshare"):
        sys.exit(__doc__)
    try:
        _main(*sys.argv[1:])
    except KeyboardInterrupt:
        pass
