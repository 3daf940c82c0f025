"""Two homes on one machine: what befalls one of them costs the other nothing, and no kill loses anything of either."""

import contextlib
import itertools
import os
import shutil
import signal
import threading
import time

import pytest
from conftest import VERSIONS, home_assistant
from faults.flight import CONFIGURATION, Control, Flight
from faults.test_kills import assert_whole
from faults.test_real_home_assistant import Journey
from homing_rigs import checker
from homing_rigs.faults.calls import KillingCall
from homing_rigs.faults.disk import SmallDisk
from homing_rigs.faults.server import FaultServer
from homing_rigs.processes import wait_for
from own_process import as_root

pytestmark = pytest.mark.early

HOMES = ("home", "cabin")
LONG = os.environ.get("HOMING_LONG") == "1"
# Events of 10 kB (12 kB on the disk) that wait in the queue that is damaged.
WAITING = 2500 if LONG else 40
# Seconds for which one home may keep the daemon from anything else; a machine that does much else is given more.
PROMISED = 0.1 if LONG else 1


class Stall(threading.Thread):
    """Asks the daemon something small again and again; `longest`: the seconds that it took at most. Use with `with`."""

    def __init__(self, agent):
        super().__init__(daemon=True)
        self.longest, self.answers = 0.0, 0
        self._control, self._ended = Control(agent.runtime / "control.sock"), threading.Event()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self.join(60)
        self._control.close()

    def run(self):
        while not self._ended.wait(0.01):
            began = time.monotonic()
            self._control.call("homes")
            self.longest = max(self.longest, time.monotonic() - began)
            self.answers += 1


@contextlib.contextmanager
def killed(journey):
    # It shows a stored place when it is back: without this, the place of an earlier tracker of the same name.
    journey.ha.post("/api/services/homeassistant/save_persistent_states")
    # Its recorder writes behind what it answers: a witness that dies too early would not know what it held. It has to know
    # at least as much as what is stored, or what comes once more after the start would look out of order.
    journey.ha.history(journey.tracker, journey.since)
    journey.ha.kill()
    try:
        yield
    finally:
        journey.ha.start()


