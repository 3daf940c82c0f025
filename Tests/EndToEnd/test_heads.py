"""What the heads of messages leave out, and that nobody misses it: each Home Assistant, behind nginx and Caddy."""

import json
import os
import shutil

import pytest
from homing_rigs.certificates import Certificates
from homing_rigs.processes import Child, free_port, listens, temporary_folder, wait_for
from test_reverse_proxy import NGINX

SERVER = """\
  log_format statuses '$status';
  server {{
    listen 127.0.0.1:{port} ssl; access_log {folder}/statuses statuses;
    ssl_certificate {certificate}; ssl_certificate_key {key};
    {rule}
    location / {{
      proxy_pass http://127.0.0.1:{upstream}; proxy_http_version 1.1; proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade";
    }}
  }}
"""
# As a firewall with the strict rules of the OWASP Core Rule Set: a type is missing (920341), a name is missing (920320).
STRICT = {"type": "set $told $request_method$http_content_type; if ($told = POST) { return 403; }",
          "name": 'if ($http_user_agent = "") { return 403; }'}
CADDY = """\
{{
    admin off
    auto_https disable_redirects
    skip_install_trust
}}
https://localhost:{port} {{
    tls {certificate} {key}
    reverse_proxy 127.0.0.1:{upstream}
}}
"""


class Proxy:
    """A proxy by https before this port."""

    def __init__(self, upstream, rule=""):
        self.port, self.folder, authority = free_port(), temporary_folder("heads"), Certificates()
        self.url, self.ca, self.file = f"https://localhost:{self.port}", authority.ca, self.folder / "configuration"
        self.file.write_text(self.text({
            "port": self.port, "folder": self.folder, "upstream": upstream, "rule": rule,
            "certificate": authority.server.certificate, "key": authority.server.key}))

    def __enter__(self):
        self._child = Child(self.words(), self.folder / "log", env={
            **os.environ, "XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)})
        wait_for(lambda: self._child.must_live() or listens(self.port), 20, f"{type(self).__name__} is up")
        return self

    def __exit__(self, *_):
        self._child.stop()


class Nginx(Proxy):
    def text(self, facts):
        return NGINX.format(folder=self.folder, server=SERVER.format(**facts))

    def words(self):
        return [shutil.which("nginx") or "/usr/sbin/nginx", "-c", self.file, "-p", self.folder, "-e", "stderr"]

    def refusals(self):
        """How many requests it has answered with 403."""
        return (self.folder / "statuses").read_text().split().count("403")


class Caddy(Proxy):
    def text(self, facts):
        return CADDY.format(**facts)

    def words(self):
        return ["caddy", "run", "--config", self.file, "--adapter", "caddyfile"]


def messages(recorder):
    """The courier's requests by HTTP: (command, type of the body, agent) of each."""
    found = [one for one in recorder.webhook_exchanges() if one.method == "POST"]
    return [(json.loads(one.body)["type"], one.content_type, one.agent) for one in found]


def drive(ha, proxy, make_agent, push="off", environment=None):
    """An agent behind the proxy that has told of a place and of an event, and has got its receipts."""
    agent = make_agent(f"[home_assistant]\nca_file = {proxy.ca}\n[gpsd]\nenabled = false\n[push]\nmode = {push}\n",
                       environment).start()
    agent.register(proxy.url, ha.token)
    if push != "off":
        wait_for(lambda: agent.status()["push"]["state"] == "open", 30, "the WebSocket")
    with ha.events("heads") as events:
        agent.homing("send-location", "--zone", "Work")
        agent.homing("event", "heads", "--wait")
        events.wait()
    tracker = ha.tracker_of(agent.registration["device_id"])
    wait_for(lambda: ha.state(tracker)["state"] == "Work", 20, "the zone")
    agent.wait_until_empty()
    agent.assert_books_balance()
    return agent


@pytest.mark.parametrize("kind", [Nginx, Caddy], ids=lambda kind: kind.__name__)
def test_messages_with_short_heads_pass_the_proxy(ha, recorder, make_agent, kind):
    with kind(recorder.port) as proxy:
        drive(ha, proxy, make_agent)
        seen = messages(recorder)
    wanted = {"get_config", "get_zones", "render_template", "update_location", "fire_event"}
    assert {(name, None, None) for name in wanted} <= set(seen)
    # What is asked beside the courier's messages has a full head: at most once a day, or by a command.
    assert {name for name, content_type, agent in seen if content_type or agent} <= {"update_registration", "get_zones"}


@pytest.mark.parametrize("kind", [Nginx, Caddy], ids=lambda kind: kind.__name__)
def test_a_socket_carries_them_without_heads(ha, recorder, desktop, make_agent, kind):
    with kind(recorder.port) as proxy:
        agent = drive(ha, proxy, make_agent, "always", desktop.environment)
        before = messages(recorder)
        agent.homing("send-location", "--zone", "Elsewhere", "--unknown-zone")
        agent.wait_until_empty()
        agent.assert_books_balance()
        assert messages(recorder) == before


@pytest.mark.parametrize("rule", STRICT)
def test_a_firewall_that_wants_full_heads_refuses_one_message(newest, recorder, make_agent, rule):
    with Nginx(recorder.port, STRICT[rule]) as proxy:
        drive(newest, proxy, make_agent)
        assert proxy.refusals() == 1
        assert {(content_type, agent) for _, content_type, agent in messages(recorder)} == {("application/json", "Homing")}
