"""The other end of `push_url`: what Home Assistant hands over when the WebSocket does not take a notification."""

import http.server
import json
import threading


class Relay:
    """A server that keeps each body it is given, and hands it on. `with Relay() as relay:`"""

    def __init__(self, hand_on=None):
        """`hand_on` is called with each body, in a thread of its own: Home Assistant does not wait for it."""
        self.bodies = []
        self.hand_on = hand_on
        self._threads = []
        relay = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(201)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")
                relay._took(body)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/push?to=me"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def _took(self, body):
        self.bodies.append(body)
        if self.hand_on:
            thread = threading.Thread(target=self.hand_on, args=(body,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def join(self, seconds=60):
        """Until all that was handed on so far has arrived."""
        for thread in list(self._threads):
            thread.join(seconds)
            assert not thread.is_alive(), "a body is still on its way"

    def titled(self, title):
        """The bodies of the notifications with this title."""
        return [body for body in self.bodies if body.get("title") == title]
