"""A private D-Bus system bus with NetworkManager, UPower and logind on it, all under the test's hand.

By hand (from Tests/rigs):
    /usr/bin/python3 -m homing_rigs.bus
prints DBUS_SYSTEM_BUS_ADDRESS for another terminal and obeys lines such as `wifi HomeNet 02:00:00:00:01:00`.
"""

import os
import shlex
import signal
import sys

import dbus
import dbus.bus

from . import processes
from .bus_desktop import Desktop
from .bus_network import NetworkManager
from .bus_power import Power

CONFIGURATION = """\
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path={socket}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow receive_sender="*"/>
<allow own="*"/><allow user="*"/></policy></busconfig>
"""
MOCK = "org.freedesktop.DBus.Mock"


class SystemBus(NetworkManager, Power, Desktop):
    """The bus. `address` is its DBUS_SYSTEM_BUS_ADDRESS, which libnm, GIO and the command line tools honour;
    it stays the same over a restart. Empty after `start()`: each service is started by itself."""

    def __init__(self):
        super().__init__()
        self.folder = processes.temporary_folder("bus")
        self.socket = self.folder / "system.sock"
        self.address = f"unix:path={self.socket}"
        self._daemon = self._connection = None
        self._services = {}  # name -> Child

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    @property
    def environment(self):
        """The variables a program needs to be on this bus."""
        return {"DBUS_SYSTEM_BUS_ADDRESS": self.address}

    def start(self):
        """Start the bus. Returns self."""
        self.socket.unlink(missing_ok=True)
        configuration = self.folder / "system.conf"
        configuration.write_text(CONFIGURATION.format(socket=self.socket))
        self._daemon = processes.Child(
            ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile", "--nosyslog"],
            self.folder / "dbus-daemon.log")
        processes.wait_for(self._accepts, 40, "the bus is up")
        self.socket.chmod(0o666)
        return self

    def _accepts(self):
        self._daemon.must_live()
        if not self.socket.exists():
            return False
        try:
            self._connection = dbus.bus.BusConnection(self.address)
        except dbus.DBusException:
            return False
        self._connection.set_exit_on_disconnect(False)
        return True

    def stop(self):
        """End the bus and everything on it."""
        for name in list(self._services):
            self._end_service(name)
        if self._connection:
            self._connection.close()
            self._connection = None
        if self._daemon:
            self._daemon.stop()

    def restart(self):
        """Restart the bus, as a crash does: every client is cut off, and NetworkManager, UPower and logind come back as they
        were."""
        names = list(self._services)
        self.stop()
        self.start()
        for name in names:
            if start := getattr(self, f"{name}_start", None):
                start()

    def freeze(self):
        """From now on the bus answers nobody, until `thaw`."""
        self._daemon.signal(signal.SIGSTOP)

    def thaw(self):
        """The bus goes on."""
        self._daemon.signal(signal.SIGCONT)

    def wait_for_name(self, name):
        """Wait until somebody on the bus has this name."""
        processes.wait_for(lambda: self.has_name(name), 10, f"{name} is on the bus")

    def has_name(self, name):
        """Whether somebody on the bus has this name."""
        return bool(self._connection.name_has_owner(name))

    # For the services

    def _start_service(self, name, template, bus_name):
        """Start dbusmock with a template, unless it is there, and wait until it has its name."""
        self._start_mock(name, ["--template", template], bus_name)

    def _start_mock(self, name, words, bus_name):
        if name in self._services and self._services[name].alive:
            return
        environment = {**os.environ, **self.environment}
        child = processes.Child(
            ["/usr/bin/python3", "-m", "dbusmock", "--system", *words],
            self.folder / f"{name}.log", environment)
        self._services[name] = child

        def has_name():
            child.must_live()
            return self._connection.name_has_owner(bus_name)

        processes.wait_for(has_name, 60, f"{bus_name} is on the bus")

    def _end_service(self, name):
        child = self._services.pop(name, None)
        if child:
            child.stop()

    def _serves(self, name):
        return name in self._services

    def _call(self, bus_name, path, interface, method, signature, *arguments):
        """Call a method; `signature` is that of its arguments."""
        return self._connection.call_blocking(bus_name, path, interface, method, signature, arguments)

    def _mock(self, bus_name, path, method, signature, *arguments):
        """Call a method by which a mock is driven."""
        return self._call(bus_name, path, MOCK, method, signature, *arguments)


def _main():
    with SystemBus() as bus:
        bus.network_manager_start()
        bus.upower_start()
        bus.logind_start()
        print(f"export DBUS_SYSTEM_BUS_ADDRESS={bus.address}\nCommands: wifi SSID BSSID [STRENGTH], wifi_off, "
              "wired on|off, connectivity full|portal|limited|none, metered on|off, battery PERCENT on|off, "
              "prepare_for_sleep on|off", flush=True)
        for line in sys.stdin:
            name, *words = shlex.split(line) or [""]
            switches = {"on": True, "off": False}
            try:
                print(getattr(bus, name)(*(switches.get(w, int(w) if w.isdigit() else w) for w in words)))
            except Exception as problem:
                print(repr(problem))


if __name__ == "__main__":
    try:
        _main()
    except KeyboardInterrupt:
        pass
