"""The crucial fault: Home Assistant has done it, and its answer is lost. Nothing is lost with it, nothing is told twice
that need not be, and the book stays true."""

import pytest
from homing_rigs.faults import toxics
from homing_rigs.faults.server import misdeeds
from homing_rigs.processes import wait_for


@pytest.mark.parametrize("kind", ["update_location", "render_template"])
def test_an_answer_lost_after_it_was_done_costs_nothing(kind, flight):
    assert flight.send() == "delivered"
    flight.server.misbehave(misdeeds.lost_answer(), on=kind, times=3)
    outcomes = [flight.send() for _ in range(3)]
    assert "rejected" not in outcomes
    flight.server.behave()
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound(duplicates=3)


def answer_length(flight, kind):
    """The bytes of such an answer, after one was given."""
    flight.send()
    return max(len(each.reply.bytes()) for each in flight.server.exchanges if each.type == kind)


@pytest.mark.parametrize("toxic", [toxics.ResetAt, toxics.CloseAt])
@pytest.mark.parametrize("kind", ["update_location", "render_template"])
def test_an_answer_cut_at_every_byte(kind, toxic, flight, chance, count, measured):
    length = answer_length(flight, kind)
    stride = count(9, 1)
    cuts = 0
    for byte in range(chance.randrange(stride), length, stride):
        flight.server.misbehave(misdeeds.spoilt(toxic(byte)), on=kind, times=1)
        assert flight.send() in ("delivered", "queued"), byte
        cuts += 1
    flight.server.behave()
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound(duplicates=cuts)
    assert flight.queue()["fates"]["rejected"] == 0
    twice = len(flight.server.live()) - len(set(flight.server.live()))
    measured(f"{cuts} answers of {kind} cut, each at a byte of its own of {length}: 0 lost, {twice} told twice")


@pytest.mark.parametrize("kind", ["get_config", "get_zones"])
def test_the_first_answers_cut_at_every_byte(kind, flight, chance, count, measured):
    length = answer_length(flight, kind)
    stride = count(200, 20)
    cuts = 0
    for byte in range(chance.randrange(stride), length, stride):
        flight.restart()
        flight.server.misbehave(misdeeds.spoilt(toxics.ResetAt(byte)), on=kind, times=1)
        assert flight.send() in ("delivered", "queued"), byte
        cuts += 1
    flight.server.behave()
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound(duplicates=cuts)
    measured(f"{cuts} answers of {kind} cut")


def test_requests_cut_at_every_byte_were_never_done(take_off, line, chance, count, measured):
    flight = take_off(line.url)
    assert flight.send() == "delivered"
    stride = count(50, 5)
    cuts = 0
    for byte in range(chance.randrange(stride), 750, stride):
        line.set(up=[toxics.ResetAt(byte)])
        assert flight.send() in ("delivered", "queued"), byte
        cuts += 1
        line.clear()
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound()
    measured(f"{cuts} requests cut: 0 lost, 0 told twice")


def test_a_track_whose_answer_is_lost_is_told_again_with_the_same_id(take_off, server, measured):
    flight = take_off(configuration="max_age = 10\nbatch_metered = 5\n")
    assert flight.send() == "delivered"
    flight.server.stop()
    flight.drive(100, 300)
    wait_for(lambda: flight.queue()["oldestAge"] > 13, 60, "it to become history")
    flight.server.misbehave(misdeeds.lost_answer(), on="fire_event", times=2)
    flight.server.start()
    flight.send()
    wait_for(lambda: flight.send() and flight.queue()["queued"] == 0, 60, "everything home", every=1)
    ids = [event["homing_id"] for event in flight.server.events("homing_track")]
    assert len(ids) > len(set(ids)), "the lost ones were told again"
    flight.assert_sound(duplicates=2 * 200)  # two tracks of up to 200
    measured(f"{len(ids) - len(set(ids))} tracks told again, each with its own id again")
