"""The examples of proxies before the relay, each run by the real program, for localhost and in a folder of its own."""

import os
import re
import shutil

from homing_rigs.certificates import Certificates
from homing_rigs.documents import REPOSITORY
from homing_rigs.ports import free_port
from homing_rigs.processes import Child, listens, temporary_folder, wait_for

NGINX = """\
daemon off; master_process off; pid {folder}/pid; error_log stderr;
events {{ }}
http {{
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
{server}}}
"""
# An address of this machine that only nginx's clients come from.
NAME = "relay.example.org"


class Proxy:
    """A proxy before a relay: `url` by https, `plain` by http, `ca` what a client has to trust."""

    def __init__(self, upstream):
        self.port, self.plain_port = free_port(), free_port()
        self.url, self.plain = f"https://localhost:{self.port}", f"http://localhost:{self.plain_port}"
        self.folder = temporary_folder("relay-proxy")
        self._authority = Certificates()
        self.ca = self._authority.ca
        self.configuration = self.folder / "configuration"
        self.configuration.write_text(self.text(upstream))

    @property
    def server(self):
        return self._authority.server

    def replaced(self, example, *pairs):
        """An example with what a test has to have otherwise, each of which is there."""
        text = (REPOSITORY / "packaging/examples" / example).read_text()
        for written, meant in pairs:
            assert written in text, f"{example} has no {written!r}"
            text = text.replace(written, meant)
        return text

    def __enter__(self):
        self._child = Child(self.words, self.folder / "log", env=self.environment)
        wait_for(lambda: self._child.must_live() or listens(self.port), 20, f"{type(self).__name__} is up")
        return self

    def __exit__(self, *_):
        self._child.stop()

    def log_text(self):
        return (self.folder / "log").read_text()


class Nginx(Proxy):
    """nginx, with packaging/examples/nginx-relay.conf."""

    environment = dict(os.environ)

    @property
    def words(self):
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        return [program, "-c", self.configuration, "-p", self.folder, "-e", "stderr"]

    def text(self, upstream):
        return NGINX.format(folder=self.folder, server=self.replaced(
            "nginx-relay.conf", (NAME, "localhost"), ("listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl"),
            ("listen [::]:443 ssl", f"listen [::1]:{self.port} ssl"), ("listen 80;", f"listen 127.0.0.1:{self.plain_port};"),
            ("listen [::]:80;", f"listen [::1]:{self.plain_port};"), *self.upstreams(upstream),
            ("/etc/letsencrypt/live/localhost/fullchain.pem", str(self.server.certificate)),
            ("/etc/letsencrypt/live/localhost/privkey.pem", str(self.server.key))))

    def upstreams(self, upstream):
        """What the test has in place of the example's relay."""
        return [("127.0.0.1:8765", f"127.0.0.1:{upstream}")]


class Balancer(Nginx):
    """nginx before three relays, with the same example and the upstream of docs/relay.md. Its `upstream` is their
    ports."""

    def upstreams(self, upstream):
        def block(text):
            return re.search(r"^upstream homing_relay \{\n.*?^\}\n", text, re.MULTILINE | re.DOTALL)[0]

        several = block((REPOSITORY / "docs/relay.md").read_text())
        addresses = re.findall(r"server (\S+);", several)
        assert len(addresses) == len(upstream) == 3
        return [(block(self.replaced("nginx-relay.conf")), several),
                *((address, f"127.0.0.1:{port}") for address, port in zip(addresses, upstream))]


class Caddy(Proxy):
    """Caddy, with packaging/examples/Caddyfile-relay."""

    @property
    def environment(self):
        return {**os.environ, "XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)}

    @property
    def words(self):
        return ["caddy", "run", "--config", self.configuration, "--adapter", "caddyfile"]

    def text(self, upstream):
        # Its own administration and its wish for port 80 have no place in a test.
        first = f"{{\n    admin off\n    http_port {self.plain_port}\n    skip_install_trust\n}}\n"
        pair = f"    tls {self.server.certificate} {self.server.key}\n"
        return first + self.replaced(
            "Caddyfile-relay", (f"\n{NAME} {{\n", f"\nhttps://localhost:{self.port} {{\n{pair}"),
            (f"http://{NAME} {{", f"http://localhost:{self.plain_port} {{"), ("127.0.0.1:8765", f"127.0.0.1:{upstream}"))


PROXIES = [Nginx, Caddy]
