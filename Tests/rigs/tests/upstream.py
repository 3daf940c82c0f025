"""A stand-in for Home Assistant where a test is about what lies before it: it answers what it was asked."""

import http.server
import json
import threading


class Upstream:
    """Answers every request with {"path", "body", "forwarded"}; `reply` may be set to other bytes."""

    def __init__(self):
        self.reply = None
        self.requests = []
        upstream = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                upstream.requests.append((self.path, body))
                reply = upstream.reply
                if reply is None:
                    reply = json.dumps({"path": self.path, "body": body.decode(),
                                        "forwarded": self.headers.get("X-Forwarded-For")}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

            do_GET = do_POST

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()
