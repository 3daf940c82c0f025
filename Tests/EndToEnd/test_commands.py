"""What a person or a script on the machine does with one command, against real Home Assistants."""

import json
import os
import subprocess
import time

import pytest
from agent import BINARIES
from homing_rigs.processes import free_port, wait_for

pytestmark = pytest.mark.ends

ONLY_COMMANDS = "[gpsd]\nenabled = false\n"
# Each that asks the daemon, with arguments that are right.
COMMANDS = [
    ["event", "t"], ["call", "light.turn_on"], ["tag", "x"], ["say", "hello"], ["template", "x"], ["zones"],
    ["camera", "camera.x"], ["config", "home-assistant"], ["registration", "update"], ["registration", "encrypt"],
]
WRONG = [
    (["event"], "TYPE"), (["event", "x" * 65], "64"), (["event", "t", "x"], "name=value"),
    (["event", "t", "homing_id=1"], "homing_id"), (["event", "t", "--expires", "0"], "--expires"),
    (["event", "t", "a=1", "--data", "{}"], "--data"), (["event", "t", "--data", "[1]"], "JSON object"),
    (["event", "t", "a=1", "a=2"], "twice"), (["call"], "DOMAIN.SERVICE"), (["call", "light"], "light.turn_on"),
    (["call", "Light.on"], "light.turn_on"), (["call", "a.b.c"], "light.turn_on"), (["call", "a.b", "c"], "name=value"),
    (["template"], "TEXT"), (["template", "x", "--variable", "n"], "name=value"), (["tag"], "ID"),
    (["tag", "x" * 256], "255"), (["say"], "TEXT"), (["say", ""], "nothing to say"), (["camera"], "ENTITY"),
    (["registration", "update", "--name", ""], "255"), (["zones", "x"], "surplus"),
    (["track", "--since", "soon"], "2026-11-21"), (["track", "--format", "kml"], "gpx"),
    (["track", "--since", "1h", "--until", "2h"], "later"),
]


@pytest.fixture
def registered(ha, recorder, make_agent):
    """An agent that is registered through a recorder."""
    agent = make_agent(ONLY_COMMANDS).start()
    agent.register(recorder.url, ha.token)
    wait_for(lambda: agent.status()["registration"]["home_assistant_version"] == ha.version, 20, "the first session")
    return agent


def code(agent, *words, **options):
    """The exit code, and what was said on standard output and error."""
    done = agent.homing(*words, check=False, **options)
    return done.returncode, done.stdout + done.stderr


def sent(recorder, agent, kind):
    """What was sent of one command, opened."""
    return [command for command in recorder.commands(agent.registration["secret"]) if command.type == kind]


# Events

def test_an_event_arrives_once_with_its_data_and_its_name(ha, registered):
    with ha.events("van_alarm") as events:
        done = registered.homing("event", "van_alarm", "door=rear", "battery=11.8", "--wait", "--json")
        event = events.wait(seconds=10)
        result = json.loads(done.stdout)
        assert result["outcome"] == "delivered"
        assert event["data"] == {"door": "rear", "battery": 11.8, "homing_id": result["homing_id"],
                                 "homing_fired_at": event["data"]["homing_fired_at"],
                                 "device_id": registered.registration["device_id"]}
        assert abs(event["data"]["homing_fired_at"] - time.time()) < 10 and len(result["homing_id"]) == 32
        assert "Delivered" in registered.homing("event", "van_alarm", "--data", '{"list": [1]}', "--wait").stdout
        assert registered.homing("event", "van_alarm", "--data", "-", input='{"in": true}').stdout.startswith("Queued")
        assert [e["data"].get("list") or e["data"].get("in") for e in events.wait(count=3)[1:]] == [[1], True]
        registered.wait_until_empty()
        assert len(events.all()) == 3
    registered.assert_books_balance()


