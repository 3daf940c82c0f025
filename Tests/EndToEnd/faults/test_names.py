"""Names that do not resolve, resolve late, or to somebody else; and what ten thousand failures leave behind: nothing."""

import pathlib
import time

import pytest
from homing_rigs.faults.dns import A, NameServer
from homing_rigs.faults.gpsd import FakeGPSD
from homing_rigs.faults.server import FaultServer, misdeeds
from homing_rigs.netns import Namespace
from homing_rigs.processes import wait_for
from homing_rigs.slope import lasting_rise

pytestmark = pytest.mark.skipif(not Namespace.possible(), reason="network namespaces need root")
NAME = "home.local"
FAILURES = ["nxdomain", "servfail", "refused", "empty", "garbage", "wrong-id", "timeout"]


@pytest.fixture
def island():
    """A namespace whose only name server is ours."""
    with Namespace(names=(), name_server=True) as namespace:
        yield namespace


@pytest.fixture
def names(island):
    with NameServer([island.near], island.near) as running:
        yield running


@pytest.fixture
def flight(island, names, take_off):
    """A daemon in there, registered by name."""
    with FaultServer(host=island.near) as home, FakeGPSD(host=island.near) as gpsd:
        yield take_off(f"http://{NAME}:{home.port}", gpsd=gpsd, home=home, prefix=tuple(island.prefix))


def forget_the_name(flight):
    """End warm connections, and let libcurl forget the address, as a change of network does."""
    flight.restart()


@pytest.mark.parametrize("failure", FAILURES)
def test_a_name_that_does_not_resolve_keeps_everything(failure, flight, names):
    assert flight.send() == "delivered"
    names.mode(failure)
    forget_the_name(flight)
    assert flight.send() == "queued"
    assert "cannot be resolved" in flight.problem() or "no connection" in flight.problem()
    names.mode("ok")
    wait_for(lambda: flight.queue()["queued"] == 0, 60, "the next try by itself")
    flight.assert_sound()


def tries(names):
    """How often the name's IPv4 address was asked for: once in each try, besides the other's."""
    return sum(kind == A for _, _, kind in names.queries)


def threads(pid):
    return len(list(pathlib.Path(f"/proc/{pid}/task").iterdir()))


@pytest.mark.parametrize("failure", ["nxdomain", "servfail"])
def test_failures_leave_no_descriptor_behind(failure, flight, names, count, measured):
    assert flight.send() == "delivered"
    names.mode(failure)
    forget_the_name(flight)
    for _ in range(50):
        assert flight.send_zone() == "queued"
    before = flight.descriptors(), threads(flight.agent.pid)
    memory = [flight.memory()]
    failures = count(1000, 10_000)
    asked = tries(names)
    for number in range(failures):
        assert flight.send_zone() == "queued"
        if number % 100 == 99:
            memory.append(flight.memory())
    assert tries(names) - asked >= failures, "each was a try of its own"
    wait_for(lambda: (flight.descriptors(), threads(flight.agent.pid)) <= before, 20, "as few as before")
    grown = lasting_rise(memory)
    assert grown <= 1024, f"kB: {memory}"
    names.mode("ok")
    forget_the_name(flight)
    assert flight.send() == "delivered"
    measured(f"{failures} × {failure}: {before[0]} descriptors and {before[1]} threads before and after, {grown} kB more")


def test_a_stranger_behind_the_name_settles_nothing(flight, names, island):
    assert flight.send() == "delivered"
    told = len(flight.server.live())
    flight.server.misbehave(misdeeds.CATALOGUE["portal"]())
    forget_the_name(flight)
    for _ in range(3):
        assert flight.send() == "queued"
    strange = flight.server.exchanges[-1].request
    assert "authorization" not in strange.headers and b'"encrypted":true' in strange.body
    assert len(flight.server.live()) == told
    flight.server.behave()
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound()


def test_a_dead_address_beside_a_good_one_does_not_hold_it_up(flight, names, island, count):
    island.run("ip", "address", "add", "fd00:77::2/64", "dev", "eth0", "nodad", check=True)
    names.answer("fd00:77::99", island.near)  # on the link, and nobody there
    forget_the_name(flight)
    began = time.monotonic()
    assert flight.send() == "delivered"
    assert time.monotonic() - began < count(20, 10), "it waited for the dead one, as for the whole of a connection"


def test_a_name_with_a_dead_address_alone_is_tried_again_and_found_when_it_has_a_good_one(flight, names, island, count, measured):
    """Only IPv6, on the link, and nobody there; then IPv4, where home is."""
    island.run("ip", "address", "add", "fd00:77::2/64", "dev", "eth0", "nodad", check=True)
    assert flight.send() == "delivered"
    names.answer("fd00:77::99")
    forget_the_name(flight)
    assert flight.send() == "queued"
    assert "no route to" in flight.problem() or "no connection" in flight.problem()
    rest = flight.status()["nextAttempt"]
    names.answer(island.near)
    began = time.monotonic()
    wait_for(lambda: flight.queue()["queued"] == 0, 90, "the next try by itself")
    took = time.monotonic() - began
    flight.assert_sound()
    # libcurl remembers the dead one for some seconds, and gives it some more.
    assert took < rest + count(40, 20), took
    measured(f"a dead IPv6 address alone: home {took:.1f} s after there was an IPv4 one, the rest was to be {rest:.1f} s")


def test_an_address_that_changes_is_found(only_long, flight, names, island, measured):
    """libcurl remembers a name for a minute; a failure in between finds the new address at its next look."""
    assert flight.send() == "delivered"
    other = island.also_near()
    flight.server.stop()
    flight.server.host = other
    flight.server.start()
    names.answer(other)
    began = time.monotonic()
    flight.send()
    wait_for(lambda: flight.queue()["queued"] == 0, 120, "the new address is found")
    measured(f"found after {time.monotonic() - began:.0f} s")
