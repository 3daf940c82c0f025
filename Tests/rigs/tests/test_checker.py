"""A planted loss, duplicate, swap and invention are caught, and nothing else is."""

import random

import pytest
from homing_rigs import checker

ACCEPTED = [(n, 52.0 + n * 1e-4, 4.0) for n in range(1, 101)]
PLACES = [(latitude, longitude) for _, latitude, longitude in ACCEPTED]


def test_a_perfect_delivery_is_clean():
    assert checker.judge(ACCEPTED, PLACES).clean
    assert checker.judge(ACCEPTED, PLACES[50:], PLACES[:50]).clean
    assert checker.judge(ACCEPTED, [(lat + 2e-8, lon) for lat, lon in PLACES]).clean


@pytest.mark.parametrize("index", [0, 41, 99])
def test_a_planted_loss_is_caught(index):
    verdict = checker.judge(ACCEPTED, PLACES[:index] + PLACES[index + 1:])
    assert verdict == checker.Verdict([index + 1], [], [], [])


def test_a_planted_duplicate_is_caught():
    assert checker.judge(ACCEPTED, PLACES[:42] + PLACES[41:]) == checker.Verdict([], [42], [], [])
    assert checker.judge(ACCEPTED, PLACES, PLACES[41:42]).duplicated == [42]


def test_a_planted_swap_is_caught():
    swapped = PLACES[:]
    swapped[10], swapped[11] = swapped[11], swapped[10]
    assert checker.judge(ACCEPTED, swapped) == checker.Verdict([], [], [11], [])
    assert checker.judge(ACCEPTED, PLACES[50:], swapped[:50]).swapped == [11]


def test_an_invented_place_is_caught():
    verdict = checker.judge(ACCEPTED, [*PLACES, (10.0, 10.0)])
    assert verdict == checker.Verdict([], [], [], [(10.0, 10.0)])
    assert "1 invented" in str(verdict)


def test_the_same_place_twice_must_arrive_twice():
    accepted = [(1, 1.0, 1.0), (2, 2.0, 2.0), (3, 1.0, 1.0)]
    assert checker.judge(accepted, [(1.0, 1.0), (2.0, 2.0), (1.0, 1.0)]).clean
    assert checker.judge(accepted, [(1.0, 1.0), (2.0, 2.0)]).lost == [3]


def test_random_faults_are_counted_exactly():
    chance = random.Random(5)
    for _ in range(50):
        gone = set(chance.sample(range(100), 3))
        twice = chance.choice([n for n in range(100) if n not in gone])
        live = [place for n, place in enumerate(PLACES) if n not in gone]
        live.insert(chance.randrange(live.index(PLACES[twice]), len(live)) + 1, PLACES[twice])
        verdict = checker.judge(ACCEPTED, live)
        assert verdict.lost == [n + 1 for n in sorted(gone)]
        assert verdict.duplicated == [twice + 1]
        assert not verdict.swapped and not verdict.invented


def test_history_is_compared_without_repeats():
    history = [(0, "unknown", {})] + [(n, "home", {"latitude": lat, "longitude": lon})
                                      for n, (lat, lon) in enumerate(PLACES)]
    assert checker.history_differences(history, PLACES) == []
    assert checker.history_differences(history, PLACES[:5] + PLACES[4:]) == []
    assert checker.history_differences(history[:50] + history[51:], PLACES)
    assert checker.history_differences(history, PLACES[:-1])


def test_repeats_and_order():
    assert checker.repeated(["a", "b", "a"]) == ["a"]
    assert checker.in_order([1, 2, 2, 1, 5]) == [(3, 2, 1)]


# The audit: the book against what arrived


def book(accepted, queued=0, **fates):
    names = ["delivered_live", "delivered_track", "superseded", "expired", "evicted", "rejected", "lost_with_database"]
    return {"accepted": accepted, "queued": queued, "fates": {name: fates.get(name, 0) for name in names}}


def test_a_true_book_passes():
    assert checker.audit(book(100, delivered_live=100), ACCEPTED, PLACES) == []
    assert checker.audit(book(100, delivered_live=60, delivered_track=40), ACCEPTED, PLACES[40:], PLACES[:40]) == []
    assert checker.audit(book(100, delivered_live=90, evicted=4, queued=6), ACCEPTED, PLACES[4:94]) == []
    assert checker.audit(book(100, delivered_live=90, queued=10), ACCEPTED, PLACES[:95]) == [], "sent, not proved yet"


def test_a_planted_loss_in_the_book_is_caught():
    found = checker.audit(book(100, delivered_live=100), ACCEPTED, PLACES[:50] + PLACES[51:])
    assert any("called delivered" in each for each in found) and any("never arrived" in each for each in found)
    assert checker.audit(book(100, delivered_live=99), ACCEPTED, PLACES[:-1]) != [], "no fate for one"
    assert checker.audit(book(99, delivered_live=99), ACCEPTED, PLACES[:-1]) != [], "one forgotten altogether"


def test_a_planted_duplicate_in_the_book_is_caught_beyond_its_bound():
    twice = PLACES[:42] + PLACES[41:]
    assert checker.audit(book(100, delivered_live=100), ACCEPTED, twice, duplicates=1) == []
    assert checker.audit(book(100, delivered_live=100), ACCEPTED, twice) != []


def test_a_planted_swap_in_the_book_is_caught():
    swapped = [PLACES[1], PLACES[0], *PLACES[2:]]
    assert checker.audit(book(100, delivered_live=100), ACCEPTED, swapped) == ["out of order: [1]"]


def test_zones_are_judged_by_their_names():
    accepted = [(1, "Work"), (2, 1.0, 1.0), (3, "Home")]
    assert checker.judge(accepted, ["Work", (1.0, 1.0), "Home"]).clean
    assert checker.judge(accepted, ["Work", (1.0, 1.0)]).lost == [3]
    assert checker.judge(accepted, ["Work", (1.0, 1.0), "Home", "Gym"]).invented == ["Gym"]


def test_what_never_arrived_is_told_as_ranges():
    assert checker.ranges([]) == ""
    assert checker.ranges([1, 2, 3, 7, 9, 10]) == "1-3, 7, 9-10"
    assert checker.ranges(list(range(0, 100, 2))).endswith("38 and 30 more")
