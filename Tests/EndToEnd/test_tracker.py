"""A device tracker that somebody disables in Home Assistant and enables again, or deletes."""

import json
import secrets

import pytest
from homing_rigs.ha_config import ordinary_user
from homing_rigs.processes import wait_for

pytestmark = pytest.mark.ends

CONFIGURATION = """\
[gpsd]
port = {port}
[location]
max_age = 10
batch_metered = 5
min_distance = 20
"""


def warnings(agent):
    """What each endpoint last said is wrong, whether it has lasted or not."""
    return [endpoint["problem"] for endpoint in agent.status()["endpoints"] if endpoint.get("problem")]


def set_disabled(ha, tracker, by):
    ha.command("config/entity_registry/update", entity_id=tracker, disabled_by=by)


def test_history_goes_home_while_the_tracker_is_disabled_and_positions_follow_when_it_is_back(ha, gps, make_agent):
    agent = make_agent(CONFIGURATION.format(port=gps.port)).start()
    agent.register(ha.url, ha.token)
    tracker = ha.tracker_of(agent.registration["device_id"])
    gps.start(speed=20, time="now")
    wait_for(lambda: agent.fate("delivered_live") >= 1, 60, "the first delivery")
    with ha.events("homing_track") as events:
        set_disabled(ha, tracker, "user")
        wait_for(lambda: any("tracker" in problem for problem in warnings(agent)), 90, "the receipt without a tracker")
        delivered = agent.fate("delivered_live")
        # The quick tries are over after 40 s: each request of a person is one more.
        wait_for(lambda: agent.homing("send-location", "--zone", "Work") and agent.fate("delivered_track") >= 1, 60,
                 "history without a tracker")
        assert events.wait(seconds=30)
    assert agent.fate("delivered_live") == delivered and agent.fate("rejected") == 0
    set_disabled(ha, tracker, None)
    # Home Assistant reloads the registration 30 s after an entity was enabled.
    wait_for(lambda: agent.homing("send-location") and agent.fate("delivered_live") > delivered, 90,
             "positions to follow")
    gps.feed("hold")
    agent.wait_until_empty()
    agent.assert_books_balance()


STILL = "[gpsd]\nenabled = false\n"


def own_name():
    """A name that no device of another test has: a device without an entity is found by its name."""
    return f"Van {secrets.token_hex(4)}"


def codes(agent):
    return {warning["code"] for warning in agent.status()["warnings"]}


def findings(agent):
    """What the doctor says of the tracker."""
    report = json.loads(agent.homing("doctor", "--json", check=False).stdout)
    return [(finding["code"], finding["detail"]) for finding in report["findings"]
            if finding["check"] == "tracker" and finding["outcome"] == "wrong"]


def reloads(agent):
    return agent.log_text().count("reloading the device's entry")


def delete(ha, tracker):
    ha.command("config/entity_registry/remove", entity_id=tracker)


@pytest.mark.parametrize("sensors", ["disable = all", "enable ="])
def test_a_tracker_that_was_deleted_is_made_again_and_what_waits_arrives(ha, make_agent, sensors):
    agent = make_agent(f"{STILL}[sensors]\n{sensors}\nscripts =\n").start()
    agent.register(ha.url, ha.token, "--name", own_name())
    agent.homing("send-location", "--zone", "Work")
    tracker = ha.tracker_of(agent.registration["device_id"])
    delete(ha, tracker)
    assert "Delivered." in agent.homing("send-location", "--zone", "School", "--unknown-zone").stdout
    assert ha.state(ha.tracker_of(agent.registration["device_id"]))["state"] == "School"
    assert reloads(agent) == 1 and not codes(agent)
    # A second deletion soon after the first is not answered by a reload: that would go on for ever.
    delete(ha, ha.tracker_of(agent.registration["device_id"]))
    said = agent.homing("send-location", "--zone", "Work").stdout
    assert "deleted" in said and "Reload" in said and "no way" not in said, said
    assert reloads(agent) == 1 and codes(agent) == {"tracker_deleted"}
    ha.reload_entry(agent.registration["device_id"])
    wait_for(lambda: agent.homing("send-location", "--zone", "Work") and agent.queue()["queued"] == 0, 60, "what waits to arrive")
    wait_for(lambda: not codes(agent), 30, "the warning to end")
    agent.assert_books_balance()


def test_where_the_user_may_not_reload_it_says_what_to_click(ha, make_agent):
    agent = make_agent(f"{STILL}[sensors]\nenable =\nscripts =\n").start()
    agent.register(ha.url, ordinary_user(ha, "guest"), "--name", own_name())
    agent.homing("send-location", "--zone", "Work")
    delete(ha, ha.tracker_of(agent.registration["device_id"]))
    said = agent.homing("send-location", "--zone", "School", "--unknown-zone").stdout
    assert "deleted" in said and "Reload" in said and "no way" not in said, said
    assert codes(agent) == {"tracker_deleted"} and reloads(agent) == 1
    (code, detail), = findings(agent)
    assert code == "tracker_deleted" and "deleted" in detail
    for _ in range(5):
        agent.homing("send-location", "--zone", "Work")
    assert reloads(agent) == 1
    ha.reload_entry(agent.registration["device_id"])
    at_school = ("send-location", "--zone", "School", "--unknown-zone")
    wait_for(lambda: agent.homing(*at_school).stdout.startswith("Delivered"), 60,
             "what waits to arrive")
    assert not codes(agent) and findings(agent) == []


def test_a_tracker_that_is_disabled_is_not_called_deleted_nor_reloaded(ha, make_agent):
    agent = make_agent(f"{STILL}[sensors]\nenable =\nscripts =\n").start()
    agent.register(ha.url, ha.token)
    agent.homing("send-location", "--zone", "Work")
    tracker = ha.tracker_of(agent.registration["device_id"])
    set_disabled(ha, tracker, "user")
    try:
        said = agent.homing("send-location", "--zone", "School", "--unknown-zone").stdout
        assert "disabled" in said and "enable" in said and "no way" not in said, said
        (code, _), = findings(agent)
        assert code == "tracker_missing" and reloads(agent) == 0 and "tracker_deleted" not in codes(agent)
    finally:
        # The next test's device is the same to Home Assistant.
        set_disabled(ha, tracker, None)