def test_events_wait_for_a_way_in_order_over_a_restart_unless_they_expire(ha, web, make_agent):
    agent = make_agent(ONLY_COMMANDS).start()
    agent.register(web.instance.url, ha.token)
    web.instance.mode("refuse")
    began = time.monotonic()
    status, text = code(agent, "event", "trip", "n=0", "--wait", "--expires", "3")
    assert status == 75 and "not sent" in text and 2 < time.monotonic() - began < 20
    for number in (1, 2):
        agent.homing("event", "trip", f"n={number}")
    agent.homing("event", "trip", "n=3", "--expires", "1")
    assert agent.queue("events")["queued"] == 3
    time.sleep(1.5)
    agent.kill()
    with ha.events("trip") as events:
        web.instance.mode("ok")
        agent.start()
        assert [event["data"]["n"] for event in events.wait(count=2, seconds=40)] == [1, 2]
        wait_for(lambda: agent.queue("events")["queued"] == 0, 20, "the queue of events to be empty")
        assert len(events.all()) == 2 and agent.queue("events")["fates"]["expired"] == 2
    agent.assert_books_balance()


def test_whoever_waits_for_an_event_is_told_when_there_is_a_way_again_or_the_daemon_ends(newest, web, make_agent):
    agent = make_agent(ONLY_COMMANDS).start()
    agent.register(web.instance.url, newest.token)
    web.instance.mode("refuse")
    command = [BINARIES / "homing", "event", "late", "--wait"]
    first = subprocess.Popen(command, env=agent.environment, stdout=subprocess.PIPE, text=True)
    wait_for(lambda: agent.queue("events")["queued"] == 1, 10, "the event in the queue")
    time.sleep(3)
    assert first.poll() is None
    web.instance.mode("ok")
    agent.homing("send-location", "--zone", "Work")
    assert first.wait(30) == 0 and "Delivered" in first.stdout.read()
    web.instance.mode("refuse")
    second = subprocess.Popen(command, env=agent.environment, stdout=subprocess.PIPE, text=True)
    wait_for(lambda: agent.queue("events")["queued"] == 1, 10, "the event in the queue")
    agent.stop()
    assert second.wait(10) == 75 and "Queued" in second.stdout.read()


# Services

def test_a_service_is_called_once_and_its_failure_is_told(ha, recorder, registered):
    with ha.events("call_service") as events:
        done = registered.homing("call", "persistent_notification.create", "message=All is well", "notification_id=n1")
        event = events.wait(lambda event: event["data"]["domain"] == "persistent_notification", seconds=10)
    assert done.stdout == "Done.\n"
    assert event["data"]["service_data"] == {"message": "All is well", "notification_id": "n1"}
    status, text = code(registered, "call", "light.no_such_service", "a=1")
    assert status == 76 and "light.no_such_service" in text and "log" in text
    assert code(registered, "call", "persistent_notification.create", "wrong=1")[0] == 76
    assert len(sent(recorder, registered, "call_service")) == 3
    assert json.loads(registered.homing("call", "persistent_notification.dismiss", "--data", '{"notification_id": "n1"}',
                                        "--json").stdout) == {"outcome": "done"}
    assert recorder.sealed_violations() == []


def test_a_call_without_an_answer_is_not_sent_again(newest, recorder, make_agent):
    agent = make_agent(ONLY_COMMANDS).start()
    agent.register(recorder.url, newest.token)
    wait_for(lambda: agent.status()["registration"]["home_assistant_version"], 20, "the first session")
    recorder.upstream_port = free_port()
    status, text = code(agent, "call", "light.turn_on")
    assert status == 75 and "outcome unknown" in text
    status, text = code(agent, "tag", "x")
    assert status == 75 and "outcome unknown" in text
    assert [len(sent(recorder, agent, kind)) for kind in ("call_service", "scan_tag")] == [1, 1]
    recorder.upstream_port = newest.port
    time.sleep(3)
    assert len(sent(recorder, agent, "call_service")) == 1


