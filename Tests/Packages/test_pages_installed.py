"""What the README and the pages under docs/ have people type on a machine that has the packages, as it stands there."""

import json
import re
from urllib.parse import urlsplit

import pytest
from homing_rigs import debian_tree
from homing_rigs.documents import REPOSITORY, block, command
from homing_rigs.gps import GPSD
from homing_rigs.machine import Machine
from homing_rigs.processes import wait_for
from homing_rigs.tcp_gate import Gate
from readme import Person, lines, setup_of_a_script
from scenes import location, register, tracker

pytestmark = [pytest.mark.skipif(not Machine.possible(), reason="needs root and systemd-nspawn"),
              pytest.mark.home_assistant]
GPS_PORT = 29555
LAPTOP, PI, BOAT = "docs/getting-started-laptop.md", "docs/raspberry-pi-gps.md", "docs/boat.md"
DATA, APPLIANCE = "docs/data.md", "docs/home-assistant-os.md"
# As Home Assistant OS announces itself, here by the Avahi of the machine that searches.
ANNOUNCEMENT = """<?xml version="1.0"?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<service-group><name>Home</name><service><type>_home-assistant._tcp</type><port>{port}</port>
<txt-record>internal_url={url}</txt-record></service></service-group>
"""
# A container may not set its clock: chrony reads the receiver's, and changes nothing.
NO_CLOCK = "[Unit]\nConditionCapability=\n\n[Service]\nEnvironment=DAEMON_OPTS=-x\nEnvironmentFile=\n"


def test_the_commands_about_the_configuration(installed):
    example, check, reload = lines("docs/configuration.md", "Configuration")
    person = Person(installed)
    installed.write("/etc/homing/agent.conf", block("docs/configuration.md", "Configuration", "ini"))
    assert "#min_distance = " in person.types(example).stdout
    person.types(check)
    person.types(reload)
    wait_for(lambda: "read again" in installed.say("journalctl", "--no-pager", "-u", "homing"), 10, "it was read")
    installed.write("/etc/homing/agent.conf", "[location]\nmin_distanse = 50\n")
    wrong = person.types(check, check=False)
    assert wrong.returncode == 78 and "agent.conf:2: location.min_distanse" in wrong.stdout + wrong.stderr


def test_what_troubleshooting_begins_and_ends_with(installed):
    doctor, journal = lines("docs/troubleshooting.md", "Troubleshooting")
    person = Person(installed)
    found = person.types(doctor, check=False)
    assert found.returncode == 1 and "(not_registered)" in found.stdout, "it has not been paired yet"
    assert "What to do: run: sudo homing setup" in person.types(f"{journal} --no-pager").stdout
    report, = lines("docs/troubleshooting.md", "To ask for help")
    person.types(report, check=False)
    assert "not_registered" in installed.say("cat", "/root/homing/report.txt")


@pytest.fixture
def laptop(packages, network):
    """A machine without a receiver, on a network at home that a real NetworkManager knows."""
    debian_tree.add_downloads(packages.tree, "network-manager", ["network-manager"])
    with Machine(packages.tree, network, {"/packages": packages.folder}) as machine:
        machine.packages = packages
        machine.run("apt-get", "-q", "-y", "install", "--no-install-recommends", "network-manager", timeout=300)
        # As DHCP would tell. The route is the network's, which other machines get after this one.
        machine.run("ip", "route", "add", "default", "via", network.near)
        yield machine
        machine.run("ip", "route", "delete", "default", "via", network.near)


