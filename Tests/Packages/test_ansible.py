"""The role for Ansible, on three machines of both releases at once, which ansible-playbook reaches by ssh as an
administrator who may use sudo. It gets inventory, playbook and commands of docs/fleet.md."""

import concurrent.futures
import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import uuid

import pytest
import yaml
from homing_rigs import debian_tree, netns
from homing_rigs.documents import REPOSITORY, block
from homing_rigs.machine import Machine
from homing_rigs.netns import Namespace
from homing_rigs.ports import free_port, listens
from homing_rigs.processes import Child, temporary_folder, wait_for
from conftest import built, ready_to_install
from packages import HERE
from readme import lines
from scenes import status

sys.path.insert(0, str(REPOSITORY / "scripts/lib"))
import release_folder  # noqa: E402

PAGE, HEADING = "docs/fleet.md", "With Ansible"
VAN1, VAN2, OFFICE = HOSTS = ["van1.example", "van2.example", "office.example"]
RELEASES = {VAN1: "bookworm", VAN2: "trixie", OFFICE: "trixie"}
NAMES = {VAN1: "Van 1", VAN2: "Van 2", OFFICE: "Office"}
# What Ansible wants of a machine.
WANTED = ["openssh-server", "python3", "python3-apt", "sudo"]
DATE = 1795824000
REGISTRATION = "var/lib/homing/homes/home/registration.json"
pytestmark = [pytest.mark.skipif(not Machine.possible(), reason="needs root and systemd-nspawn"),
              pytest.mark.skipif(not set(RELEASES.values()) <= set(built()), reason="needs packages for both releases"),
              pytest.mark.skipif(HERE != "amd64", reason="the archive of a release is made on amd64"),
              pytest.mark.home_assistant]


class Played:
    """How a run ended: its exit code, and all that it said."""

    def __init__(self, done):
        self.code, self.said = done.returncode, done.stdout + done.stderr
        recap = self.said.rsplit("PLAY RECAP", 1)[-1]
        found = re.findall(r"^(\S+) +: ok=\d+ +changed=(\d+) +unreachable=(\d+) +failed=(\d+)", recap, re.MULTILINE)
        self.changed = {host: int(changed) for host, changed, _, _ in found}
        self.failed = {host for host, _, unreachable, failed in found if (unreachable, failed) != ("0", "0")}

    def task(self, name):
        """What it said from this task to the next."""
        after = self.said.split(f"TASK [homing : {name}]", 1)[1]
        return re.split(r"^(?:TASK|RUNNING HANDLER|PLAY) ", after, flags=re.MULTILINE)[0]


