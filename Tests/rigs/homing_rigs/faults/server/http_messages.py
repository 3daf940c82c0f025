"""HTTP/1.1 as Home Assistant's server (aiohttp) speaks it: reading requests, and answers down to the byte."""

import asyncio
import dataclasses
import email.utils
import http
import json

BODY_LIMIT = 16 << 20  # Home Assistant's; a larger body ends in its handler as an empty 200
JSON, JSON_UTF8, TEXT, NOTHING = ("application/json", "application/json; charset=utf-8",
                                  "text/plain; charset=utf-8", "application/octet-stream")


@dataclasses.dataclass(frozen=True)
class Request:
    """A request. `body` is None if it was larger than Home Assistant takes."""

    method: str
    path: str
    headers: dict = dataclasses.field(repr=False)
    body: bytes | None = dataclasses.field(repr=False, default=b"")


@dataclasses.dataclass(frozen=True)
class Reply:
    """An answer."""

    status: int = 200
    body: bytes = b""
    content_type: str | None = NOTHING
    headers: dict = dataclasses.field(default_factory=dict)

    def bytes(self):
        """As it goes over the line."""
        try:
            reason = http.HTTPStatus(self.status).phrase
        except ValueError:
            reason = "Unknown"
        lines = [f"HTTP/1.1 {self.status} {reason}",
                 *([f"Content-Type: {self.content_type}"] if self.content_type else []),
                 *(f"{name}: {value}" for name, value in self.headers.items()),
                 "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff", "Server: ",
                 "X-Frame-Options: SAMEORIGIN", f"Content-Length: {len(self.body)}",
                 f"Date: {email.utils.formatdate(usegmt=True)}"]
        return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + self.body


def of_json(content, status=200):
    """An answer in JSON, written as Home Assistant's API writes it."""
    return Reply(status, json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode(), JSON)


def empty_object(status=200):
    """`{}`: Home Assistant's answer to commands without a reply, and to much that it throws away."""
    return Reply(status, b"{}", JSON_UTF8)


def nothing(status=200):
    """An answer without a body."""
    return Reply(status)


def error_page(status):
    """What the server says of itself, such as "401: Unauthorized"."""
    return Reply(status, f"{status}: {http.HTTPStatus(status).phrase}".encode(), TEXT)


async def read_request(reader):
    """The next request of a connection; None at its end. Raises ValueError for what is no HTTP."""
    try:
        first = await reader.read(1)
        if first and not first.isalpha():
            raise ValueError("no HTTP: TLS, perhaps")
        head = first + await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as ended:
        if ended.partial.strip():
            raise ValueError("the request is cut off") from None
        return None
    except asyncio.LimitOverrunError:
        raise ValueError("the head is too large") from None
    first, *lines = head.decode("latin-1").split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        raise ValueError("no HTTP")
    headers = {}
    for line in filter(None, lines):
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    return Request(words[0], words[1], headers, await _read_body(reader, headers))


async def _read_body(reader, headers):
    if "chunked" in headers.get("transfer-encoding", "").lower():
        body = b""
        while size := int((await reader.readline()).split(b";")[0], 16):
            body += await reader.readexactly(size)
            await reader.readline()
        await reader.readline()
        return body
    left = int(headers.get("content-length", 0))
    if left <= BODY_LIMIT:
        return await reader.readexactly(left)
    while left:
        left -= len(await reader.readexactly(min(left, 1 << 20)))
    return None