@contextlib.contextmanager
def frozen(journey):
    os.kill(journey.ha.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(journey.ha.pid, signal.SIGCONT)


@contextlib.contextmanager
def deleted(journey):
    journey.ha.delete_mobile_app(journey.device)
    yield


@contextlib.contextmanager
def damaged(journey):
    """What waits is more than the daemon keeps of the file in its memory, so it meets the damage as soon as it sends. The
    long form fills the queue nearly to its usual bound of 32 MiB: how much waits must not matter."""
    journey.ha.kill()
    control = Control(journey.agent.runtime / "control.sock")
    for number in range(WAITING):
        control.call("send_event", home="cabin", type="large", data={"number": number, "text": "x" * 10_000}, wait=False)
    control.close()
    for name in ("outbox.db", "outbox.db-wal"):
        file = journey.agent.state / "homes/cabin" / name
        with open(file, "r+b") as database:
            database.write(b"nonsense" * (file.stat().st_size // 8))
    try:
        yield
    finally:
        journey.ha.start()


@contextlib.contextmanager
def full(journey):
    journey.disk.fill()
    try:
        yield
    finally:
        journey.disk.empty()


@pytest.fixture
def both(make_agent, fake_gpsd):
    """Journeys to the oldest and the newest Home Assistant at once; the second one's queue is on a disk of its own."""
    # However long a Home Assistant takes to start, positions stay news: the recorder, which is the witness, has no history.
    agent = make_agent(CONFIGURATION.format(gpsd=fake_gpsd) + "max_age = 3600\n").start()
    first = Journey(home_assistant(VERSIONS[0]), agent, fake_gpsd)
    folder = agent.state / "homes/cabin"
    folder.mkdir(mode=0o700)
    with SmallDisk(folder, 98304 if LONG else 4096) as disk:
        second = Journey(home_assistant(VERSIONS[-1]), agent, fake_gpsd, "cabin")
        second.disk = disk
        first.flight.home, first.home = "home", "home"
        second.flight.places = first.flight.places  # both homes are told of each: no place twice
        yield first, second
        for journey in (first, second):
            journey.flight.hang_up()
        agent.stop()


@pytest.mark.skipif(not SmallDisk.possible(), reason="mounting needs root")
@pytest.mark.parametrize("misery", [killed, frozen, deleted, damaged, full])
def test_what_befalls_one_home_in_a_drive_costs_the_other_nothing(misery, both, count, measured):
    first, second = both
    seconds = count(8, 120)
    assert first.flight.send() == "delivered"
    wait_for(lambda: second.flight.queue()["accepted"] > 0, 30, "the same position in the second home")
    first.flight.stream(10)
    time.sleep(2)
    with Stall(first.agent) as stall:
        with misery(second):
            began = first.flight.queue()["accepted"]
            time.sleep(seconds)
            accepted = first.flight.queue()["accepted"]
            wait_for(lambda: first.shows(accepted), 3, "the other home goes on")
        time.sleep(2)
    assert accepted - began >= seconds * 5, f"the other home went on: {accepted - began} in {seconds} s"
    first.flight.gpsd.hold()
    first.flight.send()  # with a receipt at once: otherwise it is asked in its time
    wait_for(lambda: first.flight.queue()["queued"] == 0, 60, "everything in the first home")
    if misery in (killed, frozen):
        # A receipt is asked at once for a position that somebody waits for.
        wait_for(lambda: second.flight.send() == "delivered", 180, "the second home")
        wait_for(lambda: second.flight.queue()["queued"] == 0, 60, "everything in the second home")
        second.assert_sound(duplicates=150)  # what was sent since the last receipt
    elif misery is deleted:
        assert second.flight.queue()["queued"] > seconds * 5, "what waits is kept"
    elif misery is damaged:
        wait_for(lambda: "outbox_replaced" in second.flight.warnings(), 120, "another queue in the second home")
        assert "outbox_replaced" not in first.flight.warnings()
    else:
        wait_for(lambda: "outbox_failed" not in second.flight.warnings(), 90, "the disk to be used again")
    first.assert_sound(duplicates=0)
    assert stall.answers > seconds * 10 and stall.longest <= PROMISED, (stall.answers, stall.longest)
    measured(f"a home that is {misery.__name__} for {seconds} s: {accepted - began} positions told to the other one, the "
             f"daemon was away for {stall.longest * 1000:.0f} ms at most in {stall.answers} questions")


def test_kills_with_two_homes_lose_nothing_of_either(make_agent, fake_gpsd, server, chance, count, measured):
    kills = count(10, 100)
    agent = make_agent(CONFIGURATION.format(gpsd=fake_gpsd)).start()
    with FaultServer() as other:
        agent.register(server.url, server.token)
        agent.register(other.url, other.token, home="cabin")
        flights = [Flight(agent, fake_gpsd, server, "home"), Flight(agent, fake_gpsd, other, "cabin")]
        flights[1].places = flights[0].places  # of the one receiver
        flights[0].stream(300)
        for _ in range(kills):
            time.sleep(chance.uniform(0.02, 0.8))
            for flight in flights:
                flight.hang_up()
            agent.kill()
            assert_whole(agent)
            agent.start()
        fake_gpsd.hold()
        for flight in flights:
            flight.send()
        for flight in flights:
            wait_for(lambda: flight.queue()["queued"] == 0, 300, f"everything in {flight.home}", every=0.2)
        figures = []
        for flight in flights:
            flight.assert_sound(duplicates=kills)
            book = flight.queue()
            delivered = sum(book["fates"][name] for name in checker.DELIVERED)
            assert delivered == book["accepted"], book
            verdict = checker.judge(flight.accepted(), *flight.arrived())
            assert not verdict.lost, verdict
            figures.append(f"{book['accepted']} accepted by {flight.home}, 0 lost, {len(verdict.duplicated)} told twice")
            flight.hang_up()
        agent.stop()
        assert_whole(agent)
    measured(f"{kills} kills with two homes: {'; '.join(figures)}")


FILES = {"registration.json", "outbox.db"}


def move_back(agent):
    """The state as a version before this one left it: the one home in the state folder itself."""
    for file in [*agent.home.glob("outbox.db*"), *agent.home.glob("*.json")]:
        file.rename(agent.state / file.name)
    shutil.rmtree(agent.state / "homes")


# What moves files, and has the disk keep that they were moved; and the first calls of the outbox on its file.
STEPS = ("rename", "mkdir", "fsync", "unlink", "pwrite64")


@as_root
def test_a_kill_at_each_step_of_moving_the_state_of_an_earlier_version_loses_nothing(flight, count, measured):
    """The daemon is killed at its first such call, at its second, and so on until a start makes no more of them. After
    each kill, each file is in one of the two places, and a start goes on from there."""
    agent, kills, halves = flight.agent, 0, 0
    flight.server.stop()
    waiting = count(300, 5000)
    flight.drive(300, waiting, 120)
    flight.hang_up()
    agent.stop()
    webhook, moved = agent.registration["webhook_id"], agent.state / "homes/home"
    paths = [agent.state, *(agent.state / name for name in ("homes", *FILES)), moved, *(moved / name for name in FILES)]
    while kills < count(1, 200):
        before = kills
        for call in STEPS:
            for number in itertools.count(1):
                assert number < 1000, call
                move_back(agent)
                agent.put_before_daemon(*KillingCall(call, number, *paths).words)
                agent.begin_start()
                wait_for(lambda: not agent.alive or agent.homing("status", check=False).returncode == 0, 40, "an end")
                agent.put_before_daemon()
                if agent.alive:
                    agent.kill()
                    break
                kills += 1
                old = {name for name in FILES if (agent.state / name).exists()}
                new = {name for name in FILES if (moved / name).exists()}
                assert old | new == FILES and not old & new, (call, number, old, new)
                halves += bool(old and new)
                if halves == 1 or kills % 10 == 0:
                    agent.start().kill()
        assert kills > before, "no call of the daemon's was seen"
    agent.start()
    assert agent.registration["webhook_id"] == webhook and not list(agent.state.glob("outbox*"))
    assert_whole(agent)
    book = flight.queue()
    assert book["queued"] >= waiting and halves, book
    flight.server.start()
    flight.send()  # which tries at once
    wait_for(lambda: flight.queue()["queued"] == 0, 120, "everything home")
    flight.assert_sound(duplicates=5)
    measured(f"{kills} kills while the state of an earlier version is moved, {halves} of them between its files: "
             f"{book['queued']} positions waited, 0 lost")
