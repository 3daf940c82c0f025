"""The daemon's files: what it does when they are damaged under it, or when only a person can mend them."""

import sqlite3
import subprocess

import pytest
from agent import BINARIES
from homing_rigs.processes import wait_for
from test_notifications import notify, wait_until_open

PAGE = 1024


def start_status(agent):
    """How the daemon ends by itself, and what it says."""
    done = subprocess.run([BINARIES / "homingd", "--config", agent.configuration], env=agent.environment,
                          capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


def fill(agent, rows):
    """Makes a queue of old positions, as a long outage does."""
    agent.start()
    agent.stop()
    with sqlite3.connect(agent.home / "outbox.db") as outbox:
        outbox.executemany(
            "INSERT INTO location (id, accepted_at, time, latitude, longitude, accuracy, mode, source)"
            " VALUES (?, 1.7e9, 1.7e9, 52.1, 4.2, 5, 3, 1)", [(number,) for number in range(1, rows + 1)])
        outbox.execute("UPDATE ledger SET accepted = ?1, queued = ?1, last_number = ?1 WHERE stream = 1", (rows,))
    outbox.close()


def test_a_queue_damaged_under_the_daemon_is_replaced_and_the_daemon_goes_on(newest, make_agent):
    rows = 20000
    agent = make_agent()
    fill(agent, rows)
    agent.start()
    with open(agent.home / "outbox.db", "r+b") as file:
        size = file.seek(0, 2)
        # the beginning, where the books are, is spared
        file.seek(32 * PAGE)
        file.write(b"\xa5" * (size - 32 * PAGE))
    agent.register(newest.url, newest.token)
    wait_for(lambda: agent.fate("lost_with_database") == rows, 90, "the replacement")
    assert len(list(agent.home.glob("outbox.db.damaged-*[0-9]"))) == 1
    assert "outbox_replaced" in {warning["code"] for warning in agent.status()["warnings"]}
    assert agent.homing("send-location", "--zone", "Work").stdout.startswith("Delivered")
    assert agent.queue()["accepted"] == rows + 1 and agent.fate("delivered_live") == 1
    agent.assert_books_balance()
    agent.stop()
    agent.start()
    assert agent.queue()["accepted"] == rows + 1


def test_an_outbox_of_a_newer_homing_is_left_alone_for_a_person(make_agent):
    agent = make_agent()
    agent.start()
    agent.stop()
    with sqlite3.connect(agent.home / "outbox.db") as outbox:
        outbox.execute("PRAGMA user_version = 99")
    outbox.close()
    status, words = start_status(agent)
    assert status == 78 and "upgrade Homing" in words


@pytest.mark.parametrize("name", ["outbox.db", "registration.json"])
def test_what_may_not_be_opened_is_for_a_person(make_agent, name):
    agent = make_agent()
    # even root cannot read a folder as a file
    (agent.home / name).mkdir(mode=0o700)
    status, words = start_status(agent)
    assert status == 78 and str(agent.home / name) in words and "rights" in words


def test_the_socket_is_for_everybody_and_what_is_stored_for_its_owner(make_agent):
    agent = make_agent("[outbox]\ndurability = crash\n")
    agent.state.rmdir()
    agent.runtime.rmdir()
    agent.start()
    assert agent.state.stat().st_mode & 0o777 == 0o700
    assert agent.runtime.stat().st_mode & 0o777 == 0o755
    assert (agent.runtime / "homes/home/outbox-memory.db").stat().st_mode & 0o777 == 0o600


def test_every_file_of_the_daemon_is_its_owners_whatever_the_umask(newest, gps, desktop, make_agent):
    agent = make_agent(f"[gpsd]\nport = {gps.port}\n[outbox]\ndurability = crash\n[push]\n", desktop.environment,
                       daemon_prefix=("sh", "-c", 'umask 0; exec "$@"', "sh"))
    agent.state.rmdir()
    agent.runtime.rmdir()
    agent.start()
    agent.register(newest.local_url, newest.token)
    gps.start(speed=1, time="now")
    wait_for(lambda: agent.fate("delivered_live") >= 1, 60, "a position")
    wait_until_open(agent)
    notify(newest, agent, "text", "Kept")
    desktop.wait_for("Kept")
    agent.homing("event", "kept")
    agent.signal(15)
    wait_for(lambda: not agent.alive, 20, "the end, which stores the track")
    modes = {path.name: path.stat().st_mode & 0o777
             for folder in (agent.state, agent.runtime) for path in folder.rglob("*") if path.is_file()}
    assert {"registration.json", "outbox.db", "track.db"} <= modes.keys()
    assert {name: oct(mode) for name, mode in modes.items() if mode != 0o600} == {}
    assert agent.state.stat().st_mode & 0o777 == 0o700
