"""docs/reverse-proxy.md as it stands there: a real nginx before a real Home Assistant, without and with certificates of
the callers."""

import contextlib
import os
import re
import shutil
import ssl
import urllib.error
import urllib.request

import pytest
from agent import BINARIES
from browser import Login
from homing_rigs.certificates import Certificates
from homing_rigs.documents import REPOSITORY, Shell, block
from homing_rigs.processes import Child, free_port, listens, temporary_folder, wait_for
from terminal import Terminal

PAGE_OF_IT = "docs/reverse-proxy.md"
WITH, WITHOUT = "With a client certificate", "Without a client certificate"
OWN = "A certificate of your own making"
LOGIN = re.compile(r"https://\S+/auth/authorize\?\S+")
NGINX = """\
daemon off; master_process off; pid {folder}/pid; error_log stderr;
events {{ }}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
{server}}}
"""
AGENT = "[gpsd]\nenabled = false\n[push]\nmode = always\n"


class Proxy:
    """nginx as the page has it, for localhost, in a folder in place of /etc/nginx; and the machine's /etc/homing."""

    def __init__(self, upstream, asks):
        self.port = free_port()
        self.url = f"https://localhost:{self.port}"
        self.folder, self.machine = temporary_folder("nginx"), temporary_folder("etc-homing")
        authority = Certificates()
        shutil.copy(authority.ca, self.machine / "ca.pem")
        shutil.copy(authority.server.certificate, self.folder / "server.pem")
        shutil.copy(authority.server.key, self.folder / "server.key")
        self._hand_out_certificates()
        server = block(PAGE_OF_IT, WITHOUT, "nginx").rstrip().removesuffix("}")
        server += (block(PAGE_OF_IT, WITH, "nginx") if asks else "") + "}\n"
        for written, meant in (("/etc/nginx", str(self.folder)), (" 443 ", f" 127.0.0.1:{self.port} "),
                               ("127.0.0.1:8123", f"127.0.0.1:{upstream}")):
            assert written in server
            server = server.replace(written, meant)
        (self.folder / "nginx.conf").write_text(NGINX.format(folder=self.folder, server=server))

    def _hand_out_certificates(self):
        """As the page has them made, and installed on the machine."""
        shell = Shell(self.folder, [BINARIES / "homing"], dict(os.environ))
        shell.run(block(PAGE_OF_IT, WITH, "sh"))
        install = block(PAGE_OF_IT, WITH, "sh", 2)
        assert "-o homing -g homing" in install and "/etc/homing/" in install
        shell.run(install.replace("-o homing -g homing", f"-o {os.getuid()} -g {os.getgid()}")
                  .replace("/etc/homing/", f"{self.machine}/"))

    def __enter__(self):
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self._child = Child([program, "-c", self.folder / "nginx.conf", "-p", self.folder, "-e", "stderr"],
                            self.folder / "log")
        wait_for(lambda: self._child.must_live() or listens(self.port), 20, "nginx is up")
        return self

    def __exit__(self, *_):
        self._child.stop()

    def configuration(self, *headings):
        """The page's configurations under these headings, as one section."""
        lines = [line for heading in headings for line in block(PAGE_OF_IT, heading, "ini").splitlines()[1:]]
        return "\n".join(["[home_assistant]", *lines, AGENT]).replace("/etc/homing", str(self.machine))


@pytest.fixture
def proxy(newest):
    """Makes one that runs until the test's end."""
    with contextlib.ExitStack() as ends:
        yield lambda asks: ends.enter_context(Proxy(newest.port, asks))


def works(newest, agent):
    """Whether what is sent arrives, and the channel for notifications gets through."""
    agent.homing("send-location", "--zone", "Work")
    tracker = newest.tracker_of(agent.registration["device_id"])
    wait_for(lambda: newest.state(tracker)["state"] == "Work", 20, "the zone")
    wait_for(lambda: agent.status()["push"]["state"] == "open", 30, "the WebSocket")
    return True


def test_everything_passes_the_proxy_of_the_page(newest, proxy, make_agent):
    before = proxy(asks=False)
    agent = make_agent(before.configuration(OWN)).start()
    done = agent.homing("setup", "--url", before.url, "--token-file", "-", "--no-home-network", "--yes", input=newest.token)
    assert "Homing reports to Home Assistant" in done.stdout
    assert works(newest, agent)


def test_a_proxy_that_asks_for_a_certificate_lets_those_in_that_have_one(newest, proxy, make_agent):
    before = proxy(asks=True)
    stranger = make_agent(before.configuration(OWN)).start()
    words = ["setup", "--url", before.url, "--token-file", "-", "--no-home-network", "--yes"]
    refused = stranger.homing(*words, input=newest.token, check=False)
    assert refused.returncode == 64 and "wants a client certificate (status 400)" in refused.stderr
    assert "set client_certificate and client_key" in refused.stderr and "8123" not in refused.stderr
    words[words.index(before.url)] = before.url.replace("https:", "http:")
    refused = stranger.homing(*words, input=newest.token, check=False)
    assert "that port wants https" in refused.stderr and "give the address with https://" in refused.stderr
    words[2] = before.url
    assert not (stranger.home / "registration.json").exists()
    stranger.stop()
    agent = make_agent(before.configuration(OWN, WITH)).start()
    assert "Homing reports to Home Assistant" in agent.homing(*words, input=newest.token).stdout
    assert works(newest, agent)


def test_a_person_pairs_through_it_with_a_browser_that_has_a_certificate_too(newest, proxy, make_agent):
    before = proxy(asks=True)
    text = (REPOSITORY / PAGE_OF_IT).read_text()
    words = re.search(r"`sudo homing (setup --url \S+ --headless)`", text)[1].split()
    agent = make_agent(before.configuration(OWN, WITH)).start()
    command = [BINARIES / "homing", "--config", agent.configuration,
               *[before.url if word.startswith("https:") else word for word in words], "--no-home-network", "--name", "Van",
               "--take-over"]
    with Terminal(command, agent.environment) as terminal:
        terminal.wait_for("Waiting for your login")
        page = LOGIN.findall(terminal.text)[-1]
        context = ssl.create_default_context(cafile=before.machine / "ca.pem")
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(page, context=context, timeout=10)
        assert refused.value.code == 400, "a browser without one does not even see the page"
        # A browser that has one sees what is behind the proxy.
        terminal.type(Login(page.replace(before.url, newest.local_url), newest.username, newest.password).target + "\n")
        assert terminal.report() == "exited 0", terminal.text
    assert works(newest, agent)
