"""A device tracker that somebody disables in Home Assistant, and enables again."""

import pytest
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
    agent.wait_until_empty(90)
    agent.assert_books_balance()
