"""A machine boots with systemd, keeps its files over a reboot, and leaves nothing behind."""

import pytest
from homing_rigs import debian_tree, machine, netns

pytestmark = pytest.mark.skipif(not machine.Machine.possible(), reason="needs root and systemd-nspawn")


def test_a_machine_lives_and_leaves_the_tree_as_it_was():
    tree = debian_tree.to_boot("bookworm")
    with netns.Namespace() as network, machine.Machine(tree, network) as van:
        assert van.say("readlink", "/sbin/init").endswith("systemd")
        assert van.say("hostname", "-I").split() == [network.far]
        van.write("/var/lib/kept/note", "written before\n")
        van.reboot()
        assert van.say("cat", "/var/lib/kept/note") == "written before"
        assert van.show("systemd-journald", "ActiveState") == {"ActiveState": "active"}
        entries = van.journal("-b", "-1", "-u", "systemd-journald")
        assert entries, "the journal of the boot before is kept"
        folder = van.folder
    assert not folder.exists()
    assert not (tree / "var/lib/kept").exists()


def test_what_fails_in_it_fails_here():
    with netns.Namespace() as network, machine.Machine(debian_tree.to_boot("bookworm"), network) as van:
        with pytest.raises(AssertionError, match="exit 1"):
            van.run("false")
        assert van.run("sh", "-c", "exit 3", check=False).returncode == 3
        assert van.say("cat", input="told\n") == "told"
