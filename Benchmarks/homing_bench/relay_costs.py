"""What parts of a relay's work cost: a request alone, a seal, TLS. Processor times of the relay, which other work on the
machine changes less than rates."""

import asyncio
import ssl
import time

from homing_rigs.certificates import Certificates
from homing_rigs.relay_posts import Poster

from . import process, relay_running as running
from .relay_subjects import Relay

# The relay remembers the keys of 4096 machines: of the few each, of the many, which come in turn, none.
FEW, MANY = 1000, 5000
AT_ONCE = 8


def measure_seals(report, programs, generator, size):
    """A request that nothing is done for, and posts for machines that are remembered and that are not."""
    with Relay(programs) as relay:
        tokens = running.tokens_of(relay.join(FEW + MANY))
        few, many = tokens[:FEW], tokens[FEW:]
        rounds = {"request": [], "few": [], "many": []}

        def post(some, path=None):
            return generator.post(relay, some, 64, max(size["requests"], MANY), path, relay.pid)

        for _ in range(size["rounds"]):
            rounds["request"].append(post(few, "/nowhere"))
            rounds["many"].append(post(many))
            post(few)
            rounds["few"].append(post(few))
    statuses = {kind: {status for row in rows for status in row["statuses"]} for kind, rows in rounds.items()}
    assert statuses == {"request": {"404"}, "few": {"201"}, "many": {"201"}}, statuses
    used = {kind: running.middle(rows, "cpu_us") for kind, rows in rounds.items()}
    method = (f"seals: processor time of the relay's loop alone, without the store's thread: requests of 560 bytes for a path "
              f"that is not there; posts for\n  {FEW} machines, all of which are remembered; posts for {MANY} in turn, none of "
              "which is. The difference of the two is the dear part of a seal")
    report.add("loop: processor time of a request alone", used["request"], "µs", "", method)
    report.add("loop: of a post for a machine that is remembered", used["few"], "µs", "", method)
    report.add("loop: of a post for any other machine", used["many"], "µs", "", method)
    report.add("a seal for any other machine takes longer by", used["many"] - used["few"], "µs", "", method)


def measure_tls(report, programs, _generator, size):
    """What the relay's own TLS costs more than plain HTTP."""
    authority = Certificates()
    trust = ssl.create_default_context(cafile=authority.ca)
    count = size["idle"] // 5
    with Relay(programs, pair=authority.server) as relay:
        ways = {"plain": (relay.port, None), "tls": (relay.tls_port, trust)}
        used = {way: [] for way in ways}
        for _ in range(size["rounds"]):
            for way, (port, tls) in ways.items():
                used[way].append({"request": requests(relay, port, tls, size["requests"] // 2),
                                  "connection": connections(relay, port, tls, size["requests"] // 10)})
    idle = {way: idle_devices(programs, authority.server, count, tls) for way, tls in (("plain", None), ("tls", trust))}
    costs = {what: running.middle(used["tls"], what) - running.middle(used["plain"], what)
             for what in ("request", "connection")}
    method = (f"TLS: processor time of all threads for a request of 20 bytes that is answered 404, {AT_ONCE} at once, from one "
              f"Python process: over kept connections,\n  and over a new one for each, which shakes hands in full (TLS 1.3, "
              f"P-256); medians of {size['rounds']} rounds, in which HTTP and TLS take turns.\n  Devices: {count} that "
              "connect and prove their keys, 64 at once, then are idle; memory is the relay's anonymous memory")
    report.add("a request by TLS takes longer by", costs["request"], "µs", "", method)
    report.add("a new connection by TLS takes longer by", costs["connection"] - costs["request"], "µs", "", method)
    for way, words in (("plain", "without TLS"), ("tls", "by TLS")):
        memory, used = idle[way]
        report.add(f"processor time of a device that connects {words}", used, "µs", "", method)
        report.add(f"memory of an idle device {words}", memory, "KiB", "", method)


def requests(relay, port, tls, count):
    """Microseconds of the relay's for a request over a kept connection."""
    async def some():
        poster = Poster(port, "/nowhere", tls=tls)
        await poster.connect()
        for _ in range(count // AT_ONCE):
            assert (await poster.post({"message": "x"}))[0] == 404
        poster.close()

    return microseconds(relay, some, count)


def connections(relay, port, tls, count):
    """Microseconds of the relay's for a request over a connection of its own."""
    async def some():
        for _ in range(count // AT_ONCE):
            poster = Poster(port, "/nowhere", tls=tls)
            assert (await poster.post({"message": "x"}))[0] == 404
            poster.close()

    return microseconds(relay, some, count)


def microseconds(relay, some, count):
    """Processor time of the relay's for each of `count`, of which `some` does its part."""
    async def all_of_them():
        await asyncio.gather(*(some() for _ in range(AT_ONCE)))
        await asyncio.sleep(0.2)

    before = process.Sample(relay.pid)
    asyncio.run(all_of_them())
    return process.Sample(relay.pid).since(before)[1] * 1000 / (count // AT_ONCE * AT_ONCE)


def idle_devices(programs, pair, count, tls):
    """(KiB for each idle device of a fresh relay, microseconds of the relay's to let it in)."""
    with Relay(programs, pair=pair) as relay:
        devices = relay.join(count)
        bytes_before, before = running.own_bytes(relay.pid), process.Sample(relay.pid)
        with running.Idle(relay, devices, tls):
            time.sleep(1)
            used = process.Sample(relay.pid).since(before)[1] * 1000 / count
            memory = (running.own_bytes(relay.pid) - bytes_before) / count / 1024
            assert relay.status()["connections"]["devices"] == count
    return memory, used
