"""Disks that are full, read-only, forbidden, or that break: no crash, no lie, and everything home afterwards."""

import collections
import os
import subprocess
import time

import pytest
from agent import BINARIES
from faults.flight import CONFIGURATION, Flight
from faults.swift_tests import SwiftTest
from homing_rigs import checker
from homing_rigs.faults.calls import Breaking, FailingCalls
from homing_rigs.faults.disk import SmallDisk
from homing_rigs.faults.gpsd import FakeGPSD
from homing_rigs.faults.server import FaultServer
from homing_rigs.processes import wait_for
from own_process import as_root

pytestmark = pytest.mark.early

needs_mounting = pytest.mark.skipif(not SmallDisk.possible(), reason="mounting needs root")


@pytest.fixture
def small(request, make_agent, fake_gpsd, server):
    """A daemon in flight whose state is on a disk of 1 MB, or of so many kB, and the disk."""
    agent = make_agent(CONFIGURATION.format(gpsd=fake_gpsd))
    with SmallDisk(agent.state, getattr(request, "param", 1024)) as disk:
        agent.start().register(server.url, server.token)
        yield Flight(agent, fake_gpsd, server), disk
        if agent.alive:
            agent.kill()


def tell_until(flight, condition, seconds, what):
    """Fixes until something shows; returns how long it took."""
    began = time.monotonic()
    flight.stream(100)
    wait_for(condition, seconds, what)
    flight.gpsd.hold()
    return time.monotonic() - began


@needs_mounting
def test_a_full_disk_is_told_and_recovers(small, count, measured):
    flight, disk = small
    assert flight.send() == "delivered"
    registration = (flight.agent.home / "registration.json").read_bytes()
    flight.server.stop()
    flight.drive(100, 50)
    disk.fill()
    tell_until(flight, lambda: "outbox_failed" in flight.warnings(), 60, "the warning")
    book = flight.queue()
    flight.drive_nowhere(0.5)
    assert flight.queue()["accepted"] == book["accepted"], "nothing is accepted that is not stored"
    assert flight.status()["skipped"]["not_stored"] > 0
    disk.empty()
    recovered = tell_until(flight, lambda: flight.queue()["accepted"] > book["accepted"] + 5, 30, "the recovery")
    assert recovered < count(20, 5)
    assert "outbox_failed" not in flight.warnings()
    assert (flight.agent.home / "registration.json").read_bytes() == registration
    flight.server.start()
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound()
    measured(f"disk full with {book['queued']} queued: no crash, accepts again {recovered:.1f} s after there was room")


@needs_mounting
@pytest.mark.parametrize("small", [4096], indirect=True, ids=["4 MB"])
def test_a_long_queue_on_a_disk_that_is_all_but_full_makes_room_for_the_newest(small, measured):
    flight, disk = small
    assert flight.send() == "delivered"
    flight.server.stop()
    flight.drive(500, 5000)
    assert flight.queue()["fates"]["evicted"] == 0, "there is room for all"
    disk.fill(leave=160 * 1024)
    flight.drive(50, 400)
    book = flight.queue()
    assert book["fates"]["evicted"] >= 300 and "outbox_failed" not in flight.warnings(), book
    flight.server.start()
    flight.wait_until_empty(240)  # the last receipt comes in its time
    flight.assert_sound()
    live, track = flight.arrived()
    newest = flight.accepted()[-1][1:]
    assert [checker.key_of(*place) for place in live + track].count(newest) == 1, "the newest is kept"
    measured(f"400 more on a full disk with {book['queued']} queued: {book['fates']['evicted']} of the oldest evicted and "
             f"counted, the others home")


@needs_mounting
def test_positions_that_wait_survive_a_kill_and_a_start_on_a_full_disk(small, measured):
    flight, disk = small
    assert flight.send() == "delivered"
    journal = flight.agent.runtime / "homes/home/outbox-group"
    flight.stream(20)
    wait_for(lambda: journal.stat().st_size > 600, 20, "positions that wait")
    flight.gpsd.hold()
    accepted = flight.queue()["accepted"]
    flight.hang_up()
    flight.agent.kill()
    disk.fill()
    flight.agent.start()
    assert flight.queue()["accepted"] >= accepted
    disk.empty()
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound(duplicates=1)
    measured(f"started on a full disk with {accepted} accepted: 0 lost")


