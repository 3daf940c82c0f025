"""The rig's journald takes what programs send, by both of its ways."""

import subprocess

import pytest
from homing_rigs.journal import Journal

pytestmark = pytest.mark.skipif(not Journal.possible(), reason="a journald of one's own needs root")


def test_what_is_written_to_stderr_is_an_entry_of_the_stream():
    with Journal() as journal:
        subprocess.run([*journal.connected, "sh", "-c", "echo spoken >&2"], check=True)
        (entry,) = journal.entries(_TRANSPORT="stdout")
        assert entry["MESSAGE"] == "spoken" and entry["SYSLOG_IDENTIFIER"] == "program"


def test_fields_sent_to_its_socket_are_kept():
    with Journal() as journal:
        subprocess.run([*journal.inside, "logger", "--journald"], input="MESSAGE=sent\nPRIORITY=4\nCOLOUR=red\n",
                       text=True, check=True)
        (entry,) = journal.entries(COLOUR="red")
        assert (entry["MESSAGE"], entry["PRIORITY"], entry["_TRANSPORT"]) == ("sent", "4", "journal")


def test_a_program_with_another_stderr_is_not_connected():
    with Journal() as journal:
        done = subprocess.run([*journal.inherited, "sh", "-c", "echo $JOURNAL_STREAM; echo spoken >&2"], check=True,
                              capture_output=True, text=True)
        assert done.stderr == "spoken\n" and ":" in done.stdout
        assert journal.entries(_TRANSPORT="stdout") == []
