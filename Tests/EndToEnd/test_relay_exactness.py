"""The relay's count of a day is exact, however many post at once, across midnight and under a clock that is stepped."""

import asyncio
import collections
import contextlib
import datetime
import json
import tempfile

import pytest
from homing_rigs.faults.clock import Clock
from homing_rigs.relay_device import RelayDevice
from homing_rigs.relay_posts import LOST, Poster, post_at_once
from relay_program import RelayProgram

POSTS, MAXIMUM, DAY = 1000, 150, 86400
LIMITS = {"burst": 0, "maximum": MAXIMUM, "per_address": 2 * POSTS, "messages": 1000}
MEMBERS = {"successful", "errors", "total", "maximum", "remaining", "resetsAt"}


def relay(prefix=()):
    """A relay that anybody may join, by so many connections."""
    return RelayProgram(prefix, join={"mode": "open"}, limits=LIMITS)


def notification(token, number):
    return {"message": f"Number {number}", "push_token": token, "registration_info": {"app_id": "io.github.homing"}}


def assert_exact(answers, before=0):
    """Of a day: as many 201 as were left, 429 for all others, each with the complete and right count."""
    statuses = collections.Counter(status for status, _ in answers)
    left = MAXIMUM - before
    assert statuses == {201: min(left, len(answers)), 429: max(0, len(answers) - left)}
    limits = [answer["rateLimits"] for _, answer in answers]
    assert all(set(one) == MEMBERS and one["maximum"] == MAXIMUM for one in limits)
    assert all(one["remaining"] == MAXIMUM - one["successful"] for one in limits)
    assert all(one["total"] == one["successful"] + one["errors"] for one in limits)
    taken = sorted(answer["rateLimits"]["successful"] for status, answer in answers if status == 201)
    assert taken == list(range(before + 1, before + 1 + len(taken))), "each 201 has a number of its own"
    refused = sorted(answer["rateLimits"]["errors"] for status, answer in answers if status == 429)
    assert refused == list(range(refused[0], refused[0] + len(refused))) if refused else True
    assert all(answer["message"] and answer["errorMessage"] for status, answer in answers if status == 429)
    assert len({answer["id"] for status, answer in answers if status == 201}) == len(taken)


class DocumentStore:
    """Documents by name, behind a socket: reading one and writing one are each awaited, as of any store that is not in
    the function's own memory."""

    def __init__(self):
        self._documents = {}

    async def __aenter__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="homing-documents-")
        self._path = f"{self._folder.name}/socket"
        self._server = await asyncio.start_unix_server(self._serve, self._path, backlog=POSTS)
        return self

    async def __aexit__(self, *_):
        self._server.close()
        self._folder.cleanup()

    async def _serve(self, reader, writer):
        with contextlib.closing(writer):
            name, document = json.loads(await reader.readline())
            if document is not None:
                self._documents[name] = document
            writer.write(json.dumps(self._documents.get(name)).encode() + b"\n")

    async def call(self, name, document=None):
        """Reads the document of the name, or writes it."""
        reader, writer = await asyncio.open_unix_connection(self._path)
        with contextlib.closing(writer):
            writer.write(json.dumps([name, document]).encode() + b"\n")
            return json.loads(await reader.readline())


async def serve_example(store, reader, writer):
    """Counts as the example of Home Assistant's developer documentation ("Push notifications") does: reads the count
    from a document store, decides, and writes the count later."""
    with contextlib.closing(writer), contextlib.suppress(*LOST):
        body = json.loads(await read_request(reader))
        count = await store.call(body["push_token"]) or {"delivered": 0}
        status = 429 if count["delivered"] >= MAXIMUM else 201
        if status == 201:
            await store.call(body["push_token"], {"delivered": count["delivered"] + 1})
        writer.write(f"HTTP/1.1 {status} -\r\nContent-Length: 2\r\n\r\n{{}}".encode())


async def read_request(reader):
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    return await reader.readexactly(int(head.partition(b"content-length:")[2].split()[0]))


