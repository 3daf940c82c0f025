"""A large set-up as docs/relay.md has it, all of it real: three relays on a cluster of three primaries with two replicas
each, and nginx in front, by which all posts and all devices come. The bounds are those that a relay has by default."""

import asyncio
import collections
import contextlib
import json
import ssl

from homing_rigs.engine import EngineCluster
from homing_rigs.relay_device import RelayDevice
from homing_rigs.relay_posts import Poster, connect, read_answer, request
from relay_proxies import Balancer
from test_relay_engine import make_relays, until

MACHINES = 12
EACH = MACHINES // 3
DAY = 150  # notifications for a machine
PAUSE = 0.15  # seconds between two posts for a machine: a relay takes ten a second
ATTACKER, NEIGHBOUR = "127.66.0.1", "127.66.0.2"
PUSH = "/v1/push"


@contextlib.contextmanager
def set_up():
    """(cluster, relays, nginx), all of which run; `nginx.trust` is what a client needs for TLS."""
    with contextlib.ExitStack() as stack:
        engine = stack.enter_context(EngineCluster(replicas=2))
        relays = make_relays(engine.urls, 3)
        nginx = stack.enter_context(Balancer([relay.port for relay in relays]))
        nginx.trust = ssl.create_default_context(cafile=nginx.ca)
        for relay in relays:
            relay.write(listen={"trusted_proxies": "127.0.0.1", "public_url": nginx.url}, join={"mode": "open"},
                        store={"engine": "valkey", "url": engine.urls, "replicas": 1})
            stack.enter_context(relay)
        yield engine, relays, nginx


class Machine:
    """A device, and the Home Assistant that posts for it: each has an address of its own, and both come by nginx."""

    def __init__(self, nginx, number):
        self.name = f"Machine {number}"
        self.device = RelayDevice(nginx.port, self.name, f"127.1.0.{number + 1}", nginx.trust)
        self.poster = Poster(nginx.port, PUSH, f"127.2.0.{number + 1}", nginx.trust)
        self.statuses = {}  # by text
        self.count = 0  # the relay's count of the day at the last 201

    async def start(self):
        await self.device.join()
        self.device.start(pause=0.3)
        await asyncio.wait_for(self.device.is_attending.wait(), 10)

    def body(self):
        """A notification with a text of its own."""
        return {"message": f"{self.name}, {len(self.statuses)}", "push_token": self.device.token}

    async def post(self):
        """Posts over the kept connection. Whatever happens to relays and engine, the answer is one of three, in JSON."""
        body = self.body()
        self.take(body, *await self.poster.post(body))

    def take(self, body, status, answer):
        self.statuses[body["message"]] = status
        if status == 201:
            assert answer["rateLimits"]["successful"] > self.count, "each 201 has a number of its own"
            self.count = answer["rateLimits"]["successful"]
        else:
            assert status in (502, 503) and is_readable(answer), (status, answer)

    @property
    def taken(self):
        return {text for text, status in self.statuses.items() if status == 201}

    def has_all(self):
        self.device.must_live()
        return self.taken <= set(self.device.shown.values())


def is_readable(answer):
    """Whether Home Assistant reads why its post was refused."""
    return bool(answer["message"]) and answer["message"] == answer["errorMessage"]


async def ask(nginx, address, *requests):
    """The answers to requests that one client makes over one connection."""
    reader, writer = await connect(nginx.port, address, nginx.trust)
    answers = []
    for one in requests:
        writer.write(one)
        answers.append(await asyncio.wait_for(read_answer(reader), 10))
    writer.close()
    return answers


async def any_relay_takes_a_post_and_any_relay_holds_the_device(relays, machines):
    """nginx gives each request to the next relay, so each relay has a post for each machine."""
    for machine in machines:
        await machine.start()
    for machine in machines:
        for _ in relays:
            await machine.post()
    await until(lambda: all(machine.has_all() for machine in machines), 10, "delivery")
    states = [relay.status() for relay in relays]
    assert [state["connections"]["devices"] for state in states] == [EACH] * 3
    assert [state["posts"]["accepted"] for state in states] == [MACHINES] * 3


