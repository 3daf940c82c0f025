"""gpsd and its receiver fail in every way: no bad fix is ever accepted, and good ones are soon accepted again."""

import collections
import datetime
import os
import time

from faults.flight import CONFIGURATION, Flight
from homing_rigs.faults.gpsd import FakeGPSD, line_of, places, stamp
from homing_rigs.nmea_track import HOME, WORK, drive_track
from homing_rigs.processes import wait_for
from homing_rigs.slope import lasting_rise

# Seconds until a good fix is accepted again, short and long: gpsd is tried every 4 s, and what is left is for the
# connection, the receiver's first report and our own look at the status.
SOON = 20, 5
GOOD = {"class": "TPV", "device": "/dev/gps0", "mode": 3, "lat": 10.0, "lon": 10.0, "eph": 5.0}


def good_again(flight):
    """Until a good fix is accepted; returns how long it took."""
    began = time.monotonic()
    before = flight.queue()["accepted"]

    def accepted():
        if flight.gpsd.watchers:
            flight.gpsd.tell(next(flight.places))
        return flight.queue()["accepted"] > before

    wait_for(accepted, 70, "a good fix", every=0.1)
    return time.monotonic() - began


# Fixes without an accuracy that can be used, of a receiver that tells no HDOP: what is wrong, the field.
WITHOUT_ACCURACY = {"no accuracy": {"eph": None}, "accuracy 0": {"eph": 0.0}, "accuracy -1": {"eph": -1.0},
                    "accuracy NaN": {"eph": float("nan")}}
# Metres that such a fix gets in 3D.
ACCURACY_3D = 50
# libgps remembers the fields of the last report: this one makes it forget them.
FORGET = line_of(GOOD | {"mode": 1, "lat": None, "lon": None, "time": None})


def bad_fixes(now):
    """(fault, fields, reason for which the report is skipped) of reports that must not become positions; a report
    without a mode that gpsd knows is no report, and has no reason."""
    yield "mode 1", {"mode": 1}, "no_fix"
    yield from ((fault, fields, None) for fault, fields in {
        "mode 0": {"mode": 0}, "no mode": {"mode": None}, "mode 9": {"mode": 9}}.items())
    yield from ((fault, fields, "no_place") for fault, fields in {
        "no latitude": {"lat": None}, "latitude NaN": {"lat": float("nan")}, "latitude infinite": {"lat": float("inf")},
        "latitude 91": {"lat": 91.0}, "longitude 181": {"lon": 181.0}, "nowhere": {"lat": 0.0, "lon": 0.0}}.items())
    yield "accuracy of a kilometre", {"eph": 1000.0}, "inaccurate"
    yield from ((fault, fields, "no_time") for fault, fields in {
        "no time": {"time": None}, "time in words": {"time": "soon"}}.items())
    yield from ((fault, fields, "future") for fault, fields in {
        "time of tomorrow": {"time": stamp(now + 86400)}, "time of 2106": {"time": stamp(2 ** 32)}}.items())
    yield from ((fault, fields, "old") for fault, fields in {
        "time of 1970": {"time": stamp(1)}, "old by an hour": {"time": stamp(now - 3600)}}.items())


