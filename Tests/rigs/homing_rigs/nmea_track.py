"""A drive from home to work as a GPS receiver tells it, and the truth that a test may assert.

    /usr/bin/python3 -m homing_rigs.nmea_track /tmp/drive.nmea      # writes drive.nmea and drive.truth.json

Deterministic for one seed: home 120 s, school (60 s stop), grocery (90 s), work 180 s; 5.8 km in 980 s.
"""

import dataclasses
import datetime
import json
import math
import pathlib
import random
import sys
from typing import NamedTuple

from .nmea_sentences import epoch_sentences

EARTH = 6371008.8  # metres


class Zone(NamedTuple):
    """A circle that Home Assistant may hold as a zone."""

    name: str
    latitude: float
    longitude: float
    radius: float


# Invented places on the street grid of Amsterdam.
HOME = Zone("Home", 52.373100, 4.892200, 100)
SCHOOL = Zone("School", 52.366000, 4.905500, 120)
GROCERY = Zone("Grocery", 52.357500, 4.910900, 80)
WORK = Zone("Work", 52.338000, 4.872900, 150)
ZONES = (HOME, SCHOOL, GROCERY, WORK)

# Bends between home and work: latitude, longitude, speed limit in m/s, seconds of a stop there.
BENDS = (
    (52.371500, 4.897800, 8.3, 12), (52.368900, 4.901800, 13.9, 0), (52.366000, 4.905500, 8.3, 60),
    (52.362300, 4.907900, 13.9, 0), (52.357500, 4.910900, 8.3, 90), (52.352600, 4.909300, 13.9, 20),
    (52.347500, 4.901200, 22.2, 0), (52.343300, 4.889800, 22.2, 0), (52.340100, 4.880300, 13.9, 8))
ACCELERATION, BRAKING = 1.8, 2.2  # m/s²


@dataclasses.dataclass(frozen=True)
class Epoch:
    """One moment of the drive: the true place, and the place the receiver measured."""

    seconds: float
    latitude: float
    longitude: float
    measured_latitude: float
    measured_longitude: float
    speed: float
    track: float
    mode: int
    zone: str | None


@dataclasses.dataclass(frozen=True)
class Truth:
    """What happened: every epoch, and the moments at which a zone's border was crossed."""

    start: str
    hz: float
    epochs: list[Epoch]

    @property
    def crossings(self):
        """(seconds, zone left or None, zone entered or None), in order."""
        before = [None, *(epoch.zone for epoch in self.epochs)]
        return [(epoch.seconds, old, epoch.zone) for old, epoch in zip(before, self.epochs) if old != epoch.zone]

    @property
    def metres(self):
        """The length of the way."""
        places = [(epoch.latitude, epoch.longitude) for epoch in self.epochs]
        return sum(map(distance, places, places[1:]))


def distance(a, b):
    """Metres between two (latitude, longitude)."""
    p, q = math.radians(a[0]), math.radians(b[0])
    haversine = (math.sin((q - p) / 2) ** 2
                 + math.cos(p) * math.cos(q) * math.sin(math.radians(b[1] - a[1]) / 2) ** 2)
    return 2 * EARTH * math.asin(math.sqrt(haversine))


def bearing(a, b):
    """Degrees from north of the way from `a` to `b`."""
    p, q, across = math.radians(a[0]), math.radians(b[0]), math.radians(b[1] - a[1])
    return math.degrees(math.atan2(
        math.sin(across) * math.cos(q),
        math.cos(p) * math.sin(q) - math.sin(p) * math.cos(q) * math.cos(across))) % 360


def moved(place, north, east):
    """`place` moved by metres."""
    return (place[0] + math.degrees(north / EARTH),
            place[1] + math.degrees(east / (EARTH * math.cos(math.radians(place[0])))))


def zone_at(place):
    """The name of the zone that holds a place, or None."""
    return next((zone.name for zone in ZONES if distance(place, zone[1:3]) <= zone.radius), None)