def test_what_asks_goes_on_to_the_next_way_and_what_acts_does_if_it_cannot_have_arrived(newest, web, bus, make_agent):
    newest.cloud.offer(web.cloudhook.url, web.remote_ui.url)
    agent = make_agent(f"[home_assistant]\nca_file = {web.certificates.ca}\n{ONLY_COMMANDS}", bus.environment).start()
    agent.register(web.instance.url, newest.token)
    web.cloudhook.set_webhook(agent.registration["webhook_id"])
    wait_for(lambda: agent.status()["endpoints"][0]["current"], 20, "the first session")
    web.instance.mode("refuse")
    assert agent.homing("call", "persistent_notification.create", "message=x").stdout == "Done.\n"
    newest.post("/api/states/camera.door", {"state": "idle", "attributes": {"supported_features": 0}})
    assert agent.homing("camera", "camera.door").stdout.startswith(web.remote_ui.url + "/api/")
    hosts = json.loads(agent.homing("config", "home-assistant", "--json").stdout)
    assert hosts["cloudhook_url"] == hosts["remote_ui_url"] == "localhost"
    for front in (web.cloudhook, web.remote_ui):
        front.mode("portal-html")
    status, text = code(agent, "template", "{{ 1 }}")
    assert status == 69 and "instance URL" in text and "cloudhook" in text


# Questions

def test_templates_are_rendered_with_variables_and_types(ha, registered):
    assert registered.homing("template", "{{ 6 * n }}", "--variable", "n=7").stdout == "42\n"
    assert registered.homing("template", "-", input="{{ states('zone.home') }}\nä").stdout.endswith("\nä\n")
    value = registered.homing("template", "{{ [1, 'a', x.k] }}", "--variable", 'x={"k": null}', "--json").stdout
    assert json.loads(value) == [1, "a", None]
    status, text = code(registered, "template", "{{ 1 / }}")
    assert status == 76 and "TemplateSyntaxError" in text
    status, text = code(registered, "template", "{{ nonsense() }}")
    assert status == 76 and "nonsense" in text


def test_a_zone_must_be_one_of_home_assistant_s(ha, make_agent):
    agent = make_agent("[gpsd]\nenabled = false\n").start()
    agent.register(ha.url, ha.token)
    tracker = ha.tracker_of(agent.registration["device_id"])

    def send(*words):
        done = agent.homing("send-location", "--zone", *words, check=False)
        return done.returncode, done.stdout + done.stderr

    status, text = send("Wrok")
    assert status == 64 and 'no zone "Wrok"' in text and 'did you mean "Work"?' in text and "--unknown-zone" in text
    assert agent.queue()["queued"] == 0 and ha.state(tracker)["state"] != "Wrok"
    for zone, state, ids in (("work", "Work", ["zone.work"]), ("home", "home", ["zone.home"]),
                             ("zone.work", "Work", ["zone.work"]), ("not_home", "not_home", [])):
        assert send(zone)[0] == 0
        wait_for(lambda state=state: ha.state(tracker)["state"] == state, 20, state)
        # A zone that was sent by its name leaves the attribute empty.
        if ha.version.startswith("2026."):
            assert ha.state(tracker)["attributes"]["in_zones"] == ids
    assert send("Wrok", "--unknown-zone")[0] == 0
    wait_for(lambda: ha.state(tracker)["state"] == "Wrok", 20, "the zone that is none")


def test_a_zone_is_reported_unchecked_where_home_assistant_has_told_none(newest, web, make_agent):
    agent = make_agent("[gpsd]\nenabled = false\n").start()
    agent.register(web.instance.url, newest.token)
    agent.stop()
    web.instance.mode("refuse")
    agent.start()
    text = agent.homing("send-location", "--zone", "Anywhere").stdout
    assert "was not checked" in text and "Queued" in text


def test_zones_tell_which_one_we_are_in_and_how_far_the_others_are(ha, gps, make_agent):
    agent = make_agent(f"[gpsd]\nport = {gps.port}\n").start()
    agent.register(ha.url, ha.token)
    assert "distances are not known" in agent.homing("zones").stdout
    gps.start(speed=1, time="now")
    wait_for(lambda: agent.fate("delivered_live") >= 1, 30, "a position")
    text = agent.homing("zones").stdout
    report = json.loads(agent.homing("zones", "--json").stdout)
    home, work = report["zones"]
    assert home["name"] == "Rig Home" and home["current"] and home["distance"] < 200
    assert work["entity_id"] == "zone.work" and not work["current"] and work["distance"] > 3000
    assert "*  Rig Home" in text and "in Rig Home" in text and " km" in text


