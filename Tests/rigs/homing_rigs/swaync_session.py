#!/usr/bin/python3
"""A session with swaync in it, for homing_rigs.swaync: run in Debian 13's tree, with the session's folder as its
argument. Says "ready", then takes commands on its standard input and answers each with a line."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={folder}/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy></busconfig>"""
children, seen = [], []


def child(*words):
    # They end with this process, however it ends.
    words = ["setpriv", "--pdeathsig", "KILL", *words]
    with open(f"{os.environ['HOME']}/{words[3].rsplit('/', 1)[-1]}.log", "w") as log:
        children.append(subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log))


def until(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    raise TimeoutError(what)


def start(folder):
    os.environ.update(
        HOME=str(folder), XDG_RUNTIME_DIR=str(folder), XDG_CONFIG_HOME=f"{folder}/config",
        DBUS_SESSION_BUS_ADDRESS=f"unix:path={folder}/bus", WLR_BACKENDS="headless", WLR_RENDERER="pixman",
        WLR_LIBINPUT_NO_DEVICES="1", GSK_RENDERER="cairo")
    for name, content in (("sway/config", "xwayland disable\noutput HEADLESS-1 resolution 800x600\n"),
                          # Off unless asked for: without it neither the capability nor the entry is there.
                          ("swaync/config.json", json.dumps({"notification-inline-replies": True, "timeout": 300}))):
        file = folder / "config" / name
        file.parent.mkdir(parents=True)
        file.write_text(content)
    (folder / "bus.conf").write_text(BUS.format(folder=folder))
    child("dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork", "--nosyslog")
    until((folder / "bus").exists, "the bus")
    child("/usr/libexec/at-spi-bus-launcher", "--launch-immediately")
    until(lambda: owned("org.a11y.Bus"), "accessibility")
    child("sway")
    display = until(lambda: [path for path in folder.glob("wayland-?")], "the compositor")
    os.environ["WAYLAND_DISPLAY"] = display[0].name
    child("swaync")
    until(lambda: owned("org.freedesktop.Notifications"), "swaync")


def owned(name):
    words = ["dbus-send", "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/",
             "org.freedesktop.DBus.NameHasOwner", f"string:{name}"]
    return "true" in subprocess.run(words, capture_output=True, text=True).stdout


def nodes(node):
    """All that is seen, in the order of the screen."""
    from gi.repository import GLib

    if node is None:
        return
    try:
        yield node, node.get_role_name(), node.get_name()
        for number in range(node.get_child_count()):
            yield from nodes(node.get_child_at_index(number))
    except GLib.Error as problem:
        seen.append(f"({problem})")  # it went while it was looked at


def button(label):
    """The newest button with this label, and the entry before it if there is one."""
    from gi.repository import Atspi

    entry = None
    seen.clear()
    for node, role, name in nodes(Atspi.get_desktop(0)):
        if role == "text":
            entry = node
        if role == "button" and name == label:
            return node, entry
        seen.append(f"{role} {name!r}")
    return None


def wanted(label):
    try:
        return until(lambda: button(label), label, 20)
    except TimeoutError:
        raise LookupError(f"no button {label!r} among {seen}") from None


def press(label):
    node, _ = wanted(label)
    assert node.get_action_iface().do_action(0)


def reply(rest):
    label, text = rest.split("\t", 1)
    node, entry = wanted(label)
    assert entry.get_editable_text_iface().set_text_contents(text)
    assert node.get_action_iface().do_action(0)


def picture(path):
    subprocess.run(["grim", path], check=True)


def deed(command, rest):
    """In a process of its own: what accessibility remembers of a screen grows stale in one that lives on."""
    import gi

    gi.require_version("Atspi", "2.0")
    {"press": press, "reply": reply, "picture": picture}[command](rest)


def main():
    if len(sys.argv) > 2:
        return deed(*sys.argv[1:])
    start(pathlib.Path(sys.argv[1]))
    print("ready", flush=True)
    for line in sys.stdin:
        command, _, rest = line.rstrip("\n").partition(" ")
        done = subprocess.run([sys.executable, __file__, command, rest], capture_output=True, text=True)
        # The test must see what went wrong, whatever it is.
        print("ok" if done.returncode == 0 else f"failed: {done.stderr.strip().splitlines()[-1]}", flush=True)
    for process in reversed(children):
        process.send_signal(signal.SIGKILL)
        process.wait()


main()
