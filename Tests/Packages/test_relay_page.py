"""docs/relay.md on machines that boot: what the page has people type and write, as it stands there, with a real Home
Assistant. The machine of the relay has an address in place of the names on the page, and a certificate of ours in place
of a public one."""

import json
import re
import shutil
import ssl
import urllib.request

import pytest
from homing_rigs import debian_tree
from homing_rigs.certificates import Certificates
from homing_rigs.documents import block
from homing_rigs.home_assistant import HomeAssistant, available_versions
from homing_rigs.machine import Machine
from homing_rigs.processes import temporary_folder, wait_for
from readme import Person, lines
from scenes import register
from test_relay import wait_until_active
from test_relay_life import notify, shown, waiting

pytestmark = [pytest.mark.skipif(not Machine.possible(), reason="needs root and systemd-nspawn"),
              pytest.mark.home_assistant]
PAGE, ENGINE = "docs/relay.md", "docs/relay-engine.md"
HOUSE, SERVER = "Beside Home Assistant, in five minutes", "On a server, behind a proxy"
TLS, MANY = "TLS without a proxy", "For ten thousand machines"
NAMES = ("192.168.1.20", "relay.example.org", "10.0.0.11")  # which the page has for the relay's machine
HOOK = "/etc/letsencrypt/renewal-hooks/deploy/homing-relay"
OWN = "/etc/homing/relay.conf.d/50-page.conf"
# The engine of each release, and its programs.
ENGINES = {"bookworm": ("redis-server", "redis"), "trixie": ("valkey-server", "valkey")}
NODES = range(1, 10)


class Host(Person):
    """The person at the relay's machine. The package lies where they are."""

    def __init__(self, machine):
        super().__init__(machine, folder="/packages")

    def meant(self, text):
        """A text of the page with this machine's address in place of the page's names."""
        for name in NAMES:
            text = text.replace(name, self.machine.address)
        return text

    def block(self, heading, number=1, kind="sh"):
        return self.meant(block(PAGE, heading, kind, number))

    def follows(self, heading, number=1):
        """Types a block line by line. Returns what the last line said."""
        for line in lines(PAGE, heading, number=number):
            said = self.certified(line) if " certbot " in line else self.types(self.meant(line)).stdout
        return said

    def certified(self, line):
        """certbot takes the line, but reaches no authority here; the certificate is ours."""
        nobody = " --server https://127.0.0.1:1/ --register-unsafely-without-email --agree-tos --non-interactive"
        if "apt install" in line:
            return self.types(line).stdout
        done = self.types(line + nobody, check=False)
        assert done.returncode == 1 and "127.0.0.1" in done.stdout + done.stderr, done.stdout + done.stderr
        self.renew(self.machine.authority)
        return ""

    @property
    def lineage(self):
        return f"/etc/letsencrypt/live/{self.machine.address}"

    def renew(self, authority):
        """Puts a certificate where certbot does."""
        for name, file in (("fullchain", authority.server.certificate), ("privkey", authority.server.key)):
            self.machine.write(f"{self.lineage}/{name}.pem", file.read_text())
        self.machine.run("chmod", "600", f"{self.lineage}/privkey.pem")

    def status(self):
        return json.loads(self.machine.say("homing-relay", "status", "--json"))

    def invites(self, heading, number):
        """The code that the last line of a block gives."""
        return re.search(r"^Code: (\S+)$", self.follows(heading, number), re.MULTILINE)[1]


@pytest.fixture(scope="session")
def beside(packages):
    """Has apt ready what the page installs beside the relay."""
    for more in (["nginx", "certbot"], [ENGINES[packages.release][0]]):
        debian_tree.add_downloads(packages.tree, "-".join(more), more)


@pytest.fixture(scope="session")
def authority(other_network):
    """Vouches for the address of the relay's machine."""
    return Certificates((other_network.far,))


@pytest.fixture(scope="module")
def ha(network, authority):
    """A Home Assistant that trusts our authority as if it were a public one."""
    version = available_versions()[-1]
    folder = temporary_folder(f"ha-{version}")
    bundle = folder / "bundle.pem"
    shutil.copy(authority.ca, bundle)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REQUESTS_CA_BUNDLE", str(bundle))
        with HomeAssistant(version, config_dir=folder, host=network.near) as running:
            yield running


@pytest.fixture
def host(beside, relay_machine, authority):
    """Who sets the relay up."""
    relay_machine.authority = authority
    return Host(relay_machine)


@pytest.fixture
def laptop(beside, installed, ha, authority):
    """Who is at a machine that is paired with Home Assistant. The machine trusts our authority, too."""
    installed.name = f"Laptop {installed.packages.release}"
    register(installed, ha, installed.name)
    shutil.copy(authority.ca, installed.root / "usr/local/share/ca-certificates/ours.crt")
    installed.run("update-ca-certificates")
    return Person(installed)