async def only_the_attacker_is_refused(nginx, relays, machine):
    forged = {"message": "x", "push_token": machine.device.token[:-6] + "AAAAAA"}
    # What the attacker says of an address is not believed.
    guesses = [request(PUSH, forged).replace(b"Accept: */*", b"X-Forwarded-For: 192.0.2.%d" % number)
               for number in range(33 * len(relays))]
    answers = await ask(nginx, ATTACKER, *guesses)
    statuses = [status for status, _ in answers]
    assert statuses[:90] == [403] * 90 and statuses[-3:] == [429] * 3, "thirty of an address, at each relay"
    assert all(is_readable(answer) for _, answer in answers)
    assert [status for status, _ in await ask(nginx, NEIGHBOUR, *guesses[:3])] == [403] * 3, "of nobody else"
    for _ in relays:
        body = machine.body()
        [answer] = await ask(nginx, ATTACKER, request(PUSH, body))
        machine.take(body, *answer)
        await machine.post()
    assert set(machine.statuses.values()) == {201}, "a good token is taken, from the attacker's address too"


async def whatever_is_wrong_is_answered_in_json(nginx, machine):
    body, good = machine.body(), request(PUSH, machine.body())
    for wrong, status in [
            (request(PUSH, {**body, "message": "x" * 300_000}), 413),  # by nginx
            (request(PUSH, {**body, "message": "x" * 100_000}), 413),  # by the relay
            (good.replace(b"Accept: */*", b"Accept: " + b"x" * 9000), 400),  # by nginx
            (good.replace(b"Accept: */*", b"A: " + b"x" * 6000 + b"\r\nB: " + b"x" * 6000), 431),  # by the relay
            (request(PUSH, body).replace(b'{"message"', b'["message"'), 400),
            (request(PUSH, [body]), 400)]:
        [(found, answer)] = await ask(nginx, NEIGHBOUR, wrong)
        assert found == status and is_readable(answer), (found, answer)


async def a_relay_and_a_primary_die(engine, relays, machines):
    async def keep_posting(machine, stop):
        while not stop.is_set():
            if len(machine.statuses) < DAY - 10:
                await machine.post()
            await asyncio.sleep(PAUSE)

    stop = asyncio.Event()
    posting = [asyncio.create_task(keep_posting(machine, stop)) for machine in machines]
    await asyncio.sleep(1)
    relays[0].kill()
    death = asyncio.get_running_loop().time()
    # The post that is under way may die with the relay.
    later = [len(machine.statuses) + 1 for machine in machines]
    await asyncio.sleep(1)
    key = f"hr:{{{machines[0].device.keys.mailbox[0]:02x}}}:i"
    primary = await asyncio.to_thread(engine.primary_of, key)
    primary.kill()
    before = [len(machine.taken) for machine in machines]
    await until(lambda: any(task.done() for task in posting)
                or all(len(machine.taken) > count + 20 for machine, count in zip(machines, before)), 40, "posts for each machine")
    # After ten seconds nginx looks at a dead relay again.
    await asyncio.sleep(max(0, death + 12 - asyncio.get_running_loop().time()))
    stop.set()
    await asyncio.gather(*posting)
    for machine, first in zip(machines, later):
        assert 502 not in [*machine.statuses.values()][first:], "a dead relay is passed by"
    assert await asyncio.to_thread(engine.primary_of, key) is not primary, "a replica has taken over"


async def live(engine, relays, nginx):
    machines = [Machine(nginx, number) for number in range(MACHINES)]
    await any_relay_takes_a_post_and_any_relay_holds_the_device(relays, machines)
    await only_the_attacker_is_refused(nginx, relays, machines[0])
    await whatever_is_wrong_is_answered_in_json(nginx, machines[0])
    await a_relay_and_a_primary_die(engine, relays, machines)
    await until(lambda: all(machine.has_all() for machine in machines), 70, "delivery of what was accepted")
    await asyncio.sleep(1)  # for what would come twice
    for machine in machines:
        assert set(machine.device.times_shown().values()) == {1}
        assert set(machine.device.shown.values()) <= set(machine.statuses) and not machine.device.notices
        await machine.device.stop()
        machine.poster.close()
    assert sum(machine.device.connections for machine in machines) >= MACHINES + EACH, "devices have changed the relay"
    return collections.Counter(status for machine in machines for status in machine.statuses.values())


def test_three_relays_behind_nginx_deliver_each_post_once_though_a_relay_and_a_primary_are_killed():
    with set_up() as (engine, relays, nginx):
        print(json.dumps(asyncio.run(live(engine, relays, nginx))))
