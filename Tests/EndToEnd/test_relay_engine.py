"""Several relays that share an engine: a real Redis, or a real cluster of three primaries."""

import asyncio
import collections
import contextlib
import json
import os
import pathlib
import re
import signal
import time

import pytest
from homing_rigs.certificates import Certificates
from homing_rigs.engine import EngineCluster, EngineNode, engine_version
from homing_rigs.processes import wait_for
from homing_rigs.relay_device import RelayDevice
from homing_rigs.relay_posts import LOST, Poster, post_at_once
from relay_program import RelayProgram

MAXIMUM = 150
LIMITS = {"maximum": MAXIMUM, "per_address": 4000, "messages": 2000, "mailbox_kib": 4096}


def make_relays(engine_urls, count, limits=LIMITS, **store):
    """Relays with the same keys."""
    relays = [RelayProgram(join={"mode": "open"}, limits=limits,
                           store={"engine": "valkey", "url": engine_urls, **store}) for _ in range(count)]
    relays[0].run("init")
    keys = (relays[0].state / "relay.keys").read_bytes()
    for relay in relays[1:]:
        path = relay.state / "relay.keys"
        path.write_bytes(keys)
        path.chmod(0o600)
    return relays


@contextlib.contextmanager
def running(engine_urls, count=3, **options):
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(relay) for relay in make_relays(engine_urls, count, **options)]


@pytest.fixture(scope="module")
def whole_cluster():
    with EngineCluster() as engine:
        yield engine


@pytest.fixture
def cluster(whole_cluster):
    for node in whole_cluster.nodes:
        node.ask("flushall")
    return whole_cluster


@pytest.fixture
def node():
    node = EngineNode()
    yield node
    node.stop()


def body(token, text):
    return {"message": text, "push_token": token}


