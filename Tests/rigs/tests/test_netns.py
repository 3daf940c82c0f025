"""What runs inside sees the near side and nothing else."""

import subprocess

import pytest
from homing_rigs import gps, netns, processes
from upstream import Upstream

pytestmark = pytest.mark.skipif(not netns.Namespace.possible(), reason="needs root")
FETCH = "import urllib.request as u, sys; print(u.urlopen(sys.argv[1], timeout=float(sys.argv[2])).status)"


@pytest.fixture(scope="module")
def namespace():
    with netns.Namespace() as running:
        yield running


@pytest.fixture
def server(namespace):
    """An HTTP server on the near address."""
    folder = processes.temporary_folder("netns")
    port = processes.free_port(namespace.near)
    child = processes.Child(["/usr/bin/python3", "-m", "http.server", "-b", namespace.near, port],
                            folder / "log", cwd=folder)
    processes.wait_for(lambda: processes.listens(port, namespace.near), 20, "it listens")
    yield port
    child.stop()


def fetch(namespace, url, patience=20):
    return namespace.run("/usr/bin/python3", "-c", FETCH, url, str(patience)).stdout.strip()


def test_inside_reaches_the_near_side_by_address_and_name(namespace, server):
    assert fetch(namespace, f"http://{namespace.near}:{server}/") == "200"
    assert fetch(namespace, f"http://ha.homing.test:{server}/") == "200"


def test_inside_sees_no_other_network(namespace):
    upstream = Upstream()
    assert fetch(namespace, f"http://127.0.0.1:{upstream.port}/") == ""
    assert "default" not in namespace.run("ip", "route").stdout
    upstream.stop()


def test_two_that_are_connected_reach_each_other(namespace):
    with netns.Namespace() as other:
        folder = processes.temporary_folder("netns")
        port = 8080
        child = processes.Child([*other.prefix, "/usr/bin/python3", "-m", "http.server", "-b", other.far, port],
                                folder / "log", cwd=folder)
        processes.wait_for(lambda: processes.listens(port, other.far), 20, "it listens")
        url = f"http://{other.far}:{port}/"
        assert fetch(namespace, url, patience=2) == ""
        namespace.connect(other)
        assert fetch(namespace, url) == "200"
        child.stop()


def test_the_cable(namespace, server):
    namespace.cable(False)
    assert fetch(namespace, f"http://{namespace.near}:{server}/", patience=2) == ""
    namespace.cable(True)
    processes.wait_for(lambda: fetch(namespace, f"http://{namespace.near}:{server}/", 5) == "200", 30, "it is back")


def test_gpsd_can_run_inside(namespace):
    with gps.GPSD(prefix=namespace.prefix).start(speed=10, time="sim") as receiver:
        poll = ("import socket, sys; s = socket.create_connection(('127.0.0.1', int(sys.argv[1])), 20); "
                "s.sendall(b'?WATCH={\"enable\":true,\"json\":true};'); s.settimeout(20)\n"
                "f = s.makefile()\nwhile 'TPV' not in f.readline(): pass\nprint('seen')")
        assert namespace.run("/usr/bin/python3", "-c", poll, receiver.port).stdout == "seen\n"


def test_nothing_is_left_over():
    with netns.Namespace() as other:
        name = other.name
        assert name in subprocess.run(["ip", "netns"], capture_output=True, text=True).stdout
    assert name not in subprocess.run(["ip", "netns"], capture_output=True, text=True).stdout
    assert other.name is None
