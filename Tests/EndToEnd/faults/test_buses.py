"""D-Bus, NetworkManager and UPower are absent, end, or come back: what they know becomes unknown, and nothing else."""

import time

from faults.flight import CONFIGURATION, Flight
from homing_rigs.bus import SystemBus
from homing_rigs.processes import wait_for


def on(bus, make_agent, fake_gpsd, server, location=""):
    """A daemon in flight on that bus; `location` is more for its section of that name."""
    agent = make_agent(CONFIGURATION.format(gpsd=fake_gpsd) + location, bus.environment).start()
    agent.register(server.url, server.token)
    return Flight(agent, fake_gpsd, server)


def network(flight):
    return flight.status()["network"]["connection"]


def test_a_bus_that_comes_late_is_found(make_agent, fake_gpsd, server, measured):
    bus = SystemBus()
    flight = on(bus, make_agent, fake_gpsd, server)
    assert flight.send() == "delivered" and "unknown" in network(flight)
    bus.start()
    bus.network_manager_start()
    bus.wifi("HomeNet")
    began = time.monotonic()
    wait_for(lambda: "HomeNet" in network(flight), 60, "NetworkManager to be found")
    measured(f"found after {time.monotonic() - began:.1f} s")
    bus.stop()


def charge(flight):
    """The battery's charge that the newest position tells, None if none is known."""
    assert flight.send() == "delivered", "nothing hangs on it"
    return flight.server.performed("update_location")[-1].data.get("battery")


def test_each_service_may_end_and_come_back(bus, make_agent, fake_gpsd, server, count, measured):
    flight = on(bus, make_agent, fake_gpsd, server)
    wait_for(lambda: "HomeNet" in network(flight), 30, "NetworkManager")
    wait_for(lambda: charge(flight) == 80, 30, "UPower")
    rounds, before, battery = count(1, 12), None, 20
    for _ in range(rounds):
        for service, come_back in (("network_manager", bus.network_manager_start), ("upower", bus.upower_start),
                                   ("bus", lambda: revive(bus))):
            end = bus.stop if service == "bus" else getattr(bus, f"{service}_stop")
            end()
            if service != "upower":
                wait_for(lambda: "unknown" in network(flight), 30, "the network to be called unknown")
            if service != "network_manager":
                wait_for(lambda: charge(flight) is None, 30, "the battery to be unknown")
            assert flight.send() == "delivered", "nothing hangs on it"
            battery += 1  # meanwhile
            bus.battery(battery, True)
            come_back()
            wait_for(lambda: "HomeNet" in network(flight), 60, "NetworkManager to be found again")
            wait_for(lambda: charge(flight) == battery, 60, "UPower to be found again")
        before = before or flight.descriptors()
    wait_for(lambda: flight.descriptors() <= before + 1, 20, "as few descriptors as before")
    flight.wait_until_empty()
    flight.assert_sound()
    measured(f"{3 * rounds} ends of NetworkManager, UPower and the bus: unknown meanwhile, each found again, 0 lost")


def revive(bus):
    """The bus and its services, as they were."""
    bus.start()
    bus.network_manager_start()
    bus.upower_start()


def test_networks_that_come_and_go_lose_nothing(bus, make_agent, fake_gpsd, server, chance, count, measured):
    flight = on(bus, make_agent, fake_gpsd, server)
    changes = count(12, 300)
    flight.stream(20)
    for _ in range(changes):
        chance.choice([lambda: bus.wifi(chance.choice(["HomeNet", "Cafe", "Hotel"]), f"02:00:00:00:0{chance.randrange(9)}:00"),
                       bus.wifi_off, bus.wifi_lost, lambda: bus.wired(True), lambda: bus.wired(False),
                       lambda: bus.connectivity(chance.choice(["full", "portal", "limited", "none"])),
                       lambda: bus.metered(chance.random() < 0.5), lambda: bus.battery(chance.randrange(100), True)])()
        time.sleep(chance.uniform(0.05, 0.8))
        flight.note_memory()
    bus.connectivity("full")
    bus.wired(False)
    bus.wifi("HomeNet")
    flight.gpsd.hold()
    flight.send()
    wait_for(lambda: flight.queue()["queued"] == 0, 60, "everything home")
    assert flight.queue()["fates"]["rejected"] == 0
    flight.assert_sound(duplicates=changes, growth=1024)
    measured(f"{changes} changes of the network over {flight.queue()['accepted']} positions: 0 lost")
