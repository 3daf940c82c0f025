"""What the fault server can be told to do wrong, and when.

A `Misdeed` says how often a command is carried out, what is answered, and what becomes of the answer's bytes. A `Plan`
says which requests meet it. Each misdeed of `CATALOGUE` can be asked for by name too (`server.control`).
"""

import dataclasses
import itertools
import json
from collections.abc import Callable

from .. import toxics
from . import http_messages
from .http_messages import Reply
from .mobile_app import seal

PORTAL = b"<!DOCTYPE html><html><title>Free Wi-Fi</title><form action=/login>Accept our terms</form></html>"


@dataclasses.dataclass(frozen=True)
class Misdeed:
    """`perform`: how often the command is carried out. `reply(exchange)`: a Reply, or an iterator of bytes that may
    have no end, in place of Home Assistant's. `toxics`: what the bytes go through. `before(exchange)`,
    `after(exchange)`: called when the command was carried out, and when the last byte has gone."""

    perform: int = 1
    reply: Callable | None = None
    toxics: tuple = ()
    before: Callable | None = None
    after: Callable | None = None


def answer(status, body=b"", content_type="text/html", headers=None, perform=0):
    """Another answer, and nothing done, as by somebody who is not Home Assistant."""
    body = body if isinstance(body, bytes) else body.encode()
    return Misdeed(perform, lambda exchange: Reply(status, body, content_type, headers or {}))


def spoilt(*on_the_way):
    """Done, and the answer goes through toxics."""
    return Misdeed(1, toxics=on_the_way)


def lost_answer():
    """Done, and the line ends before a byte of the answer: the client cannot know that it was done."""
    return spoilt(toxics.CloseAt(0))


def not_done():
    """Answered as always, and not done: Home Assistant before its tracker platform is loaded."""
    return Misdeed(0, lambda exchange: http_messages.empty_object())


def empty():
    """200 with nothing, and not done: a webhook that is not known, now."""
    return Misdeed(0, lambda exchange: http_messages.nothing())


def twice():
    """Done twice, as by a proxy that tries again."""
    return Misdeed(2)


def wrong_key():
    """The answer is sealed with another key."""
    return Misdeed(1, lambda exchange: http_messages.of_json(
        {"encrypted": True, "encrypted_data": seal({}, "ab" * 32)}))


def wrong_shape(content=None):
    """An answer that opens and says what was not asked."""
    return Misdeed(1, lambda exchange: http_messages.of_json(
        {"encrypted": True, "encrypted_data": seal(content, exchange.registration.secret)}))


def played_back():
    """The answer of the first such request again, for ever."""
    kept = []

    def reply(exchange):
        kept.append(exchange.reply)
        return kept[0]

    return Misdeed(1, reply)


def retry_after(status=503, seconds=2):
    """Busy, with a wish."""
    return answer(status, "<html>busy</html>", headers={"Retry-After": str(seconds)})


def redirect(status=302, location="http://portal.example.test/login"):
    """As a captive portal does."""
    return answer(status, PORTAL, headers={"Location": location})


def endless(kind):
    """An answer without end: its "body" announced as endless, its "chunks", its "headers", or one "line" of them."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    parts = {"body": (head + b"Content-Length: 1073741824\r\n\r\n", b'{"a":"' + b"x" * 65530),
             "unannounced": (head + b"Connection: close\r\n\r\n", b'{"a":"' + b"x" * 65530),
             "chunks": (head + b"Transfer-Encoding: chunked\r\n\r\n", b"8000\r\n" + b"x" * 0x8000 + b"\r\n"),
             "headers": (head, b"X-More: " + b"y" * 4000 + b"\r\n"), "line": (head + b"X-More: ", b"y" * 65536)}
    start, more = parts[kind]
    return Misdeed(1, lambda exchange: itertools.chain([start], itertools.repeat(more)))


CATALOGUE = {
    "answer": answer, "lost_answer": lost_answer, "not_done": not_done, "empty": empty, "twice": twice,
    "wrong_key": wrong_key, "wrong_shape": wrong_shape, "played_back": played_back, "retry_after": retry_after,
    "redirect": redirect, "endless": endless,
    "spoilt": lambda *texts: spoilt(*map(toxics.parse, texts)),
    "portal": lambda: answer(200, PORTAL),
    "json_not_ours": lambda: answer(200, json.dumps({"hello": "world"}), http_messages.JSON),
}


@dataclasses.dataclass
class Plan:
    """Which requests meet a misdeed: those of `on` (a webhook type, a path, or None for any), after `skip` of them,
    `times` of them (None: all), until `end` (by the server's clock)."""

    misdeed: Misdeed
    on: str | None = None
    skip: int = 0
    times: int | None = None
    end: float | None = None
    met: int = 0  # requests that met it

    def meets(self, request, kind, now):
        """Whether it is this request's turn; counts it."""
        if (self.end is not None and now >= self.end) or (self.times is not None and self.met >= self.times):
            return False
        if self.on is not None and self.on not in (kind, request.path):
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        self.met += 1
        return True
