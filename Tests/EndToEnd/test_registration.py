"""`homing register` and `unregister`, against real Home Assistants and against what is none."""

import json
import os
import re
import shutil
import stat
import subprocess
import threading
import time

import pytest
from agent import BINARIES
from faults.flight import Control
from homing_rigs.processes import free_port, wait_for

QUIET = "[gpsd]\nenabled = false\n"
CHANNEL = QUIET + "[push]\nmode = always\n"


def test_registering_delivers_the_first_fix_sealed(ha, recorder, gps, bus, make_agent):
    agent = make_agent(f"[gpsd]\nport = {gps.port}\n[log]\nlevel = debug\n", bus.environment).start()
    done = agent.register(recorder.url, ha.token)
    assert "encrypted" in done.stdout and "HomeNet is home" in done.stdout
    # UPower has answered by now: a fix does not wait for it.
    gps.start(speed=1, time="now")

    def told():
        return [each.data for each in recorder.commands(agent.registration["secret"]) if each.type == "update_location"]

    wait_for(told, 60, "the first fix")
    assert told()[0]["battery"] == 80, agent.log.read_text()
    # The device may have a place by an earlier test: all that run on this machine have the same id.
    tracker = ha.tracker_of(agent.registration["device_id"])
    wait_for(lambda: ha.state(tracker)["state"] == "home", 60, "the tracker to be home")
    attributes = ha.state(tracker)["attributes"]
    assert attributes["battery_level"] == 80 and attributes["gps_accuracy"] >= 1
    wait_for(lambda: agent.fate("delivered_live") >= 1, 60, "the receipt")
    assert recorder.sealed_violations() == []


def test_a_registration_right_after_the_start_waits_for_network_manager(newest, bus, make_agent):
    bus.freeze()
    thaw = threading.Timer(2.5, bus.thaw)
    thaw.start()
    agent = make_agent(QUIET, bus.environment).start()
    done = agent.register(newest.url, newest.token)
    thaw.join()
    assert "HomeNet is home" in done.stdout


def test_the_device_is_named_after_the_machine_and_its_id_is_not_the_machine_id(newest, make_agent):
    agent = make_agent().start()
    agent.register(newest.url, newest.token)
    registration = agent.registration
    assert registration["device_id"] != open("/etc/machine-id").read().strip()
    assert len(registration["device_id"]) == 32
    data = newest.registration(registration["device_id"]).data
    assert data["os_version"] and data["manufacturer"] and data["model"] and data["supports_encryption"]
    assert data["app_data"] == {"push_websocket_channel": True}
    assert stat.S_IMODE((agent.home / "registration.json").stat().st_mode) == 0o600


def test_registering_works_without_a_daemon_which_then_finds_it(newest, bus, make_agent):
    agent = make_agent(environment=bus.environment)
    done = agent.register(newest.url, newest.token)
    assert "HomeNet is home" in done.stdout
    agent.start()
    wait_for(lambda: agent.status()["registration"]["home_assistant_version"] == newest.version, 60, "get_config")
    assert agent.status()["network"]["at_home"]


def test_a_daemon_that_starts_during_a_registration_has_the_same_device(newest, web, make_agent):
    agent = make_agent(QUIET)
    web.instance.mode("freeze")
    command = subprocess.Popen(
        [BINARIES / "homing", "--config", agent.configuration, "register", "--new", "--name", "Late copy", "--url",
         web.instance.url, "--token-file", "-"], stdin=subprocess.PIPE, env=agent.environment, text=True)
    command.stdin.write(newest.token)
    command.stdin.close()
    wait_for(lambda: web.instance.connections >= 1, 30, "the registration")
    agent.start()
    assert not (agent.home / "registration.json").exists(), "the daemon was there before the registration"
    web.instance.mode("ok", cut=False)
    assert command.wait(60) == 0
    assert [each.data["device_name"] for each in newest.registrations()].count("Late copy") == 1
    assert agent.status()["registration"]["device_name"] == "Late copy"