@needs_mounting
def test_a_full_disk_while_delivering_tells_nothing_again_and_again(small, measured):
    flight, disk = small
    assert flight.send() == "delivered"
    disk.fill()
    flight.drive_nowhere(3)
    told = len(flight.server.live())
    flight.drive_nowhere(3)
    assert len(flight.server.live()) - told <= 60, "what cannot be settled is not sent for ever"
    disk.empty()
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound(duplicates=60)


@needs_mounting
def test_delivery_goes_on_soon_after_there_is_room_again(small, measured):
    flight, disk = small
    assert flight.send() == "delivered"
    flight.stream(20)
    disk.fill()
    wait_for(lambda: "outbox_failed" in flight.warnings(), 60, "the warning")
    time.sleep(1)
    disk.empty()
    began = time.monotonic()
    newest = flight.queue()["accepted"]
    wait_for(lambda: flight.queue()["fates"]["delivered_live"] > newest, 90, "the delivery of what came after")
    measured(f"delivers again {time.monotonic() - began:.0f} s after there was room")
    flight.gpsd.hold()


@as_root
@pytest.mark.parametrize("error", ["EROFS", "EIO", "ENOSPC", "EDQUOT"])
def test_a_disk_that_breaks_while_in_use_is_told_and_recovers(error, flight, count):
    assert flight.send() == "delivered"
    flight.server.stop()
    flight.drive(100, 20)
    files = [flight.agent.home / "outbox.db", flight.agent.home / "outbox.db-wal"]
    with Breaking(flight.agent.pid, "pwrite64,fdatasync,fsync,ftruncate", error, *files):
        tell_until(flight, lambda: "outbox_failed" in flight.warnings(), 60, "the warning")
    flight.server.start()
    assert tell_until(flight, lambda: "outbox_failed" not in flight.warnings(), 30, "its end") < count(20, 5)
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound(duplicates=60)


@needs_mounting
@pytest.mark.parametrize("trouble", ["read-only", "full"])
def test_a_start_on_such_a_disk_says_so_and_leaves_everything_as_it_is(trouble, small):
    flight, disk = small
    assert flight.send() == "delivered"
    flight.server.stop()
    flight.drive(100, 20)
    queued = flight.queue()["queued"]
    flight.hang_up()
    flight.agent.stop()
    disk.read_only() if trouble == "read-only" else disk.fill()
    done = subprocess.Popen([BINARIES / "homingd", "--config", flight.agent.configuration],
                            env=flight.agent.environment, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: done.poll() is not None or flight.agent.homing("status", check=False).returncode == 0, 30,
             "it to run, or to end")
    if done.poll() is None:  # it runs all the same, with what it can read
        done.terminate()
        assert done.wait(20) == 0
    else:
        code = 78 if trouble == "read-only" else 1
        said = done.stderr.read()
        assert done.returncode == code and str(flight.agent.state) in said
        if trouble == "read-only":
            assert "is read-only: mount it for writing" in said and "owner" not in said
    disk.read_only(False)
    disk.empty()
    flight.agent.start()
    flight.server.start()
    assert flight.queue()["queued"] + flight.queue()["fates"]["delivered_live"] >= queued + 1
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound()


@pytest.mark.skipif(os.geteuid() != 0, reason="becoming another user needs root")
def test_a_state_folder_of_somebody_else_is_named(make_agent):
    agent = make_agent("[gpsd]\nenabled = false\n")
    agent.folder.chmod(0o755)
    agent.state.chmod(0o700)
    done = subprocess.run(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", BINARIES / "homingd",
                           "--config", agent.configuration], env=agent.environment, capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == 78 and str(agent.state) in done.stderr, done


CALLS = ["pwrite64", "fdatasync", "fsync", "ftruncate", "pread64", "openat", "unlink", "fcntl"]
ERRORS = ["ENOSPC", "EIO", "EROFS", "EINTR", "EACCES", "EDQUOT", "ENOMEM"]
# Without these nothing is written for good: whoever feeds the daemon is told.
VITAL = {"pwrite64", "fdatasync"}


def sites(chance, count):
    """(call, error, the first call that fails, durability) to be tried."""
    everything = [(call, error, first) for call in CALLS for error in ERRORS for first in (1, 2, 3, 5, 9, 20)]
    chosen = chance.sample(everything, min(count, len(everything)))
    return [(*site, chance.choice(["grouped", "power-loss"])) for site in chosen]