def closed_channel(laptop):
    """Has the machine get notifications by the relay alone, at once."""
    laptop.machine.write("/etc/homing/agent.conf.d/50-push.conf", "[push]\nmode = off\nrelay = hold\n")
    laptop.machine.run("systemctl", "restart", "homing")


def told(laptop, ha):
    """What Home Assistant knows of the machine."""
    stored = json.loads(laptop.machine.say("cat", "/var/lib/homing/homes/home/registration.json"))
    return ha.registration(stored["device_id"]).data["app_data"]


def wait_until_told(laptop, ha, url):
    wait_for(lambda: told(laptop, ha).get("push_url") == f"{url}/v1/push", 30, "Home Assistant is told of the relay")


def posted(url, body):
    """The status of a POST that Home Assistant could have made."""
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.status


def ready(machine):
    with urllib.request.urlopen(f"http://{machine.address}:8766/ready", timeout=10) as answer:
        return answer.status


def test_a_relay_beside_home_assistant_brings_a_sleeping_machine_its_notification(host, laptop, ha):
    assert host.follows(HOUSE).endswith("The relay runs.\n")
    code = host.invites(HOUSE, 2)
    join, test = host.block(HOUSE, 3).splitlines()
    assert "over plain HTTP" in laptop.answers(join.replace("CODE", code), "y")
    assert re.search(r"\d+ ms", laptop.types(test).stdout)
    wait_until_told(laptop, ha, f"http://{host.machine.address}:8765")
    # The lid is closed, a notification is sent, the lid is opened.
    laptop.machine.power_off()
    waits, posts = waiting(host.machine), host.status()["posts"]["accepted"]
    notify(ha, laptop.machine.name, "While it slept")
    wait_for(lambda: waiting(host.machine) == waits + 1, 20, "Home Assistant hands it over")
    assert host.status()["posts"]["accepted"] == posts + 1
    laptop.machine.boot()
    wait_for(lambda: shown(laptop.machine) == ["While it slept"], 60, "the notification is there")
    assert re.search(rf"^Relay +{host.machine.address}: ", laptop.machine.say("homing", "status"), re.MULTILINE)


def test_a_relay_on_a_server_is_reached_by_nginx_as_the_page_sets_it_up(host, laptop, ha):
    host.follows(SERVER)
    host.machine.write(OWN, host.block(SERVER, kind="ini"))
    install, certify, copy, *rest = lines(PAGE, SERVER, number=2)
    host.types(install)
    host.certified(certify)
    host.types(copy)
    site = copy.split()[-1]
    host.machine.write(site, host.meant(host.machine.say("cat", site)))
    for line in rest:
        host.types(line)
    code = host.invites(SERVER, 3)
    assert host.types("sudo homing-relay check").stdout.endswith("The relay runs.\n")
    closed_channel(laptop)
    join = host.block(HOUSE, 3).splitlines()[0].replace(f"http://{host.machine.address}:8765",
                                                        f"https://{host.machine.address}")
    laptop.types(join.replace("CODE", code))
    wait_until_told(laptop, ha, f"https://{host.machine.address}")
    notify(ha, laptop.machine.name, "By nginx")
    wait_for(lambda: shown(laptop.machine) == ["By nginx"], 30, "the notification is there")
    assert host.types("sudo homing-relay check").stdout.endswith("The relay runs.\n"), "it knows its proxy"


def test_a_relay_speaks_tls_itself_with_the_certificate_that_certbot_hands_over(host, laptop, ha):
    host.follows(TLS)
    host.machine.write(HOOK, block(PAGE, TLS, "sh", 2))
    host.follows(TLS, 3)
    host.machine.write(OWN, host.block(TLS, kind="ini"))
    host.types("sudo systemctl restart homing-relay")
    assert host.types("sudo homing-relay check").stdout.endswith("The relay runs.\n")
    closed_channel(laptop)
    url = f"https://{host.machine.address}:8443"
    code = host.invites(HOUSE, 2)
    laptop.types(f"sudo homing relay join {url} {code}")
    wait_until_told(laptop, ha, url)
    notify(ha, laptop.machine.name, "Over TLS")
    wait_for(lambda: shown(laptop.machine) == ["Over TLS"], 30, "the notification is there")

    served = (host.machine.address, 8443)
    first = ssl.get_server_certificate(served)
    host.renew(Certificates((host.machine.address,)))
    host.machine.run(HOOK, environment={"RENEWED_LINEAGE": host.lineage})
    host.types("sudo systemctl kill --signal=HUP homing-relay")
    wait_for(lambda: ssl.get_server_certificate(served) != first, 10, "the renewed certificate")
    host.machine.reboot()
    wait_until_active(host.machine)
    assert ssl.get_server_certificate(served) != first