@pytest.mark.parametrize("source", ["file", "standard input", "variable"])
def test_more_than_a_token_is_refused(newest, make_agent, tmp_path, source):
    token, agent = tmp_path / "token", make_agent()
    words = ["register", "--url", newest.url]

    def register(text):
        token.write_text(text)
        if source == "file":
            return agent.homing(*words, "--token-file", token, check=False), str(token)
        if source == "variable":
            agent.environment["HOMING_TOKEN"] = text
            return agent.homing(*words, check=False), "HOMING_TOKEN"
        return agent.homing(*words, "--token-file", "-", check=False, input=text), "the standard input"
    for text, said, hint in ((f"{newest.token}\n# of the van\n", "holds 5 words", "give the token alone"),
                             ("\n", "is empty", "make a long-lived access token")):
        refused, name = register(text)
        assert refused.returncode == 64 and f"{name} {said}" in refused.stderr and hint in refused.stderr, refused
    # As editors of other systems write a file.
    assert register(f"\ufeff{newest.token}\r\n")[0].returncode == 0


def test_a_networks_name_forges_no_line_and_a_devices_name_has_none(newest, bus, make_agent):
    bus.wifi("Cafe\nnotice: Resolved: all is well", "02:00:00:00:09:01")
    agent = make_agent(environment=bus.environment).start()
    forged = agent.homing("register", "--url", newest.url, "--token-file", "-", "--name", "Van\nResolved: x",
                          input=newest.token, check=False)
    assert forged.returncode == 64 and "the device's name has a line end" in forged.stderr
    done = agent.register(newest.url, newest.token, "--home-network")
    assert "The network Cafe" in done.stdout and "\nnotice:" not in done.stdout
    wait_for(lambda: "Cafe" in agent.log_text(), 30, "the network in the log")
    assert "\nnotice: Resolved: all is well" not in agent.log_text()


def test_again_keeps_identity_and_queue_and_needs_no_token_for_the_same_address(newest, web, make_agent):
    agent = make_agent().start()
    agent.register(web.instance.url, newest.token)
    first = agent.registration
    web.instance.mode("refuse")
    agent.homing("send-location", "--zone", "Work", timeout=60)
    assert agent.queue()["queued"] == 1
    assert agent.homing("register", "--url", newest.url, "--token-file", "-", input=newest.token,
                        check=False).returncode == 64
    refused = agent.homing("register", "--again", "--url", newest.url, check=False)
    assert refused.returncode == 64 and "no token given for this address" in refused.stderr
    agent.homing("register", "--again", "--url", newest.url, "--token-file", "-", input=newest.token)
    second = agent.registration
    agent.wait_until_empty()
    tracker = newest.tracker_of(first["device_id"])
    wait_for(lambda: newest.state(tracker)["state"] == "Work", 30, "the queued zone")
    agent.homing("register", "--again")
    third = agent.registration
    assert first["device_id"] == second["device_id"] == third["device_id"]
    assert len({registration["webhook_id"] for registration in (first, second, third)}) == 3
    agent.homing("send-location", "--zone", "home")
    wait_for(lambda: newest.state(tracker)["state"] == "home", 30, "the zone after that")


def test_a_queue_outlives_two_registrations_in_a_row(newest, web, make_agent):
    agent = make_agent("[gpsd]\nenabled = false\n").start()
    agent.register(web.instance.url, newest.token)
    first = agent.registration
    web.instance.mode("refuse")
    agent.homing("send-location", "--zone", "Work", timeout=60)
    agent.stop()  # so that nothing is delivered between the two
    agent.homing("register", "--again", "--url", newest.url, "--token-file", "-", input=newest.token)
    agent.homing("register", "--again")
    assert agent.registration["device_id"] == first["device_id"]
    agent.start()
    agent.wait_until_empty()
    tracker = newest.tracker_of(first["device_id"])
    wait_for(lambda: newest.state(tracker)["state"] == "Work", 30, "the queued zone")


