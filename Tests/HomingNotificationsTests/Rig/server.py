#!/usr/bin/python3
"""A session bus of a test's own, and on it a notification server.

  server.py mock CAPABILITIES… | dunst | mate

Says "ready ADDRESS", then takes a command a line on its standard input and answers with one line:

  calls                     the calls the mock got, as JSON, oldest first
  emit NAME ID [TEXT|CODE]  has the mock send a signal
  stop, start               the server goes and comes
  press N                   invokes an action of dunst's newest
  dismiss                   puts dunst's newest away, as a person does
  displayed                 how many dunst shows
  click X Y                 clicks so far from the left and the top of mate's newest
  picture FILE              what the display shows, by ImageMagick

All of it ends with its standard input.
"""
import concurrent.futures
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
MATE = "mate-notification-daemon/mate-notification-daemon"
PROGRAMS = {
    "dunst": ["dunst"],
    # In Debian 12, and from Debian 13 on.
    "mate": [next((path for path in (f"/usr/lib/{MATE}", f"/usr/libexec/{MATE}") if os.path.exists(path)), MATE)],
}
children = []


def child(words, **options):
    process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *words], stderr=subprocess.DEVNULL, **options)
    children.append(process)
    return process


def session_bus(folder):
    """A bus that starts no service by itself: what is installed here must not come into it."""
    with open(f"{folder}/bus.conf", "w") as file:
        file.write(f"""<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={folder}/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy></busconfig>""")
    bus = child(["dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork", "--nosyslog", "--print-address=1"],
                stdout=subprocess.PIPE, text=True)
    return bus.stdout.readline().strip()


class Mock:
    """A server that keeps what it is told, and signals what a test wants."""

    def __init__(self, capabilities):
        self.capabilities = capabilities
        self.log, self.next_id, self.connection = [], 0, None

    def start(self):
        import dbus
        import dbus.service

        mock = self

        class Server(dbus.service.Object):
            @dbus.service.method(NAME, "", "as")
            def GetCapabilities(self):
                mock.log.append(["GetCapabilities"])
                return mock.capabilities

            @dbus.service.method(NAME, "susssasa{sv}i", "u")
            def Notify(self, app, replaces, icon, summary, body, actions, hints, timeout):
                if summary == "refuse this":
                    raise dbus.DBusException("it is refused")
                if replaces:
                    number = int(replaces)
                else:
                    mock.next_id += 1
                    number = mock.next_id
                plain = {str(key): (int(value) if isinstance(value, (dbus.Byte, dbus.Int32, dbus.Boolean))
                                    else str(value)) for key, value in hints.items()}
                mock.log.append(["Notify", str(app), int(replaces), str(summary), str(body),
                                 [str(action) for action in actions], plain, int(timeout), number])
                return dbus.UInt32(number)

            @dbus.service.method(NAME, "u", "")
            def CloseNotification(self, number):
                mock.log.append(["CloseNotification", int(number)])
                self.NotificationClosed(number, dbus.UInt32(3))

            @dbus.service.signal(NAME, "us")
            def ActionInvoked(self, number, key):
                pass

            @dbus.service.signal(NAME, "us")
            def NotificationReplied(self, number, text):
                pass

            @dbus.service.signal(NAME, "us")
            def ActivationToken(self, number, token):
                pass

            @dbus.service.signal(NAME, "uu")
            def NotificationClosed(self, number, reason):
                pass

        self.connection = dbus.bus.BusConnection(os.environ["DBUS_SESSION_BUS_ADDRESS"])
        self.connection.request_name(NAME)
        self.server = Server(self.connection, PATH)

    def stop(self):
        self.server.remove_from_connection()
        self.connection.close()
        self.next_id = 0

    def calls(self):
        return json.dumps(self.log)

    def emit(self, name, number, text=""):
        import dbus

        argument = dbus.UInt32(int(text)) if name == "NotificationClosed" else text
        getattr(self.server, name)(dbus.UInt32(int(number)), argument)
        return "ok"


class Real:
    """A server of Debian's on a display that nobody sees."""

    def __init__(self, name, folder):
        self.name, self.process = name, None
        os.environ.pop("WAYLAND_DISPLAY", None)
        os.environ.update(HOME=folder, XDG_RUNTIME_DIR=folder, XDG_CONFIG_HOME=folder)
        read, write = os.pipe()
        child(["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-nolisten", "tcp"],
              pass_fds=[write], stdout=subprocess.DEVNULL)
        number = b""
        while not number.endswith(b"\n"):
            number += os.read(read, 1)
        os.environ["DISPLAY"] = f":{number.decode().strip()}"

    def start(self):
        self.process = child(PROGRAMS[self.name], stdout=subprocess.DEVNULL)
        # Not `busctl status`: it asks for the server's control group, which not every container shows.
        until(lambda: subprocess.run(
            ["busctl", "--address", os.environ["DBUS_SESSION_BUS_ADDRESS"], "call", "org.freedesktop.DBus", "/",
             "org.freedesktop.DBus", "NameHasOwner", "s", NAME], capture_output=True, text=True).stdout == "b true\n")

    def stop(self):
        self.process.kill()
        self.process.wait()

    def press(self, number):
        """Only dunst can be told to."""
        subprocess.run(["dunstctl", "action", number], check=True)

    def dismiss(self):
        subprocess.run(["dunstctl", "close"], check=True)

    def displayed(self):
        return subprocess.run(["dunstctl", "count", "displayed"], check=True, capture_output=True, text=True).stdout.strip()

    def click(self, x, y):
        """As a person does, with the mouse."""
        window = self._window()
        subprocess.run(["xdotool", "mousemove", "--window", window, x, y, "click", "1"], check=True)

    def picture(self, path):
        """Of the newest notification alone."""
        subprocess.run(["import", "-window", self._window(), path], check=True)

    def _window(self):
        def newest():
            found = subprocess.run(["xdotool", "search", "--onlyvisible", "--class", "notification-daemon"],
                                   capture_output=True, text=True).stdout.split()
            return found and found[-1]

        return until(newest)


def until(condition, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise TimeoutError("it did not happen")


def in_loop(work):
    """Does it on the loop's thread: libdbus ends a process whose two threads use a connection at once."""
    from gi.repository import GLib

    outcome = concurrent.futures.Future()

    def begin():
        try:
            outcome.set_result(work())
        except Exception as error:
            outcome.set_exception(error)

    GLib.idle_add(begin)
    return outcome.result()


def main():
    folder = tempfile.mkdtemp(prefix="homing-notify-")
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = address = session_bus(folder)
    kind, *capabilities = sys.argv[1:]
    if kind == "mock":
        import dbus.mainloop.glib
        from gi.repository import GLib

        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        server = Mock(capabilities)
        server.start()
        threading.Thread(target=GLib.MainLoop().run, daemon=True).start()
        perform = in_loop
    else:
        server = Real(kind, folder)
        server.start()

        def perform(work):
            return work()

    print("ready", address, flush=True)
    for line in sys.stdin:
        command, *arguments = line.rstrip("\n").split(" ", 3)
        try:
            print(perform(lambda: getattr(server, command)(*arguments)) or "ok", flush=True)
        except Exception as error:  # the test must see it, whatever it is
            print(f"failed: {error!r}", flush=True)
    for process in children:
        process.send_signal(signal.SIGKILL)
    subprocess.run(["rm", "-rf", folder], check=True)


main()
