"""A real gpsd on loopback, fed by a simulated receiver.

By hand (from Tests/rigs):  /usr/bin/python3 -m homing_rigs.gps [SPEED]      a drive; ^C ends it
"""

import json
import pathlib
import shutil
import socket
import sys
import time

from . import gps_feed, nmea_track, processes


class GPSD:
    """gpsd and its receiver. `prefix` is put before gpsd's command line (a namespace's, for example)."""

    def __init__(self, port=None, prefix=()):
        self.port = port or processes.free_port()
        self.host = "127.0.0.1"
        self.folder = processes.temporary_folder("gps")
        self.truth = None
        self._prefix = list(prefix)
        self._gpsd = self._feed = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    @property
    def device(self):
        """The name under which gpsd knows the receiver."""
        return self.folder / "gps0"

    def start(self, track=None, speed=1, time="now"):
        """Start the receiver (see `start_receiver`) and gpsd on it. Returns self."""
        self.start_receiver(track, speed, time)
        self.start_gpsd()
        return self

    def start_receiver(self, track=None, speed=1, time="now"):
        """Start the receiver alone, with a track (a file of NMEA; None: the drive of nmea_track, whose truth is then
        in `.truth`). `time`: "now", "sim" or "keep", see gps_feed.
        At more than real speed use "sim": with "now" gpsd derives absurd speeds."""
        if track is None:
            track = self.folder / "drive.nmea"
            self.truth = nmea_track.drive_track(track)
        control = self.folder / "feed.sock"
        control.unlink(missing_ok=True)
        self._feed = processes.Child(
            ["/usr/bin/python3", pathlib.Path(gps_feed.__file__), track, self.device, control, speed, time],
            self.folder / "feed.log")
        processes.wait_for(lambda: self.device.is_symlink() and self.feed("status"), 40, "the receiver is there")

    def stop(self):
        """End gpsd and the receiver."""
        for child in (self._gpsd, self._feed):
            if child:
                child.stop()
        self._gpsd = self._feed = None
        self.device.unlink(missing_ok=True)

    def feed(self, command):
        """Give the receiver a command (see gps_feed); returns its status. `plug` and `unplug` also tell gpsd,
        as udev does; `hang-up` only breaks the line, which gpsd does not report to anybody."""
        told = {"hang-up": "unplug"}.get(command, command)
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(30)
            connection.connect(str(self.folder / "feed.sock"))
            connection.sendall(told.encode())
            status = json.loads(connection.makefile().read())
        if "error" in status:
            raise ValueError(status["error"])
        if command in ("plug", "unplug") and self._gpsd and self._gpsd.alive:
            self._tell_gpsd(("+" if command == "plug" else "-") + str(self.device))
        return status

    def _tell_gpsd(self, line):
        """The control socket by which udev adds and removes devices."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(30)
            connection.connect(str(self.folder / "gpsd.sock"))
            connection.sendall(line.encode() + b"\r\n")
            answer = connection.recv(64)
            if not answer.startswith((b"OK", b'{"class":"ACK"}')):  # since gpsd 3.23 it says ACK
                raise RuntimeError(f"gpsd did not accept {line!r}: {answer!r}")

    # gpsd alone

    def start_gpsd(self):
        """Start gpsd on the receiver, wherever that is in its track."""
        # -N in the foreground, -n reads the receiver without clients too, -b never writes to it,
        # -F the control socket, -S the port.
        self._gpsd = processes.Child(
            [*self._prefix, _program(), "-N", "-n", "-b", "-S", self.port, "-F", self.folder / "gpsd.sock",
             "-P", self.folder / "gpsd.pid", self.device], self.folder / "gpsd.log")
        processes.wait_for(self._ready, 40, "gpsd is up")

    def _ready(self):
        self._gpsd.must_live()
        return (self.folder / "gpsd.sock").exists() and (self._prefix or processes.listens(self.port))

    def stop_gpsd(self):
        """End gpsd in good order; the receiver goes on."""
        self._gpsd.stop()
        self._remove_sockets()

    def kill_gpsd(self):
        """kill -9 of gpsd; the receiver goes on."""
        self._gpsd.kill()
        self._remove_sockets()

    def restart_gpsd(self):
        """Stop and start gpsd on the same port; its clients are cut off."""
        self.stop_gpsd()
        self.start_gpsd()

    def _remove_sockets(self):
        for name in ("gpsd.sock", "gpsd.pid"):
            (self.folder / name).unlink(missing_ok=True)

    def reports(self, seconds, kind="TPV"):
        """What a client of gpsd is told for some seconds: a list of JSON objects of that class."""
        found, end = [], time.monotonic() + seconds
        with socket.create_connection((self.host, self.port), 5) as connection:
            connection.sendall(b'?WATCH={"enable":true,"json":true};\n')
            buffer = b""
            while time.monotonic() < end:
                connection.settimeout(max(0.01, end - time.monotonic()))
                try:
                    chunk = connection.recv(65536)
                except TimeoutError:
                    break
                if not chunk:
                    break
                *lines, buffer = (buffer + chunk).split(b"\n")
                found += [json.loads(line) for line in lines if line.strip()]
        return [report for report in found if kind in (None, report["class"])]


def _program():
    program = shutil.which("gpsd") or "/usr/sbin/gpsd"
    if not pathlib.Path(program).exists():
        raise RuntimeError("gpsd is not installed (package gpsd)")
    return program


def _main(speed="1"):
    with GPSD().start(speed=float(speed), time="now" if float(speed) == 1 else "sim") as gps:
        print(f"gpsd at 127.0.0.1:{gps.port}; receiver's commands on {gps.folder}/feed.sock; ^C ends it", flush=True)
        while True:
            status = gps.feed("status")
            print(f"{status['seconds']:5.0f} s  {status['fault']}", flush=True)
            time.sleep(5)


if __name__ == "__main__":
    try:
        _main(*sys.argv[1:])
    except KeyboardInterrupt:
        pass
