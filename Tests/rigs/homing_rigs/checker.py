"""The judge: what was accepted against what arrived, and both against what Homing says it did.

`judge` finds what was lost, duplicated, swapped or invented. `audit` holds the book of `homing status` against that:
the conservation equation, and that nothing is called delivered which never arrived.

Positions carry no number on the wire, so they are told apart by their coordinates (zones by their names); a place that
was accepted twice must arrive twice. Tests that want certainty drive a track whose places all differ.
"""

import collections
import dataclasses
import difflib

DIGITS = 6  # of a degree: 0.1 m, finer than what is sent and kept differs by rounding


@dataclasses.dataclass(frozen=True)
class Verdict:
    """`lost`, `swapped`: sequence numbers that were accepted. `duplicated`: sequence numbers, once for each arrival
    too many. `invented`: places that arrived and were never accepted."""

    lost: list
    duplicated: list
    swapped: list
    invented: list

    @property
    def clean(self):
        """Whether everything arrived once, in order, and nothing else."""
        return not (self.lost or self.duplicated or self.swapped or self.invented)

    def __str__(self):
        parts = [f"{len(items)} {name}: {items[:10]}{'…' if len(items) > 10 else ''}"
                 for name, items in vars(self).items() if items]
        return "; ".join(parts) or "nothing lost, duplicated, swapped or invented"


def key_of(*place):
    """What identifies a place: its rounded coordinates, or a zone's name."""
    return place if isinstance(place[0], str) else tuple(round(degrees, DIGITS) for degrees in place)


def _key(place):
    """The same of a place as it arrived: (latitude, longitude) or a zone's name."""
    return key_of(place) if isinstance(place, str) else key_of(*place)


def judge(accepted, live, track=()):
    """Compare `accepted`, a list of (sequence, latitude, longitude) or (sequence, zone) in order, with what the
    server received: `live`, the places (latitude, longitude) or zones in the order of arrival, and `track`, those of
    track events in theirs. Each must arrive once, either way; each stream must be in the order of acceptance."""
    places = collections.defaultdict(list)  # place -> indexes into accepted, in order
    for index, (_, *place) in enumerate(accepted):
        places[key_of(*place)].append(index)
    unused = {place: list(indexes) for place, indexes in places.items()}
    verdict = Verdict([], [], [], [])
    for stream in (live, track):
        _judge_stream(accepted, places, unused, stream, verdict)
    for left in unused.values():
        verdict.lost.extend(accepted[index][0] for index in left)
    verdict.lost.sort()
    return verdict


def _judge_stream(accepted, places, unused, stream, verdict):
    """Assign each arrival of a stream to an accepted fix that has not arrived yet, a later one if possible."""
    latest = -1
    for arrived in stream:
        place = _key(arrived)
        if place not in places:
            verdict.invented.append(arrived)
        elif not unused[place]:
            verdict.duplicated.append(accepted[_nearest(places[place], latest)][0])
        else:
            index = next((i for i in unused[place] if i > latest), unused[place][0])
            unused[place].remove(index)
            if index < latest:
                verdict.swapped.append(accepted[index][0])
            latest = max(latest, index)


def _nearest(indexes, latest):
    return min(indexes, key=lambda index: abs(index - latest))


def ranges(numbers):
    """Sorted numbers as people read them: 1-3, 7."""
    found = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    texts = [f"{first}-{last}" if last > first else f"{first}" for first, last in found]
    return ", ".join(texts[:20]) + (f" and {len(texts) - 20} more" if len(texts) > 20 else "")


DELIVERED = ("delivered_live", "delivered_track")


def audit(queue, accepted, live, track=(), duplicates=0):
    """What is wrong, as a list of sentences; empty if nothing is.

    `queue` is the stream's part of `homing status --json`; the others are those of `judge`. At most `duplicates`
    arrivals too many are allowed: one for each answer or receipt that was lost."""
    verdict = judge(accepted, live, track)
    fates, queued = queue["fates"], queue["queued"]
    ended = sum(fates.values())
    arrived = len(accepted) - len(verdict.lost)
    delivered = sum(fates[name] for name in DELIVERED)
    undelivered = ended - delivered + queued  # superseded, evicted …, or still to be sent
    found = []
    if queue["accepted"] != ended + queued:
        found.append(f"the book does not balance: {queue['accepted']} accepted, {ended} ended, {queued} queued")
    if queue["accepted"] != len(accepted):
        found.append(f"the book has {queue['accepted']} accepted, there were {len(accepted)}")
    if delivered > arrived:
        found.append(f"{delivered} are called delivered and {arrived} arrived")
    if len(verdict.lost) > undelivered:
        found.append(f"{len(verdict.lost)} never arrived, {undelivered} are accounted for: {ranges(verdict.lost)}")
    if verdict.swapped:
        found.append(f"out of order: {verdict.swapped[:10]}")
    if verdict.invented:
        found.append(f"never accepted: {verdict.invented[:10]}")
    if len(verdict.duplicated) > duplicates:
        found.append(f"{len(verdict.duplicated)} arrived twice, {duplicates} may: {verdict.duplicated[:10]}")
    return found


def repeated(items):
    """The items that occur more than once, for example ids of events."""
    return [item for item, count in collections.Counter(items).items() if count > 1]


def in_order(values):
    """The positions at which a sequence goes backwards, as (index, value before, value)."""
    return [(index, before, value) for index, (before, value) in enumerate(zip(values, values[1:]), 1)
            if value < before]


def track_of_history(history):
    """The places of a tracker's history (HomeAssistant.history), without entries that have no position."""
    return [(attributes["latitude"], attributes["longitude"]) for _, _, attributes in history
            if attributes.get("latitude") is not None]


def history_differences(history, delivered):
    """Where the recorded history of a tracker differs from the positions delivered, [(latitude, longitude)]: a
    list of lines, empty if they agree. Equal places in a row count as one, as Home Assistant keeps them."""
    recorded = _without_repeats(track_of_history(history))
    wanted = _without_repeats(delivered)
    if recorded == wanted:
        return []
    return list(difflib.unified_diff(list(map(str, wanted)), list(map(str, recorded)),
                                     "delivered", "recorded", n=0, lineterm=""))


def _without_repeats(places):
    keys = [key_of(*place) for place in places]
    return [key for before, key in zip([None, *keys], keys) if key != before]
