"""A disk that was moved to another machine, and disks that were copied, against a real Home Assistant. The daemon sees network
interfaces of another machine where a test says so; all else is this machine."""

import json
import shutil
import socket

import pytest
from homing_rigs.processes import wait_for

QUIET = "[gpsd]\nenabled = false\n"
# Where the tests run in a container, the machine id decides.
MOUNT = """mount --bind "$0/net" /sys/class/net && for file in /etc/machine-id /var/lib/dbus/machine-id; do
[ ! -e "$file" ] || mount --bind "$0/machine-id" "$file" || exit; done; exec "$@"
"""


@pytest.fixture
def hardware(tmp_path):
    """Has an agent see the hardware of the machine of that name; its daemon from its next start on."""
    def use(agent, name):
        interface = tmp_path / name / "net/eth0"
        if not interface.exists():
            (interface / "device").mkdir(parents=True)
            (interface / "device/modalias").write_text("pci:v00008086d000015B8\n")
            (interface / "addr_assign_type").write_text("0\n")
            (interface / "address").write_text(f"02:00:00:00:00:{len(name):02x}\n")
            (tmp_path / name / "machine-id").write_text(f"{len(name):032x}\n")
        agent.put_before_all("unshare", "--mount", "sh", "-c", MOUNT, str(tmp_path / name))
        return agent

    return use


def warned(agent):
    return {warning["code"] for warning in agent.status()["warnings"]} & {"another_machine", "image_copy"}


def copy_disk(source, target):
    shutil.copytree(source.state, target.state, dirs_exist_ok=True)


def zone_of(ha, agent):
    return ha.state(ha.tracker_of(agent.registration["device_id"]))["state"]


def stop_with_a_row(agent, web, ha, *words):
    """Registers the agent with the words, and stops it while a row waits that cannot be sent."""
    agent.start()
    agent.register(web.instance.url, ha.token, *words)
    web.instance.mode("refuse")
    agent.homing("send-location", "--zone", "Work", check=False, timeout=90)
    assert agent.queue()["queued"] == 1
    agent.stop()


def test_a_moved_disk_sends_nothing_until_a_person_says_that_this_machine_took_the_place(newest, make_agent, hardware):
    agent = hardware(make_agent(QUIET), "a").start()
    agent.register(newest.url, newest.token)
    agent.homing("send-location", "--zone", "Work")
    agent.wait_until_empty()
    identity = agent.registration["device_id"]
    agent.stop()
    hardware(agent, "other").start()
    assert warned(agent) == {"another_machine"}
    hint = next(each for each in agent.status()["warnings"] if each["code"] == "another_machine")["hint"]
    assert "homing registration keep" in hint and "homing register --new" in hint
    assert "another machine was registered" in agent.homing("registration").stdout
    assert "the registration is another machine's: nothing is sent" in agent.homing("status").stdout
    assert "registration keep" in agent.homing("doctor", check=False).stdout
    sent = agent.homing("send-location", "--zone", "School", "--unknown-zone", check=False)
    assert agent.queue()["queued"] == 1, sent
    for words in (["template", "{{ 1 }}"], ["register", "--again"], ["setup", "--if-needed", "--json"]):
        refused = agent.homing(*words, check=False)
        assert refused.returncode == 76 and "another machine" in refused.stderr and refused.stdout == "", refused
    agent.stop()
    agent.start()
    assert warned(agent) == {"another_machine"} and agent.queue()["queued"] == 1
    assert zone_of(newest, agent) == "Work"
    assert "keeps the registration" in agent.homing("registration", "keep").stdout
    agent.wait_until_empty()
    assert zone_of(newest, agent) == "School" and warned(agent) == set()
    agent.stop()
    agent.start()
    assert warned(agent) == set() and agent.registration["device_id"] == identity
    agent.assert_books_balance()


def test_a_disk_that_comes_back_to_its_machine_goes_on_by_itself(newest, make_agent, hardware):
    agent = hardware(make_agent(QUIET), "a").start()
    agent.register(newest.url, newest.token)
    agent.stop()
    hardware(agent, "other").start()
    assert warned(agent) == {"another_machine"}
    agent.stop()
    hardware(agent, "a").start()
    assert warned(agent) == set()
    agent.homing("send-location", "--zone", "Work")
    agent.wait_until_empty()