def test_a_tracker_keeps_its_zone_when_the_registration_is_replaced(ha, make_agent):
    """2024.3.3 and 2025.4.4 keep no zone over a reload, but the centre that went along."""
    agent = make_agent("[gpsd]\nenabled = false\n").start()
    agent.register(ha.url, ha.token)
    agent.homing("send-location", "--zone", "Work")
    tracker = ha.tracker_of(agent.registration["device_id"])
    wait_for(lambda: ha.state(tracker)["state"] == "Work", 30, "the zone")
    agent.wait_until_empty()
    agent.homing("register", "--again")
    seen = {ha.state(tracker)["state"] for _ in range(50) if not time.sleep(0.1)}
    assert "Work" in seen and seen <= {"Work", "unavailable"}
    agent.homing("send-location", "--zone", "home")
    wait_for(lambda: ha.state(tracker)["state"] == "home", 30, "the zone that is told next")


@pytest.mark.parametrize("has_daemon", [False, True])
def test_a_copy_of_the_disk_takes_no_device_of_another_name(newest, make_agent, has_daemon):
    sbc, copy = make_agent(QUIET).start(), make_agent(QUIET)
    copy.takes_over = False
    if has_daemon:
        copy.start()

    def register(*words):
        return copy.homing("register", "--url", newest.url, "--token-file", "-", *words, input=newest.token, check=False)
    sbc.register(newest.url, newest.token, "--name", "sbc [1]")
    tracker = newest.tracker_of(sbc.registration["device_id"])
    refused = register("--name", "Laptop")
    assert refused.returncode == 73 and "identity already: sbc [1]" in refused.stderr, refused
    both = register("--name", "Laptop", "--new", "--take-over")
    assert both.returncode == 64 and "exclude each other" in both.stderr
    assert "add --new" in refused.stderr and "add --take-over" in refused.stderr
    assert not (copy.home / "registration.json").exists()
    sbc.homing("send-location", "--zone", "Work")
    wait_for(lambda: newest.state(tracker)["state"] == "Work", 30, "the location of the first machine")
    # A copy becomes a device of its own, and the first machine keeps its device.
    assert register("--name", "Laptop", "--new").returncode == 0
    assert copy.registration["device_id"] != sbc.registration["device_id"]
    sbc.homing("send-location", "--zone", "home")
    wait_for(lambda: newest.state(tracker)["state"] == "home", 30, "the location of the first machine")
    copy.homing("unregister", "--yes")
    # The machine itself, after a purge: under its name, or renamed by a person who says so.
    assert register("--name", "sbc [1]").returncode == 0
    copy.homing("unregister", "--yes")
    assert register("--name", "Laptop").returncode == 73
    assert register("--name", "Laptop", "--take-over").returncode == 0
    assert copy.registration["device_id"] == sbc.registration["device_id"]


def test_a_device_that_another_machine_took_is_not_taken_back_without_a_word(newest, make_agent):
    sbc = make_agent("[home_assistant]\nreregister = auto\n[gpsd]\nenabled = false\n").start()
    sbc.register(newest.url, newest.token, "--name", "sbc")
    copy = make_agent(QUIET)
    copy.register(newest.url, newest.token, "--name", "Laptop", "--take-over")
    # Home Assistant says that a registration is gone from its next start on. Before, it says nothing.
    newest.restart()
    sbc.homing("send-location", "--zone", "Work")
    wait_for(lambda: "identity already: Laptop" in sbc.log_text(), 60, "the reason in the journal")
    copy.start()
    copy.homing("send-location", "--zone", "home")
    copy.wait_until_empty(60)
    assert newest.registration(copy.registration["device_id"]).data["device_name"] == "Laptop"


def test_a_machine_that_was_renamed_registers_again_without_a_question(newest, make_agent):
    agent = make_agent(QUIET).start()
    agent.register(newest.url, newest.token, "--name", "sbc", "--take-over")
    agent.takes_over = False
    identity = agent.registration["device_id"]
    agent.homing("registration", "update", "--name", "Van")
    agent.homing("register", "--again")
    agent.homing("register", "--again", "--name", "Camper")
    agent.homing("register", "--again")
    assert agent.registration["device_id"] == identity and agent.registration["device_name"] == "Camper"
    agent.homing("unregister", "--yes")
    agent.register(newest.url, newest.token, "--name", "Camper")
    assert agent.registration["device_id"] == identity


