"""`kill -9` and power cuts at any moment: what was accepted gets home, and hardly anything twice."""

import contextlib
import os
import pathlib
import shutil
import signal
import sqlite3
import tempfile
import time

import pytest
from faults.flight import CONFIGURATION, Flight
from homing_rigs import checker
from homing_rigs.faults.power_cut import PowerCut
from homing_rigs.faults.server import Misdeed
from homing_rigs.processes import wait_for


def assert_whole(agent):
    """No queue was ever set aside as damaged, and each is whole: in a copy, as a look at the file itself would write
    its log back, which is the daemon's to do."""
    kept = [file.name for file in agent.folder.rglob("*.damaged-*")]
    assert not kept, f"set aside as damaged: {kept}"
    with tempfile.TemporaryDirectory(prefix="homing-copy-") as folder:
        for file in [*agent.folder.rglob("outbox*.db"), *agent.folder.rglob("outbox*.db-wal")]:
            shutil.copy(file, folder)
        copies = list(pathlib.Path(folder).glob("*.db"))
        assert copies, "there is a queue"
        for copy in copies:
            with contextlib.closing(sqlite3.connect(copy)) as database:
                assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",), copy.name


def start_again(flight):
    """After a kill; what it left is looked at before each start."""
    flight.hang_up()
    flight.agent.kill()
    assert_whole(flight.agent)
    flight.agent.start()


def assert_sound(flight, cuts):
    """Everything that was accepted was delivered and arrived, in order, at most one thing twice for each cut; and the
    files were whole all the time. Returns the figure."""
    flight.assert_sound(duplicates=cuts)
    book = flight.queue()
    delivered = sum(book["fates"][name] for name in checker.DELIVERED)
    assert delivered == book["accepted"] and book["queued"] == 0, f"another fate than to be delivered: {book}"
    assert "queue was damaged" not in flight.agent.log_text(), "of any of its processes"
    verdict = checker.judge(flight.accepted(), *flight.arrived())
    lost = max(len(verdict.lost), book["accepted"] - delivered)
    assert lost == 0, verdict
    flight.hang_up()
    flight.agent.stop()
    assert_whole(flight.agent)
    return f"{lost} lost, {len(verdict.duplicated)} told twice"


def bring_home(flight):
    """End the drive and wait until everything is delivered."""
    flight.gpsd.hold()
    flight.send()
    wait_for(lambda: flight.queue()["queued"] == 0, 300, "everything home", every=0.2)


def fly_fast(flight, chance, rate, longest):
    """Fly for at most `longest` seconds, with `rate` locations a second."""
    flight.stream(rate)
    time.sleep(chance.uniform(0.02, longest))


def fly_until_a_save(flight, chance):
    """Fly so slowly and so long that this process has written to the log of groups, and up to three seconds more. The
    process has made the log, empty, at its start."""
    log = flight.agent.home / "outbox-log"
    flight.stream(20)
    wait_for(lambda: any(log.read_bytes()[4096:]), 30, "a group in the log", every=0.1)
    time.sleep(chance.uniform(0, 3))


@pytest.mark.parametrize("durability", ["grouped", "power-loss", "crash"])
def test_kills_at_random_moments_lose_nothing(durability, take_off, chance, count, measured):
    kills = count(20, 1000)
    flight = take_off(configuration=f"[outbox]\ndurability = {durability}\n")
    for number in range(kills):
        if durability == "grouped" and number % 20 == 19:
            fly_until_a_save(flight, chance)
        else:
            fly_fast(flight, chance, 300, 0.8)
        start_again(flight)
    bring_home(flight)
    accepted = flight.queue()["accepted"]
    assert accepted >= count(1, 100_000), "the long form is of so many positions"
    measured(f"{kills} kills over {accepted} accepted positions: {assert_sound(flight, kills)}")


def kill_at(flight, kind, delay):
    """Have the daemon killed so many seconds after it was sent the answer to a `kind`; None: before it can read it."""
    pid = flight.agent.pid

    def before(exchange):
        if delay is None:
            os.kill(pid, signal.SIGSTOP)

    def after(exchange):
        end = time.perf_counter() + (delay or 0)
        while time.perf_counter() < end:
            pass
        os.kill(pid, signal.SIGKILL)

    flight.server.misbehave(Misdeed(before=before, after=after), on=kind, times=1)


@pytest.mark.parametrize("kind", ["update_location", "render_template"])
def test_kills_between_the_answer_and_the_settling(kind, flight, chance, count, measured):
    kills = count(24, 400)
    assert flight.send() == "delivered"
    for number in range(kills):
        kill_at(flight, kind, None if number % 3 == 0 else chance.uniform(0, 0.004))
        try:
            flight.begin_to_send()
        except ConnectionError:
            pass  # it was killed at once, by the first question of its session
        wait_for(lambda: not flight.agent.alive, 40, "the kill", every=0.005)
        start_again(flight)
    bring_home(flight)
    measured(f"{kills} kills around the settling after {kind}: {assert_sound(flight, kills)}")