def test_a_laptop_gets_started_as_its_page_says(laptop, ha, packages):
    machine = laptop
    # What is recommended is half a desktop, which this laptop has already, as it were.
    machine.write("/etc/apt/apt.conf.d/90recommends", 'APT::Install-Recommends "false";\n')
    machine.run("useradd", "--create-home", "skipper")
    machine.write("/home/skipper/token", ha.token)
    machine.run("chown", "skipper", "/home/skipper/token")
    machine.run("chmod", "600", "/home/skipper/token")
    person = Person(machine, "skipper")
    install, = lines(LAPTOP, "Install")
    person.types(install)

    disable, setup = lines(LAPTOP, "Install", number=2)
    script, = lines(LAPTOP, "What setup asks")
    assert script.startswith(f"{setup} --url http://homeassistant.local:8123 --token-file token ")
    person.types(disable)
    name = f"Laptop {packages.release}"
    script = script.replace("http://homeassistant.local:8123", ha.url).replace("--name Laptop", f"--name '{name}'")
    done = person.types(script)
    assert "Homing reports to Home Assistant" in done.stdout, done.stdout + done.stderr
    person.logs_in(command(LAPTOP, "What setup asks", "loginctl enable-linger"))
    assert machine.say("loginctl", "show-user", "skipper", "--property=Linger").strip() == "Linger=yes"
    # Setup was enough: the laptop is at home by its network.
    wait_for(lambda: tracker(ha, name)["state"] == "home", 60, "home by setup alone")
    which = "Say which network is home"
    home, = lines(LAPTOP, which)
    # NetworkManager does not name the machine's cable, and Home Assistant's address is local.
    forgotten = person.types(command(LAPTOP, which, "homing network forget")).stdout
    assert "treated as home" in forgotten and "at home; gateway " not in forgotten
    assert "at home; gateway " in person.types(home).stdout
    assert "at home; gateway " in person.types(command(LAPTOP, which, "homing network")).stdout

    own, without = "/home/skipper/.config/homing/agent.conf", "A laptop without a GPS receiver"
    folder, = lines(LAPTOP, without)
    person.types(folder)
    machine.write(f"{own}.d/local.conf", block(LAPTOP, without, "ini"))
    machine.run("chown", "skipper", f"{own}.d/local.conf")
    for line in lines(LAPTOP, without, number=2):
        person.types(line)
    wait_for(lambda: tracker(ha, name)["state"] == "home", 20, "the place that was told by hand")

    status, doctor = lines(LAPTOP, "See that it works")
    assert f"{name}, encrypted" in person.types(status).stdout
    found = person.types(doctor, check=False).stdout
    assert f" {own}" in found and "✗" not in found


def test_homes_are_added_renamed_and_removed_as_their_page_says(installed, ha, packages):
    register(installed, ha, f"Villa {packages.release}")
    installed.write("/root/homing/token", ha.token)
    person = Person(installed)
    setup, listing, rename, remove = lines("docs/homes.md", "Add, list, remove")
    name = f"Cabin {packages.release}"
    # The cabin's Home Assistant: the same one here, at an address of its own.
    address = urlsplit(ha.url)
    installed.run("sh", "-c", f"echo {address.hostname} cabin.local >>/etc/hosts")
    url = f"http://cabin.local:{address.port}"
    done = person.types(f"{setup} {setup_of_a_script(url, 'token')} --name '{name}'")
    assert "Homing reports to Home Assistant" in done.stdout, done.stdout + done.stderr
    assert ["home", "cabin"] == [line.split()[0] for line in person.types(listing).stdout.splitlines()]
    person.types(rename)
    assert ["villa", "cabin"] == [line.split()[0] for line in person.types(listing).stdout.splitlines()]
    person.types("homing --home cabin send-location --zone Work")
    wait_for(lambda: tracker(ha, name)["state"] == "Work", 20, "the place in the home that was added")
    person.answers(remove, "y")
    assert ["villa"] == [line.split()[0] for line in person.types(listing).stdout.splitlines()]


