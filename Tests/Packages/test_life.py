"""The package on a machine on a drive, with a real Home Assistant: from the installation to the next version."""

import re
import shutil
import sqlite3

import pytest
from homing_rigs import checker
from homing_rigs.machine import Machine
from homing_rigs.processes import temporary_folder, wait_for
from scenes import delivered, kill_often, location, register, status, tracker

pytestmark = [pytest.mark.skipif(not Machine.possible(), reason="needs root and systemd-nspawn"),
              pytest.mark.home_assistant]
GPS_PORT = 29555
WAITING = 5000  # positions of a long outage


@pytest.fixture
def driving(installed, receiver):
    """An installed machine whose gpsd has a receiver, and which tells every move."""
    installed.packages.feed_gpsd(installed, GPS_PORT)
    installed.write("/etc/homing/agent.conf.d/50-drive.conf", "[location]\nmin_distance = 1\nstill_interval = 0\n")
    receiver.feed("goto 200")
    installed.run("systemctl", "reload", "homing")
    return installed


@pytest.mark.shows("drive")
def test_an_installed_machine_delivers_and_goes_on_after_a_reboot(driving, ha, packages):
    wait_for(lambda: status(driving)["homes"][0]["skipped"].get("unregistered"), 60, "a position without a registration")
    assert location(driving)["accepted"] == 0, "kept for nobody"
    name = f"van {packages.release}"
    assert f"Registered as {name}; messages are encrypted." in register(driving, ha, name)

    wait_for(lambda: location(driving)["fates"]["delivered_live"] > 0, 60, "a position has arrived")
    place = tracker(ha, name)["attributes"]
    assert place["source_type"] == "gps" and 52 < place["latitude"] < 53
    line = re.compile(r"^(At home|Away): instance URL; \d+ waiting; last delivery \d{4}-\d\d-\d\d \d\d:\d\d UTC$")
    wait_for(lambda: line.match(driving.show("homing", "StatusText")["StatusText"]), 20, "systemd is told how it is")
    assert driving.say("stat", "-c", "%A %U", "/var/lib/homing/homes/home/registration.json") == "-rw------- homing"

    driving.reboot()
    wait_for(lambda: driving.show("homing", "ActiveState")["ActiveState"] == "active", 30, "the service is up")
    before = tracker(ha, name)["last_updated"]
    wait_for(lambda: tracker(ha, name)["last_updated"] > before, 90, "positions arrive again")
    assert ha.token not in driving.say("journalctl", "--no-pager", "-u", "homing")


def fill(machine):
    """Add positions of a long outage to the machine's queue. Returns them: (number, latitude, longitude) in order."""
    machine.run("systemctl", "stop", "homing")
    file = machine.root / "var/lib/homing/homes/home/outbox.db"
    # SQLite would follow the path out of the machine.
    copy = temporary_folder("queue") / "outbox.db"
    shutil.copyfile(file, copy)
    assert not file.with_name("outbox.db-wal").exists(), "what was stopped has left nothing in its log"
    with sqlite3.connect(copy) as outbox:
        last, = outbox.execute("SELECT last_number FROM ledger WHERE stream = 1").fetchone()
        rows = [(last + number, 10 + number * 1e-4, 4.5) for number in range(1, WAITING + 1)]
        outbox.executemany(
            "INSERT INTO location (id, accepted_at, time, latitude, longitude, accuracy, mode, source)"
            " VALUES (?1, 1.7e9 + ?1, 1.7e9 + ?1, ?2, ?3, 5, 3, 1)", rows)
        outbox.execute("UPDATE ledger SET accepted = accepted + ?1, queued = queued + ?1, last_number = last_number + ?1"
                       " WHERE stream = 1", (WAITING,))
    outbox.close()
    file.write_bytes(copy.read_bytes())
    machine.run("systemctl", "start", "homing")
    return rows


@pytest.fixture
def history(ha):
    """The homing_track events that Home Assistant fires meanwhile."""
    with ha.events("homing_track") as events:
        yield events


def told_as_history(history, rows):
    """The places of `rows` in homing_track events, in the order of arrival."""
    wanted, places = {checker.key_of(*place) for _, *place in rows}, []
    for event in history.all():
        column = {name: index for index, name in enumerate(event["data"]["fields"])}
        places += [(row[column["latitude"]], row[column["longitude"]]) for row in event["data"]["positions"]]
    return [place for place in places if checker.key_of(*place) in wanted]


@pytest.mark.shows("kills")
def test_kills_lose_nothing_that_was_accepted(driving, ha, packages):
    register(driving, ha, f"ferry {packages.release}")
    wait_for(lambda: delivered(driving) > 0, 60, "a position has arrived")
    kill_often(driving)


@pytest.mark.shows("upgrade")
def test_an_upgrade_keeps_the_queue_and_the_registration(driving, ha, packages, network, history):
    """To the same code under another number, as there is no release before: what is shown is that the package's scripts
    and the restart lose nothing. A test of a schema's change comes with the first change."""
    name = f"boat {packages.release}"
    register(driving, ha, name)
    wait_for(lambda: location(driving)["fates"]["delivered_live"] > 0, 60, "a position has arrived")
    network.cable(False)
    try:
        wait_for(lambda: location(driving)["queued"] >= 5, 90, "positions wait")
        rows = fill(driving)
        wait_for(lambda: location(driving)["queued"] >= WAITING + 5, 30, "they wait with the others")
        registration = driving.say("cat", "/var/lib/homing/homes/home/registration.json")
        driving.write("/etc/homing/agent.conf", "# mine\n")
        queued, accepted = location(driving)["queued"], location(driving)["accepted"]

        shutil.copy(packages.next_version(), driving.root / "root/next.deb")
        driving.run("apt-get", "-q", "-y", "install", "/root/next.deb")
        assert driving.say("dpkg-query", "-W", "-f", "${Version}", "homing").startswith("9.")
        assert driving.show("homing", "ActiveState", "NRestarts") == {"ActiveState": "active", "NRestarts": "0"}
        assert location(driving)["queued"] >= queued and location(driving)["accepted"] >= accepted
        assert driving.say("cat", "/var/lib/homing/homes/home/registration.json") == registration
        assert driving.say("cat", "/etc/homing/agent.conf") == "# mine"
    finally:
        network.cable(True)

    wait_for(lambda: delivered(driving) >= accepted, 180, "what had waited over the upgrade has arrived")
    book = location(driving)
    assert book["accepted"] == sum(book["fates"].values()) + book["queued"]
    wait_for(lambda: len(told_as_history(history, rows)) >= WAITING, 30, "Home Assistant has fired all of it")
    verdict = checker.judge(rows, [], told_as_history(history, rows))
    assert verdict.clean, verdict


@pytest.mark.shows("purge")
def test_a_package_that_comes_back_finds_its_registration(driving, ha, packages):
    name = f"bus {packages.release}"
    register(driving, ha, name)
    driving.run("apt-get", "-q", "-y", "remove", "homing")
    driving.run("test", "-f", "/var/lib/homing/homes/home/registration.json")
    packages.install(driving)
    wait_for(lambda: status(driving)["homes"][0]["registration"]["device_name"] == name, 20, "it is registered as before")

    driving.write("/etc/homing/homes/cabin.conf.d/50-sensors.conf", "[sensors]\ndisable = all\n")
    driving.run("apt-get", "-q", "-y", "purge", "homing")
    assert driving.run("test", "-e", "/var/lib/homing", check=False).returncode == 1