def engine_of_the_page(host, release):
    """A cluster on the host's machine, as the page about the engine sets it up. Returns its URL."""
    package, program = ENGINES[release]
    host.types(f"sudo apt install {package}")
    settings, user, cluster = (block(ENGINE, "Set up the engine", "", number) for number in (1, 2, 3))
    if program == "valkey":
        user = f"{user.strip()} +waitaof\n"
    for node in NODES:
        folder = f"/srv/engine/{node}"
        text = "".join([settings.replace("2gb", "100mb"), user.replace("ACL SETUSER", "user"),
                        cluster.replace("10.0.0.21", host.machine.address), f"port {7000 + node}\ndir {folder}\n"])
        host.machine.write(f"{folder}/engine.conf", text)
        host.machine.run("systemd-run", f"--unit=engine-{node}", f"{program}-server", f"{folder}/engine.conf")
    wait_for(lambda: host.machine.say("ss", "-H", "-l", "-t", "-n").count(f"{host.machine.address}:700") == len(NODES), 20,
             "all nodes")
    create = "; ".join(lines(ENGINE, "Set up the engine")).replace("redis-cli", f"{program}-cli")
    create = re.sub(r"10\.0\.0\.2(\d):6379", rf"{host.machine.address}:700\1", create)
    host.machine.run("sh", "-c", create, input="yes\n")
    ask = "; ".join(f"{program}-cli -h {host.machine.address} -p 700{node} {words}" for node in NODES
                    for words in ("cluster info", "info replication"))

    def agree():
        said = host.machine.say("sh", "-c", ask, environment={"REDISCLI_AUTH": "OTHER"})
        return [said.count(word) for word in ("cluster_state:ok", "connected_slaves:2", "master_link_status:up")] == [9, 3, 6]

    wait_for(agree, 30, "all nodes know each other")
    return f"redis://{host.machine.address}:7001;redis://{host.machine.address}:7002"


def with_engine(host, url):
    """Writes both pages' blocks, and gives the service the password."""
    store = re.sub(r"url = .*", f"url = {url}", block(ENGINE, "Set up the relays", "ini"))
    store = re.sub(r"ca_file = .*\n", "", store)
    host.machine.write(OWN, host.block(MANY, kind="ini").replace("10.0.0.0/24", "10.77.0.0/16") + store)
    password, drop_in = "/etc/homing/engine.password", "/etc/systemd/system/homing-relay.service.d/override.conf"
    host.machine.write(password, "PASSWORD\n")
    host.machine.run("chmod", "600", password)
    host.machine.write(drop_in, f"[Service]\nLoadCredential=homing.engine_password:{password}\n")
    host.machine.run("systemctl", "daemon-reload")


def test_two_relays_of_an_association_share_their_machines(host, laptop, ha, network, packages):
    other = Host(laptop.machine)
    other.machine.address = network.far
    url = engine_of_the_page(host, packages.release)
    # In place of the balancer's address: the first relay's.
    public = f"http://{host.machine.address}:8765"
    for each in (host, other):
        each.follows(MANY)
        with_engine(each, url)
        each.types(f"sed -i 's|^public_url = .*|public_url = {public}|' {OWN}")
    shutil.copy(host.machine.root / "var/lib/homing-relay/relay.keys", other.machine.root / "root/relay.keys")
    place, = lines(PAGE, MANY, number=2)
    other.types(f"cd /root && {place.removeprefix('sudo ')}")
    for each in (host, other):
        said = each.follows(MANY, 3)
        assert "The engine, " in said and said.endswith("The relay runs.\n"), said
        assert "Warning" not in said
        wait_for(lambda: ready(each.machine) == 200, 10, "a balancer may send to it")
    closed_channel(laptop)
    code = re.search(r"^Code: (\S+)$", other.types("sudo homing-relay invite").stdout, re.MULTILINE)[1]
    laptop.types(f"sudo homing relay join {public} {code} --insecure-http")
    wait_until_told(laptop, ha, public)
    notify(ha, laptop.machine.name, "By the first")
    wait_for(lambda: shown(laptop.machine) == ["By the first"], 30, "the notification is there")
    known = told(laptop, ha)
    stored = json.loads(laptop.machine.say("cat", "/var/lib/homing/homes/home/registration.json"))
    body = {"title": "By the second", "message": "text", "push_token": known["push_token"],
            "registration_info": {"webhook_id": stored["webhook_id"], "app_id": "homing"}}
    assert posted(f"http://{other.machine.address}:8765/v1/push", body) == 201
    wait_for(lambda: shown(laptop.machine)[1:] == ["By the second"], 30, "the first relay hands over")
    assert [host.status()["posts"]["accepted"], other.status()["posts"]["accepted"]] == [1, 1]
