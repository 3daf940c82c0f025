import HomingMachine
import HomingRuntime
import Testing

@testable import HomingBus
@testable import HomingSources

@Suite(.serialized) struct NetworkManagerSourceTests {
    private static let bssid = "02:00:00:00:0A:01"
    /// "Home" in hexadecimal.
    private static let home = "486f6d65"

    private let recorder: Recorder
    private let privateBus: PrivateBus

    init() async throws {
        TestLoop.start()
        recorder = Recorder()
        privateBus = try await PrivateBus()
    }

    /// A source on the private bus, started.
    @LoopActor private func start() -> (bus: Bus, source: NetworkManagerSource) {
        let bus = Bus(
            .at(privateBus.address), rhythm: .patient(quick: 0.2, patience: 120, slow: 60),
            clock: SystemClock())
        let source = NetworkManagerSource(bus: bus, clock: SystemClock(), deliver: recorder.deliver)
        source.start()
        bus.open()
        return (bus, source)
    }

    private func network(
        _ primary: PrimaryConnection?, _ connectivity: Connectivity = .full, metered: Bool = false
    ) -> Observation {
        .network(
            .known(
                NetworkState.Network(
                    primary: primary, connectivity: connectivity, metered: metered)))
    }

    private var atHome: Observation { network(.wifi(ssid: "Home", bssid: Self.bssid)) }

    @Test("a Wi-Fi network is its SSID and BSSID; roaming changes the second")
    @LoopActor func followsWiFi() async throws {
        let manager = try await privateBus.mock("networkmanager")
        let (bus, source) = start()
        try await recorder.next(network(nil, .none))
        try await manager("wifi \(Self.home) 02:00:00:00:0a:01")
        try await recorder.next(atHome)
        try await manager("strength 33")
        try await manager("roam \(Self.home) 02:00:00:00:0A:02")
        try await recorder.next(network(.wifi(ssid: "Home", bssid: "02:00:00:00:0A:02")))
        let count = recorder.seen.count
        try await manager("strength 20")
        try await manager("lose_access_point")
        try await recorder.next(network(.wifi(ssid: nil, bssid: nil)))
        #expect(recorder.seen.count == count + 1)
        try await manager("none")
        try await recorder.next(network(nil, .none))
        source.shutdown()
        bus.shutdown()
    }

    @Test("a cable has a name and a UUID, anything else a type")
    @LoopActor func followsOthers() async throws {
        let manager = try await privateBus.mock("networkmanager")
        try await manager("wired Cable 5d1f")
        let (bus, source) = start()
        try await recorder.next(network(.wired(id: "Cable", uuid: "5d1f")))
        try await manager("none")
        try await recorder.next(network(nil, .none))
        try await manager("other gsm")
        try await recorder.next(network(.other(type: "gsm", id: "gsm", uuid: "uuid-other")))
        source.shutdown()
        bus.shutdown()
    }

    @Test("connectivity and metering are followed; a guess counts")
    @LoopActor func followsReach() async throws {
        let manager = try await privateBus.mock("networkmanager")
        try await manager("wired Cable 5d1f")
        let (bus, source) = start()
        let cable = PrimaryConnection.wired(id: "Cable", uuid: "5d1f")
        try await recorder.next(network(cable))
        try await manager("connectivity 2")
        try await recorder.next(network(cable, .portal))
        try await manager("connectivity 3")
        try await recorder.next(network(cable, .limited))
        try await manager("metered 3")
        try await recorder.next(network(cable, .limited, metered: true))
        try await manager("metered 2")
        try await recorder.next(network(cable, .limited))
        try await manager("metered 1")
        try await recorder.next(network(cable, .limited, metered: true))
        try await manager("connectivity 0")
        try await recorder.next(network(cable, .unknown, metered: true))
        #expect(recorder.seen.count == 7)
        source.shutdown()
        bus.shutdown()
    }

    @Test("an SSID that is no UTF-8 is shown with replacements, a hidden one not at all")
    @LoopActor func readsStrangeNames() async throws {
        let manager = try await privateBus.mock("networkmanager")
        try await manager("wifi 636166e9 \(Self.bssid)")
        let (bus, source) = start()
        try await recorder.next(network(.wifi(ssid: "caf\u{FFFD}", bssid: Self.bssid)))
        try await manager("roam 000000 \(Self.bssid)")
        try await recorder.next(network(.wifi(ssid: nil, bssid: Self.bssid)))
        try await manager("roam c3a900f09f8fa0 \(Self.bssid)")
        try await recorder.next(network(.wifi(ssid: "é\0🏠", bssid: Self.bssid)))
        source.shutdown()
        bus.shutdown()
    }

    @Test("a Wi-Fi device that comes later is followed too; its coming alone is no news")
    @LoopActor func followsNewDevice() async throws {
        let manager = try await privateBus.mock("networkmanager")
        let (bus, source) = start()
        try await recorder.next(network(nil, .none))
        try await manager("add_wifi wlan1")
        try await manager("wifi \(Self.home) \(Self.bssid) wlan1")
        try await recorder.next(atHome)
        let between = recorder.seen.dropFirst().dropLast()
        #expect(!between.contains(network(nil, .none)) && !between.contains(atHome))
        try await manager("roam \(Self.home) 02:00:00:00:0A:02 wlan1")
        try await recorder.next(network(.wifi(ssid: "Home", bssid: "02:00:00:00:0A:02")))
        source.shutdown()
        bus.shutdown()
    }

    @Test("the network is unknown while NetworkManager is away")
    @LoopActor func followsNetworkManager() async throws {
        let (bus, source) = start()
        try await recorder.next(.network(.unknown))
        let manager = try await privateBus.mock("networkmanager")
        try await manager("wifi \(Self.home) \(Self.bssid)")
        try await recorder.next(atHome)
        manager.stop()
        try await recorder.next(.network(.unknown))
        #expect(source.refresh() == .unknown)
        let another = try await privateBus.mock("networkmanager")
        try await another("wifi \(Self.home) \(Self.bssid)")
        try await recorder.next(atHome)
        source.shutdown()
        bus.shutdown()
    }

    @Test("the network is unknown while the bus is away, and known again after")
    @LoopActor func followsBus() async throws {
        let manager = try await privateBus.mock("networkmanager")
        try await manager("wifi \(Self.home) \(Self.bssid)")
        let (bus, source) = start()
        try await recorder.next(atHome)
        privateBus.stop()
        try await recorder.next(.network(.unknown))
        try await privateBus.start()
        let another = try await privateBus.mock("networkmanager")
        try await another("wifi \(Self.home) \(Self.bssid)")
        try await recorder.next(atHome)
        #expect(source.current == source.refresh())
        source.shutdown()
        bus.shutdown()
    }

    @Test("nothing is delivered after a shutdown, not even one from within a delivery")
    @LoopActor func shutsDown() async throws {
        let manager = try await privateBus.mock("networkmanager")
        let bus = Bus(.at(privateBus.address), clock: SystemClock())
        var source: NetworkManagerSource?
        source = NetworkManagerSource(bus: bus, clock: SystemClock()) { [recorder] in
            recorder.deliver($0)
            source?.shutdown()
        }
        source?.start()
        bus.open()
        try await recorder.next(network(nil, .none))
        try await manager("wired Cable 5d1f")
        source = nil
        #expect(recorder.seen.count == 1)
        bus.shutdown()
    }
}
