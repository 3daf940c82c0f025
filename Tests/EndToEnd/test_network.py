"""A wired machine without NetworkManager, in a network namespace of its own."""

import pytest
from homing_rigs.home_assistant import HomeAssistant
from homing_rigs.netns import Namespace
from homing_rigs.processes import wait_for
from conftest import VERSIONS


@pytest.mark.skipif(not Namespace.possible(), reason="network namespaces need root")
def test_a_wired_machine_with_nothing_configured_delivers_to_a_private_address(make_agent):
    with Namespace() as namespace, HomeAssistant(VERSIONS[0], host=namespace.near) as ha:
        agent = make_agent("[gpsd]\nenabled = false\n", prefix=tuple(namespace.prefix)).start()
        agent.register(ha.url, ha.token)
        assert agent.registration["instance_url"].startswith("http://10.")
        assert "Delivered" in agent.homing("send-location", "--zone", "Work").stdout
        assert agent.status()["network"]["at_home"]
        namespace.cable(False)
        agent.homing("send-location", "--zone", "home", timeout=60)
        assert agent.queue()["queued"] == 1
        namespace.cable(True)
        agent.wait_until_empty()
        tracker = ha.tracker_of(agent.registration["device_id"])
        wait_for(lambda: ha.state(tracker)["state"] == "home", 30, "the queued zone")
