"""Each toxic does to a stream what it says, and the proxy to each connection."""

import random
import socket
import time

import pytest
from homing_rigs.faults import proxy, toxics
from homing_rigs.processes import wait_for
from upstream import Upstream

REPLY = b"x" * 300
REQUEST = b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi"


@pytest.fixture
def upstream():
    server = Upstream()
    server.reply = REPLY
    yield server
    server.stop()


@pytest.fixture
def line(upstream):
    with proxy.Proxy(upstream.port) as running:
        yield running


def connect(line):
    return socket.create_connection(("127.0.0.1", line.port), 20)


def ask(line, connection=None, silent_after=None):
    """What comes back for a request, and how it ended: "whole", "closed", "reset", "silent". Silence is waited for
    half a second, where it is expected, and for long everywhere else."""
    there = connection or connect(line)
    got = b""
    try:
        there.sendall(REQUEST)
        while not got.endswith(REPLY):
            there.settimeout(0.5 if silent_after is not None and len(got) >= silent_after else 20)
            data = there.recv(65536)
            if not data:
                return got, "closed"
            got += data
        return got, "whole"
    except TimeoutError:
        return got, "silent"
    except ConnectionError:
        return got, "reset"


def test_without_toxics_everything_passes(line, upstream):
    assert ask(line)[1] == "whole"
    assert upstream.requests == [("/a", b"hi")]


@pytest.mark.parametrize("toxic, ending", [
    (toxics.ResetAt, "reset"), (toxics.CloseAt, "closed"), (toxics.StallAt, "silent")])
@pytest.mark.parametrize("byte", [0, 1, 100])
def test_an_answer_ends_at_exactly_that_byte(line, upstream, toxic, ending, byte):
    line.set(down=[toxic(byte)])
    got, how = ask(line, silent_after=byte if ending == "silent" else None)
    assert how == ending and len(got) == byte
    wait_for(lambda: len(upstream.requests) == 1, 10, "the request to arrive all the same")
    line.clear()
    assert ask(line)[1] == "whole"


def test_a_request_that_is_cut_never_arrives(line, upstream):
    line.set(up=[toxics.ResetAt(len(REQUEST) - 1)])
    assert ask(line) == (b"", "reset")
    assert upstream.requests == []


def test_latency_delays_and_keeps_the_order(line):
    line.set(down=[toxics.Latency(0.15, 0.05)])
    start = time.monotonic()
    assert ask(line)[1] == "whole"
    assert time.monotonic() - start >= 0.1


def test_a_rate_stretches_the_answer(line):
    line.set(down=[toxics.Rate(1000)])
    start = time.monotonic()
    got, _ = ask(line)
    assert time.monotonic() - start >= len(got) / 1000


def test_slices_are_of_that_size_and_are_the_answer_again(line):
    slices = list(toxics.pass_through(bytes(24), toxics.flows([toxics.Slicer(7, 0.002)], random.Random(1))))
    assert slices == [bytes(7), toxics.Pause(0.002)] * 3 + [bytes(3), toxics.Pause(0.002)]
    line.set(down=[toxics.Slicer(7, 0.002)])
    assert ask(line)[1] == "whole"


def test_a_black_hole_takes_everything(line, upstream):
    line.set(up=[toxics.BlackHole()])
    assert ask(line, silent_after=0) == (b"", "silent")
    assert upstream.requests == []


def test_a_forgotten_connection_is_dead_and_a_new_one_works(line):
    warm = connect(line)
    assert ask(line, warm)[1] == "whole"
    line.forget()
    assert ask(line, warm, silent_after=0)[1] == "silent"
    assert ask(line)[1] == "whole"


def test_refusing_and_accepting_again(line):
    warm = connect(line)
    assert ask(line, warm)[1] == "whole"
    line.refuse()
    assert ask(line, warm)[1] in ("reset", "closed")
    with pytest.raises(ConnectionRefusedError):
        connect(line)
    line.accept()
    assert ask(line)[1] == "whole"


def test_corruption_repeats_with_its_seed():
    data, toxic = bytes(10000), toxics.Corrupt(2000)
    first, again, other = (b"".join(toxics.pass_through(data, toxics.flows([toxic], random.Random(seed))))
                           for seed in (1, 1, 2))
    assert first == again != other
    assert 5 <= sum(a != b for a, b in zip(first, data)) <= 60


def test_toxics_work_one_after_the_other():
    pairs = toxics.flows([toxics.Slicer(10), toxics.ResetAt(25)], random.Random(1))
    steps = [step for step in toxics.pass_through(bytes(100), pairs) if not isinstance(step, toxics.Pause)]
    assert steps == [bytes(10), bytes(10), bytes(5), toxics.End.RESET]


def test_the_command_line_says_what_is_possible(line):
    assert "B up" in proxy.obey(line, "down latency 0.01 0.001, rate 100000")
    assert ask(line)[1] == "whole"
    with pytest.raises(ValueError, match=r"reset_at \[BYTE\]"):
        proxy.obey(line, "down melt")