def test_secret_and_token_are_sealed_as_the_page_about_security_says(with_more, ha, packages):
    machine = with_more("jq")
    machine.run("apt-get", "-q", "-y", "install", "jq")
    name = f"Sealed {packages.release}"
    register(machine, ha, name)
    stored = json.loads(machine.say("cat", "/var/lib/homing/homes/home/registration.json"))
    person = Person(machine)
    for line in lines("SECURITY.md", "Credentials"):
        person.types(line)
    machine.write("/etc/systemd/system/homing.service.d/credentials.conf", block("SECURITY.md", "Credentials", "systemd"))
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "restart", "homing")
    left = machine.say("cat", "/var/lib/homing/homes/home/registration.json")
    assert stored["webhook_id"] in left and stored["secret"] not in left and stored["auth"]["token"] not in left
    machine.run("homing", "send-location", "--zone", "Work")
    wait_for(lambda: tracker(ha, name)["state"] == "Work", 20, "what was sealed with that secret")


def test_a_raspberry_pi_is_set_up_as_its_page_says(with_more, receiver, ha, packages):
    install, = lines(PI, "The receiver")
    assert install.startswith("sudo apt install gpsd ")
    machine = with_more(*install.split()[3:])
    person = Person(machine)
    person.types(install)
    serial = command(PI, "The receiver", 'DEVICES="/dev/serial0"')
    defaults = f"{block(PI, 'The receiver', 'sh', 2)}{serial}\n"
    machine.write("/etc/default/gpsd", defaults.replace("/dev/serial0", f"udp://127.0.0.1:{GPS_PORT}"))
    person.types(command(PI, "The receiver", "sudo systemctl restart gpsd"))
    receiver.feed("goto 200")
    machine.write("/etc/hosts", "127.0.0.1 localhost\n")  # as Debian's installer does
    look = command(PI, "The receiver", "cgps")
    # The terminal gets what changes on it: of "NO FIX", the first word.
    wait_for(lambda: re.search(r"\dH3D|3D FIX", screen(machine, look)), 60, "a fix for the eye")

    machine.write("/etc/chrony/conf.d/gpsd.conf", block(PI, "The clock", "sh"))
    taken = machine.say("chronyd", "-p", "-f", "/etc/chrony/chrony.conf").splitlines()
    assert set(block(PI, "The clock", "sh").splitlines()) <= set(taken)
    machine.write("/etc/systemd/system/chrony.service.d/container.conf", NO_CLOCK)
    machine.run("systemctl", "daemon-reload")
    person.types(command(PI, "The clock", "sudo systemctl restart chrony"))
    sources = command(PI, "The clock", "chronyc sources")
    wait_for(lambda: reach(person.types(sources).stdout) > 0, 90, "chrony takes the receiver's time")

    machine.write("/etc/homing/agent.conf.d/local.conf", block(PI, "The card", "ini"))
    person.types(command(PI, "The card", "sudo systemctl restart homing"))
    check = command(PI, "The card", "sudo homing config check")
    assert person.types(check).stdout == "/etc/homing/agent.conf.d/local.conf: OK\n"
    assert person.types(command(PI, "The card", "systemctl is-active homing")).stdout.strip() == "active"
    machine.write("/root/homing/token", ha.token)
    setup, = lines(PI, "Pair it")
    name = f"Pi {packages.release}"
    done = person.types(f"{setup} {setup_of_a_script(ha.url, 'token')} --name '{name}'")
    assert "Homing reports to Home Assistant" in done.stdout
    wait_for(lambda: location(machine)["fates"]["delivered_live"] > 0, 90, "a position has arrived")

    doctor, watch = lines(PI, "See that it works")
    assert "✗" not in person.types(doctor, check=False).stdout
    watched = person.types(f"timeout 5 {watch}", check=False)
    assert watched.returncode == 124 and f"{name}, encrypted" in watched.stdout


def screen(machine, program):
    """Returns what a program shows on a terminal of 40 lines for three seconds."""
    look = f"stty rows 40 cols 100; timeout --foreground -s INT 3 {program}"
    return machine.run("script", "--quiet", "--command", look, "/dev/null", check=False,
                       environment={"TERM": "xterm"}).stdout


