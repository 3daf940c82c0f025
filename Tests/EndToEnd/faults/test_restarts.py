"""Home Assistant restarts: it is away, then knows no webhook, then takes positions and loses them. Played here, so that
each window can be as long as it likes; the real ones are in test_real_home_assistant.py."""

import time

import pytest
from faults.flight import WITNESS
from homing_rigs import checker
from homing_rigs.faults.server import Misdeed, misdeeds
from homing_rigs.processes import wait_for


def test_restarts_lose_nothing_and_the_newest_place_is_soon_there(flight, chance, count, measured):
    restarts, slowest = count(2, 50), 0.0
    flight.stream(20)
    for _ in range(restarts):
        time.sleep(chance.uniform(0.1, 0.5))
        flight.server.restart(*(chance.uniform(0, 1.5) for _ in range(3)))
        ready = time.monotonic()
        newest = flight.queue()["accepted"]
        wait_for(lambda: flight.queue()["fates"]["delivered_live"] >= newest, 90, "the newest place is there")
        slowest = max(slowest, time.monotonic() - ready)
        flight.note_memory()
    flight.gpsd.hold()
    flight.send()  # with a receipt at once: otherwise it is asked in its time
    wait_for(lambda: flight.queue()["queued"] == 0, 90, "everything home")
    flight.assert_sound(duplicates=count(6, 2) * restarts, growth=count(None, 1024))
    assert flight.queue()["fates"]["rejected"] == 0
    assert slowest <= count(60, 30), f"{slowest:.0f} s after Home Assistant was ready"
    measured(f"{restarts} restarts over {flight.queue()['accepted']} positions: 0 lost, the newest there after "
             f"{slowest:.0f} s at most")


def test_in_the_window_of_empty_answers_nothing_is_settled_or_rejected(flight):
    assert flight.send() == "delivered"
    flight.server.stop()
    flight.server.app.set_up = False
    flight.server.start()
    outcomes = {flight.send() for _ in range(20)}
    assert outcomes == {"queued"}
    assert flight.queue()["fates"]["rejected"] == 0
    flight.server.app.set_up = True
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound(duplicates=20)


@pytest.mark.parametrize("report", ["send", "send_zone"])
def test_in_the_window_without_a_tracker_nothing_is_settled_or_rejected(report, flight):
    assert flight.send() == "delivered"
    flight.server.stop()
    flight.server.app.restart()
    flight.server.app.tracker_loaded = False
    flight.server.start()
    outcomes = {getattr(flight, report)() for _ in range(20)}
    assert outcomes == {"queued"}
    assert flight.queue()["fates"]["rejected"] == 0
    flight.server.app.tracker_loaded = True
    assert getattr(flight, report)() == "delivered"
    wait_for(lambda: flight.queue()["queued"] == 0, 90, "everything home")
    assert len(flight.server.live()) >= 22, "all of them were told to a tracker that listened"


@pytest.mark.parametrize("before, report", [("send", "send"), ("send", "send_zone"), ("send_zone", "send")])
def test_what_was_lost_just_before_the_tracker_came_is_told_again(before, report, flight):
    """The narrowest race: answered `{}` while nobody listened, and the receipt comes when the tracker is there."""
    assert getattr(flight, before)() == "delivered"
    flight.server.stop()
    flight.server.app.restart()
    flight.server.app.tracker_loaded = False

    def comes(exchange):
        flight.server.app.tracker_loaded = True

    flight.server.misbehave(Misdeed(before=comes), on="update_location", times=1)
    flight.server.start()
    assert getattr(flight, report)() == "delivered"
    assert len(flight.server.live()) == 2, "the second was told to a tracker that listened"


@pytest.mark.parametrize("lost", [1, 2, 3, 5])
def test_a_server_that_loses_what_it_takes_is_believed_only_by_receipt(lost, flight):
    """Taken and not held, as often as `lost`: told again, and after the third time refused in so many words."""
    assert flight.send() == "delivered"
    flight.server.misbehave(misdeeds.not_done(), on="update_location", times=lost)
    outcome = flight.send()
    flight.server.behave()
    assert outcome == ("delivered" if lost < 3 else "rejected")
    assert flight.send() == "delivered"
    book = flight.queue()
    assert book["fates"]["delivered_live"] == len(set(flight.server.live()))
    flight.assert_sound()


def test_what_a_reload_loses_in_a_drive_gets_home_as_history(take_off, measured):
    """For ten seconds positions are answered and lost, over a connection that stays; then they are taken again, and one
    receipt is asked for all of them."""
    flight = take_off(configuration=WITNESS)
    assert flight.send() == "delivered"
    wait_for(lambda: any(each.sensors for each in flight.server.app.by_webhook.values()), 30, "the sensor")
    assert flight.send() == "delivered"
    flight.stream(2)
    time.sleep(2)
    flight.server.app.reload()
    lossy = flight.server.misbehave(misdeeds.not_done(), on="update_location", seconds=10)
    time.sleep(10)
    flight.server.app.reload()
    time.sleep(4)
    flight.gpsd.hold()
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    live, track = flight.arrived()
    assert checker.judge(flight.accepted(), live).duplicated == []
    assert lossy.met >= 10 and len(track) >= lossy.met
    flight.assert_sound(duplicates=len(track) - lossy.met)
    assert flight.queue()["fates"]["rejected"] == 0
    measured(f"{lossy.met} of {flight.queue()['accepted']} positions lost in a reload: all home, "
             f"{len(track) - lossy.met} told twice")


def test_twice_done_is_told_once(flight):
    flight.server.misbehave(misdeeds.twice(), on="update_location")
    for _ in range(5):
        assert flight.send() == "delivered"
    assert flight.queue()["fates"]["delivered_live"] == 5
    flight.assert_sound(duplicates=5)


def test_a_registration_that_is_gone_is_tried_seldom_and_keeps_everything(flight):
    assert flight.send() == "delivered"
    webhook_id = flight.agent.registration["webhook_id"]
    kept = flight.server.app.by_webhook[webhook_id]
    flight.server.app.delete(webhook_id)
    assert flight.send() == "queued" and "does not know this machine" in flight.problem()
    flight.server.restart(0, 0, 0)
    assert flight.send() == "queued" and "was deleted" in flight.problem()
    assert "gone" in flight.warnings()
    assert flight.status()["nextAttempt"] > 5 * 3600
    flight.server.app.deleted.clear()
    flight.server.app.by_webhook[webhook_id] = kept  # a backup brings it back
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound()