def fly_broken(agent, flight, failing, must_warn):
    """Start the daemon with calls that fail, feed it, and kill it; returns "ended" if it refused to start, else
    "warned" or "silent" by what its status said. `must_warn`: give it 20 s to say so instead of one."""
    agent.put_before_daemon(*failing.words)
    try:
        agent.start()
    except (AssertionError, TimeoutError):
        assert "cannot open the queue" in agent.log_text(), agent.log_text()[-2000:]
        return "ended"
    finally:
        agent.put_before_daemon()
    warned = False
    flight.stream(100)
    began = time.monotonic()
    while time.monotonic() - began < (20 if must_warn and not warned else 0.7):
        time.sleep(0.1)
        warned = warned or {"outbox_failed", "outbox_replaced"} & set(flight.warnings())
    flight.gpsd.hold()
    assert agent.alive, agent.log_text()[-2000:]
    flight.hang_up()
    agent.kill()
    return "warned" if warned else "silent"


def break_and_mend(agent, flight, call, error, first, durability):
    """One site; returns how many calls failed, what the daemon did about it, and whether it set the queue aside."""
    assert flight.send() == "delivered"
    flight.hang_up()
    agent.stop()
    failing = FailingCalls(call, error, first, first + 400, agent.home / "outbox.db", agent.home / "outbox.db-wal",
                           agent.home / "outbox-log")
    # SQLite itself repeats what was interrupted; of a group's few calls some sites are out of reach.
    must_fail = call in VITAL and error != "EINTR" and (durability == "power-loss" or first == 1)
    outcome = fly_broken(agent, flight, failing, must_warn=must_fail)
    agent.start()
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    fates = flight.queue()["fates"]
    assert fates["rejected"] == 0
    aside = any(agent.home.glob("outbox.db.damaged-*"))
    if aside:
        # What the disk cannot read is damage: set aside, with its book if that cannot be read either.
        assert (call, error) == ("pread64", "EIO") and outcome != "silent"
    else:
        flight.assert_sound(duplicates=60)
        assert fates["lost_with_database"] == 0
    if must_fail:
        assert failing.failed and outcome != "silent", (failing.failed, outcome)
    return failing.failed, outcome, aside


@as_root
def test_calls_that_fail_cost_nothing_once_they_work_again(make_agent, chance, count, measured):
    """Each system call on the outbox's files, each error, from its n-th call on; then the disk is well again."""
    wrong, calls, damaged, met = [], 0, 0, collections.Counter()
    wanted = sites(chance, count(8, 336))
    for site in wanted:
        with FaultServer() as server, FakeGPSD() as gpsd:
            agent = make_agent(CONFIGURATION.format(gpsd=gpsd) + f"[outbox]\ndurability = {site[-1]}\n").start()
            agent.register(server.url, server.token)
            flight = Flight(agent, gpsd, server)
            try:
                failed, outcome, aside = break_and_mend(agent, flight, *site)
                calls += failed
                damaged += aside
                met[outcome if failed else "not called"] += 1
            except (AssertionError, TimeoutError) as problem:
                wrong.append((*site, str(problem)[-1500:]))
            flight.hang_up()
            if agent.alive:
                agent.kill()
    assert not wrong, "\n".join(map(str, wrong))
    assert calls, "none of these calls was made at all"
    measured(f"{len(wanted)} kinds of failing system calls, {calls} calls failed: {met['ended']} times it said so and "
             f"ended, {met['warned']} times the status said so, {met['silent']} times it went on without them, "
             f"{met['not called']} were not called so often; {damaged} queues could not be read and were set aside, 0 lost "
             "from the others")


def test_each_call_of_the_storage_fails_in_turn(only_long, measured, request):
    """Below SQLite, each call that an outbox in use makes, with each error, once and from then on. `make test` tries
    some of them with the other Swift tests."""
    test = SwiftTest("HomingDeliveryTests", "FaultTests/everyCall", HOMING_FAULTS="0")
    request.node.homing_seed = test.seed
    stories = sum(int(figure) for figure in test.figures)
    measured(f"{stories} failing calls in {len(test.figures)} combinations of call, error and durability: each in words, "
             "nothing lost that was said to be there", how="part")
