import HomeAssistantAPI
import HomingConfiguration
import HomingControl
import HomingDelivery
import HomingLocation
import HomingMachine
import HomingRoutes
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// `[location] tell`: the whole agent on a virtual clock, and everything that it sends.
@Suite(.serialized) struct DisclosureFlightTests {
    init() { LoopThread.start() }

    /// Drives are by 100 m to the north, from 10° on.
    private static func zone(_ id: String, _ name: String, at metres: Double) throws -> Zone {
        Zone(
            entityID: "zone.\(id)", name: name,
            coordinate: try #require(Coordinate(latitude: 10 + metres / 111_195, longitude: 4.9)),
            radius: 500, passive: false)
    }

    @LoopActor private func start(_ telling: Disclosure, sensors: [String] = []) throws
        -> VirtualAgent
    {
        let flight = try VirtualAgent(sensors: sensors)
        flight.home.homeAssistant.zones = [
            try Self.zone("home", "Home", at: 0), try Self.zone("work", "Work", at: 5000),
        ]
        setDisclosure(telling, flight)
        flight.clock.pass(30)
        return flight
    }

    /// Changes the configuration as a reload does.
    @LoopActor private func setDisclosure(_ telling: Disclosure, _ flight: VirtualAgent) {
        var configuration = flight.agent.home.configuration
        configuration.location.tell = telling
        flight.agent.home.apply(configuration)
    }

    /// Returns the locations that Home Assistant was told, in the order of the rows.
    @LoopActor private func reportedPlaces(_ flight: VirtualAgent) -> [LocationMessage.Place] {
        var places: [EntryID: LocationMessage.Place] = [:]
        for case let row in flight.home.rows {
            if case .location(let message) = row.message { places[row.id] = message.place }
        }
        return places.sorted { $0.key < $1.key }.map(\.value)
    }

    @LoopActor private func names(_ flight: VirtualAgent) -> [String?] {
        reportedPlaces(flight).map { if case .zone(let name, _) = $0 { name } else { nil } }
    }

    @Test(
        "With tell = zone, a drive is told by its zones, each once, and no position leaves the machine"
    )
    @LoopActor func drive() throws {
        let flight = try start(.zone)
        defer { flight.stop() }
        flight.drive(for: 750, every: 15)
        #expect(names(flight) == ["home", "not_home", "Work"])
        #expect(flight.home.zoneFormat.update("home", battery: nil)?.gps == nil)
        #expect(flight.agent.status().homes.first?.skipped["same_zone"] ?? 0 > 30)
        #expect(try flight.violations() == [])
    }

    @Test("The heartbeat tells the zone again")
    @LoopActor func heartbeat() throws {
        let flight = try start(.zone)
        defer { flight.stop() }
        flight.stand(for: 2500) {}
        #expect(names(flight) == ["home", "home", "home"])
    }

    @Test(
        "Positions that are queued when tell = zone is switched on are told as zones",
        arguments: [true, false])
    @LoopActor func queued(withRestart: Bool) throws {
        let flight = try start(.exact)
        defer { flight.stop() }
        flight.home.failure = .failed(.network("down"))
        flight.drive(for: 1500)
        #expect(try flight.positions().queued == 50)
        flight.home.forgetRequests()
        if withRestart {
            try flight.restart { $0.location.tell = .zone }
        } else {
            setDisclosure(.zone, flight)
        }
        flight.home.failure = nil
        flight.clock.pass(400)
        let names = names(flight)
        #expect(names.count == 50 && !names.contains(nil), "\(names)")
        #expect(Set(names) == ["home", "not_home", "Work"])
        #expect(try flight.positions().queued == 0)
        #expect(try flight.violations() == [])
        setDisclosure(.exact, flight)
        flight.drive(for: 60)
        #expect(self.names(flight).last == .some(nil), "exact is exact again")
    }

    @Test("Positions that are queued when tell = never is switched on are dropped and counted")
    @LoopActor func neverTold() throws {
        let flight = try start(.exact)
        defer { flight.stop() }
        flight.home.failure = .failed(.network("down"))
        flight.drive(for: 9000)
        #expect(try flight.positions().queued == 300)
        flight.home.forgetRequests()
        setDisclosure(.never, flight)
        flight.home.failure = nil
        flight.clock.pass(400)
        flight.drive(for: 600)
        #expect(reportedPlaces(flight) == [])
        let ledger = try flight.positions()
        #expect(ledger.queued == 0 && ledger[.expired] == 300 && ledger.balances)
        #expect(flight.agent.status().homes.first?.skipped["untold"] == 20)
    }

    @Test("A known place is no exception: with tell = never it is not told, and is when that ends")
    @LoopActor func place() throws {
        let flight = try start(.never)
        defer { flight.stop() }
        var configuration = flight.agent.home.configuration
        configuration.places["Pier"] = PlaceDefinition()
        configuration.places["Pier"]?.zone = "work"
        configuration.places["Pier"]?.ssids = ["Pier"]
        flight.agent.home.apply(configuration)
        let link = NetworkLink(
            medium: .wifi(ssid: "Pier", bssid: "02:00:00:00:01:01"), id: "Pier", uuid: "uuid",
            networks: [], gateways: ["a gateway"], gateway: "02:00:00:00:00:01")
        flight.agent.machine.observe(.links(NetworkLinks([link])))
        flight.clock.pass(300)
        #expect(reportedPlaces(flight) == [])
        setDisclosure(.zone, flight)
        flight.clock.pass(300)
        #expect(names(flight) == ["Work"])
    }

    @Test(
        "The sensors that name the network end when positions are not told, also those that are queued"
    )
    @LoopActor func networkSensors() throws {
        let ids = ["ssid", "bssid", "connection_name", "kernel"]
        let flight = try start(.exact, sensors: ids)
        defer { flight.stop() }
        func observe(_ name: String) {
            flight.agent.machine.observe(
                .networkDetails(
                    NetworkDetails(
                        hasWiFi: true,
                        wifi: .init(
                            ssid: name, bssid: "02:00:00:00:01:01", quality: 50, frequency: 2412),
                        connection: name)))
        }
        observe("Harbour")
        flight.clock.pass(120)
        let shown = { flight.home.homeAssistant.sensors.shown["ssid"] ?? "" }
        #expect(shown().contains("Harbour"))
        flight.home.failure = .failed(.network("down"))
        observe("Marina")
        flight.clock.pass(120)
        flight.home.forgetRequests()
        setDisclosure(.zone, flight)
        flight.home.failure = nil
        observe("Lighthouse")
        flight.clock.pass(2000)
        #expect(shown().contains("unavailable"))
        let sent = flight.home.rows.compactMap { row -> String? in
            if case .sensor(let sensor) = row.message { sensor.item } else { nil }
        }
        #expect(!sent.isEmpty)
        for name in ["Harbour", "Marina", "Lighthouse", "02:00:00:00:01:01"] {
            #expect(!sent.contains { $0.contains(name) }, "\(name)")
        }
    }
}
