"""What each key of a notification's data comes to on the desktop; and an automation as it is written for the phones."""

import time

import pytest
from conftest import VERSIONS
from homing_rigs.home_assistant import HomeAssistant
from homing_rigs.notification_server import NotificationServer
from homing_rigs.processes import wait_for
from test_notifications import QUIET, companion, notify, wait_until_open

pytestmark = pytest.mark.ends

# What an automation writes, and what of the notification it changes.
LOW, NORMAL, CRITICAL = 0, 1, 2
KEYS = [
    ({}, {"urgency": NORMAL, "timeout": -1, "body": "text", "buttons": []}),
    *[({"importance": word}, {"urgency": urgency}) for word, urgency in (
        ("min", LOW), ("low", LOW), ("default", NORMAL), ("high", NORMAL), ("max", CRITICAL), ("MAX", CRITICAL))],
    *[({"push": {"interruption-level": word}}, {"urgency": urgency}) for word, urgency in (
        ("passive", LOW), ("active", NORMAL), ("time-sensitive", NORMAL), ("critical", CRITICAL))],
    ({"push": {"sound": {"name": "default", "critical": 1, "volume": 1.0}}}, {"urgency": CRITICAL}),
    ({"push": {"sound": "none"}}, {"suppress-sound": 1}),
    ({"push": {"sound": {"name": "none"}}}, {"suppress-sound": 1}),
    ({"push": {"sound": "bell.wav"}}, {"suppress-sound": None, "sound-name": "message-new-instant"}),
    ({"timeout": 3}, {"timeout": 3000}),
    ({"timeout": "2.5"}, {"timeout": 2500}),
    ({"sticky": "true"}, {"timeout": 0, "resident": 1}),
    ({"sticky": "false"}, {"timeout": -1, "resident": None}),
    ({"persistent": True, "tag": "key"}, {"timeout": 0, "resident": None}),
    ({"subtitle": "first"}, {"body": "first\ntext"}),
    ({"subject": "first"}, {"body": "first\ntext"}),
    ({"progress": 5, "progress_max": 20}, {"value": 25}),
    ({"progress": 40}, {"value": 40}),
    ({"progress": 999, "progress_max": 10}, {"value": 100}),
    ({"progress": -1}, {"value": None}),
    ({"clickAction": "/lovelace"}, {"buttons": [""]}),
    ({"url": "https://example.org"}, {"buttons": [""]}),
    ({"url": {"_": "/lovelace", "OPEN": "/other"}}, {"buttons": [""]}),
    ({"clickAction": "noAction"}, {"buttons": []}),
    ({"clickAction": "app://com.example"}, {"buttons": []}),
    ({"actions": [{"action": "A", "title": "One"}, {"action": "B", "title": "Two", "destructive": True}]},
     {"buttons": ["One", "⚠ Two"]}),
    # What only a phone has changes nothing.
    ({"group": "doors", "channel": "Alarm", "color": "red", "ttl": 0, "priority": "high", "visibility": "public",
      "ledColor": "red", "vibrationPattern": "100, 1000", "chronometer": True, "when": 5, "notification_icon": "mdi:x",
      "push": {"badge": 5, "thread-id": "doors"}}, {"urgency": NORMAL, "timeout": -1, "body": "text", "buttons": []}),
]


def seen(shown, name):
    if name in ("body", "timeout"):
        return getattr(shown, name)
    return list(shown.buttons) if name == "buttons" else shown.hints.get(name)


def test_each_key_shows_what_it_should(ha, make_agent):
    with NotificationServer("mock", "body", "body-markup", "actions", "sound") as desktop:
        agent = companion(make_agent, ha, desktop)
        for number, (data, expected) in enumerate(KEYS):
            notify(ha, agent, "text", f"Key {number}", **data)
            shown = desktop.wait_for(f"Key {number}")
            time.sleep(0.2)  # more than five a second are folded
            assert {name: seen(shown, name) for name in expected} == expected, data
        notify(ha, agent, "no title of its own", "Home Assistant")
        wait_for(lambda: any(one.body == "no title of its own" for one in desktop.shown()), 10, "the last")


AUTOMATION = """
automation:
  - id: ask_at_the_gate
    alias: Ask whether to open the gate
    mode: parallel
    trigger:
      - platform: event
        event_type: somebody_at_the_gate
    action:
      - variables:
          open: "{{ 'OPEN_' ~ context.id }}"
          ignore: "{{ 'IGNORE_' ~ context.id }}"
      - service: notify.mobile_app_hall
        data:
          title: "The gate"
          message: "Somebody rings"
          data:
            tag: "gate-{{ context.id }}"
            actions:
              - action: "{{ open }}"
                title: Open
              - action: "{{ ignore }}"
                title: Ignore
      - wait_for_trigger:
          - platform: event
            event_type: mobile_app_notification_action
            event_data:
              action: "{{ open }}"
          - platform: event
            event_type: mobile_app_notification_action
            event_data:
              action: "{{ ignore }}"
        timeout: "00:01:00"
        continue_on_timeout: false
      - choose:
          - conditions: "{{ wait.trigger.event.data.action == open }}"
            sequence:
              - event: gate_opens
      - service: notify.mobile_app_hall
        data:
          message: clear_notification
          data:
            tag: "gate-{{ context.id }}"
"""


@pytest.mark.parametrize("version", VERSIONS)
def test_an_automation_that_waits_for_the_phones_event_works_unchanged(version, make_agent):
    """The way in which the companion apps' page has an automation ask and wait: actions named after the context."""
    with (HomeAssistant(version, extra_yaml=AUTOMATION) as ha,
          NotificationServer("mock", "body", "actions") as desktop):
        agent = make_agent(QUIET, desktop.environment).start()
        agent.register(ha.local_url, ha.token, "--name", "Hall")
        wait_until_open(agent)
        with ha.events("gate_opens") as opened:
            ha.post("/api/events/somebody_at_the_gate", {})
            first = desktop.wait_for("The gate")
            ha.post("/api/events/somebody_at_the_gate", {})
            second = desktop.wait_for("The gate", count=2)
            assert second.replaces == 0, "each has a tag of its own"
            with ha.events("call_service") as calls:
                desktop.press(first, "Ignore")
                calls.wait(lambda call: call["data"]["service_data"].get("message") == "clear_notification")
            assert opened.all() == [] and desktop.closed() == [], "the server takes away what was answered"
            desktop.press(second, "Open")
            opened.wait()