class Fleet:
    """The three machines, and who administers them."""

    def __init__(self, machines, networks, ha, archive):
        self.machines, self.ha, self.archive = machines, ha, archive
        self.folder = temporary_folder("fleet")
        self.addresses = {host: network.far for host, network in zip(HOSTS, networks)}
        self.played = []

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content if isinstance(content, str) else yaml.safe_dump(content, sort_keys=False))
        return path

    def prepare(self):
        """The files of the page, with what is different here: the addresses, and how each machine gets the package."""
        for number, name in enumerate(["fleet.yml", "site.yml"], 1):
            self.write(name, block(PAGE, HEADING, "yaml", number))
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / "key"], check=True)
        self.write("token", self.ha.token).chmod(0o600)
        self.write("known_hosts", "".join(
            f"{self.addresses[host]} {machine.say('cat', '/etc/ssh/ssh_host_ed25519_key.pub')}\n"
            for host, machine in self.machines.items()))
        for machine in self.machines.values():
            machine.write("/home/admin/.ssh/authorized_keys", (self.folder / "key.pub").read_text())
            machine.write("/etc/sudoers.d/admin", "admin ALL=(ALL) NOPASSWD: ALL\n")
        shutil.copy(self.archive.folder / "homing.asc", self.folder)
        self.write("group_vars/homing.yml", {
            "ansible_user": "admin", "ansible_ssh_private_key_file": str(self.folder / "key"),
            "homing_url": self.ha.url, "homing_apt_url": f"{self.archive.url}/apt",
            "homing_retries": 2, "homing_retry_delay": 1})
        for host in HOSTS:
            self.vary(host)

    def vary(self, host, **variables):
        """Says what is special to a machine, and nothing else."""
        package = {VAN2: str(self.archive.package), OFFICE: f"{self.archive.url}/{self.archive.package.name}"}.get(host)
        ways = {"homing_package": package, "homing_apt_url": ""} if package else {}
        if host == OFFICE:
            ways["homing_package_checksum"] = self.archive.checksum
        self.write(f"host_vars/{host}.yml", {"ansible_host": self.addresses[host], **ways, **variables})

    def play(self, *words, line=None, pipelining=True):
        """Runs the page's line that changes things, or another one, and has it say all there is to be said. With pipelining
        it takes half the time."""
        command = line or lines(PAGE, HEADING)[1]
        done = subprocess.run(["sh", "-c", f'{command} -vvv "$@"', "sh", *map(str, words)], cwd=self.folder, text=True,
                              capture_output=True, timeout=600, stdin=subprocess.DEVNULL, env={
                                  "PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8", "ANSIBLE_NOCOLOR": "1",
                                  "ANSIBLE_PIPELINING": str(pipelining),
                                  "ANSIBLE_ROLES_PATH": str(REPOSITORY / "packaging/ansible/roles"),
                                  "ANSIBLE_SSH_ARGS": "-F none -o ControlMaster=auto -o ControlPersist=60s "
                                                      f"-o UserKnownHostsFile={self.folder}/known_hosts"})
        self.played.append(Played(done))
        return self.played[-1]

    def devices(self):
        """The names of Home Assistant's devices, by the identity that each machine has."""
        found = self.ha.command("config/device_registry/list")
        every = {identifier[1]: device["name"] for device in found for identifier in device["identifiers"]
                 if identifier[0] == "mobile_app"}
        own = {self.registration(host)["device_id"] for host in HOSTS if self.has_homing(host)}
        return {identity: name for identity, name in every.items() if identity in own}

    def registration(self, host):
        return json.loads(self.machines[host].say("homing", "registration", "--json", "--home", "home"))

    def has_homing(self, host):
        return self.machines[host].run("test", "-e", "/usr/bin/homing", check=False).returncode == 0

    def reloads(self, host):
        """How often the daemon has read its configuration again, and which process it is."""
        machine = self.machines[host]
        return machine.say("journalctl", "--no-pager", "-u", "homing").count("read again"), machine.show("homing", "MainPID")


class Archive:
    """A release's archive for apt, and a package beside it, on a server of this side."""

    def __init__(self, packages, network, key):
        self.folder = temporary_folder("archive") / "served"
        self.folder.mkdir()
        self.package = packages.homing
        shutil.copy(self.package, self.folder)
        self.checksum = f"sha256:{hashlib.sha256(self.package.read_bytes()).hexdigest()}"
        self.port = free_port()
        self.url = f"http://{network.near}:{self.port}"
        release = release_folder.Release(packages.field("Version"), key, self.url, "https://homing.invalid", DATE, "")
        (self.folder / "homing.asc").write_bytes(release_folder.gpg(release, "--armor", "--export", key))
        release_folder.make_archive(self.folder, release)
        self.server = Child(["/usr/bin/python3", "-m", "http.server", self.port, "--bind", network.near,
                             "--directory", self.folder], self.folder.parent / "log")
        wait_for(lambda: listens(self.port, network.near), 20, "the server is up")


def boot(host, network):
    """A machine with what Ansible wants, and an administrator."""
    packages = ready_to_install(RELEASES[host])
    debian_tree.add_downloads(packages.tree, "-".join(WANTED), WANTED)
    machine = Machine(packages.tree, network)
    machine.boot()
    machine.run("apt-get", "-q", "-y", "install", "--no-install-recommends", *WANTED, timeout=300)
    machine.run("useradd", "--create-home", "--shell", "/bin/sh", "admin")
    # sudo looks its name up.
    machine.run("sh", "-c", "echo 127.0.1.1 $(hostname) >>/etc/hosts")
    return machine


