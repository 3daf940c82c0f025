"""A real avahi-daemon on a private bus that keeps to loopback, and services announced by it."""

import os

from . import processes

CONFIGURATION = """\
[server]
host-name=homing-rig
use-ipv4=yes
use-ipv6=no
allow-interfaces=lo
enable-dbus=yes
[wide-area]
enable-wide-area=no
[publish]
publish-workstation=no
publish-hinfo=no
[rlimits]
"""


class Avahi:
    """`bus` is a running SystemBus. It needs Debian's avahi-daemon and avahi-utils, and root."""

    def __init__(self, bus):
        self._bus = bus
        self.folder = processes.temporary_folder("avahi")
        self._daemon = None
        self._announcements = []

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    @property
    def _environment(self):
        return {**os.environ, **self._bus.environment}

    def start(self):
        """Start it; returns when it is on the bus. Its pid file is in a /run of its own."""
        configuration = self.folder / "avahi-daemon.conf"
        configuration.write_text(CONFIGURATION)
        words = ["avahi-daemon", "--no-drop-root", "--no-chroot", "--no-rlimits", "-f", configuration]
        self._daemon = processes.Child(
            ["unshare", "-m", "sh", "-c", "mount -t tmpfs none /run && exec \"$@\"", "sh", *words],
            self.folder / "avahi.log", self._environment)

        def is_there():
            self._daemon.must_live()
            return self._bus.has_name("org.freedesktop.Avahi")

        processes.wait_for(is_there, 15, "avahi-daemon is on the bus")
        return self

    def stop(self):
        """End it and what it announces."""
        for announcement in self._announcements:
            announcement.stop()
        if self._daemon:
            self._daemon.stop()

    def announce(self, name, port, kind="_home-assistant._tcp", **texts):
        """Announce a service; without `kind` a Home Assistant, as its zeroconf integration does."""
        words = ["avahi-publish", "-s", name, kind, str(port),
                 *[f"{key}={value}" for key, value in texts.items()]]
        child = processes.Child(words, self.folder / f"{len(self._announcements)}.log", self._environment)
        self._announcements.append(child)
        processes.wait_for(lambda: "Established" in child.log_text(), 15, f"{name} is announced")