def test_a_copy_that_becomes_another_device_sends_nothing_of_the_first_machine(newest, web, make_agent, hardware):
    first, second = hardware(make_agent(QUIET), "a"), make_agent(QUIET)
    stop_with_a_row(first, web, newest, "--name", "First")
    copy_disk(first, second)
    hardware(second, "other").start()
    web.instance.mode("ok")
    second.homing("send-location", "--zone", "School", "--unknown-zone", check=False)
    assert second.queue()["queued"] == 2 and warned(second) == {"another_machine"}
    second.homing("register", "--new")
    second.wait_until_empty()
    assert warned(second) == set()
    assert second.registration["device_name"] == socket.gethostname().split(".")[0], "the new device has this machine's name"
    # The row of the first machine was dropped here, and the row of this machine was sent.
    assert (second.fate("expired"), second.fate("delivered_live")) == (1, 1), second.queue()
    second.assert_books_balance()
    first.start()
    first.wait_until_empty()
    assert (zone_of(newest, first), zone_of(newest, second)) == ("Work", "School")


def test_each_copy_of_a_marked_image_becomes_a_device_by_itself_and_the_marked_machine_stays(
        newest, web, make_agent, hardware):
    first = hardware(make_agent(QUIET), "a")
    stop_with_a_row(first, web, newest)
    identity = first.registration["device_id"]
    said = first.homing("image", "prepare").stdout
    assert "keep the image secret" in said, said
    copies = [make_agent(QUIET), make_agent(QUIET)]
    for copy, name in zip(copies, ("other", "another")):
        copy_disk(first, copy)
        hardware(copy, name).start()
        assert warned(copy) == {"image_copy"} and copy.queue()["queued"] == 0
    web.instance.mode("ok")
    for copy in copies:
        # The next try comes a minute after the first at the latest.
        wait_for(lambda: copy.registration["device_id"] != identity, 150, "a device of its own")
        wait_for(lambda: copy.registration["auth"].get("made_by_homing"), 30, "a token of its own")
        copy.homing("send-location", "--zone", "School", "--unknown-zone")
    assert len({agent.registration["device_id"] for agent in [first, *copies]}) == 3
    assert len({agent.registration["auth"]["token"] for agent in [first, *copies]}) == 3
    first.start()
    assert warned(first) == set() and first.registration["device_id"] == identity
    for agent in [first, *copies]:
        agent.wait_until_empty()
        agent.assert_books_balance()
    assert zone_of(newest, first) == "Work"
    assert {zone_of(newest, copy) for copy in copies} == {"School"}
    # A copy is no image any more.
    copies[0].stop()
    hardware(copies[0], "yet-another").start()
    assert warned(copies[0]) == {"another_machine"}
    copies[0].homing("registration", "keep")
    gone = json.loads(copies[0].homing("unregister", "--yes", "--json").stdout)
    assert gone["token"] == "revoked" and "Settings, Devices" in gone["text"], gone


def test_a_moved_disk_is_told_apart_without_a_daemon_too(newest, web, make_agent, hardware):
    first, second = hardware(make_agent(QUIET), "a"), make_agent(QUIET)
    stop_with_a_row(first, web, newest)
    web.instance.mode("ok")
    copy_disk(first, second)
    hardware(second, "other")
    # The daemon alone opens the queue, in which the first machine's row waits.
    for words in (["register", "--new"], ["unregister", "--yes"], ["setup", "--if-needed", "--no-service"]):
        refused = second.homing(*words, check=False)
        assert refused.returncode == 76 and "another machine" in refused.stderr, refused
    second.start()
    ended = json.loads(second.homing("unregister", "--yes", "--json").stdout)
    assert ended["token"] == "given" and second.queue()["queued"] == 0
    second.register(web.instance.url, newest.token)
    assert second.fate("expired") == 1 and second.fate("delivered_live") == 0
    first.start()
    first.wait_until_empty()


def test_a_copy_that_a_script_registers_before_its_first_start_is_one_device(newest, make_agent, hardware):
    first, second = hardware(make_agent(QUIET), "a"), make_agent(QUIET)
    first.homing("image", "prepare")
    copy_disk(first, second)
    hardware(second, "other")
    words = ["setup", "--if-needed", "--json", "--no-service", "--url", newest.url, "--token-file", "-"]
    assert json.loads(second.homing(*words, input=newest.token).stdout)["changed"]
    identity = second.registration["device_id"]
    second.start()
    assert warned(second) == set() and second.registration["device_id"] == identity
    second.homing("send-location", "--zone", "Work")
    second.wait_until_empty()
    # The disks keep the image's machine id: by this id, all copies would be one device.
    third = hardware(make_agent(QUIET), "other")
    copy_disk(first, third)
    assert json.loads(third.homing(*words, input=newest.token).stdout)["changed"]
    assert third.registration["device_id"] != identity


