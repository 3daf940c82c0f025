"""What the simulated receiver says."""

import datetime

from homing_rigs import nmea_sentences, nmea_track


def write_track(path, seconds, speed):
    """A receiver that goes straight north. The moment does not matter: the rig's receiver puts in the present."""
    begin = datetime.datetime.fromisoformat("2026-11-20T07:40:00")
    with open(path, "w", newline="") as file:
        for number in range(int(seconds)):
            place = nmea_track.moved((48.0, 4.8922), speed * number, 0)
            file.write(nmea_sentences.epoch_sentences(
                begin + datetime.timedelta(seconds=number), place, 12.0, 3, float(speed), 0.0, 2.5,
                with_satellites=number % 5 == 0))
