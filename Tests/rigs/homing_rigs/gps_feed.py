"""A GPS receiver on a pty that plays an NMEA track at N times real speed, with faults on command.

A process of its own, so that its clock does not depend on the test's: `gps_feed.py TRACK LINK CONTROL SPEED TIME`.
CONTROL is a Unix socket: one command per connection, answered by one line of JSON. Commands:
    status | pause | resume | hold (go on sending this place, speed 0) | goto SECONDS | speed N |
    fix | nofix | twod | nodate (RMC without its date) | ggaonly (GGA alone) |
    silent (open, no bytes) | garbage (random bytes) | unplug (hang up) | plug
`fix` also ends silent and garbage; `resume` ends pause and hold. At the end of the track it holds.
TIME: now = fixes carry the wall clock; sim = the clock of the track's pace, from now on; keep = as in the file.
"""

import datetime
import fcntl
import json
import os
import pathlib
import pty
import random
import select
import socket
import sys
import time
import tty

try:
    from . import nmea_sentences
except ImportError:  # started as a program
    import nmea_sentences

MODES = {"nofix": nmea_sentences.without_fix, "twod": nmea_sentences.without_altitude, "fix": None,
         "nodate": nmea_sentences.without_date, "ggaonly": nmea_sentences.gga_alone}


def read_epochs(path):
    """The epochs of a file: lists of sentences, each a list of fields. An epoch begins with its GGA."""
    epochs = []
    for line in pathlib.Path(path).read_text().splitlines():
        if line.startswith("$"):
            fields = nmea_sentences.fields(line)
            if fields[0].endswith("GGA") or not epochs:
                epochs.append([])
            epochs[-1].append(fields)
    return epochs


def second_of_day(epoch):
    """When an epoch was, by its GGA."""
    clock = next(fields[1] for fields in epoch if fields[0].endswith("GGA"))
    return int(clock[:2]) * 3600 + int(clock[2:4]) * 60 + float(clock[4:])


class Receiver:
    """The pty, and what is sent through it next."""

    def __init__(self, track, link, speed, time_mode):
        self.epochs = read_epochs(track)
        self.times = [(second_of_day(epoch) - second_of_day(self.epochs[0])) % 86400 for epoch in self.epochs]
        self.link, self.speed, self.time_mode = link, speed, time_mode
        self.index = self.sent = self.dropped = 0
        self.paused = self.holding = False
        self.fault = "fix"
        self.started = datetime.datetime.now(datetime.timezone.utc)
        self.master = self.slave = None

    def plug(self):
        """Make the device appear. World-writable, because gpsd gives up its rights."""
        if self.master is None:
            self.master, self.slave = pty.openpty()
            tty.setraw(self.slave)
            name = os.ttyname(self.slave)
            os.chmod(name, 0o666)
            fcntl.fcntl(self.master, fcntl.F_SETFL, fcntl.fcntl(self.master, fcntl.F_GETFL) | os.O_NONBLOCK)
            if os.path.lexists(self.link):
                os.unlink(self.link)
            os.symlink(name, self.link)

    def unplug(self):
        """Hang up and let the device disappear."""
        if self.master is not None:
            os.unlink(self.link)
            os.close(self.slave)
            os.close(self.master)
            self.master = self.slave = None

    def seconds_to_next(self):
        """How long the epoch just sent lasts at this speed."""
        if self.holding or not 0 < self.index < len(self.times):
            return 1 / self.speed
        return max(0.01, self.times[self.index] - self.times[self.index - 1]) / self.speed

    def tick(self):
        """Send the present epoch and go on to the next."""
        if self.paused:
            return
        self._write(self._bytes_of(self.epochs[self.index]))
        if not self.holding:
            if self.index + 1 < len(self.epochs):
                self.index += 1
            else:
                self.holding = True

    def _bytes_of(self, epoch):
        if self.fault == "silent":
            return b""
        if self.fault == "garbage":
            return random.randbytes(80)
        if self.time_mode != "keep":
            now = datetime.datetime.now(datetime.timezone.utc)
            if self.time_mode == "sim":
                now = self.started + datetime.timedelta(seconds=self.times[self.index])
            epoch = nmea_sentences.at_time(epoch, now)
        if self.holding:
            epoch = nmea_sentences.standing_still(epoch)
        if MODES[self.fault]:
            epoch = MODES[self.fault](epoch)
        return "".join(nmea_sentences.sentence(",".join(fields)) for fields in epoch).encode()

    def _write(self, data):
        if self.master is None or not data:
            return
        try:
            os.write(self.master, data)
            self.sent += 1
        except OSError:  # nobody reads the device
            self.dropped += 1
        try:
            while os.read(self.master, 4096):
                pass  # what gpsd writes to probe the receiver
        except OSError:
            pass

    def command(self, text):
        """Obey a command; returns the status."""
        name, *argument = text.split() or ["status"]
        if name in MODES or name in ("silent", "garbage"):
            self.fault = name
        elif name == "pause":
            self.paused = True
        elif name == "resume":
            self.paused = self.holding = False
        elif name == "hold":
            self.holding = True
        elif name == "speed":
            self.speed = float(argument[0])
        elif name == "goto":
            at = float(argument[0])
            self.index = min(range(len(self.times)), key=lambda i: abs(self.times[i] - at))
        elif name in ("plug", "unplug"):
            getattr(self, name)()
        elif name != "status":
            return {"error": f"unknown command {name!r}"}
        return {"seconds": self.times[self.index], "epoch": self.index, "epochs": len(self.epochs),
                "speed": self.speed, "paused": self.paused, "holding": self.holding, "fault": self.fault,
                "plugged": self.master is not None, "sent": self.sent, "dropped": self.dropped}


def serve(receiver, control):
    """Send epochs on time and answer commands, for ever."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(control)
        listener.listen(8)
        due = time.monotonic()
        while True:
            if select.select([listener], [], [], max(0, due - time.monotonic()))[0]:
                with listener.accept()[0] as caller:
                    try:
                        answer = receiver.command(caller.recv(400).decode())
                    except (ValueError, IndexError) as problem:
                        answer = {"error": str(problem)}
                    caller.sendall(json.dumps(answer).encode() + b"\n")
                continue
            receiver.tick()
            due = max(due + receiver.seconds_to_next(), time.monotonic() - 0.5)


def main(track, link, control, speed, time_mode):
    """The program."""
    receiver = Receiver(track, link, float(speed), time_mode)
    receiver.plug()
    serve(receiver, control)


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