def test_a_device_that_is_disabled_and_renamed_is_known_too(newest, make_agent):
    sbc, copy = make_agent(QUIET), make_agent(QUIET)
    sbc.register(newest.url, newest.token, "--name", "sbc")
    copy.takes_over = False
    devices = newest.command("config/device_registry/list")
    (ours,) = (each["id"] for each in devices if ["mobile_app", sbc.registration["device_id"]] in each["identifiers"])
    newest.command("config/device_registry/update", device_id=ours, disabled_by="user", name_by_user="My Boat")
    try:
        refused = copy.homing("register", "--url", newest.url, "--token-file", "-", "--name", "Laptop", input=newest.token,
                              check=False)
        assert refused.returncode == 73 and "identity already: My Boat" in refused.stderr, refused
    finally:
        newest.command("config/device_registry/update", device_id=ours, disabled_by=None, name_by_user=None)
    assert copy.homing("register", "--url", newest.url, "--token-file", "-", "--name", "SBC", input=newest.token).stdout


def test_a_wrong_token_is_used_once(newest, web, make_agent):
    """Home Assistant counts each use towards a ban of this machine's address (`ip_ban`)."""
    agent = make_agent(QUIET).start()
    agent.takes_over = False
    before = web.instance.connections
    refused = agent.homing("register", "--url", web.instance.url, "--token-file", "-", input="x" * 40, check=False)
    assert refused.returncode == 76 and "does not accept the token" in refused.stderr
    assert web.instance.connections == before + 1


def test_a_device_that_home_assistant_had_already_is_told(newest, make_agent):
    agent = make_agent()
    # Who says --take-over knows of the device.
    agent.takes_over = False
    words = ["register", "--url", newest.local_url, "--token-file", "-", "--name", f"Had {agent.folder.name}"]
    agent.homing(*words, "--take-over", input=newest.token)
    told = "Home Assistant had this device already. If another daemon or machine used the device, its registration has ended."
    assert told not in agent.homing(*words, "--again", input=newest.token).stdout, "the registration was this machine's"
    agent.homing("unregister", "--yes")
    assert told in agent.homing(*words, input=newest.token).stdout


def test_unregister_forgets(newest, make_agent):
    agent = make_agent().start()
    agent.register(newest.url, newest.token)
    agent.homing("unregister", "--yes")
    assert not (agent.home / "registration.json").exists()
    assert agent.homing("unregister", check=False).returncode == 66
    assert agent.homing("send-location", check=False).returncode == 66
    agent.stop()
    assert agent.homing("unregister", check=False).returncode == 66


def test_a_registration_that_was_deleted_is_replaced_by_itself_and_the_queue_follows(newest, make_agent):
    agent = make_agent("[home_assistant]\nreregister = auto\n[gpsd]\nenabled = false\n").start()
    agent.register(newest.url, newest.token)
    first = agent.registration
    agent.homing("send-location", "--zone", "Work")
    newest.restart()  # 2024.3 cannot delete what has replaced an earlier registration since its start
    newest.delete_mobile_app(first["device_id"])
    newest.restart()
    agent.homing("send-location", "--zone", "home")
    wait_for(lambda: agent.registration["webhook_id"] != first["webhook_id"], 60, "another registration")
    assert agent.registration["device_id"] == first["device_id"]
    agent.wait_until_empty(60)
    tracker = newest.tracker_of(first["device_id"])
    wait_for(lambda: newest.state(tracker)["state"] == "home", 30, "the queued zone")
    assert all(warning["code"] != "gone" for warning in agent.status()["warnings"])
    # The registration was replaced: the deleted registration did not come back.
    log = agent.log_text()
    assert "No longer reported: The registration was deleted in Home Assistant\n" in log
    assert "Resolved: Home Assistant has this registration" not in log


