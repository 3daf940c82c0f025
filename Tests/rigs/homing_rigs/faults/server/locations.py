"""`update_location`: what Home Assistant takes, by version, and what its tracker then shows."""

import math

from .outcomes import Refused

SHOWN = ("altitude", "course", "speed", "vertical_accuracy")


def read(data, version):
    """The message as Home Assistant of `version` (year, month) keeps it. Raises Refused."""
    if not isinstance(data, dict) or ("gps" in data and "gps_accuracy" not in data):
        raise Refused("a position without accuracy")
    if version < (2024, 8):
        return dict(data)  # the rest of the schema was there and was never used
    readers = {"location_name": text, "gps": place, "gps_accuracy": whole if version < (2026, 5) else number_from_0,
               "battery": whole, "speed": whole, "altitude": number, "course": whole, "vertical_accuracy": whole}
    if version >= (2026, 6):
        readers["in_zones"] = zone_ids
    try:
        return {key: readers[key](value) for key, value in data.items()}
    except (KeyError, TypeError, ValueError) as problem:
        raise Refused(repr(problem)) from None


def text(value):
    """Text; numbers are turned into it."""
    if value is None or isinstance(value, (list, dict)):
        raise Refused("no text")
    return str(value)


def number(value):
    """Any number, or text that is one."""
    return float(value)


def number_from_0(value):
    """A number that is not negative."""
    if float(value) < 0:
        raise Refused("negative")
    return float(value)


def whole(value):
    """A whole number that is not negative, after its fraction was cut off."""
    if int(value) < 0:
        raise Refused("negative")
    return int(value)


def place(value):
    """[latitude, longitude]."""
    if not isinstance(value, list) or len(value) != 2:
        raise Refused("not two numbers")
    latitude, longitude = map(float, value)
    if not (abs(latitude) <= 90 and abs(longitude) <= 180):
        raise Refused("not on earth")
    return [latitude, longitude]


def zone_ids(value):
    """Entity ids of zones."""
    if not all(isinstance(each, str) and each.startswith("zone.") for each in value):
        raise Refused("not a zone")
    return list(value)


def distance(first, second):
    """Metres between two (latitude, longitude)."""
    (lat1, lon1), (lat2, lon2) = (tuple(map(math.radians, each)) for each in (first, second))
    half = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * 6371000 * math.asin(math.sqrt(half))


class Tracker:
    """The device_tracker entity of one registration. `zones`: nmea_track's, the home zone first."""

    def __init__(self, zones, version, name):
        self.zones, self.version, self.name = zones, version, name
        self.kept = {}  # the last message
        self.state, self.attributes = "unknown", self._attributes()

    def update(self, message):
        """Hold this message in place of the last. One whose numbers are none is kept and never shown."""
        self.kept = message
        try:
            self.state, self.attributes = self._state(), self._attributes()
        except TypeError:
            pass

    def restore(self):
        """What is left of the last message after Home Assistant was restarted: all of it in 2026.6 and later, before
        that the place, and not the zone's name."""
        if self.version >= (2026, 6):
            return
        kept = {"gps": [self.attributes.get("latitude"), self.attributes.get("longitude")],
                "gps_accuracy": self.attributes.get("gps_accuracy"),
                "battery": self.attributes.get("battery_level")}
        self.update({**kept, **{key: self.attributes[key] for key in SHOWN if key in self.attributes}})

    def _state(self):
        if self.version >= (2026, 6) and "in_zones" in self.kept:
            names = [zone.name for zone in self.zones if zone_id(zone, self.zones) in self.kept["in_zones"]]
            return names[0] if names else "not_home"
        if name := self.kept.get("location_name"):
            return self._named(name)
        gps = self.kept.get("gps")
        if not gps or gps[0] is None:
            return "unknown"
        accuracy = self.kept.get("gps_accuracy") or 0
        around = [(distance(gps[:2], zone[1:3]), zone) for zone in self.zones]
        inside = [(far, zone) for far, zone in around if far - zone.radius < accuracy]
        if not inside:
            return "not_home"
        zone = min(inside, key=lambda pair: pair[0])[1]
        return "home" if zone is self.zones[0] else zone.name

    def _named(self, name):
        """Since 2025.11 a zone's id stands for its name."""
        if self.version < (2025, 11) or name in ("home", "not_home"):
            return name
        ids = {zone_id(zone, self.zones): zone.name for zone in self.zones}
        return ids.get(f"zone.{name.lower()}", name)

    def _attributes(self):
        shown = {"source_type": "gps"}
        if (battery := self.kept.get("battery")) is not None:
            shown["battery_level"] = battery
        gps = self.kept.get("gps")
        if gps and gps[0] is not None and not self.kept.get("in_zones"):
            shown |= {"latitude": gps[0], "longitude": gps[1], "gps_accuracy": self.kept.get("gps_accuracy")}
        shown |= {key: self.kept[key] for key in SHOWN if self.kept.get(key) is not None}
        return {**shown, "friendly_name": self.name}


def zone_id(zone, zones):
    """A zone's entity id; the first of all is home."""
    return "zone.home" if zone is zones[0] else f"zone.{zone.name.lower()}"
