"""The older scheme of actionable notifications: categories in Home Assistant's configuration, chosen by name."""

import getpass
import json
import os
import shutil
import time
import urllib.error
import urllib.request

import pytest
from conftest import VERSIONS
from homing_rigs import ha_install
from homing_rigs.home_assistant import HomeAssistant
from homing_rigs.notification_server import NotificationServer
from homing_rigs.processes import temporary_folder, wait_for
from session import GAMES, Person, system_agent
from test_notifications import QUIET, companion, notify, wait_until_open

pytestmark = pytest.mark.ends

# The example of the companion apps' page on actionable notifications, and two that are wrong.
YAML = """
ios:
  push:
    categories:
      - name: Alarm
        identifier: 'alarm'
        actions:
          - identifier: 'SOUND_ALARM'
            title: 'Sound Alarm'
            activationMode: 'background'
            authenticationRequired: true
            destructive: true
            behavior: 'default'
          - identifier: 'SILENCE_ALARM'
            title: 'Silence Alarm'
            activationMode: 'background'
            authenticationRequired: true
            destructive: false
            behavior: 'textInput'
            textInputButtonTitle: 'Silencio!'
            textInputPlaceholder: 'Placeholder'
      - name: Empty
        identifier: 'empty'
        actions: []
"""


@pytest.fixture(params=VERSIONS)
def with_categories(request):
    """A Home Assistant with the `ios` integration, which asks for zeroconf without need."""
    folder = temporary_folder(f"ha-ios-{request.param}")
    own = folder / "custom_components/ios"
    site = next(ha_install.Installation(request.param).path.glob("lib/python*/site-packages"))
    shutil.copytree(site / "homeassistant/components/ios", own, ignore=shutil.ignore_patterns("__pycache__"))
    manifest = json.loads((own / "manifest.json").read_text())
    manifest.update(dependencies=["device_tracker", "http"], version="1.0.0")
    (own / "manifest.json").write_text(json.dumps(manifest))
    with HomeAssistant(request.param, config_dir=folder, extra_yaml=YAML) as instance:
        wait_for(lambda: "ios" in instance.get("/api/config")["components"], 30, "the ios integration")
        yield instance


def test_the_pages_example_of_a_category_works_as_written(with_categories, bus, make_agent):
    ha = with_categories
    bus.logind_start()
    session = bus.session(os.geteuid(), getpass.getuser())
    bus.lock(session)
    with NotificationServer("mock", "body", "actions", "inline-reply") as desktop:
        agent = companion(make_agent, ha, desktop, environment=bus.environment)
        done = agent.homing("notifications", "refresh")
        assert done.stdout == "Note: category empty has 0 actions, not 1 to 4\n1 category can be used.\n"
        with ha.events() as events:
            notify(ha, agent, "Something happened at home!", "Home", push={"category": "ALARM"},
                   action_data={"entity_id": "light.test"})
            shown = desktop.wait_for("Home")
            assert list(shown.buttons) == ["⚠ Sound Alarm", "Silence Alarm"]
            assert shown.hints["x-kde-reply-submit-button-text"] == "Silencio!"
            desktop.press(shown, "Silence Alarm", reply="be quiet")
            wait_for(lambda: "until the session is unlocked" in agent.log_text(), 10, "it asks for its person")
            assert not [one for one in events.all() if one["event_type"] == "ios.notification_action_fired"]
            bus.lock(session, False)
            fired = events.wait(lambda e: e["event_type"] == "ios.notification_action_fired")["data"]
            device = agent.registration["device_id"]
            assert {key: value for key, value in fired.items() if not key.startswith("homing_")} == {
                "actionName": "SILENCE_ALARM", "categoryName": "ALARM", "textInput": "be quiet",
                "actionData": {"entity_id": "light.test"}, "action_data": {"entity_id": "light.test"},
                "sourceDeviceName": agent.registration["device_name"], "sourceDeviceID": device,
                "sourceDevicePushId": device, "sourceDevicePermanentID": device}
            newer = events.wait(lambda e: e["event_type"] == "mobile_app_notification_action")["data"]
            assert newer["action"] == "SILENCE_ALARM" and newer["reply_text"] == "be quiet"

            notify(ha, agent, "Again", "Second", push={"category": "alarm"})
            desktop.press(desktop.wait_for("Second"), "⚠ Sound Alarm")
            fired = events.wait(lambda e: e["event_type"] == "ios.notification_action_fired"
                                and e["data"]["actionName"] == "SOUND_ALARM")["data"]
            assert "textInput" not in fired and fired["actionData"] == {}
        agent.stop()
        agent.start()
        wait_until_open(agent)
        time.sleep(1)
        notify(ha, agent, "text", "Third", push={"category": "alarm"})
        assert len(desktop.wait_for("Third").buttons) == 2, "they are asked for when the channel opens"


def test_what_home_assistant_says_of_its_categories(with_categories):
    """docs/decisions/0033-categories.md has the table."""
    answer = with_categories.get("/api/ios/push")
    assert [one["identifier"] for one in answer["categories"]] == ["alarm", "empty"]
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{with_categories.local_url}/api/ios/push", timeout=10)
    assert refused.value.code == 401


@pytest.mark.skipif(os.geteuid() != 0, reason="to be several users needs root")
def test_an_answer_fires_it_though_home_assistant_cannot_be_asked_for_the_category(with_categories, bus, make_agent):
    ha = with_categories
    bus.logind_start()
    agent = system_agent(make_agent, QUIET, bus)
    agent.register(ha.local_url, ha.token)
    wait_until_open(agent)
    assert "1 category" in agent.homing("notifications", "refresh").stdout
    with Person(bus, agent, GAMES, "anna") as anna:
        anna.start()
        notify(ha, agent, "Something happened", "Home", push={"category": "alarm"})
        shown = anna.server.wait_for("Home")
        wait_for(lambda: anna.helper_in_status()["shown"] == 1, 10, "it is known")
        agent.stop()
        ha.stop(keep=True)
        anna.server.press(shown, "⚠ Sound Alarm")
        agent.start()
        wait_for(lambda: agent.queue("events")["queued"] == 2, 60, "both events")
        agent.stop()
        ha.start()
        with ha.events() as events:
            agent.start()
            fired = events.wait(lambda e: e["event_type"] == "ios.notification_action_fired", 60)["data"]
            assert (fired["actionName"], fired["categoryName"]) == ("SOUND_ALARM", "alarm")


def test_a_home_assistant_without_categories_has_none(newest, make_agent):
    with NotificationServer("mock", "body", "actions") as desktop:
        agent = companion(make_agent, newest, desktop)
        assert agent.homing("notifications", "refresh").stdout.startswith("Home Assistant has no categories")
        notify(newest, agent, "Without", "Plain", push={"category": "alarm"})
        assert desktop.wait_for("Plain").buttons == {}
    with pytest.raises(urllib.error.HTTPError) as missing:
        newest.get("/api/ios/push")
    assert missing.value.code == 404