@pytest.fixture(scope="module")
def fleet(network, ha, key):
    """Three machines without Homing."""
    with contextlib.ExitStack() as ends:
        networks = [network, *(ends.enter_context(Namespace()) for _ in HOSTS[1:])]
        for other in networks[1:]:
            # Home Assistant and the archive listen at the first one's address.
            netns.ip("-n", other.name, "route", "add", network.near, "via", other.near)
        with concurrent.futures.ThreadPoolExecutor() as at_once:
            machines = dict(zip(HOSTS, at_once.map(boot, HOSTS, networks)))
        for machine in machines.values():
            ends.callback(machine.stop)
        archive = Archive(ready_to_install(RELEASES[VAN1]), network, key)
        ends.callback(archive.server.stop)
        fleet = Fleet(machines, networks, ha, archive)
        fleet.prepare()
        yield fleet


@pytest.fixture(scope="module")
def set_up(fleet):
    """The same after the first run, which is `fleet.first`: as Ansible does it where nothing is said of pipelining."""
    fleet.first = fleet.play(pipelining=False)
    return fleet


def test_a_check_changes_nothing_on_machines_without_the_package(fleet):
    looked = fleet.play(line=lines(PAGE, HEADING)[0])
    assert looked.code == 0 and all(looked.changed[host] > 0 for host in HOSTS), looked.said
    for host, machine in fleet.machines.items():
        assert not fleet.has_homing(host)
        assert machine.run("test", "-e", "/etc/apt/sources.list.d/homing.sources", check=False).returncode == 1


def test_a_package_at_an_address_must_have_its_checksum(fleet):
    for checksum, said in (("", "homing_package is a URL without a checksum"), (f"sha256:{'0' * 64}", "checksum")):
        fleet.vary(OFFICE, homing_package_checksum=checksum)
        refused = fleet.play("--limit", OFFICE)
        assert refused.code != 0 and refused.failed == {OFFICE} and said in refused.said, refused.said
        assert not fleet.has_homing(OFFICE)
    fleet.vary(OFFICE)


def test_one_run_makes_three_devices_with_names_and_identities_of_their_own(set_up):
    assert set_up.first.code == 0 and all(set_up.first.changed[host] > 0 for host in HOSTS), set_up.first.said
    assert sorted(set_up.devices().values()) == sorted(NAMES.values())
    for host, machine in set_up.machines.items():
        assert set_up.devices()[set_up.registration(host)["device_id"]] == NAMES[host]
        shown = machine.show("homing", "ActiveState", "UnitFileState")
        assert shown == {"ActiveState": "active", "UnitFileState": "enabled"}
        home, = status(machine)["homes"]
        assert home["registration"]["device_name"] == NAMES[host] and home["registration"]["encrypted"]
        assert machine.say("cat", "/etc/homing/agent.conf.d/50-fleet.conf").endswith("[location]\nmin_distance = 50")
        timer = machine.show("homing-metrics.timer", "ActiveState", "UnitFileState")
        assert (timer["ActiveState"] == "active") == (timer["UnitFileState"] == "enabled") == (host == OFFICE)


def test_a_second_run_and_a_check_change_nothing_and_need_no_token(set_up):
    for line in (lines(PAGE, HEADING)[1], lines(PAGE, HEADING)[0]):
        again = set_up.play("-e", "homing_token_file=", line=line)
        assert again.code == 0 and again.changed == dict.fromkeys(HOSTS, 0), again.said


