"""TLS that must not be trusted: nothing is sent, the status names the cause, and there is no way back to plain HTTP."""

import pytest
from homing_rigs.faults import toxics
from homing_rigs.faults.proxy import Proxy
from homing_rigs.faults.tls import GOOD, OLD, TLSFaults
from homing_rigs.processes import wait_for

CAUSES = {"expired": "has expired", "not valid yet": "is not valid yet", "wrong name": "is for another name",
          "self-signed": "self-signed and not trusted", "another authority": "issuer that is not trusted",
          "plain": "speaks no TLS"}


@pytest.fixture(scope="module")
def faults():
    return TLSFaults()


@pytest.fixture
def front(server, faults):
    """A server of TLS before the played Home Assistant."""
    with Proxy(server.port, tls=faults.context("right")) as running:
        yield running


@pytest.fixture
def flight(take_off, front, faults):
    """A daemon that was registered over good TLS."""
    return take_off(front.url, f"[home_assistant]\nca_file = {faults.certificates.ca}\n")


@pytest.mark.parametrize("fault", [*TLSFaults.names, "plain"])
def test_what_is_not_to_be_trusted_gets_nothing(fault, flight, front, faults):
    assert flight.send() == "delivered"
    asked = len(flight.server.exchanges)
    front.speak(None if fault == "plain" else faults.context(fault))
    for _ in range(3):
        assert flight.send() == "queued"
    assert CAUSES[fault] in flight.problem()
    assert "tls" in flight.warnings()
    assert len(flight.server.exchanges) == asked, "not a byte of a message went through"
    front.speak(faults.context("right"))
    assert flight.send() == "delivered"
    flight.wait_until_empty()
    flight.assert_sound()


@pytest.mark.parametrize("version", OLD)
def test_what_is_too_old_gets_nothing(version, flight, front, faults):
    assert flight.send() == "delivered"
    front.refuse()
    old = faults.old_server(version, front.port)
    for _ in range(2):  # the first finds out that the warm connection is dead
        assert flight.send() == "queued"
    assert "no version of TLS in common" in flight.problem()
    old.stop()
    front.accept()
    assert flight.send() == "delivered"


@pytest.mark.parametrize("version", GOOD)
def test_what_is_new_enough_is_spoken(version, flight, front, faults):
    front.speak(faults.context(version))
    assert flight.send() == "delivered"


def test_an_authority_that_is_taken_from_the_file_is_trusted_no_longer(flight, front, faults):
    assert flight.send() == "delivered"
    other = TLSFaults().certificates.ca
    text = flight.agent.configuration.read_text()
    flight.agent.configuration.write_text(text.replace(str(faults.certificates.ca), str(other)))
    flight.agent.signal(1)
    wait_for(lambda: "read again" in flight.agent.log_text(), 20, "the reload")
    assert flight.send() == "queued" and "not trusted" in flight.problem()
    flight.agent.configuration.write_text(text)
    flight.agent.signal(1)
    wait_for(lambda: flight.agent.log_text().count("read again") == 2, 20, "the reload")
    assert flight.send() == "delivered"


def test_a_handshake_cut_at_every_byte_loses_nothing(flight, front, chance, count, measured):
    assert flight.send() == "delivered"
    stride = count(150, 10)
    cuts = 0
    with Proxy(front.port, host="127.0.0.1") as line:
        text = flight.agent.home / "registration.json"
        flight.agent.stop()
        text.write_text(text.read_text().replace(str(front.port), str(line.port)))
        flight.hang_up()
        flight.agent.start()
        for byte in range(chance.randrange(stride), 1500, stride):
            line.set(down=[toxics.ResetAt(byte)])
            line.reset()
            assert flight.send() in ("queued", "delivered")
            cuts += 1
        line.clear()
        line.reset()
        assert flight.send() == "delivered"
        flight.wait_until_empty()
        flight.assert_sound(duplicates=cuts)
    measured(f"{cuts} TLS connections cut, at a byte of the first 1500 each: 0 lost")
