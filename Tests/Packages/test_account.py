"""A machine where somebody is called homing already."""

import pytest
from homing_rigs.machine import Machine

pytestmark = pytest.mark.skipif(not Machine.possible(), reason="needs root and systemd-nspawn")


def test_a_person_called_homing_keeps_the_account_and_is_told_what_to_do(machine):
    machine.run("useradd", "--create-home", "--shell", "/bin/bash", "homing")
    before = machine.say("getent", "passwd", "homing")
    done = machine.run("apt-get", "-q", "-y", "install", f"/packages/{machine.packages.homing.name}", timeout=300,
                       check=False)
    said = done.stdout + done.stderr
    assert done.returncode != 0 and 'homing: there is a user "homing" already (number 1000, home /home/homing,' in said
    assert "usermod --login NEWNAME homing, groupmod --new-name NEWNAME homing." in said
    assert machine.say("getent", "passwd", "homing") == before
    assert machine.say("stat", "-c", "%U %a", "/home/homing").startswith("homing 7")
    assert machine.run("test", "-e", "/var/lib/homing", check=False).returncode == 1
    assert machine.run("test", "-e", "/usr/bin/homingd", check=False).returncode == 1

    machine.run("usermod", "--login", "pigeon", "homing")
    machine.run("groupmod", "--new-name", "pigeon", "homing")
    machine.packages.install(machine)
    assert machine.show("homing", "ActiveState", "User") == {"ActiveState": "active", "User": "homing"}
    number, home = machine.say("getent", "passwd", "homing").split(":")[2::3]
    assert int(number) < 1000 and home == "/var/lib/homing"
    assert machine.say("stat", "-c", "%U %G", "/home/homing") == "pigeon pigeon"


def test_an_account_that_an_earlier_installation_left_is_used_again(installed):
    before = installed.say("getent", "passwd", "homing")
    installed.run("apt-get", "-q", "-y", "purge", "homing")
    assert installed.say("getent", "passwd", "homing") == before
    installed.packages.install(installed)
    assert installed.show("homing", "ActiveState") == {"ActiveState": "active"}
    assert installed.say("getent", "passwd", "homing") == before