def test_home_assistant_tells_of_itself(ha, registered):
    text = registered.homing("config", "home-assistant").stdout
    assert ha.version in text and "Rig Home" in text and "Europe/Amsterdam" in text and "Units" in text
    reply = json.loads(registered.homing("config", "home-assistant", "--json").stdout)
    assert reply["version"] == ha.version and "mobile_app" in reply["components"]
    secret = registered.registration["secret"]
    assert secret not in text and secret not in json.dumps(reply)


def test_a_camera_is_named_by_whole_addresses(ha, recorder, registered):
    status, text = code(registered, "camera", "camera.none")
    assert status == 76 and "camera.none" in text
    ha.post("/api/states/camera.door", {"state": "idle", "attributes": {"supported_features": 0}})
    assert registered.homing("camera", "camera.door").stdout \
        == f"{recorder.url}/api/camera_proxy_stream/camera.door\n"
    assert json.loads(registered.homing("camera", "camera.door", "--json").stdout)["mjpeg_url"].startswith("http://")


# Acts

def test_a_tag_is_scanned(ha, registered):
    with ha.events("tag_scanned") as events:
        assert "Delivered" in registered.homing("tag", "fridge").stdout
        assert events.wait(seconds=10)["data"]["tag_id"] == "fridge"


def test_a_conversation_goes_on_until_another_is_begun(ha, recorder, registered):
    status, text = code(registered, "say", "colour", "the", "moon", "green")
    assert status == 76 and text.strip(), "Home Assistant answers that it does not understand"
    first = sent(recorder, registered, "conversation_process")[-1]
    assert first.data["text"] == "colour the moon green" and "conversation_id" not in first.data
    code(registered, "say", "and the sun", "--language", "en", "--json")
    second = sent(recorder, registered, "conversation_process")[-1]
    assert second.data.get("conversation_id") == first.reply["conversation_id"] and second.data["language"] == "en"
    code(registered, "say", "--new", "hello")
    assert "conversation_id" not in sent(recorder, registered, "conversation_process")[-1].data
    ha.post("/api/states/light.kitchen", {"state": "on", "attributes": {"friendly_name": "Kitchen"}})
    status, text = code(registered, "say", "--new", "--json", "what time is it")
    assert json.loads(text)["response_type"] in ("query_answer", "error", "action_done")


# The registration

def test_the_registration_is_shown_without_its_secrets_with_and_without_a_daemon(newest, bus, make_agent):
    agent = make_agent(ONLY_COMMANDS, bus.environment)
    assert code(agent, "registration")[0] == 66
    agent.start()
    assert code(agent, "registration")[0] == 66
    agent.register(newest.url, newest.token, "--name", "Van")
    secrets = [newest.token, agent.registration["webhook_id"], agent.registration["secret"]]
    shown = [agent.homing("registration").stdout, agent.homing("registration", "--json").stdout]
    agent.stop()
    shown += [agent.homing("registration").stdout, agent.homing("registration", "--json").stdout]
    assert shown[:2] == shown[2:]
    assert not [secret for secret in secrets if secret in "".join(shown)]
    assert "Van" in shown[0] and "encrypted" in shown[0] and "HomeNet" in shown[0]
    report = json.loads(shown[1])
    assert report["device_name"] == "Van" and report["told"]["model"] and report["home_networks"] == ["HomeNet"]


def device(ha, agent):
    """Home Assistant's device of this agent."""
    identifier = ["mobile_app", agent.registration["device_id"]]
    return next(device for device in ha.command("config/device_registry/list")
                if identifier in [list(pair) for pair in device["identifiers"]])


def test_another_name_reaches_the_device_registry_and_what_changed_is_told_by_itself(ha, registered):
    agent = registered
    agent.homing("registration", "update", "--name", "Camper")
    wait_for(lambda: device(ha, agent)["name"] == "Camper", 20, "the other name")
    assert agent.registration["device_name"] == "Camper"
    data = ha.registration(agent.registration["device_id"]).data
    assert data["app_data"] == {"push_websocket_channel": True}, "what is told replaces it as a whole"
    agent.stop()
    stored = agent.registration
    really = dict(stored["told"])
    stored["told"].update(os_version="0", model="Abacus", app_version="0.0.1")
    (agent.home / "registration.json").write_text(json.dumps(stored))
    agent.start()
    wait_for(lambda: agent.registration["told"] == really, 30, "what changed to be told")
    assert agent.status()["registration"]["device_name"] == "Camper"
    assert device(ha, agent)["sw_version"] == really["os_version"] and device(ha, agent)["model"] == really["model"]


