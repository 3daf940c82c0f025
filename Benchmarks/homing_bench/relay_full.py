"""What a post costs where the mailbox is full: each takes the place of the oldest message."""

from homing_rigs.engine import EngineNode

from . import process, relay_running as running
from .relay_subjects import Relay

MAILBOXES = 100
MESSAGES = 200
# The documented bounds of a mailbox.
BOUNDS = {"messages": MESSAGES, "mailbox_kib": 512}
AT_ONCE = 64


def measure(report, programs, generator, size):
    """All rows of full mailboxes."""
    with Relay(programs, bounds=BOUNDS) as relay:
        few, full = costs(relay, generator, size, relay.pid)
    method = (f"full: posts of 560 bytes for {MAILBOXES} mailboxes, {AT_ONCE} at once, before more than twenty wait in each, and "
              f"once {MESSAGES} wait in each; processor\n  time of all threads of the relay, and of Redis; medians of "
              f"{size['rounds']} rounds")
    report.add("a post into a mailbox of few messages", few, "µs", "", method)
    report.add("a post into a full mailbox", full, "µs", "", method)
    with EngineNode() as node, Relay(programs, engine=node.url, bounds=BOUNDS) as relay:
        few, full = costs(relay, generator, size, node.pid)
    report.add("Redis: the script, for a mailbox of few messages", few, "µs", "", method)
    report.add("Redis: the script, for a full mailbox", full, "µs", "", method)


def costs(relay, generator, size, pid):
    """Microseconds of a process for a post: while few messages wait, and at full mailboxes."""
    tokens = running.tokens_of(relay.join(MAILBOXES))
    few = rounds(relay, generator, tokens, size["rounds"], 20 * MAILBOXES // size["rounds"], pid)
    generator.post(relay, tokens, AT_ONCE, MESSAGES * MAILBOXES)
    return few, rounds(relay, generator, tokens, size["rounds"], size["requests"], pid)


def rounds(relay, generator, tokens, count, requests, pid):
    """The median of so many rounds."""
    used = []
    for _ in range(count):
        before = process.Sample(pid)
        statuses = generator.post(relay, tokens, AT_ONCE, requests)["statuses"]
        assert set(statuses) == {"201"}, statuses
        used.append({"us": process.Sample(pid).since(before)[1] * 1000 / requests})
    return running.middle(used, "us")
