"""`homing say` with a real Home Assistant that understands, of each version: it has a sentence of the rig's own."""

import json

SENTENCE = "turn on the lights"


def test_what_is_understood_is_done_and_answered(ha, make_agent):
    agent = make_agent("[gpsd]\nenabled = false\n").start()
    agent.register(ha.url, ha.token)
    with ha.events("rig_lights") as events:
        assert agent.homing("say", *SENTENCE.split()).stdout == "The lights are on\n"
        assert events.wait(seconds=10)["data"] == {"lights": "on"}
        answer = json.loads(agent.homing("say", "--json", "--language", "en", SENTENCE).stdout)
        assert answer["speech"] == "The lights are on" and answer["response_type"] == "action_done"
        assert len(events.wait(count=2)) == 2, "it is done once each time"
