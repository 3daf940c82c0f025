"""NMEA 0183: what a receiver writes in one epoch."""

import math

KNOT = 0.514444  # m/s
SATELLITES = ((2, 72, 41, 44), (5, 40, 233, 41), (7, 22, 310, 36), (13, 55, 120, 43), (15, 30, 75, 38),
              (20, 14, 180, 31), (29, 61, 290, 42), (30, 9, 15, 28), (8, 35, 140, 39))
# By fix mode (1 none, 2 without altitude, 3 full): satellites used, HDOP, VDOP.
QUALITY = {1: (2, 99.9, 99.9), 2: (3, 3.4, 9.9), 3: (9, 0.9, 1.4)}


def sentence(body):
    """A sentence with its checksum."""
    checksum = 0
    for byte in body.encode():
        checksum ^= byte
    return f"${body}*{checksum:02X}\r\n"


def degrees_minutes(value, letters, width):
    """A coordinate as NMEA writes it: ddmm.mmmmm,N."""
    whole, rest = divmod(abs(value), 1)
    return f"{int(whole):0{width}d}{rest * 60:08.5f},{letters[value < 0]}"


def epoch_sentences(moment, place, altitude, mode, speed, track, sigma, with_satellites):
    """All sentences of one epoch. `sigma` is the receiver's own error estimate in metres (None: it has none)."""
    fix = mode > 1
    clock = f"{moment:%H%M%S}.{moment.microsecond // 1000:03d}"
    count, hdop, vdop = QUALITY[mode]
    where = (degrees_minutes(place[0], "NS", 2) + "," + degrees_minutes(place[1], "EW", 3)) if fix else ",,,"
    height = f"{altitude:.1f},M,43.1,M" if mode == 3 else ",M,,M"
    knots, course = (f"{speed / KNOT:.2f}", f"{track:.2f}") if fix else ("", "")
    kmh = f"{speed * 3.6:.2f}" if fix else ""
    used = [f"{satellite[0]:02d}" for satellite in SATELLITES[:count]] if fix else []
    pdop = math.hypot(hdop, vdop) if fix else 99.9
    lines = [
        f"GPGGA,{clock},{where},{int(fix)},{count:02d},{hdop:.1f},{height},,",
        f"GPGSA,A,{mode},{','.join((used + [''] * 12)[:12])},{pdop:.1f},{hdop:.1f},{vdop:.1f}"]
    if with_satellites:
        lines += _satellites_in_view()
    if sigma is not None and fix:
        s, vertical = (sigma, sigma * 1.6) if mode == 3 else (sigma * 4, 99.0)
        lines.append(f"GPGST,{clock},{s * 1.4:.1f},{s * 1.1:.1f},{s * .9:.1f},35.0,{s:.2f},{s * .9:.2f},{vertical:.2f}")
    lines.append(f"GPVTG,{course},T,,M,{knots},N,{kmh},K,{'A' if fix else 'N'}")
    lines.append(f"GPRMC,{clock},{'A' if fix else 'V'},{where},{knots},{course},{moment:%d%m%y},,,"
                 + ("A" if fix else "N"))
    return "".join(map(sentence, lines))


def _satellites_in_view():
    total = math.ceil(len(SATELLITES) / 4)
    for number in range(total):
        four = ",".join("%02d,%02d,%03d,%02d" % satellite for satellite in SATELLITES[number * 4:number * 4 + 4])
        yield f"GPGSV,{total},{number + 1},{len(SATELLITES):02d},{four}"


def fields(line):
    """The fields of a sentence, without checksum."""
    return line.strip()[1:].split("*")[0].split(",")


def without_fix(sentences):
    """An epoch (lists of fields) as the receiver would send it without a fix."""
    for sentence_fields in sentences:
        f, kind = list(sentence_fields), sentence_fields[0][2:]
        if kind == "GST":
            continue
        if kind == "GGA":
            f[2:6], f[6:10], f[11] = [""] * 4, ["0", "02", "99.9", ""], ""
        elif kind == "GSA":
            f[2:15], f[15:18] = ["1"] + [""] * 12, ["99.9"] * 3
        elif kind == "RMC":
            f[2:9], f[12] = ["V"] + [""] * 6, "N"
        elif kind == "VTG":
            f[1] = f[5] = f[7] = ""
            f[9] = "N"
        yield f


def without_altitude(sentences):
    """An epoch as of a receiver that sees three satellites only."""
    for sentence_fields in sentences:
        f, kind = list(sentence_fields), sentence_fields[0][2:]
        if kind == "GGA":
            f[7], f[8], f[9], f[11] = "03", "3.4", "", ""
        elif kind == "GSA":
            f[2], f[6:15], f[15:18] = "2", [""] * 9, ["10.5", "3.4", "9.9"]
        yield f


def without_date(sentences):
    """An epoch of a receiver that sends RMC without a date, as some do for good."""
    for sentence_fields in sentences:
        f = list(sentence_fields)
        if f[0].endswith("RMC"):
            f[9] = ""
        yield f


def gga_alone(sentences):
    """An epoch of a receiver that sends nothing but GGA: a time of day, no date, no speed."""
    yield from (fields for fields in sentences if fields[0].endswith("GGA"))


def standing_still(sentences):
    """An epoch with its speed set to nothing."""
    for sentence_fields in sentences:
        f, kind = list(sentence_fields), sentence_fields[0][2:]
        if kind == "RMC" and f[7]:
            f[7] = "0.00"
        elif kind == "VTG" and f[5]:
            f[5] = f[7] = "0.00"
        yield f


def at_time(sentences, moment):
    """An epoch as of another moment (UTC)."""
    for sentence_fields in sentences:
        f, kind = list(sentence_fields), sentence_fields[0][2:]
        if kind in ("GGA", "GST", "RMC"):
            f[1] = f"{moment:%H%M%S}.{moment.microsecond // 1000:03d}"
        if kind == "RMC":
            f[9] = f"{moment:%d%m%y}"
        yield f