@pytest.mark.skipif(os.geteuid() != 0, reason="another host name needs root")
def test_the_machine_s_new_name_is_told_by_itself_unless_a_person_has_chosen_one(ha, recorder, make_agent):
    agent = make_agent(ONLY_COMMANDS).start()
    # A device of its own: the device of another test has a name, which would be kept.
    agent.register(recorder.url, ha.token, "--new")
    assert agent.registration["name_is_chosen"] is False
    agent.stop()
    agent.rename_machine("attic")
    agent.start()
    wait_for(lambda: device(ha, agent)["name"] == "attic", 30, "the machine's new name")
    wait_for(lambda: agent.registration["device_name"] == "attic", 10, "the daemon to keep it")
    assert agent.registration["told"]["device_name"] == "attic"
    agent.homing("registration", "update", "--name", "Camper")
    agent.stop()
    told = len(sent(recorder, agent, "update_registration"))
    agent.rename_machine("cellar")
    agent.start()
    # Home Assistant has answered, and would have been told.
    wait_for(lambda: agent.status()["registration"]["home_assistant_version"] == ha.version, 20, "the first session")
    agent.homing("event", "t", "--wait")
    assert len(sent(recorder, agent, "update_registration")) == told
    assert agent.registration["device_name"] == device(ha, agent)["name"] == "Camper"


def test_what_has_not_changed_is_not_told_again(newest, recorder, make_agent):
    agent = make_agent(ONLY_COMMANDS).start()
    agent.register(recorder.url, newest.token)
    agent.stop()
    agent.start()
    agent.homing("send-location", "--zone", "Work")
    assert sent(recorder, agent, "get_config") and not sent(recorder, agent, "update_registration")


def register_plain(ha, agent, url):
    """A registration without a secret, as an old one may be."""
    reply = ha.post("/api/mobile_app/registrations", {
        "device_id": f"plain-{agent.folder.name}", "app_id": "io.github.homing", "app_name": "Homing",
        "app_version": "0", "device_name": "Plain", "manufacturer": "m", "model": "m", "os_name": "Linux",
        "os_version": "1", "supports_encryption": False})
    assert reply["secret"] is None
    file = agent.home / "registration.json"
    file.write_text(json.dumps({
        "version": 1, "instance_url": url, "webhook_id": reply["webhook_id"], "home_networks": [],
        "device_id": f"plain-{agent.folder.name}", "device_name": "Plain"}))
    file.chmod(0o600)


def test_a_registration_without_a_secret_asks_for_one_by_itself_and_seals_from_then_on(ha, recorder, make_agent):
    agent = make_agent(ONLY_COMMANDS)
    register_plain(ha, agent, recorder.url)
    agent.start()
    wait_for(lambda: agent.registration.get("secret"), 30, "the secret")
    agent.homing("send-location", "--zone", "Work")
    wait_for(lambda: agent.fate("delivered_live") == 1, 20, "a sealed delivery")
    # In the order in which they were asked: one that was called off is recorded late.
    asked = sorted((exchange for exchange, _ in recorder.sealed_violations()), key=lambda exchange: exchange.time)
    types = [json.loads(exchange.body)["type"] for exchange in asked]
    assert types[-1] == "enable_encryption", "nothing is sent unsealed after it"
    # Home Assistant writes its entries to the disk a little later.
    wait_for(lambda: ha.registration(agent.registration["device_id"]).secret == agent.registration["secret"], 30, "the secret")
    assert all(warning["code"] != "unencrypted" for warning in agent.status()["warnings"])
    assert "already" in agent.homing("registration", "encrypt").stdout
    # What is new of the machine follows, sealed.
    wait_for(lambda: agent.registration.get("told"), 20, "what this machine is")
    agent.stop()
    agent.start()
    assert "encrypted" in agent.homing("registration").stdout
    agent.homing("event", "t", "--wait")
    assert len(recorder.sealed_violations()) == len(types), "nothing is sent unsealed after it"


