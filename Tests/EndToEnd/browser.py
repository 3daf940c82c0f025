"""A person with a browser: opens Home Assistant's login page, gives name and password, and follows where that leads.

It does what Home Assistant's own page does with the API (/auth/login_flow), so that nothing need be drawn."""

import json
import subprocess
import urllib.error
import urllib.parse
import urllib.request


class Login:
    """One login at the page that Homing has printed. `target` is where the browser is sent at the end."""

    def __init__(self, page, username, password):
        parts = urllib.parse.urlsplit(page)
        self.base = f"{parts.scheme}://{parts.netloc}"
        self.query = dict(urllib.parse.parse_qsl(parts.query))
        assert parts.path == "/auth/authorize" and self.query["response_type"] == "code"
        begin = {"client_id": self.query["client_id"], "handler": ["homeassistant", None],
                 "redirect_uri": self.query["redirect_uri"]}
        # As the page does: what the query has of PKCE goes into the flow.
        begin |= {key: self.query[key] for key in ("code_challenge", "code_challenge_method") if key in self.query}
        flow = self._post("/auth/login_flow", begin)
        step = self._post(f"/auth/login_flow/{flow['flow_id']}",
                          {"client_id": self.query["client_id"], "username": username, "password": password})
        assert step["type"] == "create_entry", step
        self.code = step["result"]
        answer = urllib.parse.urlencode({"code": self.code, "state": self.query["state"]})
        self.target = f"{self.query['redirect_uri']}?{answer}"

    @property
    def has_pkce(self):
        return self.query.get("code_challenge_method") == "S256"

    def follow(self, user=None):
        """The last page, as the browser on this machine sees it; `user` is the number of another account that it has."""
        return get(self.target, user)

    def _post(self, path, body):
        request = urllib.request.Request(self.base + path, json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=20) as reply:
            return json.loads(reply.read())


def get(url, user=None):
    """A page's text, fetched by this process, or by a program of another account."""
    if user is not None:
        person = ["setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups"]
        fetch = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=10).read().decode())"
        return subprocess.run([*person, "/usr/bin/python3", "-c", fetch, url], check=True, capture_output=True,
                              text=True).stdout
    with urllib.request.urlopen(url, timeout=10) as reply:
        return reply.read().decode()
