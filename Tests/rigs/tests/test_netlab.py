"""The lab is what it says: a home without hairpin, an internet, a cafe, and a laptop that moves."""

import subprocess

import pytest
from homing_rigs import netlab
from homing_rigs.faults.server import FaultServer, misdeeds
from homing_rigs.netlab import CAFE, HOME, PUBLIC

pytestmark = pytest.mark.skipif(not netlab.NetLab.possible(), reason="needs root")
FETCH = "import urllib.request as u, sys; print(u.urlopen(sys.argv[1], timeout=float(sys.argv[2])).read().decode())"


@pytest.fixture(scope="module")
def lab():
    with netlab.NetLab() as running:
        yield running


@pytest.fixture(scope="module")
def home(lab):
    """A server at home, at port 8123 and at the port that the router leads to."""
    with FaultServer(host=HOME, port=8123, listener=lambda: lab.socket("home", HOME, 8123)) as server:
        server.listen_too(lab.socket("home", HOME, 443))
        server.misbehave(misdeeds.answer(200, "home"))
        yield server


def fetch(lab, url, patience=20):
    done = subprocess.run([*lab.prefix, "/usr/bin/python3", "-c", FETCH, url, str(patience)], capture_output=True,
                          text=True)
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


def test_at_home_the_inner_address_works_and_the_outer_one_does_not(lab, home):
    lab.move("home")
    assert fetch(lab, f"http://{HOME}:8123/") == "home"
    assert "timed out" in fetch(lab, f"http://{lab.name}:443/", patience=2)
    lab.hairpin(True)
    assert fetch(lab, f"http://{lab.name}:443/") == "home"
    lab.hairpin(False)
    assert "timed out" in fetch(lab, f"http://{lab.name}:443/", patience=2)


def test_away_the_outer_address_works_and_the_inner_one_does_not(lab, home):
    lab.move("away")
    assert fetch(lab, f"http://{lab.name}:443/") == "home"
    assert fetch(lab, f"http://{PUBLIC}:443/") == "home"
    assert fetch(lab, f"http://{HOME}:8123/", patience=2) != "home"


def test_nowhere_nothing_works(lab, home):
    lab.move(None)
    assert fetch(lab, f"http://{HOME}:8123/", patience=2) != "home"
    assert "name" in fetch(lab, f"http://{lab.name}:443/").lower()


@pytest.mark.parametrize("fault", ["drop", "reject", "reset", "connects only"])
def test_the_internet_breaks_and_is_mended(lab, home, fault):
    lab.move("away")
    lab.internet(fault)
    assert fetch(lab, f"http://{PUBLIC}:443/", patience=2) != "home"
    lab.internet()
    assert fetch(lab, f"http://{PUBLIC}:443/") == "home"


def test_a_portal_takes_all_names_and_all_traffic(lab, home):
    lab.move("away")
    with FaultServer(host=CAFE, port=443, listener=lambda: lab.socket("internet", CAFE, 443)) as portal:
        portal.misbehave(misdeeds.answer(200, "portal"))
        lab.portal(True)
        assert fetch(lab, f"http://{lab.name}:443/") == "portal"
        assert fetch(lab, f"http://{PUBLIC}:443/") == "portal"
        lab.portal(False)
        assert fetch(lab, f"http://{lab.name}:443/") == "home"


def test_a_stranger_may_have_the_same_address(lab, home):
    lab.move("away")
    lab.stranger(HOME)
    with FaultServer(host=HOME, port=8123, listener=lambda: lab.socket("internet", HOME, 8123)) as stranger:
        stranger.misbehave(misdeeds.answer(200, "stranger"))
        assert fetch(lab, f"http://{HOME}:8123/") == "stranger"
    lab.move("home")
    assert fetch(lab, f"http://{HOME}:8123/") == "home"


def test_nothing_is_left_over():
    with netlab.NetLab() as other:
        base = other.base
        assert base in subprocess.run(["ip", "netns"], capture_output=True, text=True).stdout
    assert base not in subprocess.run(["ip", "netns"], capture_output=True, text=True).stdout