async def until(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"no {what} within {seconds} s"
        await asyncio.sleep(0.02)


def test_any_relay_takes_the_post_and_any_relay_holds_the_device(cluster):
    async def main(relays):
        device = await RelayDevice(relays[0].port).join()
        sent = 0
        for holder in relays:
            device.port = holder.port
            device.start()
            await asyncio.wait_for(device.is_attending.wait(), 10)
            for relay in relays:
                begin = time.monotonic()
                [(status, answer)] = await post_at_once(relay.port, [body(device.token, f"Number {sent}")])
                assert status == 201, answer
                sent += 1
                await until(lambda: len(device.shown) == sent, 2, "message")
                assert time.monotonic() - begin < 1, "by its wake, and not by the look each minute"
            await until(lambda: relays[1].waiting() == 0, 5, "acknowledgement")
            await device.stop()
        assert device.times_shown() == {f"Number {number}": 1 for number in range(sent)}

    with running(cluster.urls) as relays:
        asyncio.run(main(relays))
        status = relays[2].status()["store"]["engine"]
        assert status["version"].startswith(("Redis", "Valkey")) and len(status["nodes"]) == 3


def test_a_thousand_posts_at_three_relays_are_counted_exactly(cluster):
    async def main(relays):
        device = await RelayDevice(relays[0].port).join()
        bodies = [body(device.token, f"Number {number}") for number in range(1000)]
        thirds = [bodies[place::3] for place in range(3)]
        answers = await asyncio.gather(*(post_at_once(relay.port, some) for relay, some in zip(relays, thirds)))
        answers = [answer for some in answers for answer in some]
        assert collections.Counter(status for status, _ in answers) == {201: MAXIMUM, 429: 1000 - MAXIMUM}
        taken = sorted(answer["rateLimits"]["successful"] for status, answer in answers if status == 201)
        assert taken == list(range(1, MAXIMUM + 1)), "each 201 has a number of its own"
        device.start()
        await until(lambda: len(device.shown) == MAXIMUM, 20, "delivery")
        await until(lambda: len(device.notices) == 1, 5, "notice of the limit")
        await device.stop()

    with running(cluster.urls) as relays:
        asyncio.run(main(relays))


def test_blocking_and_new_keys_reach_all_relays_within_a_second(cluster):
    async def main(relays):
        first, second, third = relays
        device = await RelayDevice(first.port).join()
        device.port = second.port
        device.start()
        await asyncio.wait_for(device.is_attending.wait(), 10)
        await until(lambda: device.connections == 1, 5, "connection")
        ids = [relay.status()["keys"] for relay in relays]
        assert ids == [[1], [1], [1]]
        third.run("rotate-key")
        await until(lambda: [relay.status()["keys"] for relay in relays] == [[2, 1]] * 3, 1, "new key everywhere")
        assert (first.state / "relay.keys").read_text() == (third.state / "relay.keys").read_text()
        [(status, _)] = await post_at_once(first.port, [body(device.token, "by the former key")])
        assert status == 201
        await until(lambda: device.shown, 5, "message")
        label = json.loads(first.run("mailbox", "list", "--json").stdout)["mailboxes"][0]["label"]
        gone = device.is_attending
        await asyncio.wait_for(gone.wait(), 10)
        begin = time.monotonic()
        await asyncio.to_thread(first.run, "mailbox", "block", label)
        [(status, answer)] = await post_at_once(third.port, [body(device.token, "blocked")])
        assert status == 403, answer
        with pytest.raises(Exception, match="Blocked"):
            while time.monotonic() - begin < 5:
                device.must_live()
                await asyncio.sleep(0.02)
        assert time.monotonic() - begin < 2
        await asyncio.gather(device.stop(), return_exceptions=True)

    with running(cluster.urls) as relays:
        asyncio.run(main(relays))


def test_an_invitation_is_good_once_among_all_relays(node):
    async def main(relays):
        code = relays[0].invite()
        devices = [RelayDevice(relay.port) for relay in relays * 2]
        done = await asyncio.gather(*(device.join(code) for device in devices), return_exceptions=True)
        assert sum(not isinstance(one, BaseException) for one in done) == 1, done

    relays = make_relays(node.url, 3)
    for relay in relays:
        relay.write(join={"mode": "code"}, store={"engine": "valkey", "url": node.url})
    with contextlib.ExitStack() as stack:
        for relay in relays:
            stack.enter_context(relay)
        asyncio.run(main(relays))


def test_an_engine_that_hangs_means_503_in_two_seconds_and_nothing_lost(node):
    async def main(relay):
        device = await RelayDevice(relay.port).join()
        [(status, _)] = await post_at_once(relay.port, [body(device.token, "Before")])
        assert status == 201
        node.freeze()
        begin = time.monotonic()
        [(status, answer)] = await post_at_once(relay.port, [body(device.token, "Meanwhile")])
        assert status == 503 and answer["errorMessage"] and 1.5 < time.monotonic() - begin < 2.5
        await asyncio.sleep(4)
        [(status, answer)] = await post_at_once(relay.port, [body(device.token, "Later")])
        assert status == 503
        node.thaw()
        begin = time.monotonic()
        while (await post_at_once(relay.port, [body(device.token, "After")]))[0][0] != 201:
            assert time.monotonic() - begin < 6
            await asyncio.sleep(0.1)
        device.start()
        await until(lambda: {"Before", "After"} <= set(device.shown.values()), 10, "message")
        await device.stop()
        assert max(device.times_shown().values()) == 1

    with running(node.url, 1) as [relay]:
        asyncio.run(main(relay))
        assert "the store fails" in relay.log_text() and relay.status()["posts"]["late"] >= 1


def test_a_restarted_engine_has_all_that_was_answered(node):
    async def post_some(relay, device, count):
        answers = await post_at_once(relay.port, [body(device.token, f"Number {number}") for number in range(count)])
        assert [status for status, _ in answers] == [201] * count

    async def main(relay):
        device = await RelayDevice(relay.port).join()
        await post_some(relay, device, 50)
        node.kill()
        node.start()
        device.start()
        await until(lambda: len(device.shown) == 50, 20, "delivery")
        await device.stop()

    with running(node.url, 1) as [relay]:
        asyncio.run(main(relay))


def test_one_relay_and_one_primary_are_killed_and_nothing_is_lost_or_shown_twice():
    """Posters go to the next relay where one does not answer, as behind a balancer."""

    async def keep_posting(relays, device, name, accepted, stop):
        number = 0
        while not stop.is_set():
            text = f"{name} {number}"
            relay = relays[number % len(relays)]
            number += 1
            poster = Poster(relay.port)
            try:
                status, _ = await poster.post(body(device.token, text))
                if status == 201:
                    accepted.append(text)
            except LOST:
                pass
            finally:
                poster.close()
            await asyncio.sleep(0.02)

    async def main(engine, relays):
        devices = [await RelayDevice(relays[0].port).join() for _ in range(6)]
        for place, device in enumerate(devices):
            device.port = relays[1 + place % 2].port
            device.start()
            await asyncio.wait_for(device.is_attending.wait(), 10)
        accepted, stop = [[] for _ in devices], asyncio.Event()
        posting = [asyncio.create_task(keep_posting(relays, device, f"Device {place}", accepted[place], stop))
                   for place, device in enumerate(devices)]
        await asyncio.sleep(2)
        relays[0].kill()
        engine.nodes[0].kill()
        await asyncio.sleep(5)
        # It comes back as the replica of its successor, which takes no message without a replica.
        await asyncio.to_thread(engine.nodes[0].start)
        await asyncio.sleep(8)
        before = [len(some) for some in accepted]
        await asyncio.sleep(3)
        assert all(len(some) > count for some, count in zip(accepted, before)), "posts are taken again for each device"
        stop.set()
        await asyncio.gather(*posting)
        for device, some in zip(devices, accepted):
            await until(lambda: set(some) <= set(device.shown.values()), 70, "delivery of what was accepted")
            assert max(device.times_shown().values()) == 1
            await device.stop()
        return sum(len(some) for some in accepted)

    with EngineCluster(replicas=1) as engine:
        assert engine.is_primary(engine.nodes[0])
        limits = {**LIMITS, "maximum": 0}
        with contextlib.ExitStack() as stack:
            relays = make_relays(engine.urls, 3, limits=limits, replicas=1)
            for relay in relays:
                stack.enter_context(relay)
            print(asyncio.run(main(engine, relays)), "accepted")


@pytest.mark.parametrize("settings, words", [
    ({"appendonly": "no"}, "appendonly yes"),
    pytest.param({"appendfsync": "everysec"}, "appendfsync always", marks=pytest.mark.skipif(
        engine_version() >= (7, 2), reason="an engine from 7.2 on tells when its disk has a message")),
    ({"maxmemory_policy": "allkeys-lru"}, "maxmemory-policy noeviction")])
def test_an_engine_that_may_lose_messages_is_refused_with_words(settings, words):
    node = EngineNode(**settings)
    try:
        [relay] = make_relays(node.url, 1)
        for command in ("check", "serve"):
            done = relay.run(command, check=False)
            assert done.returncode == 78 and f"set {words}" in done.stderr, done
    finally:
        node.stop()


def test_a_relay_with_other_keys_is_refused(node):
    with running(node.url, 1) as [_]:
        other = RelayProgram(store={"engine": "valkey", "url": node.url})
        other.run("init")
        for command in ("check", "serve"):
            done = other.run(command, check=False)
            assert done.returncode == 78 and "copy relay.keys" in done.stderr, done


def test_a_relay_whose_keys_were_put_back_and_rotated_is_refused_until_it_has_those_of_the_others(node):
    first, second = make_relays(node.url, 2)
    before = (second.state / "relay.keys").read_bytes()
    with first:
        with second:
            second.run("rotate-key")
            rotated = second.status()["keys"]
        (second.state / "relay.keys").write_bytes(before)
        # A rotation that the engine never saw.
        alone = RelayProgram(join={"mode": "open"})
        (alone.state / "relay.keys").write_bytes(before)
        (alone.state / "relay.keys").chmod(0o600)
        with alone:
            alone.run("rotate-key")
        (second.state / "relay.keys").write_bytes((alone.state / "relay.keys").read_bytes())
        for command in ("check", "serve"):
            done = second.run(command, check=False)
            assert done.returncode == 78 and "homing-relay rotate-key" in done.stderr, done
        wait_for(lambda: first.status()["keys"] == rotated, 10, "the relay that runs to learn the keys")
        first.run("rotate-key", "--yes")
        assert second.run("check").returncode == 0, "what is newer is taken over"
        with second:
            assert second.status()["keys"] == first.status()["keys"] == [3, 2]


def test_several_nodes_that_are_no_cluster_are_refused_with_words(node):
    other = EngineNode()
    try:
        [relay] = make_relays(f"{node.url};{other.url}", 1)
        for command in ("check", "serve"):
            done = relay.run(command, check=False)
            assert done.returncode == 78 and "name a single node, or the nodes of one cluster" in done.stderr, done
    finally:
        other.stop()


def test_a_password_is_used_and_told_nowhere(tmp_path):
    node = EngineNode(requirepass="wombat-secret")
    try:
        [relay] = make_relays(node.url, 1)
        done = relay.run("check", check=False)
        assert done.returncode == 1 and "NOAUTH" in done.stderr, done
        password = tmp_path / "password"
        password.write_text("wombat-secret\n")
        password.chmod(0o600)
        relay.write(join={"mode": "open"}, store={"engine": "valkey", "url": node.url, "password_file": password})
        with relay:
            asyncio.run(RelayDevice(relay.port).join())
            shown = relay.run("status").stdout + relay.run("status", "--json").stdout + relay.log_text()
        assert "wombat" not in shown
    finally:
        node.stop()


def test_a_slot_moves_to_another_node_while_messages_come_and_go(cluster):
    async def main(relays):
        devices = [await RelayDevice(relays[0].port).join() for _ in range(8)]
        for device in devices:
            device.start()
            await asyncio.wait_for(device.is_attending.wait(), 10)
        accepted, stop = [set() for _ in devices], asyncio.Event()

        async def keep_posting(place, device):
            number = 0
            while not stop.is_set():
                text = f"Device {place}, {number}"
                [(status, _)] = await post_at_once(relays[number % 2].port, [body(device.token, text)])
                assert status == 201, "a post that comes while keys lie on both nodes waits"
                accepted[place].add(text)
                number += 1
                await asyncio.sleep(0.01)

        posting = [asyncio.create_task(keep_posting(place, device)) for place, device in enumerate(devices)]
        await asyncio.sleep(0.5)
        names = [name for node in cluster.nodes for name in node.ask("--scan", "--pattern", "hr:{*:i").split()]
        assert len(names) > 2
        for name in names[:4]:
            await asyncio.to_thread(cluster.move_slot, name)
        await asyncio.sleep(1)
        before = [len(some) for some in accepted]
        await asyncio.sleep(1)
        assert all(len(some) > count for some, count in zip(accepted, before))
        stop.set()
        await asyncio.gather(*posting)
        for device, some in zip(devices, accepted):
            await until(lambda: some <= set(device.shown.values()), 10, "delivery of what was accepted")
            assert max(device.times_shown().values()) == 1
            await device.stop()

    with running(cluster.urls, 2, limits={**LIMITS, "maximum": 0}) as relays:
        asyncio.run(main(relays))


@pytest.mark.skipif("HOMING_ENGINE" in os.environ, reason="not each build of an engine has TLS")
def test_the_engine_is_reached_by_tls_and_a_certificate_that_is_not_right_is_refused(tmp_path):
    certificates = Certificates()
    other = Certificates()
    node = EngineNode(pair=certificates.server, ca=certificates.ca)
    try:
        [relay] = make_relays(node.url, 1, ca_file=certificates.ca)

        async def main():
            device = await RelayDevice(relay.port).join()
            device.start()
            await asyncio.wait_for(device.is_attending.wait(), 10)
            [(status, _)] = await post_at_once(relay.port, [body(device.token, "x" * 30_000)])
            assert status == 201
            await until(lambda: device.shown, 2, "message, by its wake")
            await device.stop()

        with relay:
            asyncio.run(main())
        relay.write(join={"mode": "open"}, store={"engine": "valkey", "url": node.url, "ca_file": other.ca})
        done = relay.run("check", check=False)
        assert done.returncode == 1 and "certificate" in done.stderr, done
    finally:
        node.stop()


PAGE = (pathlib.Path(__file__).parents[2] / "docs/relay-engine.md").read_text()


def test_the_engine_of_the_documents_is_taken():
    settings = dict(re.findall(r"^(append\w+|maxmemory\S*) (\S+)$", PAGE, re.MULTILINE))
    assert len(settings) == 4
    node = EngineNode(**settings)
    try:
        [relay] = make_relays(node.url, 1)
        text = relay.run("check").stdout
        assert f"127.0.0.1:{node.port}, answers" in text and "Warning" not in text
        node.ask("config", "set", "maxmemory", "0")
        assert "set maxmemory" in relay.run("check").stdout
    finally:
        node.stop()


def test_the_user_of_the_documents_may_do_all_that_a_relay_does(node, tmp_path):
    [line] = re.findall(r"^ACL SETUSER .*", PAGE, re.MULTILINE)
    words = line.replace("PASSWORD", "wombat").split()
    if not node.ask("info", "server").startswith("# Server\nredis_version:7.0"):
        words.append("+waitaof")
    assert node.ask(*words) == "OK"
    node.ask("acl", "setuser", "default", "off")
    password = tmp_path / "password"
    password.write_text("wombat")
    password.chmod(0o600)

    async def main(relay):
        device = await RelayDevice(relay.port).join()
        device.start()
        await asyncio.wait_for(device.is_attending.wait(), 10)
        for number in range(3):
            [(status, _)] = await post_at_once(relay.port, [{**body(device.token, str(number)), "data": {"tag": "a"}}])
            assert status == 201
            await until(lambda: len(device.shown) == number + 1, 2, "message, by its wake")
        await asyncio.to_thread(relay.run, "rotate-key")
        label = json.loads(relay.run("mailbox", "list", "--json").stdout)["mailboxes"][0]["label"]
        for command in (["block"], ["unblock"], ["forget", "--yes"]):
            await asyncio.to_thread(relay.run, "mailbox", *command, label)
        await asyncio.gather(device.stop(), return_exceptions=True)

    with running(node.url, 1, user="relay", password_file=password) as [relay]:
        asyncio.run(main(relay))
        assert "NOPERM" not in relay.log_text() + relay.run("status").stdout


def test_a_full_engine_means_503_and_room_again_when_messages_are_taken(node):
    async def main(relay):
        device = await RelayDevice(relay.port).join()
        [(status, _)] = await post_at_once(relay.port, [body(device.token, "Before")])
        assert status == 201
        used = int(next(line for line in node.ask("info", "memory").splitlines() if line.startswith("used_memory:"))[12:])
        node.ask("config", "set", "maxmemory", str(used - 200_000))
        [(status, answer)] = await post_at_once(relay.port, [body(device.token, "x" * 3000)])
        assert status == 503 and answer["errorMessage"]
        device.start()
        await until(lambda: "Before" in device.shown.values(), 10, "message")
        await until(lambda: relay.waiting() == 0, 10, "acknowledgement")
        await device.stop()
        node.ask("config", "set", "maxmemory", "200mb")
        [(status, _)] = await post_at_once(relay.port, [body(device.token, "After")])
        assert status == 201

    with running(node.url, 1) as [relay]:
        asyncio.run(main(relay))


def test_a_relay_that_ends_sends_its_devices_to_the_others(node):
    async def main(relays):
        device = await RelayDevice(relays[0].port).join()
        device.start()
        await asyncio.wait_for(device.is_attending.wait(), 10)
        os.kill(relays[0].pid, signal.SIGTERM)
        device.port = relays[1].port
        await until(lambda: device.connections == 2, 10, "connection to the other relay")
        [(status, _)] = await post_at_once(relays[1].port, [body(device.token, "Number 1")])
        assert status == 201
        await until(lambda: device.shown, 5, "message")
        await device.stop()

    with running(node.url, 2) as relays:
        asyncio.run(main(relays))
        wait_for(lambda: not relays[0].alive, 20, "the end of the relay")