def test_two_registrations_at_one_time_are_refused(newest, web, make_agent):
    agent = make_agent("[gpsd]\nenabled = false\n").start()
    web.instance.mode("timeout")
    words = [BINARIES / "homing", "register", "--url", web.instance.url, "--token-file", "-"]
    first = subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=agent.environment, text=True)
    first.stdin.write(newest.token)
    first.stdin.close()
    wait_for(lambda: web.instance.connections >= 1, 30, "the first to ask")
    control = Control(agent.runtime / "control.sock")
    with pytest.raises(AssertionError, match="being registered"):
        control.call("register", url=newest.url, token=newest.token, token_is_own=False, again=False, new=False,
                     allow_unencrypted=False, allow_plain_http=False)
    control.close()
    # The command waits for the other command.
    second = subprocess.Popen([*words[:2], "--url", newest.url, "--token-file", "-", "--take-over"], stdin=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=agent.environment, text=True)
    second.stdin.write(newest.token)
    second.stdin.close()
    assert second.stderr.readline().endswith("another command registers this machine: waiting for that command\n")
    web.instance.mode("refuse")
    assert (first.wait(60), second.wait(60)) == (69, 0)


def test_a_stored_secret_that_is_no_key_is_warned_of(newest, make_agent):
    agent = make_agent("[gpsd]\nenabled = false\n")
    agent.register(newest.url, newest.token)
    file = agent.home / "registration.json"
    file.write_text(json.dumps({**agent.registration, "secret": "no key"}))
    agent.start()
    warning = agent.status()["warnings"][0]
    assert warning["code"] == "registration_unusable" and "register --again" in warning["hint"]
    assert "Queued" in agent.homing("send-location", "--zone", "Work").stdout
    agent.homing("register", "--again")
    agent.wait_until_empty()


def test_two_daemons_on_one_registration_are_warned_of_on_both_and_one_becomes_another_device(newest, make_agent):
    """A memory card was copied: each tells its own place, and the map shows both in turn."""
    first, second = make_agent(QUIET), make_agent(QUIET)
    first.register(newest.url, newest.token)
    shutil.copy(first.home / "registration.json", second.home / "registration.json")
    identity = first.registration["device_id"]
    first.start()
    second.start()
    end = time.monotonic() + 240
    while not (shared(first) and shared(second)):
        assert time.monotonic() < end, "both are warned of the other"
        first.homing("send-location", "--zone", "Work")
        second.homing("send-location", "--zone", "School", "--unknown-zone")
        time.sleep(5)
    warning = next(each for each in first.status()["warnings"] if each["code"] == "registration_shared")
    assert "homing register --new" in warning["hint"]
    assert "--new" in first.homing("doctor", check=False).stdout
    second.homing("register", "--new", "--name", "Copy")
    assert second.registration["device_id"] != identity == first.registration["device_id"]
    assert not shared(second)
    first.homing("send-location", "--zone", "Work")
    second.homing("send-location", "--zone", "School", "--unknown-zone")
    for agent, zone in ((first, "Work"), (second, "School")):
        agent.wait_until_empty()
        tracker = newest.tracker_of(agent.registration["device_id"])
        wait_for(lambda: newest.state(tracker)["state"] == zone, 30, "each device at its own place")


def test_two_daemons_that_wait_for_notifications_on_one_registration_are_warned_of_on_both(ha, make_agent):
    """Neither tells a place. Home Assistant hands notifications to the later one, and tells the other nothing."""
    first, second = make_agent(CHANNEL), make_agent(CHANNEL)
    first.start()
    first.register(ha.local_url, ha.token)
    await_channel(first)
    # The doctor has the mark put there at once, and looked at.
    first.homing("doctor", check=False)
    shutil.copy(first.home / "registration.json", second.home / "registration.json")
    second.start()
    await_channel(second)
    slug = re.sub(r"[^a-z0-9]+", "_", first.registration["device_name"].lower()).strip("_")
    for number in range(3):
        ha.post(f"/api/services/notify/mobile_app_{slug}", {"message": f"number {number}"})
    wait_for(lambda: second.status()["push"]["shown"] == 3, 20, "the later one to get them all")
    assert first.status()["push"]["shown"] == 0 and first.status()["push"]["state"] == "open"
    end = time.monotonic() + 150
    while not (shared(first) and shared(second)):
        assert time.monotonic() < end, "both are warned of the other"
        for agent in (first, second):
            agent.homing("doctor", check=False)
        time.sleep(11)
    for agent in (first, second):
        assert "another machine uses this registration" in agent.homing("status").stdout
        assert "--new" in agent.homing("doctor", check=False).stdout
    # Neither has taken the channel back from the other.
    subscriptions = [agent.log_text().count("notifications: connected by") for agent in (first, second)]
    assert subscriptions == [1, 1], subscriptions
    second.homing("register", "--new", "--name", "Copy")
    assert not shared(second)
    await_channel(second)


