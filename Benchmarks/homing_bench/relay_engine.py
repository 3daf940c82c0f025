"""Relays that share Redis: beside Redis alone, and from one relay to another."""

import asyncio
import csv
import statistics
import subprocess

from homing_rigs.engine import EngineCluster, EngineNode
from homing_rigs.relay_posts import post_at_once

from . import process, relay_running as running
from .relay_subjects import Relay

MAILBOXES = 1000
AT_ONCE = 64
WAITING = 10


def measure(report, programs, generator, size):
    """All rows of the engine."""
    with EngineNode() as node, Relay(programs, engine=node.url) as relay:
        devices = relay.join(MAILBOXES)
        measure_rates(report, node, relay, generator, devices, size)
        measure_memory(report, node, relay, generator, devices)
    measure_times(report, programs, size)


def measure_rates(report, node, relay, generator, devices, size):
    """Durable 201s, and the same script by redis-benchmark."""
    script = Script(node, relay, devices[0])
    tokens, ours, theirs = running.tokens_of(devices), [], []
    for _ in range(size["rounds"]):
        empty(node)
        ours.append(generator.post(relay, tokens, AT_ONCE, size["requests"]))
        empty(node)
        theirs.append(script.run(AT_ONCE, size["requests"]))
    assert {status for row in ours for status in row["statuses"]} == {"201"}
    method = (f"engine: {version(node)}, one node with appendfsync always, which has each message on the disk before it "
              f"answers; the relay's posts\n  as above, for {MAILBOXES} mailboxes over {AT_ONCE} connections. redis-benchmark "
              f"runs EVALSHA of the same script over {AT_ONCE} connections, with\n  the arguments of a post of the relay's own, "
              f"for {MAILBOXES} mailboxes; each of its mailboxes keeps one parcel, which it writes again, so it has\n  a little "
              f"less to do. Medians of {size['rounds']} rounds, in which the two take turns; all messages go before each")
    report.add("durable 201s over Redis, 64 at once", running.middle(ours, "rate"), "a second", "", method)
    report.add("redis-benchmark: the same script", running.middle(theirs, "rate"), "a second", "", method)
    report.add("… relay of redis-benchmark", running.ratio(ours, theirs), "×", "≥ 0.25", method)
    report.add("relay: processor time of a post over Redis", running.middle(ours, "cpu_us"), "µs", "", method)
    report.add("Redis: processor time of the script", running.middle(theirs, "cpu_us"), "µs", "", method)


def measure_memory(report, node, relay, generator, devices):
    """What Redis keeps."""
    empty(node)
    before = used_memory(node)
    generator.post(relay, running.tokens_of(devices), AT_ONCE, WAITING * len(devices))
    method = (f"engine's memory: used_memory with {WAITING} messages waiting in each of {len(devices)} mailboxes, less that with "
              "none")
    report.add("Redis: memory of ten messages that wait", (used_memory(node) - before) / len(devices) / 1000, "kB", "",
               method)


def measure_times(report, programs, size):
    """From POST at a relay to a device at another."""
    with EngineCluster() as engine, Relay(programs, engine=engine.urls) as one, \
            Relay(programs, engine=engine.urls, like=one) as other:
        device, spare = one.join(2)
        script = Script(engine.primary_of(f"hr:{{{spare.keys.mailbox[0]:02x}}}:i"), one, spare)
        found = {"another": [], "the same": []}
        alone = []
        for _ in range(size["rounds"]):
            for name, holder in (("another", other), ("the same", one)):
                running.to_device(one, device, 20, 0.005, holder)
                found[name].append(running.to_device(one, device, size["timed"] // size["rounds"], 0.005, holder)[0])
            alone.append(script.run(1, size["timed"]))
    method = (f"engine's times: as the times above, over a cluster of three primaries with appendfsync always; the device is at "
              f"another relay than the POST,\n  then at the same; then redis-benchmark runs the script over one connection. "
              f"Medians of {size['rounds']} rounds")
    for name, times in found.items():
        median, last = (statistics.median(column) for column in zip(*times))
        report.add(f"POST to device at {name} relay, median", median, "ms", "≤ 6" if name == "another" else "", method)
        report.add(f"POST to device at {name} relay, 99 of 100", last, "ms", "", method)
    report.add("redis-benchmark: the script, one at a time, median", running.middle(alone, "p50_ms"), "ms", "", method)


class Script:
    """The script that takes a post, with the arguments that a relay gives it."""

    def __init__(self, node, relay, device):
        self._node = node
        with node.connect() as watcher:
            commands = watcher.watch()
            body = {"message": "The washing machine is done", "title": "Laundry", "push_token": device.token,
                    "registration_info": {"webhook_id": "x" * 250}}
            assert asyncio.run(post_at_once(relay.port, [body]))[0][0] == 201
            call = next(words for words in commands if words and words[0].upper() == b"EVALSHA")
        self._words = self._printable(call, device.keys.mailbox)
        with node.connect() as engine:
            answer = engine.call(*(word.replace(b"__rand_int__", b"0" * 12) for word in self._words))
            assert answer[0] == b"stored", answer

    @staticmethod
    def _printable(call, mailbox):
        """The command as redis-benchmark can be given it: no zero bytes, and a mailbox by chance."""
        head, keys = call[:3], int(call[2])
        arguments = [word.replace(mailbox, b"mbox__rand_int__") for word in call[3:]]
        return head + arguments[:keys] + [word if word.isascii() and b"\0" not in word else b"x" * len(word)
                                          for word in arguments[keys:]]

    def run(self, at_once, requests):
        """Calls a second, milliseconds of the median, and microseconds of Redis's processor time for each."""
        before = process.Sample(self._node.pid)
        done = subprocess.run(
            ["redis-benchmark", "-p", str(self._node.port), "-c", str(at_once), "-n", str(requests), "-r", str(MAILBOXES), "-e",
             "--csv", *self._words], capture_output=True, check=True)
        milliseconds = process.Sample(self._node.pid).since(before)[1]
        assert b"rror" not in done.stdout, done.stdout
        names, figures = (next(csv.reader([line.decode("latin-1")])) for line in done.stdout.splitlines()[-2:])
        told = dict(zip(names, figures))
        return {"rate": float(told["rps"]), "p50_ms": float(told["p50_latency_ms"]), "cpu_us": milliseconds * 1000 / requests}


def empty(node):
    """Deletes all messages that wait."""
    with node.connect() as engine:
        for kind in (b"h", b"p"):
            names = engine.call(b"KEYS", b"hr:{*:%s:*" % kind)
            if names:
                engine.call(b"DEL", *names)


def used_memory(node):
    """Bytes that an engine uses."""
    return int(told(node, "memory", "used_memory"))


def version(node):
    return f"Redis {told(node, 'server', 'redis_version')}"


def told(node, section, name):
    """What an engine says of itself."""
    lines = node.ask("info", section).splitlines()
    return next(line.split(":")[1] for line in lines if line.startswith(f"{name}:"))