def test_a_changed_configuration_is_read_by_its_machine_alone(set_up):
    before = {host: set_up.reloads(host) for host in HOSTS}
    set_up.vary(VAN1, homing_configuration={"location": {"min_distance": 70}, "gpsd": {"enabled": False},
                                            "sensors": {"disable": ["cpu_usage", "cpu_temperature"]}})
    done = set_up.play()
    assert done.code == 0 and done.changed[VAN1] > 0 and done.changed[VAN2] == done.changed[OFFICE] == 0, done.said
    times, process = before[VAN1]
    wait_for(lambda: set_up.reloads(VAN1) == (times + 1, process), 10, "the configuration was read again")
    assert [set_up.reloads(host) for host in HOSTS[1:]] == [before[host] for host in HOSTS[1:]]
    written = set_up.machines[VAN1].say("cat", "/etc/homing/agent.conf.d/50-fleet.conf")
    assert written.endswith("[location]\nmin_distance = 70\n\n[gpsd]\nenabled = false\n\n"
                            "[sensors]\ndisable = cpu_usage;cpu_temperature")


def test_a_wrong_configuration_is_told_and_not_written(set_up):
    file = "/etc/homing/agent.conf.d/50-fleet.conf"
    before, reloads = set_up.machines[VAN1].say("cat", file), set_up.reloads(VAN1)
    # Right by itself, and wrong beside a file of the machine.
    set_up.machines[VAN1].write("/etc/homing/agent.conf.d/10-mine.conf", "[location]\nmax_age = 60\n")
    set_up.vary(VAN1, homing_configuration={"location": {"batch": 100}})
    done = set_up.play("--limit", VAN1)
    assert done.code != 0 and done.failed == {VAN1} and "100 is not below max_age, which is 60" in done.said, done.said
    assert set_up.machines[VAN1].say("cat", file) == before and set_up.reloads(VAN1) == reloads
    assert set_up.machines[VAN1].say("find", "/run", "-maxdepth", "1", "-name", "homing-check*") == ""
    set_up.machines[VAN1].run("rm", "/etc/homing/agent.conf.d/10-mine.conf")


def test_metrics_that_are_switched_off_leave_no_old_ones(set_up):
    machine, file = set_up.machines[OFFICE], "/var/lib/prometheus/node-exporter/homing.prom"
    machine.write(file, "homing_up 1\n")
    set_up.vary(OFFICE, homing_metrics=False)
    done = set_up.play("--limit", OFFICE)
    assert done.code == 0 and done.changed == {OFFICE: 2}, done.said
    assert machine.show("homing-metrics.timer", "ActiveState", "UnitFileState") == {
        "ActiveState": "inactive", "UnitFileState": "disabled"}
    assert machine.run("test", "-e", file, check=False).returncode == 1
    set_up.vary(OFFICE)
    assert set_up.play("--limit", OFFICE).changed == {OFFICE: 1}


def test_another_name_renames_the_device(set_up):
    set_up.vary(VAN2, homing_device_name="Van Two")
    looked = set_up.play(line=lines(PAGE, HEADING)[0])
    assert looked.changed[VAN2] == 1, looked.said
    done = set_up.play("--limit", VAN2)
    assert done.code == 0 and done.changed == {VAN2: 1}, done.said
    assert set_up.devices()[set_up.registration(VAN2)["device_id"]] == "Van Two"
    set_up.vary(VAN2)
    assert set_up.play("--limit", VAN2).changed == {VAN2: 1}


@pytest.fixture
def unregistered(set_up):
    """The fleet, of which one machine has lost its registration. It gets it back."""
    set_up.machines[VAN2].run("homing", "unregister", "--yes")
    yield set_up
    done = set_up.play("--limit", VAN2)
    assert done.changed == {VAN2: 1} and set_up.registration(VAN2)["device_name"] == NAMES[VAN2], done.said


def test_a_wrong_token_is_told_without_the_token_and_not_tried_again(unregistered):
    token = f"wrong-{uuid.uuid4().hex}"
    unregistered.write("wrong", token).chmod(0o600)
    done = unregistered.play("--limit", VAN2, "-e", "homing_token_file=wrong")
    assert done.code != 0 and done.failed == {VAN2}, done.said
    assert "does not accept the token" in done.task("Say why the machine is not registered"), done.said
    assert "RETRYING" not in done.said and token not in done.said
    assert files_with(token, unregistered.machines[VAN2]) == []