def test_a_daemon_that_starts_again_and_again_is_not_taken_for_two(newest, make_agent):
    agent = make_agent(CHANNEL)
    agent.start()
    agent.register(newest.local_url, newest.token)
    for _ in range(5):
        await_channel(agent)
        agent.homing("doctor", check=False)
        time.sleep(11)
        agent.homing("doctor", check=False)
        agent.kill()
        agent.start()
    assert not shared(agent) and "another daemon" not in agent.log_text()


def await_channel(agent):
    wait_for(lambda: agent.status()["push"]["state"] == "open", 30, "the channel")


def shared(agent):
    return any(warning["code"] == "registration_shared" for warning in agent.status()["warnings"])


def refusal(agent, url, token="x" * 20, *words):
    done = agent.homing("register", "--url", url, "--token-file", "-", *words, input=token, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize("words", [["unregister", "--yes"], ["image", "prepare"]])
def test_other_changes_wait_for_a_registration_without_a_daemon(newest, web, make_agent, words):
    agent = make_agent(QUIET)
    agent.register(web.instance.url, newest.token)
    before = web.instance.connections
    web.instance.mode("timeout")
    command = [BINARIES / "homing", "--config", agent.configuration]
    first = subprocess.Popen([*command, "register", "--again"], env=agent.environment, stderr=subprocess.DEVNULL)
    wait_for(lambda: web.instance.connections > before, 30, "the registration")
    second = subprocess.Popen([*command, *words], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              env=agent.environment)
    assert second.stderr.readline().endswith("another command registers this machine: waiting for that command\n")
    web.instance.mode("refuse")
    assert (first.wait(60), second.wait(60)) == (69, 0)


# Name of a file that the queue of an earlier version may have.
EARLIER = "outbox.db.conf"
# Commands that change the state folder without a daemon; each with whether the folder has the mark of an image.
CHANGES_WITHOUT_DAEMON = {
    "keep": (False, ["registration", "keep"]), "keep-copy": (True, ["registration", "keep"]),
    "register": (False, ["register", "--url", "http://127.0.0.1:9", "--token-file", "-"]),
    "register-copy": (True, ["register", "--url", "http://127.0.0.1:9", "--token-file", "-"]),
    "prepare-copy": (True, ["image", "prepare"]),
}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act for another user")
@pytest.mark.parametrize("is_image, words", CHANGES_WITHOUT_DAEMON.values(), ids=CHANGES_WITHOUT_DAEMON)
def test_a_link_of_the_daemons_user_leads_root_no_further_than_that_user(make_agent, is_image, words):
    agent = make_agent(QUIET)
    agent.folder.chmod(0o755)
    if is_image:
        (agent.state / "image.json").write_text(json.dumps({"version": 1, "traits": {"hardware": [], "system": "0" * 32}}))
    roots = agent.folder / "etc"
    roots.mkdir()
    (roots / "passwd").write_text("kept")
    (agent.state / "homes").mkdir()
    (agent.state / "homes/home").symlink_to(roots)
    (agent.state / EARLIER).write_text("planted")
    subprocess.run(["chown", "--recursive", "--no-dereference", "65534:65534", agent.state], check=True)
    done = agent.homing(*words, input="token", check=False)
    assert done.returncode == 77 and f"{roots.name}" not in done.stdout and "Permission denied" in done.stderr, done
    assert [(each.name, each.read_text()) for each in roots.iterdir()] == [("passwd", "kept")]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act for another user")
def test_the_doctor_of_root_opens_no_device_by_a_link_of_the_daemons_user(make_agent, tmp_path):
    agent = make_agent(QUIET)
    agent.folder.chmod(0o755)
    secret = agent.folder / "secret"
    secret.write_text("home")
    secret.chmod(0o600)
    (agent.state / "first-home").symlink_to(secret)
    subprocess.run(["chown", "--recursive", "--no-dereference", "65534:65534", agent.state], check=True)
    trace = tmp_path / "trace"
    for words in (["doctor"], ["registration"], ["config", "check"], ["register", "--url", "http://127.0.0.1:9", "--token-file", "-"]):
        command = ["strace", "-f", "-o", trace, "-e", "trace=openat", BINARIES / "homing", "--config", agent.configuration, *words]
        subprocess.run(command, env=agent.environment, input="token", text=True, capture_output=True, timeout=60)
        opened = [line for line in trace.read_text().splitlines() if "first-home" in line]
        assert opened and all("EACCES" in line for line in opened), words


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act for another user")
def test_what_root_stores_belongs_to_the_daemons_user(newest, make_agent):
    agent = make_agent(QUIET)
    agent.folder.chmod(0o755)
    os.chown(agent.state, 65534, 65534)
    agent.register(newest.url, newest.token)
    kept = [agent.state, *agent.state.rglob("*")]
    assert len(kept) > 3 and {(each.stat().st_uid, each.stat().st_gid) for each in kept} == {(65534, 65534)}
    agent.homing("unregister", "--yes")
    assert not (agent.home / "registration.json").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act for another user")
@pytest.mark.parametrize("words", [["registration"], ["doctor"]], ids=lambda words: words[0])
def test_a_root_that_may_not_change_its_user_ends(make_agent, words):
    agent = make_agent(QUIET)
    os.chown(agent.state, 65534, 65534)
    bound = ["setpriv", "--bounding-set", "-setuid,-setgid", BINARIES / "homing", "--config", agent.configuration]
    done = subprocess.run([*bound, *words], env=agent.environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 77 and f"cannot act as the owner of {agent.state}: Operation not permitted" in done.stderr, done


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act for another user")
def test_the_daemon_of_root_refuses_the_folder_of_another_user(make_agent):
    agent = make_agent(QUIET)
    os.chown(agent.state, 65534, 65534)
    done = subprocess.run([BINARIES / "homingd", "--config", agent.configuration], env=agent.environment, capture_output=True,
                          text=True, timeout=60)
    assert done.returncode == 77 and f"{agent.state} belongs to another user" in done.stderr, done
    assert not list(agent.state.iterdir())


def test_each_error_says_what_to_do(newest, web, make_agent):
    agent = make_agent().start()
    code, text = refusal(agent, f"http://127.0.0.1:{free_port()}")
    assert code == 69 and "refuses the connection" in text and "Home Assistant is running" in text
    code, text = refusal(agent, newest.url)
    assert code == 76 and "401" in text and "long-lived access token" in text
    code, text = refusal(agent, web.remote_ui.url, newest.token)
    assert code == 69 and "ca_file" in text
    web.instance.mode("portal-html")
    code, text = refusal(agent, web.instance.url, newest.token)
    assert code == 76 and "not Home Assistant" in text
    web.instance.mode("portal-302")
    code, text = refusal(agent, web.instance.url, newest.token)
    assert code == 76 and "redirects" in text
    web.instance.mode("404")
    code, text = refusal(agent, web.instance.url, newest.token)
    assert code == 76 and "not Home Assistant" in text
    web.instance.mode("503")
    code, text = refusal(agent, web.instance.url, newest.token)
    assert code == 69 and "503" in text
    code, text = refusal(agent, "http://198.51.100.7:8123", newest.token)
    assert code == 64 and "unencrypted" in text and "--allow-plain-http" in text
    code, text = refusal(agent, "ftp://x", newest.token)
    assert code == 64
    assert refusal(agent, newest.url, " \n")[0] == 64
    assert not (agent.home / "registration.json").exists()


def test_a_ca_of_ones_own_is_trusted_when_it_is_named(newest, web, make_agent):
    agent = make_agent(f"[home_assistant]\nca_file = {web.certificates.ca}\n").start()
    agent.register(web.remote_ui.url, newest.token)
    assert agent.registration["instance_url"] == web.remote_ui.url