def _ride(road, home_seconds, work_seconds, step):
    """Yield (place, speed, track) every `step` seconds along a road of (lat, lon, limit, stop)."""
    place, track, speed = road[0][:2], bearing(road[0][:2], road[1][:2]), 0.0
    yield from [(place, 0.0, track)] * round(home_seconds / step)
    for here, there in zip(road, road[1:]):
        length, gone = distance(here[:2], there[:2]), 0.0
        track, limit = bearing(here[:2], there[:2]), here[2]
        stops = there[3] > 0 or there is road[-1]
        last_speed = 0.0 if stops else min(limit, there[2])
        while gone < length - 0.05:
            target = min(limit, math.sqrt(last_speed ** 2 + 2 * BRAKING * max(length - gone, 0)))
            speed = (min(target, speed + ACCELERATION * step) if speed < target
                     else max(target, speed - 1.5 * BRAKING * step))
            speed = max(speed, 0.7)
            gone = min(length, gone + speed * step)
            part = gone / length
            yield tuple(a + (b - a) * part for a, b in zip(here[:2], there[:2])), speed, track
        if stops:
            speed = 0.0
            seconds = work_seconds if there is road[-1] else there[3]
            yield from [(there[:2], 0.0, track)] * round(seconds / step)


def drive_track(path, seed=7, home=HOME, work=WORK, home_seconds=120, work_seconds=180, hz=1, noise=2.5,
                cold=0, twod=0, tunnels=(), glitches=(), gst=True, altitude=4.0, start="2026-11-20T07:40:00",
                rests=True):
    """Write the drive to `path` (NMEA) and its truth beside it; returns the Truth.

    `noise`: standard deviation of the error in metres, which drifts slowly as a receiver's does.
    `cold`, `twod`: seconds without a fix, then without altitude. `tunnels`: (from second, length) without a
    fix. `glitches`: (second, metres) of a single jump. `gst`: whether the receiver tells its own error.
    `rests`: whether it stops on the way.
    """
    path, chance = pathlib.Path(path), random.Random(seed)
    bends = BENDS if rests else [(*bend[:3], 0) for bend in BENDS]
    road = [(*home[1:3], 8.3, 0), *bends, (*work[1:3], 8.3, 0)]
    moment, step = datetime.datetime.fromisoformat(start), 1 / hz
    keep = math.exp(-step / 30)
    spread = math.sqrt(1 - keep * keep) * noise
    north = east = up = 0.0
    epochs = []
    with open(path, "w", newline="") as file:
        for number, (place, speed, track) in enumerate(_ride(road, home_seconds, work_seconds, step)):
            seconds = number * step
            north, east = north * keep + chance.gauss(0, spread), east * keep + chance.gauss(0, spread)
            up = up * keep + chance.gauss(0, spread * 1.6)
            mode = 1 if seconds < cold else 2 if seconds < cold + twod else 3
            if any(begin <= seconds < begin + length for begin, length in tunnels):
                mode = 1
            jump = sum(metres for at, metres in glitches if int(at) == int(seconds))
            measured = moved(place, north + jump, east)
            file.write(epoch_sentences(
                moment + datetime.timedelta(seconds=seconds), measured, altitude + up, mode,
                max(0.0, speed + chance.gauss(0, 0.08)), (track + chance.gauss(0, 0.6 if speed > 2 else 4)) % 360,
                noise if gst else None, with_satellites=number % round(5 * hz) == 0))
            epochs.append(Epoch(round(seconds, 3), *(round(n, 7) for n in (*place, *measured)), round(speed, 2),
                                round(track, 1), mode, zone_at(place)))
    truth = Truth(start, hz, epochs)
    path.with_suffix(".truth.json").write_text(json.dumps({
        "start": start, "hz": hz, "zones": [zone._asdict() for zone in ZONES], "crossings": truth.crossings,
        "epochs": [dataclasses.asdict(epoch) for epoch in epochs]}))
    return truth


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    made = drive_track(sys.argv[1])
    print(f"{sys.argv[1]}: {len(made.epochs)} epochs, {made.metres:.0f} m")
    for second, left, entered in made.crossings:
        print(f"{second:6.0f} s  leave {left}, enter {entered}")
