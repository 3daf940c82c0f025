"""The metrics of a machine with the package: the timer, its service in its sandbox, and a real node_exporter."""

import subprocess

import pytest
from homing_rigs.documents import block, command
from homing_rigs.machine import Machine
from homing_rigs.processes import wait_for
from readme import Person, lines

pytestmark = pytest.mark.skipif(not Machine.possible(), reason="needs root and systemd-nspawn")
PAGE, HEADING = "docs/fleet.md", "Metrics for Prometheus"
FOLDER = "/var/lib/prometheus/node-exporter"
FILE = f"{FOLDER}/homing.prom"
READ = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=20).read().decode(), end='')"


def is_there(machine, path):
    return machine.run("test", "-e", path, check=False).returncode == 0


def metrics(machine):
    return machine.say("cat", FILE).splitlines()


def written(machine):
    """Starts the service, and returns what the service has written. systemd refuses more than five starts in ten seconds."""
    machine.run("systemctl", "start", "homing-metrics")
    return metrics(machine)


def heads(lines):
    """The names, kinds and explanations of the metrics."""
    return [line for line in lines if line.startswith("#")]


def test_without_node_exporter_nothing_is_written_and_nothing_fails(installed):
    shown = installed.show("homing-metrics.timer", "ActiveState", "UnitFileState")
    assert shown == {"ActiveState": "inactive", "UnitFileState": "disabled"}
    installed.run("systemctl", "start", "homing-metrics")
    assert installed.say("systemctl", "--failed", "--no-legend") == ""
    assert not is_there(installed, "/var/lib/prometheus")


def test_the_service_in_its_sandbox_writes_what_the_command_prints(installed):
    machine = installed
    # As Debian's node_exporter has it: the folder is root's, in one of another user.
    machine.run("useradd", "--system", "prometheus")
    machine.run("mkdir", "-p", FOLDER)
    machine.run("chown", "prometheus:", "/var/lib/prometheus")
    # Soon after a start the daemon knows of no receiver.
    wait_for(lambda: "# TYPE homing_gpsd_receivers gauge" in machine.say("homing", "metrics").splitlines(), 60,
             "the daemon has met gpsd")
    told = written(machine)
    assert "homing_up 1" in told and 'homing_registered{home="home"} 0' in told
    assert 'homing_warning{home="home",warning="not_registered",severity="warning"} 1' in told
    assert machine.say("stat", "-c", "%A %U", FILE) == "-rw-r--r-- root"
    assert machine.say("ls", FOLDER) == "homing.prom"
    assert heads(told) == heads(machine.say("homing", "metrics").splitlines())
    assert machine.run("homing", "metrics", user="prometheus", check=False).returncode == 77
    other = command(PAGE, HEADING, "sudo homing metrics --output FILE.prom")
    Person(machine).types(other.replace("FILE", "/root/other"))
    assert "homing_up 1" in machine.say("cat", "/root/other.prom").splitlines()
    # Each minute some lines would be many.
    assert machine.say("journalctl", "--no-pager", "--quiet", "-u", "homing-metrics") == ""

    machine.run("systemctl", "stop", "homing")
    assert written(machine)[2:] == ["homing_up 0"]

    # What goes wrong is told, and fails.
    machine.run("chown", "prometheus:", FOLDER)
    assert machine.run("systemctl", "start", "homing-metrics", check=False).returncode != 0
    assert f"cannot write {FILE}.new" in machine.say("journalctl", "--no-pager", "-u", "homing-metrics")
    unit = machine.say("systemctl", "show", "--value", "--property=FragmentPath", "homing-metrics")
    assert machine.run("systemd-analyze", "verify", "--man=no", unit).stderr == ""
    assert machine.run("systemd-analyze", "security", "--threshold=15", "homing-metrics", check=False).returncode == 0


def test_node_exporter_tells_what_the_timer_writes(with_more, network, packages):
    machine = with_more("prometheus-node-exporter")
    person = Person(machine)
    install, enable = lines(PAGE, HEADING)
    assert "prometheus-node-exporter" in install and "homing-metrics.timer" in enable
    person.types(install)
    person.types(enable)
    shown = machine.show("homing-metrics.timer", "ActiveState", "UnitFileState")
    assert shown == {"ActiveState": "active", "UnitFileState": "enabled"}
    wait_for(lambda: is_there(machine, FILE), 150, "the timer has had its minute")

    def exported():
        read = [*network.prefix, "/usr/bin/python3", "-c", READ, f"http://{network.far}:9100/metrics"]
        return subprocess.run(read, check=True, text=True, stdout=subprocess.PIPE, timeout=60).stdout

    text = exported()
    assert "\nhoming_up 1\n" in text and "\nnode_textfile_scrape_error 0\n" in text
    assert f'node_textfile_mtime_seconds{{file="{FILE}"}}' in text, "the rule of the page asks for it"
    assert "homing.prom" in block(PAGE, HEADING, "yaml")

    # An upgrade keeps the timer, a removal ends it and leaves nothing that would go on saying that all is well.
    machine.run("apt-get", "-q", "-y", "install", "--reinstall", f"/packages/{packages.homing.name}", timeout=300)
    assert machine.show("homing-metrics.timer", "ActiveState", "UnitFileState") == shown and is_there(machine, FILE)
    machine.run("apt-get", "-q", "-y", "remove", "homing", timeout=300)
    assert not is_there(machine, FILE) and is_there(machine, FOLDER)
    assert machine.run("systemctl", "is-active", "homing-metrics.timer", check=False).returncode != 0
    assert "homing_up" not in exported()