def test_a_copy_that_does_not_show_its_machine_does_not_start_and_registers_nothing(newest, make_agent, hardware, tmp_path):
    first, second = hardware(make_agent(QUIET), "a"), hardware(make_agent(QUIET), "other")
    first.register(newest.url, newest.token)
    first.homing("image", "prepare")
    copy_disk(first, second)
    shown = tmp_path / "other/machine-id"
    known, interface = shown.read_text(), tmp_path / "other/net/eth0/addr_assign_type"
    shown.write_text("")
    interface.write_text("3\n")
    refused = second.homing("register", "--again", check=False)
    assert refused.returncode == 1 and "does not show whether it is a copy" in refused.stderr, refused
    second.begin_start()
    wait_for(lambda: not second.alive, 40, "the daemon gives up")
    assert second.stop() == 1 and "sudo systemd-machine-id-setup" in second.log_text()
    other = second.homing("image", "prepare", check=False)
    assert other.returncode == 1 and "--undo" in other.stderr, other
    assert second.registration == first.registration and (second.state / "image.json").exists()
    shown.write_text(known)
    interface.write_text("0\n")
    second.start()
    wait_for(lambda: second.registration["device_id"] != first.registration["device_id"], 90, "a device of its own")


def test_a_registered_copy_that_a_command_finds_first_takes_nothing_of_the_marked_machine(newest, make_agent, hardware):
    first, second = hardware(make_agent(QUIET), "a"), make_agent(QUIET)
    first.register(newest.url, newest.token)
    first.homing("image", "prepare")
    copy_disk(first, second)
    hardware(second, "other")
    kept = second.homing("registration", "keep", check=False)
    assert kept.returncode == 76 and "copy of an image" in kept.stderr, kept
    second.homing("register", "--again")
    assert second.registration["device_id"] != first.registration["device_id"]
    # The mark is for the copies that are made before the next start.
    first.start()
    assert warned(first) == set()
    third = make_agent(QUIET)
    copy_disk(first, third)
    hardware(third, "another").start()
    assert warned(third) == {"another_machine"}


def mobile_apps(ha):
    """Returns the ids of all registrations, also of those that other tests left in this Home Assistant."""
    return {entry["entry_id"] for entry in ha.command("config_entries/get", domain="mobile_app")}


def block_storing(agent):
    """Nothing can replace the registration any more."""
    (agent.home / "registration.json.new/x").mkdir(parents=True)


def unblock_storing(agent):
    shutil.rmtree(agent.home / "registration.json.new")


def test_what_cannot_be_stored_makes_no_second_device_and_loses_nothing(newest, web, make_agent, hardware):
    first, second = hardware(make_agent(QUIET), "a"), make_agent(QUIET)
    stop_with_a_row(first, web, newest)
    web.instance.mode("ok")
    copy_disk(first, second)
    hardware(second, "other").start()
    second.homing("send-location", "--zone", "School", "--unknown-zone", check=False)
    successor = second.registration["machine"]["successor"]
    block_storing(second)
    before = mobile_apps(newest)
    for _ in range(2):
        failed = second.homing("register", "--new", "--name", "Copy", check=False)
        assert failed.returncode == 1 and "not stored" in failed.stderr, failed
    assert (second.fate("expired"), second.queue()["queued"]) == (0, 2)
    second.kill()
    second.start()
    assert warned(second) == {"another_machine"} and second.queue()["queued"] == 2
    unblock_storing(second)
    second.homing("register", "--new", "--name", "Copy")
    assert second.registration["device_id"] == successor
    second.wait_until_empty()
    assert (second.fate("expired"), second.fate("delivered_live")) == (1, 1)
    assert len(mobile_apps(newest) - before) == 1


def test_a_copy_that_cannot_store_its_registration_stays_one_device(newest, web, make_agent, hardware):
    first, second = hardware(make_agent(QUIET), "a").start(), make_agent(QUIET)
    first.register(web.instance.url, newest.token)
    first.homing("image", "prepare")
    copy_disk(first, second)
    web.instance.mode("refuse")
    hardware(second, "other").start()
    successor = second.registration["machine"]["successor"]
    block_storing(second)
    web.instance.mode("ok")
    wait_for(lambda: "registered, but not stored" in second.log_text(), 150, "a registration that cannot be stored")
    assert warned(second) == set(), "it is in use until the end"
    second.homing("send-location", "--zone", "Work")
    second.wait_until_empty()
    assert second.registration["machine"]["successor"] == successor
    unblock_storing(second)
    second.stop()
    second.start()
    wait_for(lambda: second.registration["device_id"] == successor, 150, "the same device")
    second.homing("send-location", "--zone", "School", "--unknown-zone")
    second.wait_until_empty()


def test_a_disk_that_lost_its_mark_makes_no_device_by_itself(newest, make_agent, hardware):
    first, second = hardware(make_agent(QUIET), "a").start(), make_agent(QUIET)
    first.register(newest.url, newest.token)
    first.homing("image", "prepare")
    assert "no mark" in first.homing("image", "prepare", "--undo").stdout
    copy_disk(first, second)
    hardware(second, "other").start()
    assert warned(second) == {"another_machine"}
    assert second.registration["device_id"] == first.registration["device_id"]
