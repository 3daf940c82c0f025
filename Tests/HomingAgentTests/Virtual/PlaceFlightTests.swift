import Glibc
import HomingBase
import HomingControl
import HomingDelivery
import HomingHTTP
import HomingLocation
import HomingMachine
import HomingRoutes
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Known places: the whole agent on a virtual clock, in front of a Home Assistant that keeps what it is
/// told.
@Suite(.serialized) struct PlaceFlightTests {
    init() { LoopThread.start() }

    private static let atHome = ConnectionPath(local: "192.168.1.20", peer: "192.168.1.5")
    private static let elsewhere = ConnectionPath(local: "10.0.0.7", peer: "203.0.113.9")

    private static func link(
        _ name: String, _ number: String, address: String
    ) throws -> NetworkLink {
        NetworkLink(
            medium: .wifi(ssid: name, bssid: "02:00:00:00:01:\(number)"), id: name,
            uuid: "uuid-\(name)",
            networks: [IPNetwork(try #require(IPAddress(address)), prefix: 24)],
            gateways: ["a gateway"], gateway: "02:00:00:00:00:\(number)")
    }

    private static func home() throws -> NetworkLink {
        try link("Home", "AA", address: "192.168.1.20")
    }

    private static func cafe() throws -> NetworkLink {
        try link("Café", "BB", address: "10.0.0.7")
    }

    @LoopActor private func connect(
        _ flight: VirtualAgent, _ link: NetworkLink, over path: ConnectionPath
    ) {
        flight.home.path = path
        flight.agent.machine.observe(.links(NetworkLinks([link])))
        flight.clock.pass(15)
    }

    /// Has Home Assistant prove itself, which brings a receipt.
    @LoopActor private func speak(_ flight: VirtualAgent) {
        _ = flight.agent.home.fire(.init(type: "t", data: "{}"), expiresAt: nil)
        flight.clock.pass(60)
    }

    @LoopActor private func paired() throws -> VirtualAgent {
        let flight = try VirtualAgent()
        connect(flight, try Self.home(), over: Self.atHome)
        speak(flight)
        return flight
    }

    @LoopActor private func state(_ flight: VirtualAgent) -> String? {
        flight.home.homeAssistant.placeName
    }

    @Test(
        "Paired at home, a machine without a receiver is home there and away elsewhere, also after a restart"
    )
    @LoopActor func homeAndAway() throws {
        let flight = try paired()
        defer { flight.stop() }
        #expect(state(flight) == "home")
        #expect(flight.agent.status().homes.first?.knownPlace?.state == "at")
        connect(flight, try Self.cafe(), over: Self.elsewhere)
        flight.clock.pass(90)
        #expect(state(flight) == "home")
        flight.clock.pass(60)
        #expect(state(flight) == "not_home")
        try flight.restart()
        connect(flight, try Self.home(), over: Self.elsewhere)
        flight.clock.pass(60)
        #expect(state(flight) == "home", "what was learned is on the disk")
    }

    @Test("Paired in a café through the cloud, a machine is at no place")
    @LoopActor func cafeIsNoHome() throws {
        let flight = try VirtualAgent()
        defer { flight.stop() }
        connect(flight, try Self.cafe(), over: Self.elsewhere)
        speak(flight)
        flight.clock.pass(1000)
        #expect(flight.home.updates.positions.isEmpty)
        #expect(flight.agent.status().homes.first?.knownPlace?.state == "unknown")
    }

    @Test("A place that grew old while Home Assistant was away is told when it is back")
    @LoopActor func outage() throws {
        let flight = try paired()
        defer { flight.stop() }
        connect(flight, try Self.cafe(), over: Self.elsewhere)
        flight.clock.pass(200)
        #expect(state(flight) == "not_home")
        flight.home.failure = .failed(.network("down"))
        connect(flight, try Self.home(), over: Self.atHome)
        flight.clock.pass(1000)
        #expect(state(flight) == "not_home")
        flight.home.failure = nil
        flight.clock.pass(1000)
        #expect(state(flight) == "home")
    }

    @Test("Another registration has no home yet, and is told of no place before it has")
    @LoopActor func anotherRegistration() throws {
        let flight = try paired()
        defer { flight.stop() }
        let told = flight.home.updates.positions.count
        flight.agent.home.adopt(nil)
        flight.clock.pass(100)
        flight.home.path = Self.elsewhere
        flight.agent.home.adopt(HomeRig.registration("https://another.example"))
        flight.clock.pass(1000)
        #expect(flight.home.updates.positions.count == told)
        #expect(flight.agent.home.state.place.verdict == .unknown)
    }

    @Test("The receiver is told at once when it is back after a place, though it has not moved")
    @LoopActor func receiverReturns() throws {
        let flight = try paired()
        defer { flight.stop() }
        flight.agent.machine.observe(.gpsd(.watching(receivers: 1)))
        for _ in 0..<5 {
            flight.drive()
            flight.clock.pass(1)
        }
        #expect(state(flight) == nil && flight.home.homeAssistant.place != nil)
    }

    @Test(
        "A damaged file of networks counts as no file",
        arguments: ["", "{", "[]", "{\"version\":1,\"networks\":7}"])
    @LoopActor func damaged(_ text: String) throws {
        let flight = try paired()
        defer { flight.stop() }
        try AtomicFile.write(Array(text.utf8), to: flight.file("networks.json"))
        flight.home.path = Self.elsewhere
        try flight.restart()
        connect(flight, try Self.home(), over: Self.elsewhere)
        flight.clock.pass(60)
        #expect(flight.agent.home.state.place.verdict == .unknown)
        flight.home.path = Self.atHome
        speak(flight)
        #expect(flight.agent.home.state.place.verdict != .unknown)
    }

    @Test("The file of networks is its owner's alone, and the largest one can be read again")
    @LoopActor func file() throws {
        let flight = try paired()
        defer { flight.stop() }
        var status = stat()
        #expect(
            stat(flight.file("networks.json"), &status) == 0 && status.st_mode & 0o777 == 0o600)
        let (machine, peer) = (
            try #require(IPAddress("192.168.1.20")), try #require(IPAddress("192.168.1.5"))
        )
        var stage = PlaceStage()
        for number in 0..<(100 * 20) {
            var link = try Self.home()
            link.gateway = "02:00:00:00:\(number / 20 / 90 + 10):\(number / 20 % 90 + 10)"
            link.medium = .wifi(ssid: "Home", bssid: "02:00:\(number / 1000 + 10):\(number % 1000)")
            _ = stage.handle(.links(NetworkLinks([link])), at: flight.clock.now())
            _ = stage.handle(.receipt(local: machine, peer: peer), at: flight.clock.now())
        }
        let folder = try TemporaryFolder()
        let file = KnownNetworksFile(folder: folder.path)
        let log = PlayedJournal().makeLog(home: "home")
        file.save(stage.known, log)
        #expect(file.load(log) == stage.known && stage.known.networks.count == 64)
    }
}