def test_a_kill_between_the_proof_and_its_settling_is_made_good_by_the_next_proof(flight, count, measured):
    """At a failpoint, which the test build has: Home Assistant has shown what it holds, and the row is still queued."""
    kills = count(5, 100)
    assert flight.send() == "delivered"
    for _ in range(kills):
        flight.wait_until_empty()  # who is told of the delivery hears it before the row is settled
        told = len(flight.server.live())
        flight.agent.environment["HOMING_FAILPOINT"] = "proved-not-settled"
        flight.restart(kill=True)
        flight.begin_to_send()
        wait_for(lambda: not flight.agent.alive, 40, "the failpoint", every=0.005)
        assert len(flight.server.live()) == told + 1
        del flight.agent.environment["HOMING_FAILPOINT"]
        start_again(flight)
        flight.wait_until_empty()
        assert len(flight.server.live()) == told + 1, "the receipt with which it begins shows the place"
    measured(f"{kills} kills between the proof and its settling: {assert_sound(flight, 0)}")


class Cuts:
    """Power cuts of a daemon, and what an outsider knows of each."""

    def __init__(self, flight, power, chance):
        self.flight, self.power, self.chance = flight, power, chance
        self.moments = []
        self.felt = 0  # cuts that took something with them

    def cut(self):
        """Cut the power and start again: what is in memory is gone, and what the disk had not synced, by chance."""
        before = self.flight.queue()["accepted"]
        self.flight.hang_up()
        self.flight.agent.kill()
        self.moments.append(time.time())
        dropped = self.power.dropped
        self.power.cut(self.chance)
        journal = self.flight.agent.runtime / "homes/home/outbox-group"
        self.felt += self.power.dropped > dropped or journal.exists() and journal.stat().st_size > 83
        journal.unlink(missing_ok=True)
        assert_whole(self.flight.agent)
        self.flight.agent.start()
        assert self.flight.agent.registration["webhook_id"], "the registration is whole"
        after = self.flight.queue()["accepted"]
        assert after >= before, f"accepted fell from {before} to {after}"

    def assert_promised(self, takes_nothing=False):
        """What was told to nobody was accepted within the last second before a cut, and is counted; returns the figure.
        `takes_nothing`: a power cut may take none."""
        book = self.flight.queue()
        fates = book["fates"]
        assert book["queued"] == 0 and book["accepted"] == sum(fates.values()), book
        delivered = sum(fates[name] for name in checker.DELIVERED)
        assert delivered + fates["lost_in_power_cut"] == book["accepted"], f"another fate: {book}"
        accepted = self.flight.accepted()
        verdict = checker.judge(accepted, *self.flight.arrived())
        assert not verdict.swapped and not verdict.invented, verdict
        again = checker.judge(accepted, self.flight.arrived()[0]).duplicated
        assert len(again) <= len(self.moments), f"{len(again)} told twice as news"
        told = {checker.key_of(latitude, longitude): moment for moment, latitude, longitude in self.flight.gpsd.told}
        places = {number: place for number, *place in accepted}
        for number in verdict.lost:
            moment = told[checker.key_of(*places[number])]
            assert any(0 <= cut - moment <= 1.2 for cut in self.moments), f"{number} was accepted earlier"
        assert len(verdict.lost) <= fates["lost_in_power_cut"], f"{verdict}, {book}"
        assert not takes_nothing or fates["lost_in_power_cut"] == 0, book
        return (f"{len(verdict.lost)} told to nobody, {len(again)} told twice as news, "
                f"{len(verdict.duplicated) - len(again)} once more as history, "
                f"{fates['lost_in_power_cut']} counted as lost at most")


@pytest.mark.parametrize("durability", ["grouped", "power-loss"])
def test_power_cuts_take_no_more_than_is_promised(
        durability, make_agent, fake_gpsd, server, chance, count, measured):
    number = count(15, 200)
    agent = make_agent(CONFIGURATION.format(gpsd=fake_gpsd) + f"[outbox]\ndurability = {durability}\n")
    power = PowerCut(agent.home)
    agent.environment |= power.environment
    agent.start().register(server.url, server.token)
    flight = Flight(agent, fake_gpsd, server)
    assert flight.send() == "delivered"
    cuts = Cuts(flight, power, chance)
    for index in range(number):
        if durability == "grouped" and index % 5 == 4:
            fly_until_a_save(flight, chance)
        else:
            fly_fast(flight, chance, 200, 0.7)
        cuts.cut()
    bring_home(flight)
    assert cuts.felt >= (count(3, 50) if durability == "grouped" else count(0, 10)), "some of what was written was lost with the power"
    figure = cuts.assert_promised(takes_nothing=durability == "power-loss")
    accepted = flight.queue()["accepted"]
    measured(f"{number} power cuts over {accepted} accepted positions, {cuts.felt} of which took something: {figure}")


def test_a_power_cut_is_told_with_its_time_and_its_bound(make_agent, fake_gpsd, server):
    agent = make_agent(CONFIGURATION.format(gpsd=fake_gpsd)).start()
    agent.register(server.url, server.token)
    flight = Flight(agent, fake_gpsd, server)
    assert flight.send() == "delivered" and "powerCut" not in flight.status()
    journal = agent.runtime / "homes/home/outbox-group"
    flight.stream(20)
    wait_for(lambda: journal.stat().st_size > 400, 20, "positions that wait")
    accepted = flight.queue()["accepted"]
    flight.hang_up()
    agent.kill()
    journal.unlink()
    agent.start()
    fake_gpsd.hold()
    cut = flight.status()["powerCut"]
    assert cut["count"] == 1 and 1 <= cut["lost"] <= 512 and time.time() - 60 < cut["after"] <= cut["noticed"]
    assert flight.queue()["fates"]["lost_in_power_cut"] == cut["lost"] and flight.queue()["accepted"] >= accepted
    assert f"at most {cut['lost']} locations lost" in agent.homing("status").stdout
    assert "the runtime folder was emptied" in agent.log_text(), "the machine itself went on"