def odd_lines(chance):
    """(what it is, bytes) of what no gpsd should say, and a broken line does."""
    good = line_of(GOOD | {"time": stamp(time.time())})
    yield "half a fix", good[:len(good) // 2] + b"\r\n"
    yield "a fix cut in two by a line end", good[:30] + b"\r\n" + good[30:]
    yield "10 240 bytes", b'{"class":"TPV","x":"' + b"x" * 10240 + b'"}\r\n'
    yield "garbage", bytes(chance.randrange(256) for _ in range(4000)) + b"\r\n"
    yield "zeroes", bytes(500) + b"\r\n"
    yield "no object", b"[]\r\n1\r\nnull\r\n\"TPV\"\r\n"
    yield "nested", b'{"class":' * 400 + b"\r\n"
    yield "empty lines", b"\r\n" * 500
    yield "an error", line_of({"class": "ERROR", "message": "Can't perform request"})
    yield "another protocol", line_of({"class": "VERSION", "proto_major": 99, "proto_minor": 0})
    yield "no devices", line_of({"class": "DEVICES", "devices": []})
    yield "a sky", line_of({"class": "SKY", "satellites": [{"PRN": n, "el": 1, "az": 2, "ss": 3} for n in range(90)]})


def after_forgetting(flight):
    """What was skipped, by reason, once the daemon has read all that was sent before."""
    before = flight.status()["skipped"].get("no_fix", 0)
    flight.gpsd.raw(FORGET)
    wait_for(lambda: flight.status()["skipped"].get("no_fix", 0) > before, 5, "the daemon to read it")
    return collections.Counter(flight.status()["skipped"]) - collections.Counter(no_fix=1)


def test_no_bad_fix_is_accepted(flight, measured):
    assert flight.send() == "delivered"
    place = next(flight.places)  # 25 m on: without its fault each fix would be accepted
    accepted, seen = flight.queue()["accepted"], 0
    for fault, fields, reason in bad_fixes(time.time()):
        before = flight.status()["skipped"]
        report = GOOD | {"time": stamp(time.time()), "lat": place[0], "lon": place[1]} | fields
        flight.gpsd.raw(line_of({key: value for key, value in report.items() if value is not None}))
        new = after_forgetting(flight) - collections.Counter(before)
        assert new == (collections.Counter({reason: 1}) if reason else {}), fault
        assert flight.queue()["accepted"] == accepted, fault
        seen += 1
    flight.gpsd.tell(place)
    wait_for(lambda: flight.queue()["accepted"] == accepted + 1, 20, "the same without a fault to be accepted")
    flight.send()
    flight.wait_until_empty()
    flight.assert_sound()
    measured(f"{seen} kinds of bad fixes: 0 accepted, each skipped for its own reason")


def test_a_fix_without_an_accuracy_gets_an_accuracy(flight):
    assert flight.send() == "delivered"
    where = places(step=ACCURACY_3D + 2, start=flight.gpsd.told[-1][1:])  # the next one is always outside the radius
    next(where)
    for fault, fields in WITHOUT_ACCURACY.items():
        after_forgetting(flight)
        accepted = flight.queue()["accepted"]
        flight.gpsd.tell(next(where), **fields)
        wait_for(lambda: flight.queue()["accepted"] == accepted + 1, 5, f"{fault}: accepted")
    flight.send_zone()
    flight.wait_until_empty()
    told = [each.data["gps_accuracy"] for each in flight.server.performed("update_location") if "gps" in each.data]
    assert told[-len(WITHOUT_ACCURACY):] == [ACCURACY_3D] * len(WITHOUT_ACCURACY)


def test_odd_lines_cost_nothing(flight, chance, count, measured):
    assert flight.send() == "delivered"
    slowest, rounds, seen = 0.0, count(1, 20), 0
    for _ in range(rounds):
        for what, data in odd_lines(chance):
            flight.gpsd.raw(data)
            slowest = max(slowest, good_again(flight))
            seen += 1
    assert slowest < count(*SOON), "it may take a new connection, after 4 s"
    flight.send()
    flight.wait_until_empty()
    flight.assert_sound()
    measured(f"{seen} odd lines: good fixes again after {slowest:.1f} s at most")


def test_a_line_longer_than_any_buffer_and_a_stall_in_the_middle(flight, count, measured):
    """libgps gives such a line up; gpsd is tried again."""
    assert flight.send() == "delivered"
    flight.gpsd.raw(b'{"class":"TPV","x":"' + b"x" * 100_000)
    took = good_again(flight)
    assert took < count(*SOON)
    flight.gpsd.raw(line_of(GOOD)[:40])  # and nothing more: the next line is part of it
    assert good_again(flight) < count(*SOON)
    measured(f"a line of 100 kB without end: good fixes again after {took:.1f} s")


def test_a_gpsd_that_is_silent_is_tried_again(only_long, flight, measured):
    assert flight.send() == "delivered"
    connections = flight.gpsd.connections
    began = time.monotonic()
    wait_for(lambda: flight.gpsd.connections > connections and flight.gpsd.watchers, 60, "another connection")
    assert 25 < time.monotonic() - began < 45
    measured(f"given up after {time.monotonic() - began:.0f} s of silence")


def test_gpsd_restarts(flight, chance, count, measured):
    restarts, cuts, slowest = count(2, 100), count(1, 50), 0.0
    for fault in chance.sample([flight.gpsd.stop] * restarts + [lambda: flight.gpsd.cut(chance.random() < 0.5)] * cuts,
                               restarts + cuts):
        fault()
        time.sleep(chance.uniform(0, 1))
        flight.gpsd.start()
        slowest = max(slowest, good_again(flight))
    assert slowest < count(*SOON)
    flight.send()
    flight.wait_until_empty()
    flight.assert_sound()
    measured(f"{restarts} restarts and {cuts} cut connections: good fixes again after {slowest:.1f} s at most")


def to_and_fro(folder):
    """A track of more than half an hour that never rests. At its own pace and without leaps: a place that cannot have been
    reached would be held until it is repeated."""
    track, leg, moment = folder / "long.nmea", folder / "leg.nmea", datetime.datetime(2026, 11, 20, 7, 40)
    sentences = ""
    for home, work in ((HOME, WORK), (WORK, HOME)) * 2:
        truth = drive_track(leg, home=home, work=work, home_seconds=0, work_seconds=0, rests=False,
                            start=moment.isoformat())
        moment += datetime.timedelta(seconds=len(truth.epochs))
        sentences += leg.read_text()
    track.write_text(sentences)
    return track


def test_a_real_gpsd_restarts_and_its_receiver_is_pulled_out(make_agent, gps, server, chance, count, measured):
    restarts = [(gps.kill_gpsd, gps.start_gpsd), (gps.stop_gpsd, gps.start_gpsd)] * count(1, 50)
    others = [(lambda: gps.feed("unplug"), lambda: gps.feed("plug")),
              (lambda: gps.feed("garbage"), lambda: gps.feed("fix")),
              (lambda: gps.feed("nofix"), lambda: gps.feed("fix"))] * count(1, 20)
    slowest = 0.0
    agent = make_agent(CONFIGURATION.format(gpsd=gps)).start()
    agent.register(server.url, server.token)
    flight = Flight(agent, gps, server)
    gps.start(to_and_fro(gps.folder), time="now")
    wait_for(lambda: flight.queue()["accepted"] >= 3, 30, "the drive")
    for fault, cure in chance.sample(restarts + others, len(restarts + others)):
        fault()
        time.sleep(0.5)
        cure()
        accepted, began = flight.queue()["accepted"], time.monotonic()
        wait_for(lambda: flight.queue()["accepted"] > accepted, 60, "the drive to go on")
        slowest = max(slowest, time.monotonic() - began)
    gps.feed("hold")
    flight.control.call("send_location", zone="The end", allow_unknown=True)
    wait_for(lambda: flight.queue()["queued"] == 0, 60, "everything home")
    book = flight.queue()
    assert book["fates"]["delivered_live"] == book["accepted"]
    assert slowest < count(45, 15), f"{slowest:.0f} s"
    measured(f"{len(restarts)} restarts of a real gpsd, {len(others)} faults of its receiver: goes on after "
             f"{slowest:.1f} s at most")


def test_a_gpsd_that_hangs_up_at_once_is_not_hammered(flight):
    flight.gpsd.stop()

    class Rude(FakeGPSD):
        async def _serve(self, reader, writer):
            self.connections += 1
            writer.close()

    with Rude(port=flight.gpsd.port) as rude:
        wait_for(lambda: rude.connections, 30, "a first try")
        began, before = time.monotonic(), rude.connections
        time.sleep(8)
        tries = (time.monotonic() - began) / 4 + 1
        assert rude.connections - before <= 2 * tries, "a look and a connection every 4 s"


def test_a_flood_of_fixes_is_survived(flight, count, measured):
    assert flight.send() == "delivered"
    flight.drive(200, 100)
    told, memory = len(flight.gpsd.told), [flight.memory()]
    here = next(flight.places)
    flight.gpsd.stream(5000, iter(lambda: here, None))
    for _ in range(count(6, 120)):
        time.sleep(0.5)
        memory.append(flight.memory())
    began = time.monotonic()
    flight.status()
    answered = time.monotonic() - began
    flight.gpsd.hold()
    grown = lasting_rise(memory)
    assert answered < count(20, 2), answered
    assert grown <= 1024, f"kB: {memory}"
    assert good_again(flight) < count(*SOON)
    measured(f"{len(flight.gpsd.told) - told} fixes of one place: {grown} kB more memory, "
             f"the status answered after {answered:.2f} s")


def test_a_gpsd_that_is_absent_costs_nothing(flight, count, measured):
    flight.gpsd.stop()
    seconds = count(6, 180)
    time.sleep(1)
    before = cpu(flight.agent.pid)
    time.sleep(seconds)
    share = (cpu(flight.agent.pid) - before) / seconds
    assert share < count(0.05, 0.01), f"{share:.1%} of a processor"
    measured(f"{share:.2%} of a processor over {seconds} s without gpsd")


def cpu(pid):
    """Seconds of processor time so far."""
    fields = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