def test_of_a_thousand_posts_at_once_the_maximum_is_taken_and_the_others_are_refused(many_files):
    async def story(program):
        device = await RelayDevice(program.port).join()
        return await post_at_once(program.port, [notification(device.token, number) for number in range(POSTS)])

    with relay() as program:
        answers = asyncio.run(story(program))
        assert_exact(answers)
        assert program.waiting() == MAXIMUM + 1, "the notifications, and the notice of the limit"


def test_the_example_of_the_documentation_lets_more_through_under_the_same_posts(many_files):
    """No pause is planted: what lets posts overtake each other is the store's own awaited answer."""
    async def story():
        async with DocumentStore() as store:
            server = await asyncio.start_server(lambda *streams: serve_example(store, *streams), "127.0.0.1", 0,
                                                backlog=POSTS)
            async with server:
                return await post_at_once(server.sockets[0].getsockname()[1],
                                          [notification("token", number) for number in range(POSTS)])

    statuses = collections.Counter(status for status, _ in asyncio.run(story()))
    assert sum(statuses.values()) == POSTS and set(statuses) <= {201, 429}
    print(f"the example let {statuses[201]} of {POSTS} through")
    assert statuses[201] > MAXIMUM, "the example is exact after all, and the test above shows nothing"
    with pytest.raises(AssertionError):
        assert statuses == {201: MAXIMUM, 429: POSTS - MAXIMUM}


async def post_while(port, token, story, at_once=50):
    """Posts over so many connections while `story(days)` lasts; returns the answers by the day that they were counted
    for, as `days` has them meanwhile."""
    days, numbers = collections.defaultdict(list), iter(range(10**9))
    telling = asyncio.create_task(story(days))

    async def post_on(poster):
        while not telling.done():
            status, answer = await poster.post(notification(token, next(numbers)))
            days[answer["rateLimits"]["resetsAt"]].append((status, answer))
        poster.close()

    await asyncio.gather(telling, *(post_on(Poster(port)) for _ in range(at_once)))
    return dict(sorted(days.items()))


async def wait_for_answers(days, unix_time, count):
    """Until so many more were counted for that day."""
    before = len(days[resets(unix_time)])
    for _ in range(600):
        if len(days[resets(unix_time)]) >= before + count:
            return
        await asyncio.sleep(0.05)
    raise TimeoutError(f"not {count} answers of a day within 30 s")


def resets(unix_time):
    """`resetsAt` of that day."""
    day = datetime.datetime.fromtimestamp(unix_time // DAY * DAY + DAY, datetime.timezone.utc)
    return day.strftime("%Y-%m-%dT00:00:00.000Z")


def test_across_midnight_each_day_has_its_maximum():
    clock = Clock()
    midnight = (clock.now() // DAY + 1) * DAY

    async def story(program):
        device = await RelayDevice(program.port).join()
        clock.be_in(midnight - 2)
        return await post_while(program.port, device.token, pass_midnight)

    async def pass_midnight(days):
        await wait_for_answers(days, midnight - 1, MAXIMUM + 50)
        clock.be_in(midnight - 0.2)
        await wait_for_answers(days, midnight, MAXIMUM + 50)

    with relay(clock.prefix) as program:
        days = asyncio.run(story(program))
    assert list(days) == [resets(midnight - 1), resets(midnight)]
    for answers in days.values():
        assert len(answers) > MAXIMUM, "posts beyond the maximum on both sides"
        assert_exact(answers)


def test_under_a_clock_that_is_stepped_each_day_has_its_maximum_once():
    clock = Clock()
    noon = clock.now() // DAY * DAY + DAY / 2
    steps = [noon, noon + DAY, noon - DAY, noon, noon + 30 * DAY, noon + DAY, noon]

    async def step_on(days):
        for moment in steps:
            clock.be_in(moment)
            await wait_for_answers(days, moment, MAXIMUM + 50)

    async def story(program):
        clock.be_in(noon)
        device = await RelayDevice(program.port).join()
        return await post_while(program.port, device.token, step_on)

    with relay(clock.prefix) as program:
        days = asyncio.run(story(program))
    assert list(days) == [resets(moment) for moment in sorted(set(steps))]
    for answers in days.values():
        assert len(answers) > MAXIMUM
        assert_exact(answers)
