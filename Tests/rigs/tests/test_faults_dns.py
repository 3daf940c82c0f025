"""The name server answers, and fails, as it was told."""

import time

import pytest
from homing_rigs import processes
from homing_rigs.faults.dns import AAAA, NameServer, ask


@pytest.fixture
def names():
    with NameServer(["10.1.2.3", "10.1.2.4", "fd00::1"], port=processes.free_port()) as running:
        yield running


def query(names, seconds=10, **options):
    return ask("ha.example.test", "127.0.0.1", names.port, seconds=seconds, **options)


def test_it_answers_with_its_addresses(names):
    assert query(names) == (0, ["10.1.2.3", "10.1.2.4"])
    assert query(names, tcp=True) == (0, ["10.1.2.3", "10.1.2.4"])
    assert query(names, kind=AAAA) == (0, ["fd00::1"])
    names.answer("10.9.9.9")
    assert query(names) == (0, ["10.9.9.9"]) and query(names, kind=AAAA) == (0, [])
    assert [name for _, name, _ in names.queries] == ["ha.example.test"] * 5


@pytest.mark.parametrize("mode, code", [("nxdomain", 3), ("servfail", 2), ("refused", 5), ("empty", 0)])
def test_it_refuses(names, mode, code):
    names.mode(mode)
    assert query(names) == (code, [])
    names.mode("ok")
    assert query(names)[1]


def test_it_is_silent_or_slow(names):
    names.mode("timeout")
    with pytest.raises(TimeoutError):
        query(names, seconds=0.3)
    names.mode("ok", delay=0.1)
    began = time.monotonic()
    assert query(names)[0] == 0 and time.monotonic() - began >= 0.1


def test_a_truncated_answer_is_whole_over_tcp(names):
    names.mode("truncated")
    assert query(names) == (0, [])
    assert query(names, tcp=True)[1] == ["10.1.2.3", "10.1.2.4"]


def test_stopped_it_is_unreachable(names):
    names.stop()
    with pytest.raises(ConnectionRefusedError):
        query(names)
