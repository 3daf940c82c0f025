import HomingControl
import HomingDelivery
import HomingHTTP
import HomingLocation
import HomingMachine
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Known places: the whole agent on a virtual clock, in front of a Home Assistant that keeps what it is told.
@Suite(.serialized) struct PlaceFlightTests {
    init() { LoopThread.start() }

    private static let home = NetworkLink(
        medium: .wifi(ssid: "Home", bssid: "02:00:00:00:01:01"), id: "Home", uuid: "uuid-home",
        addresses: ["192.168.1.20"], gateway: "02:00:00:00:00:AA")
    private static let cafe = NetworkLink(
        medium: .wifi(ssid: "Café", bssid: "02:00:00:00:02:01"), id: "Café", uuid: "uuid-cafe",
        addresses: ["10.0.0.7"], gateway: "02:00:00:00:00:BB")

    @LoopActor private func connect(_ flight: VirtualAgent, _ link: NetworkLink) {
        flight.agent.machine.observe(.links(NetworkLinks([link])))
        flight.clock.pass(5)
    }

    @LoopActor private func state(_ flight: VirtualAgent) -> String? {
        flight.home.homeAssistant.placeName
    }

    @Test(
        "Paired at home, a machine without a receiver is home there and away elsewhere, also after a restart"
    )
    @LoopActor func homeAndAway() throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        flight.home.path = ConnectionPath(local: "192.168.1.20", peer: "192.168.1.5")
        connect(flight, Self.home)
        flight.clock.pass(60)
        // The first receipt comes with the first message.
        _ = flight.agent.home.fire(.init(type: "t", data: "{}"), expiresAt: nil)
        flight.clock.pass(60)
        #expect(state(flight) == "home")
        #expect(flight.agent.status().homes.first?.knownPlace?.state == "at")
        flight.home.path = ConnectionPath(local: "10.0.0.7", peer: "203.0.113.9")
        connect(flight, Self.cafe)
        flight.clock.pass(100)
        #expect(state(flight) == "home")
        flight.clock.pass(60)
        #expect(state(flight) == "not_home")
        try flight.restart()
        connect(flight, Self.home)
        flight.clock.pass(60)
        #expect(state(flight) == "home", "what was learned is on the disk")
    }

    @Test("Paired in a café through the cloud, a machine is at no place")
    @LoopActor func cafeIsNoHome() throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        flight.home.path = ConnectionPath(local: "10.0.0.7", peer: "203.0.113.9")
        connect(flight, Self.cafe)
        _ = flight.agent.home.fire(.init(type: "t", data: "{}"), expiresAt: nil)
        flight.clock.pass(1000)
        #expect(flight.home.updates.positions.isEmpty)
        #expect(flight.agent.status().homes.first?.knownPlace?.state == "unknown")
    }

    @Test("A damaged file of networks is told once, and the networks are learned anew")
    @LoopActor func damaged() throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        flight.home.path = ConnectionPath(local: "192.168.1.20", peer: "192.168.1.5")
        connect(flight, Self.home)
        _ = flight.agent.home.fire(.init(type: "t", data: "{}"), expiresAt: nil)
        flight.clock.pass(60)
        for text in ["", "{", "[]", "{\"version\":1,\"networks\":7}"] {
            try AtomicFile.write(Array(text.utf8), to: flight.file("networks.json"))
            flight.home.path = ConnectionPath(local: "192.168.1.20", peer: "203.0.113.9")
            try flight.restart()
            connect(flight, Self.home)
            flight.clock.pass(60)
            #expect(flight.agent.home.state.place.verdict == .unknown, "\(text)")
        }
    }
}
