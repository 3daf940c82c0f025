"""The whole verdict table by real HTTP: what each answer does to a position, and to a question.

The expectations are those of docs/reliability.md. Nothing but a receipt settles a row; nothing but a Home Assistant
that has just proved itself can reject one; everything else costs only the endpoint its place.
"""

import time

import pytest
from homing_rigs.faults.server import Misdeed, misdeeds
from homing_rigs.faults.server.http_messages import JSON, Reply
from homing_rigs.faults.server.mobile_app import seal
from homing_rigs.processes import wait_for

REFUSAL = b'{"success": false, "error": {"code": "encryption_required", "message": "Encryption required"}}'
OTHER_KEY = b'{"encrypted":true,"encrypted_data":"' + seal({}, "ab" * 32).encode() + b'"}'
BODIES = {"nothing": b"", "empty object": b"{}", "an error's words": REFUSAL, "html": misdeeds.PORTAL,
          "a list": b"[]", "text": b'"x"', "garbage": bytes(range(256)), "another key": OTHER_KEY}
NAMED = [200, 400, 401, 403, 404, 410, 413, 429, 500, 502, 503, 504]
BUSY = [429, 503]  # after these the next try waits a second
OTHERS = [201, 202, 204, 206, 300, 301, 302, 303, 304, 307, 308, 402, 405, 406, 407, 408, 409, 411, 412, 414, 415, 416,
          417, 418, 421, 422, 423, 424, 425, 426, 428, 431, 451, 499, 501, 505, 506, 507, 508, 510, 511, 520, 599, 999]


def expected(status, body, asked):
    """(what becomes of the position, a part of the problem's text) for an answer to an item or a question."""
    is_object = body in ("empty object", "an error's words")
    item = asked == "update_location"
    if status == 200 and body == "nothing":
        return ("rejected", None) if item else ("queued", "does not know this machine")
    if status == 200 and body == "empty object":
        return ("rejected", None) if item else ("queued", "Home Assistant could not decrypt the message")
    if status in (400, 413) and is_object:
        return ("rejected", None) if item else ("queued", "Home Assistant could not decrypt the message")
    if status in (401, 403):
        return "queued", f"Home Assistant refuses this machine with status {status}"
    if status == 410:
        return "queued", "was deleted"
    if status in BUSY:
        return "queued", "retry after 1 s"
    if status in (502, 504):
        return "queued", "no server behind it"
    if 300 <= status < 400:
        return "queued", "redirects"
    return "queued", "is not Home Assistant's" if 200 <= status < 300 else f"status {status}"


def combinations(chance, everything):
    """(status, body) pairs: all of them, or the named statuses with all bodies and the others with one each."""
    for status in NAMED + OTHERS:
        names = list(BODIES)
        if not everything and (status not in NAMED or status in BUSY):
            names = [chance.choice(names)]
        yield from ((status, name) for name in names)


def after_registration(flight):
    """All requests that came after the registration."""
    requests = [each.request for each in flight.server.exchanges]
    return requests[[each.path for each in requests].index("/api/mobile_app/registrations") + 1:]


@pytest.mark.parametrize("asked", ["update_location", "render_template"])
def test_each_answer_has_its_verdict(asked, flight, chance, count, measured):
    assert flight.send() == "delivered"
    wrong, seen, rejected = [], 0, 0
    for status, body in combinations(chance, count(False, True)):
        wanted, problem = expected(status, body, asked)
        flight.server.misbehave(misdeeds.answer(status, BODIES[body], headers={"Retry-After": "1"}), on=asked)
        outcome = flight.send()
        said = flight.problem()
        rejected += outcome == "rejected"
        if outcome != wanted or (problem or "") not in (said or ""):
            wrong.append((status, body, outcome, said))
        flight.server.behave()
        if status in BUSY:
            time.sleep(1)
        if flight.send() != "delivered":
            wrong.append((status, body, "does not recover", flight.problem()))
        seen += 1
    assert wrong == []
    flight.wait_until_empty()
    book = flight.queue()
    assert book["fates"]["rejected"] == rejected
    assert book["fates"]["delivered_live"] == book["accepted"] - rejected
    assert not any("authorization" in each.headers for each in after_registration(flight))
    flight.assert_sound(duplicates=3 * seen)  # a daemon that is left alone for long tries again by itself
    measured(f"{seen} answers to {asked}: each verdict as written, {rejected} positions rejected by a proved server")


