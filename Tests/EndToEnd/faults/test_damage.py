"""A queue that was damaged while the daemon was away: it starts at once and keeps its registration, what can be read goes
home, and what cannot is counted and kept for whoever wants to look."""

import sqlite3
import time

import pytest
from faults.flight import places_of_track
from homing_rigs.processes import temporary_folder, wait_for

ROWS = 1000
PAGE = 1024
KEPT = 3  # files set aside, the newest
# What stands there may say that the file is of a newer Homing, which is for a person: test_outbox.py.
SCHEMA_NUMBER = range(60, 64)
# Where the book in the status is not the one that was damaged, the journal says so.
BEGINS_ANEW = ("counters cannot be read", "its counters begin at 0", "corrected the counters")


class Patient:
    """A registered daemon with a queue of old positions, whose files are replaced by damaged ones."""

    def __init__(self, agent, server):
        self.agent, self.server = agent, server
        self.slowest, self.lost, self.aside = 0.0, 0, 0
        agent.start().register(server.url, server.token)
        agent.stop()
        with sqlite3.connect(agent.home / "outbox.db") as outbox:
            outbox.executemany(
                "INSERT INTO location (id, accepted_at, time, latitude, longitude, accuracy, mode, source)"
                " VALUES (?1, 1.7e9 + ?1, 1.7e9 + ?1, 52 + ?1 * 1e-4, 4.2, 5, 3, 1)",
                [(number,) for number in range(1, ROWS + 1)])
            outbox.execute("UPDATE ledger SET accepted = ?1, queued = ?1, last_number = ?1 WHERE stream = 1", (ROWS,))
        outbox.close()
        self.database = (agent.home / "outbox.db").read_bytes()
        self.registration = (agent.home / "registration.json").read_bytes()

    def altered(self, script):
        """The database after some SQL."""
        path = temporary_folder("altered") / "outbox.db"
        path.write_bytes(self.database)
        database = sqlite3.connect(path)
        database.executescript(script)
        database.close()
        return path.read_bytes()

    def log_of_another(self):
        """The write-ahead log of an outbox that began like this one and had another life."""
        path = temporary_folder("other") / "outbox.db"
        path.write_bytes(self.database)
        database = sqlite3.connect(path)
        database.execute("DELETE FROM location WHERE id % 2 = 0")
        database.execute("INSERT INTO event (id, accepted_at, type, data) VALUES (1, 1.7e9, 'other', '{}')")
        database.commit()
        log = path.with_name("outbox.db-wal").read_bytes()
        database.close()
        return log

    def told(self):
        """How many positions the server was told so far."""
        return len(places_of_track(self.server.events("homing_track"))) + len(self.server.live())

    def meet(self, what, database, log=None):
        """Start with these files, and let it deliver; returns the book of the positions."""
        agent, state = self.agent, self.agent.home
        for file in state.glob("outbox.db*"):
            file.unlink()
        (state / "outbox.db").write_bytes(database)
        if log is not None:
            (state / "outbox.db-wal").write_bytes(log)
        said, told = len(agent.log_text()), self.told()
        began = time.monotonic()
        agent.start()
        self.slowest = max(self.slowest, time.monotonic() - began)
        try:
            wait_for(lambda: all(queue["queued"] == 0 for queue in agent.status()["queues"]), 60, "all of it home")
            book = self.judge(agent.status(), agent.log_text()[said:], self.told() - told)
        except (AssertionError, TimeoutError) as problem:
            raise AssertionError(f"{what}: {problem}\n{agent.log_text()[said:][-3000:]}") from problem
        agent.kill()
        return book

    def judge(self, status, words, told):
        """Whether everything is accounted for."""
        assert (self.agent.home / "registration.json").read_bytes() == self.registration
        for queue in status["queues"]:
            assert queue["accepted"] == sum(queue["fates"].values()) + queue["queued"], queue
        book = next(queue for queue in status["queues"] if queue["stream"] == "location")
        assert book["accepted"] == ROWS or any(word in words for word in BEGINS_ANEW), book
        assert book["fates"]["delivered_live"] + book["fates"]["delivered_track"] <= told, book
        aside = [file for file in self.agent.home.glob("outbox.db.damaged-*") if file.suffix[-1].isdigit()]
        codes = [warning["code"] for warning in status["warnings"]]
        assert len(aside) == words.count("kept as ") <= 1 and all(file.stat().st_size for file in aside), aside
        assert bool(aside) == ("outbox_replaced" in codes), codes
        self.lost += book["fates"]["lost_with_database"]
        self.aside += len(aside)
        return book


@pytest.fixture
def patient(make_agent, server):
    return Patient(make_agent("[gpsd]\nenabled = false\n"), server)


def test_of_a_flipped_byte_it_is_cured(patient, chance, count, measured):
    flips = count(10, 1000)
    for _ in range(flips):
        content = bytearray(patient.database)
        offset = chance.choice([each for each in range(len(content)) if each not in SCHEMA_NUMBER])
        content[offset] ^= chance.randrange(1, 256)
        patient.meet(f"byte {offset} is {content[offset]}", bytes(content))
    assert patient.slowest < count(20, 2), patient.slowest
    measured(f"{flips} flipped bytes: {patient.aside} files set aside, {patient.lost} of {flips * ROWS} positions counted as "
             f"lost, the status answered {patient.slowest:.1f} s after the start at most")


def test_of_a_file_that_is_cut_off_it_is_cured(patient, count, measured):
    lengths = range(0, len(patient.database), PAGE)[::count(16, 1)]
    for length in lengths:
        book = patient.meet(f"{length} bytes are left", patient.database[:length])
        lost = book["fates"]["lost_with_database"]
        assert lost == book["accepted"], "nothing of it was read as if it were whole"
    assert patient.slowest < count(20, 2), patient.slowest
    measured(f"cut off at {len(lengths)} pages: {patient.aside} set aside, the status answered {patient.slowest:.1f} s after "
             "the start at most")


def test_of_another_database_or_log_it_is_cured(patient, chance, count, measured):
    other, nonsense = patient.log_of_another(), bytes(chance.randrange(256) for _ in range(9000))
    replaced = {
        "one byte": patient.database[:1], "nonsense": b"nonsense " * 5000, "zeroes": bytes(len(patient.database)),
        "another program's": patient.altered("PRAGMA application_id = 7"),
        "another schema": patient.altered("ALTER TABLE event DROP COLUMN data"),
        "a table more": patient.altered("CREATE TABLE theirs (a)")}
    for what, content in replaced.items():
        book = patient.meet(what, content)
        assert book["fates"]["lost_with_database"] == book["accepted"] in (0, ROWS), what
    book = patient.meet("a log of nonsense", patient.database, nonsense)
    assert book["fates"]["delivered_track"] == ROWS, "a log that is none changes nothing"
    patient.meet("a log of another", patient.database, other)
    patient.meet("a log of another beside nothing", b"", other)
    assert patient.slowest < count(20, 2), patient.slowest
    measured(f"{len(replaced) + 3} other databases and logs: {patient.aside} set aside, the status answered "
             f"{patient.slowest:.1f} s after the start at most")


def test_no_more_than_three_are_kept(patient):
    for number in range(KEPT + 2):
        (patient.agent.home / "outbox.db").write_bytes(b"nonsense %d" % number * 5000)
        patient.agent.start()
        patient.agent.stop()
    kept = sorted(patient.agent.home.glob("outbox.db.damaged-*"))
    assert len(kept) == KEPT
    assert {file.read_bytes()[:10] for file in kept} == {b"nonsense %d" % number for number in range(2, KEPT + 2)}
