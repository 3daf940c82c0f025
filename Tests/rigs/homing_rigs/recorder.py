"""A recording HTTP proxy between the agent and Home Assistant (or between nginx and it), and reading what it saw.

It passes everything on as it came, WebSockets included, and keeps every exchange in memory and, if asked, in a file
of JSON lines. While Home Assistant is down it hangs up without an answer.
"""

import dataclasses
import http.client
import http.server
import json
import socket
import threading
import time

from . import processes, sealed

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "host"}


@dataclasses.dataclass(frozen=True)
class Exchange:
    """A request and its reply. `status` is None if no reply came from upstream, 101 for a WebSocket (whose
    messages are not recorded)."""

    time: float
    method: str
    path: str
    body: bytes = dataclasses.field(repr=False)
    status: int | None
    reply: bytes = dataclasses.field(repr=False)
    seconds: float
    with_token: bool  # whether it carried an Authorization header
    content_type: str | None  # the request's, as its User-Agent
    agent: str | None

    @property
    def is_webhook(self):
        """Whether it went to a webhook, directly or through a cloudhook."""
        return self.path.startswith(("/api/webhook/", "/hook/"))

    @property
    def webhook_id(self):
        """The last part of a webhook's path."""
        return self.path.rsplit("/", 1)[-1]


class Recorder:
    """The proxy. `url` is where it listens; `exchanges` is what it saw, in the order of the replies."""

    def __init__(self, upstream_port, port=None, host="127.0.0.1", file=None):
        self.upstream_port = upstream_port
        self.port = port or processes.free_port(host)
        self.url = f"http://{host}:{self.port}"
        self._exchanges, self._changed = [], threading.Condition()
        self._file = open(file, "a") if file else None
        self._server = http.server.ThreadingHTTPServer((host, self.port), _Handler)
        self._server.daemon_threads = True
        self._server.recorder = self

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Begin to serve. Returns self."""
        threading.Thread(target=self._server.serve_forever, args=(0.05,), name="recorder", daemon=True).start()
        return self

    def stop(self):
        """Listen no more; what was recorded stays."""
        self._server.shutdown()
        self._server.server_close()
        if self._file:
            self._file.close()

    def keep(self, exchange):
        """Add an exchange (called by the proxy)."""
        with self._changed:
            self._exchanges.append(exchange)
            if self._file and not self._file.closed:
                record = {**dataclasses.asdict(exchange), "body": exchange.body.decode(errors="replace"),
                          "reply": exchange.reply.decode(errors="replace")}
                print(json.dumps(record), file=self._file, flush=True)
            self._changed.notify_all()

    # Reading

    @property
    def exchanges(self):
        """All exchanges so far."""
        with self._changed:
            return list(self._exchanges)

    def webhook_exchanges(self):
        """Those that went to a webhook."""
        return [exchange for exchange in self.exchanges if exchange.is_webhook]

    def forget(self):
        """Begin with an empty record."""
        with self._changed:
            self._exchanges.clear()

    def wait(self, condition, seconds=10, what="the expected requests"):
        """Wait until `condition(exchanges)` is true, and return that."""
        end = time.monotonic() + seconds
        with self._changed:
            while True:
                result = condition(list(self._exchanges))
                if result:
                    return result
                left = end - time.monotonic()
                if left <= 0:
                    raise TimeoutError(f"not within {seconds} s: {what} ({len(self._exchanges)} exchanges)")
                self._changed.wait(left)

    def sealed_violations(self):
        """Every webhook request whose body is not exactly {"type":…, "encrypted":true, "encrypted_data":…}:
        a list of (exchange, what is wrong)."""
        found = [(exchange, sealed.violation(exchange.body)) for exchange in self.webhook_exchanges()
                 if exchange.method in ("POST", "PUT")]
        return [(exchange, wrong) for exchange, wrong in found if wrong]

    def commands(self, secret, webhook_id=None):
        """The webhook requests opened with the registration's secret: a list of sealed.Command
        (time, type, data, status, reply, problem)."""
        return [sealed.open_exchange(exchange, secret) for exchange in self.webhook_exchanges()
                if webhook_id in (None, exchange.webhook_id)]


class _Handler(http.server.BaseHTTPRequestHandler):
    """One client connection; it keeps one connection to upstream as long as it lasts."""

    protocol_version = "HTTP/1.1"
    upstream = None

    def log_message(self, *_):
        pass

    def setup(self):
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def finish(self):
        if self.upstream:
            self.upstream.close()
        super().finish()

    def handle_one_request(self):
        try:
            super().handle_one_request()
        except (OSError, ValueError):  # the client went away, or wrote what is no HTTP
            self.close_connection = True

    def pass_on(self):
        """Pass a request on, record it, and pass the reply back."""
        if "websocket" in self.headers.get("Upgrade", "").lower():
            self._tunnel()
            return
        began, body = time.time(), self._read_body()
        try:
            reply, content = self._ask(body)
        except (OSError, http.client.HTTPException):
            self._keep(began, body, None, b"")
            self.close_connection = True
            return
        # Recorded before the client can know of it, so that a test that saw the effect finds the record.
        self._keep(began, body, reply.status, content)
        self.send_response_only(reply.status, reply.reason)
        for name, value in reply.getheaders():
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = do_PATCH = do_OPTIONS = pass_on

    def _read_body(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", "").lower():
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return body

    def _ask(self, body):
        """The reply of upstream; a kept connection that has gone stale is replaced once."""
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP - {"host"}}
        headers["Content-Length"] = str(len(body))
        fresh = self.upstream is None
        if fresh:
            self.upstream = http.client.HTTPConnection("127.0.0.1", self.server.recorder.upstream_port, timeout=330)
        try:
            self.upstream.request(self.command, self.path, body, headers)
            reply = self.upstream.getresponse()
            return reply, reply.read()
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            self.upstream.close()
            self.upstream = None
            if fresh:
                raise
            return self._ask(body)
        except BaseException:
            self.upstream.close()
            self.upstream = None
            raise

    def _keep(self, began, body, status, reply):
        self.server.recorder.keep(Exchange(
            began, self.command, self.path, body, status, reply, time.time() - began,
            "Authorization" in self.headers, self.headers.get("Content-Type"), self.headers.get("User-Agent")))

    def _tunnel(self):
        """A WebSocket: bytes both ways until one side ends."""
        began = time.time()
        self.close_connection = True
        try:
            there = socket.create_connection(("127.0.0.1", self.server.recorder.upstream_port), 10)
        except OSError:
            self._keep(began, b"", None, b"")
            return
        there.settimeout(None)
        head = f"{self.requestline}\r\n" + "".join(f"{n}: {v}\r\n" for n, v in self.headers.items()) + "\r\n"
        there.sendall(head.encode("latin-1"))
        self._keep(began, b"", 101, b"")
        back = threading.Thread(target=_carry, args=(there.recv, self.connection, there), daemon=True)
        back.start()
        _carry(self.rfile.read1, there, self.connection)
        back.join(5)
        there.close()


def _carry(read, writer, reader):
    """Carry bytes until `read` ends, then end both sockets, so that the other direction ends too."""
    try:
        while data := read(65536):
            writer.sendall(data)
    except OSError:
        pass
    for each in (writer, reader):
        try:
            each.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
