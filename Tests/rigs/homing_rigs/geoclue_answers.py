"""Answers geoclue for the user it runs as, for homing_rigs.geoclue_agent.

`geoclue_answers.py ANSWER ACCURACY`, where ANSWER is a file with yes, no or never. Says what happens on standard
output, a line of JSON each.
"""

import json
import pathlib
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME, PATH = "org.freedesktop.GeoClue2", "/org/freedesktop/GeoClue2"
AGENT, KNOWN_AS = f"{NAME}.Agent", "geoclue-demo-agent"  # geoclue.conf has a list of those it accepts


def tell(**what):
    """Say what happened."""
    print(json.dumps(what), flush=True)


class Answers(dbus.service.Object):
    """What geoclue calls."""

    def __init__(self, bus, file, accuracy):
        super().__init__(bus, f"{PATH}/Agent")
        self._file, self._accuracy = pathlib.Path(file), accuracy

    @dbus.service.method(AGENT, in_signature="su", out_signature="bu", async_callbacks=("reply", "fail"))
    def AuthorizeApp(self, desktop, level, reply, fail):
        """Whether this program may know."""
        tell(asked=[str(desktop), int(level)])
        answer = self._file.read_text()
        if answer != "never":
            reply(answer == "yes", level)

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        """A property."""
        return self.GetAll(interface)[name]

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        """How exactly programs may know at most."""
        return {"MaxAccuracyLevel": dbus.UInt32(self._accuracy)}


def main(file, accuracy):
    """Be the agent of each geoclue that comes, until the bus ends."""
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SystemBus()
    answers = Answers(bus, file, int(accuracy))

    def came_or_went(owner):
        if owner:
            bus.call_async(NAME, f"{PATH}/Manager", f"{NAME}.Manager", "AddAgent", "s", (KNOWN_AS,),
                           lambda: tell(known=str(owner)), lambda error: tell(refused=error.get_dbus_name()))

    bus.watch_name_owner(NAME, came_or_went)
    GLib.MainLoop().run()
    answers.remove_from_connection()


if __name__ == "__main__":
    main(*sys.argv[1:])
