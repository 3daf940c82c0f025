"""docs/relay.md: its commands as they stand there, with what a machine would have in their place."""

import json
import os
import re
import subprocess

import pytest
from agent import BINARIES
from homing_rigs.certificates import Certificates
from homing_rigs.documents import Shell, block
from homing_rigs.processes import temporary_folder, wait_for
from relay_program import RelayProgram
from test_notifications import QUIET, notify, push
from test_relay import told

PAGE = "docs/relay.md"
HOUSE, SERVER, TLS = "Beside Home Assistant, in five minutes", "On a server, behind a proxy", "TLS without a proxy"
FRONT = "A front at home"


class Machine:
    """A machine on which the relay is installed: `apt install` does nothing, as the package is tested elsewhere, and
    `systemctl` starts the relay that the service would."""

    def __init__(self):
        self.relay = RelayProgram()
        self.relay.configuration.unlink()
        self.shell = Shell(temporary_folder("page"), [BINARIES / "homing"], self.relay.environment)
        self.called = self.shell.folder / "called"
        relay = " ".join(f"'{word}'" for word in self.relay._words())
        for name, script in (("homing-relay", f'exec {relay} "$@"'), ("apt", f'echo "apt $*" >> {self.called}'),
                             ("systemctl", f'echo "systemctl $*" >> {self.called}')):
            path = self.shell.folder / "programs" / name
            path.write_text(f"#!/bin/sh\n{script}\n")
            path.chmod(0o755)

    def lines(self, text):
        """Runs a block line by line, and starts the service where the page does; gives all output."""
        said = ""
        for line in text.splitlines():
            said += self.shell.run(line).stdout
            if "systemctl enable --now homing-relay" in line:
                self.relay.start()
        return said


@pytest.fixture
def machine():
    machine = Machine()
    yield machine
    machine.relay.stop()


def test_a_relay_beside_home_assistant_brings_a_sleeping_machine_its_notification(newest, desktop, make_agent, machine):
    relay = machine.relay
    here = {"192.168.1.20:8765": f"127.0.0.1:{relay.port}", "0.0.0.0:8765": f"127.0.0.1:{relay.port}"}

    def of_the_page(number):
        text = block(PAGE, HOUSE, "sh", number)
        for written, meant in here.items():
            text = text.replace(written, meant)
        return text

    assert "The relay runs." in machine.lines(of_the_page(1))
    install, start = machine.called.read_text().splitlines()
    assert re.fullmatch(r"apt install \./homing-relay_\*_\w+\.deb", install), install
    assert start == "systemctl enable --now homing-relay"
    code = re.search(r"^Code: (\S+)$", machine.lines(of_the_page(2)), re.M)[1]
    agent = make_agent(f"{QUIET}mode = off\n", desktop.environment).start()
    agent.register(newest.local_url, newest.token)
    laptop = Shell(temporary_folder("laptop"), [BINARIES / "homing", "--config", agent.configuration], agent.environment)
    join = of_the_page(3)
    assert "CODE" in join
    done = laptop.run(join.replace("CODE", code))
    assert re.search(r"\d+ ms", done.stdout)
    wait_for(lambda: told(newest, agent).get("push_url") == relay.push_url, 20, "Home Assistant to be told")
    # The lid is closed, a notification is sent, the lid is opened.
    agent.stop()
    # A test's own message may wait still: its look can end before it is acknowledged.
    before = relay.waiting()
    notify(newest, agent, "while it slept", "Door")
    wait_for(lambda: relay.waiting() == before + 1, 10, "Home Assistant to hand it over")
    agent.start()
    desktop.wait_for("Door")
    assert push(agent)["relay"]["state"] != "none"


def test_the_front_of_the_page_passes_on_what_it_has_sealed(newest, desktop, make_agent, machine):
    with RelayProgram() as far:
        front = machine.relay
        here = {"192.168.1.20:8765": f"127.0.0.1:{front.port}", "0.0.0.0:8765": f"127.0.0.1:{front.port}",
                "https://relay.example.org": far.url}
        make, join = block(PAGE, FRONT, "sh"), block(PAGE, FRONT, "sh", 2)
        for written, meant in here.items():
            make, join = make.replace(written, meant), join.replace(written, meant)
        code, fingerprint = re.search(r"homing relay join \S+ (\S+) --fingerprint (\S+)", machine.lines(make)).groups()
        agent = make_agent(f"{QUIET}mode = off\nrelay = hold\n", desktop.environment).start()
        agent.register(newest.local_url, newest.token)
        laptop = Shell(temporary_folder("laptop"), [BINARIES / "homing", "--config", agent.configuration], agent.environment)
        for written, meant in {"FAR_CODE": far.invite(), "CODE": code, "FINGERPRINT": fingerprint}.items():
            join = join.replace(written, meant)
        assert re.search(r"\d+ ms", laptop.run(join).stdout)
        wait_for(lambda: told(newest, agent).get("push_url") == front.push_url, 20, "Home Assistant to be told")
        notify(newest, agent, "by the front", "Door")
        desktop.wait_for("Door")


def test_the_server_of_the_page_is_made_for_its_name(machine):
    machine.lines(block(PAGE, SERVER, "sh"))
    assert "public_url = https://relay.example.org\n" in machine.relay.configuration.read_text()
    assert "is there already" in machine.lines("sudo homing-relay init")


def test_certbot_hands_the_certificate_over_as_the_page_says(machine):
    lineage, folder = temporary_folder("lineage"), temporary_folder("state") / "tls"
    authority = Certificates()
    (lineage / "fullchain.pem").write_bytes(authority.server.certificate.read_bytes())
    (lineage / "privkey.pem").write_bytes(authority.server.key.read_bytes())
    hook = block(PAGE, TLS, "sh", 2)
    assert hook.startswith("#!/bin/sh\n") and "state=/var/lib/private/homing-relay\n" in hook
    hook = hook.replace("/var/lib/private/homing-relay", str(folder.parent))
    subprocess.run(["sh", "-e", "-c", hook], check=True, env={**os.environ, "RENEWED_LINEAGE": str(lineage)})
    text = block(PAGE, TLS, "ini").replace("/var/lib/homing-relay/tls", str(folder))
    text = text.replace("[::]:8443", "127.0.0.1:0") + f"address = 127.0.0.1:{machine.relay.port}\n"
    machine.relay.configuration.write_text(text)
    with machine.relay as relay:
        status = relay.status()
        assert len(status["secure_addresses"]) == 1 and not status["is_certificate_failing"]
        assert json.loads(relay.run("invite", "--json").stdout)["code"]