@pytest.mark.parametrize("asked", ["get_config", "get_zones"])
def test_answers_to_the_first_questions_settle_nothing(asked, flight, chance, count, measured):
    seen = 0
    for status, body in combinations(chance, False):
        if status not in NAMED or chance.random() > count(0.15, 1):
            continue
        wanted, problem = expected(status, body, asked)
        flight.server.misbehave(misdeeds.answer(status, BODIES[body], headers={"Retry-After": "1"}), on=asked)
        flight.restart()
        assert flight.send() == "queued" == wanted, (status, body)
        assert problem in flight.problem(), (status, body)
        assert flight.server.performed("update_location") == [], "nothing is sent before the server has proved itself"
        seen += 1
    flight.server.behave()
    flight.restart()
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound()
    measured(f"{seen} answers to {asked}: 0 settled, 0 sent")


@pytest.mark.parametrize("value, seconds", [
    ("0", 1), ("2", 2), ("90", 90), ("7200", 3600), (None, 30), ("soon", 30), ("-5", 30),
    ("Wed, 21 Oct 2015 07:28:00 GMT", 1)])
@pytest.mark.parametrize("status", [429, 503])
def test_a_wish_for_peace_is_granted_between_a_second_and_an_hour(status, value, seconds, flight):
    assert flight.send() == "delivered"
    began = time.monotonic()
    flight.server.misbehave(misdeeds.answer(status, "x", headers={"Retry-After": value} if value else {}))
    assert flight.send() == "queued"
    assert f"retry after {seconds} s" in flight.problem()
    asked = len(flight.server.exchanges)
    flight.server.behave()
    if seconds > 2:
        assert flight.send() == "queued", "nobody is asked, however it is wished for"
        assert len(flight.server.exchanges) == asked
        left = flight.status()["nextAttempt"]
        assert seconds - (time.monotonic() - began) - 1 <= left <= seconds
    else:
        wait_for(lambda: flight.queue()["queued"] == 0, seconds + 15, "the next try by itself")


def test_answers_that_open_and_say_something_else_settle_nothing(flight, measured):
    assert flight.send() == "delivered"
    secret = flight.agent.registration["secret"]
    wrong = [{}, [], "x", 1, None, True, {"r": []}, {"r": ["0000000000000000"]}, {"r": "x"}, {"r": {"0": "n"}},
             {"r": {"error": "UndefinedError"}}, {"q": ["n", "device_tracker.vm", "home", 1.0, 2.0]},
             {"r": [1, 2, 3, 4, 5]}, {"r": ["n", "device_tracker.vm", "home", "1.0", "2.0"]}, "x" * 100_000]
    for content in wrong:
        body = b'{"encrypted":true,"encrypted_data":"' + seal(content, secret).encode() + b'"}'
        flight.server.misbehave(Misdeed(1, lambda exchange: Reply(200, body, JSON)), on="render_template")
        delivered = flight.queue()["fates"]["delivered_live"]
        assert flight.send() == "queued", content
        assert flight.queue()["fates"]["delivered_live"] == delivered, content
        flight.server.behave()
        assert flight.send() == "delivered", content
    flight.wait_until_empty()
    flight.assert_sound(duplicates=3 * len(wrong))
    measured(f"{len(wrong)} sealed answers of another shape: 0 settled")


def test_an_old_receipt_played_back_proves_nothing(flight):
    assert flight.send() == "delivered"
    flight.server.misbehave(misdeeds.played_back(), on="render_template")
    first, second, third = (flight.send() for _ in range(3))
    assert (second, third) == ("queued", "queued"), first
    flight.server.behave()
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound(duplicates=9)


def test_a_wrong_key_settles_nothing_and_sends_nothing_in_the_clear(flight, measured):
    assert flight.send() == "delivered"
    registration = flight.server.app.by_webhook[flight.agent.registration["webhook_id"]]
    registration.secret = "cd" * 32  # restored from a backup
    told = len(flight.server.live())
    for _ in range(10):
        assert flight.send() == "queued"
    assert len(flight.server.live()) == told
    assert "could not decrypt" in flight.problem()
    assert all(b'"encrypted":true' in each.body for each in after_registration(flight))
    registration.secret = flight.agent.registration["secret"]
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound()
    measured("10 positions to a server with another key: 0 settled, 0 in the clear")