def test_encryption_is_enabled_when_asked_and_each_refusal_is_told(ha, web, make_agent):
    agent = make_agent(ONLY_COMMANDS)
    register_plain(ha, agent, web.instance.url)
    web.instance.mode("refuse")
    agent.start()
    status, text = code(agent, "registration", "encrypt")
    assert status == 69 and "refuses the connection" in text
    for word, expected in [("encryption_not_available", "cannot encrypt"), ("encryption_required", "register --again"),
                           ("other", "(other)")]:
        body = json.dumps({"success": False, "error": {"code": word, "message": "m"}})
        web.instance.answer(400, body, "application/json")
        status, text = code(agent, "registration", "encrypt")
        assert status == 76 and expected in text, text
    web.instance.mode("ok")
    assert code(agent, "registration", "encrypt")[0] == 0
    assert agent.registration["secret"]
    agent.homing("event", "t", "--wait", "--expires", "60")


def test_a_home_assistant_that_seals_with_a_secret_that_was_lost_is_told(newest, make_agent):
    agent = make_agent(ONLY_COMMANDS)
    register_plain(newest, agent, newest.url)
    agent.start()
    wait_for(lambda: agent.registration.get("secret"), 30, "the secret")
    agent.stop()
    stored = {name: value for name, value in agent.registration.items()
              if name not in ("secret", "sealed", "secret_fingerprint")}
    # As a Homing wrote it that did not note whether there is a secret.
    (agent.home / "registration.json").write_text(json.dumps({**stored, "version": 1}))
    agent.start()
    status, text = code(agent, "registration", "encrypt")
    assert status == 76 and "register --again" in text
    status, text = code(agent, "zones")
    assert status == 76 and "another key" in text


# Offline, away and wrong

@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_without_a_daemon_or_a_registration_it_is_said(make_agent, command):
    agent = make_agent(ONLY_COMMANDS)
    status, text = code(agent, *command)
    assert status == 69 and "systemctl start homing" in text
    agent.start()
    status, text = code(agent, *command)
    assert status == 66 and "homing setup" in text


def test_without_a_network_only_events_are_queued(newest, web, make_agent):
    agent = make_agent(ONLY_COMMANDS).start()
    agent.register(web.instance.url, newest.token)
    web.instance.mode("refuse")
    for command in COMMANDS[1:-1]:
        status, text = code(agent, *command)
        assert status == 69 and "refuses the connection" in text and "homing status" in text, (command, text)
    assert "Queued" in agent.homing("event", "t").stdout
    assert agent.queue("events")["queued"] == 1 and agent.queue("events")["accepted"] == 1


def test_wrong_arguments_are_named_before_anything_is_sent(newest, recorder, make_agent):
    agent = make_agent(ONLY_COMMANDS).start()
    agent.register(recorder.url, newest.token)
    wait_for(lambda: agent.status()["registration"]["home_assistant_version"], 20, "the first session")
    recorder.forget()
    for words, named in WRONG:
        status, text = code(agent, *words)
        assert status == 64 and named in text, (words, status, text)
    assert agent.queue("events")["accepted"] == 0
    assert [command.type for command in recorder.commands(agent.registration["secret"])
            if command.type not in ("render_template", "get_zones", "get_config")] == []


@pytest.mark.skipif(os.geteuid() != 0, reason="to be another user needs root")
def test_strangers_may_do_none_of_it(newest, make_agent):
    agent = make_agent(ONLY_COMMANDS).start()
    agent.register(newest.url, newest.token)
    nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", BINARIES / "homing"]
    for command in [*COMMANDS, ["registration"], ["track"]]:
        done = subprocess.run([*nobody, *command], env=agent.environment, capture_output=True, text=True, timeout=20)
        assert done.returncode == 77 and "usermod -aG homing" in done.stderr, command
    assert agent.queue("events")["accepted"] == 0