def test_a_home_assistant_that_does_not_answer_is_tried_again(unregistered, network):
    nowhere = f"{network.near}:{free_port()}"
    done = unregistered.play("--limit", VAN2, "-e", f"homing_url=http://{nowhere}")
    assert done.code != 0 and done.failed == {VAN2} and done.said.count("FAILED - RETRYING") == 2, done.said
    assert f"{nowhere} refuses the connection" in done.task("Say why the machine is not registered"), done.said


def test_a_token_that_is_not_there_is_told(unregistered):
    done = unregistered.play("--limit", VAN2, "-e", "homing_token_file=nowhere")
    assert done.code != 0 and "nowhere" in done.task("Say why the machine is not registered"), done.said


def files_with(secret, machine):
    """The files that a machine has written, on its disk and in memory, in which the words are."""
    seen = {machine.folder / "upper": "", machine.root / "run": "run/", machine.root / "tmp": "tmp/",
            machine.root / "dev/shm": "dev/shm/"}
    found = []
    for folder, name in seen.items():
        options = ["--recursive", "--files-with-matches", "--text", "--fixed-strings", "--devices=skip"]
        done = subprocess.run(["grep", *options, secret, "."], cwd=folder, capture_output=True, text=True)
        found += [name + path.removeprefix("./") for path in done.stdout.splitlines()]
    return found


def test_the_token_is_in_homings_registration_and_nowhere_else(set_up):
    token = set_up.ha.token
    assert set_up.first in set_up.played and not [done for done in set_up.played if token in done.said]
    for machine in set_up.machines.values():
        assert files_with(token, machine) == [REGISTRATION]
        # The journal compresses what is long.
        assert token not in machine.say("journalctl", "--no-pager", "--all", "--output=verbose")
    # No file with the command's input was there for a moment: it came by the connection.
    task = set_up.first.task("Run homing setup")
    assert "EXEC" in task and "PUT" not in task, task
    assert "PUT" in set_up.first.task("Make the folder of the configuration")


def test_a_second_home_is_added_once(set_up):
    cabin = json.dumps({"homing_home": "cabin", "homing_device_name": "Cabin", "homing_setup_options": ["--new"]})
    for changed in (1, 0):
        done = set_up.play("--limit", OFFICE, "-e", cabin)
        assert done.code == 0 and done.changed == {OFFICE: changed}, done.said
    assert homes(set_up.machines[OFFICE]) == {"home": "Office", "cabin": "Cabin"}


def homes(machine):
    """The device of each home."""
    return {home["name"]: home["device_name"] for home in json.loads(machine.say("homing", "homes", "--json"))["homes"]}


def test_a_machine_is_taken_out_of_service(set_up):
    identity = set_up.registration(OFFICE)["device_id"]
    machine, line = set_up.machines[OFFICE], lines(PAGE, HEADING)[2]
    looked = set_up.play("--check", line=line)
    assert looked.code == 0 and looked.changed[OFFICE] > 0 and set_up.registration(OFFICE)["device_id"] == identity
    every = homes(machine)
    done = set_up.play(line=line)
    assert done.code == 0 and list(done.changed) == [OFFICE], done.said
    told = done.task("Say what is left to do in Home Assistant")
    for home in every:
        assert f"{OFFICE}, {home}: The registration is deleted" in told, told
    assert machine.run("dpkg-query", "-W", "homing", check=False).returncode == 1
    for path in ("/usr/bin/homing", "/var/lib/homing", "/var/cache/homing", "/etc/homing"):
        assert machine.run("test", "-e", path, check=False).returncode == 1, path
    again = set_up.play(line=line)
    assert again.code == 0 and again.changed == {OFFICE: 0}, again.said
    for host in HOSTS[:2]:
        assert set_up.machines[host].show("homing", "ActiveState") == {"ActiveState": "active"}
    assert sorted(set_up.devices().values()) == ["Van 1", "Van 2"]