def reach(sources):
    """Returns the *Reach* of the source GPS in the table of `chronyc sources`, or 0."""
    rows = [line.split() for line in sources.splitlines()]
    return next((int(row[4], 8) for row in rows if row[1:2] == ["GPS"]), 0)


@pytest.fixture
def other_computer(network):
    """A receiver on a drive, and the gate by which machines of the network reach its gpsd."""
    with GPSD() as gps, Gate(gps.start().port, network.near) as gate:
        yield gps, gate


def test_a_network_becomes_metered_as_the_page_about_data_says(laptop, ha, packages):
    names = command(DATA, "Saving", "nmcli connection")
    metered = command(DATA, "Saving", "sudo nmcli connection modify")
    assert metered.split()[4] == "NAME"
    packages.install(laptop)
    person = Person(laptop)
    register(laptop, ha, f"Metered {packages.release}")
    network = next(line for line in person.types("homing status").stdout.splitlines() if line.startswith("Network"))
    assert "metered" not in network
    active = laptop.say("nmcli", "--terse", "--fields", "NAME,DEVICE", "connection", "show", "--active").splitlines()
    name, = [line.split(":")[0] for line in active if not line.endswith(":lo")]
    assert name in person.types(names).stdout
    person.types(metered.replace("NAME", f"'{name}'"))
    wait_for(lambda: ", metered" in person.types("homing status").stdout, 10, "the network is metered")


def test_a_boat_is_set_up_as_its_page_says(installed, other_computer, ha, packages):
    machine, person, (gps, gate) = installed, Person(installed), other_computer
    machine.write("/root/homing/token", ha.token)
    setup = command(BOAT, "On a boat", "sudo homing setup --name")
    name = f"Boat {packages.release}"
    assert setup.endswith(" --name Boat")
    done = person.types(f"{setup.removesuffix(' Boat')} '{name}' {setup_of_a_script(ha.url, 'token')}")
    assert "Homing reports to Home Assistant" in done.stdout, done.stdout + done.stderr

    settings = block(BOAT, "On a boat", "ini")
    assert "host = 192.168.1.20\nport = 2947\n" in settings
    machine.write("/etc/homing/agent.conf.d/local.conf",
                  settings.replace("192.168.1.20", gate.host).replace("2947", str(gate.port)))
    person.types(command(BOAT, "On a boat", "sudo systemctl reload homing"))
    gps.feed("goto 200")
    wait_for(lambda: location(machine)["fates"]["delivered_live"] > 0, 90, "a location of the other computer's receiver")
    assert tracker(ha, name)["attributes"]["gps_accuracy"] > 0

    blueprint = command(BOAT, "An anchor watch", "/usr/share/homing/blueprints/automation/homing/anchor_watch.yaml")
    shipped = REPOSITORY / "packaging" / blueprint.removeprefix("/usr/share/homing/")
    assert machine.say("cat", blueprint).strip() == shipped.read_text().strip()


def test_home_assistant_os_is_found_as_its_page_says(with_more, ha, packages):
    machine = with_more("avahi-daemon")
    machine.run("apt-get", "-q", "-y", "install", "avahi-daemon")
    machine.write("/etc/avahi/services/home-assistant.service", ANNOUNCEMENT.format(port=urlsplit(ha.url).port, url=ha.url))
    machine.write("/root/homing/token", ha.token)
    person = Person(machine)
    setup = command(APPLIANCE, "With Home Assistant OS", "sudo homing setup")
    name = f"Appliance {packages.release}"
    found = person.watches(f"{setup} --yes --token-file token --name '{name}'")
    assert "Looking for Home Assistant on this network" in found and "Homing reports to Home Assistant" in found, found
    person.types(lines("docs/fleet.md", "Take a machine out")[0])
    given = command(APPLIANCE, "With Home Assistant OS", "sudo homing setup --url")
    done = person.types(f"{given.replace('http://192.168.1.10:8123', ha.url)} --token-file token --yes --name '{name}'")
    assert "Homing reports to Home Assistant" in done.stdout, done.stdout + done.stderr
