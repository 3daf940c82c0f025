import HomingMachine
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingBus
@testable import HomingSources

@Suite(.serialized) struct NetworkLinksTests {
    private static let bssid = "02:00:00:00:0A:01"
    private static let header =
        "IP address       HW type     Flags       HW address            Mask     Device\n"

    private let privateBus: PrivateBus
    private let files: TemporaryFolder

    init() async throws {
        TestLoop.start()
        privateBus = try await PrivateBus()
        files = try TemporaryFolder()
    }

    /// The links that were delivered, in order.
    @LoopActor private final class Links {
        private(set) var seen: [NetworkLinks?] = []

        func deliver(_ observation: Observation) {
            if case .links(let links) = observation { seen.append(links) }
        }

        func next(_ isSo: (NetworkLinks?) -> Bool) async throws -> NetworkLinks? {
            try await eventually("the links, after \(seen)") { seen.last.map(isSo) ?? false }
            return seen.last ?? nil
        }
    }

    @LoopActor private func start(_ links: Links) -> (bus: Bus, source: NetworkManagerSource) {
        let bus = Bus(.at(privateBus.address), clock: SystemClock())
        let source = NetworkManagerSource(
            bus: bus, files: HostFiles(root: files.path), clock: SystemClock(),
            deliver: links.deliver)
        source.start()
        bus.open()
        return (bus, source)
    }

    private func write(neighbours lines: String...) throws {
        _ = try files.write(
            Self.header + lines.map { $0 + "\n" }.joined(), to: "proc/net/arp")
    }

    @Test("A link has its network, its addresses and the hardware address of its gateway")
    @LoopActor func wifi() async throws {
        try write(
            neighbours:
                "192.168.1.1      0x1         0x2         02:00:00:00:00:aa     *        wlan0")
        let manager = try await privateBus.mock("networkmanager")
        try await manager("wifi 486f6d65 \(Self.bssid)")
        let links = Links()
        let (bus, source) = start(links)
        #expect(
            try await links.next { $0 != nil }?.links.isEmpty == true, "without a gateway: no link")
        try await manager("ip4 192.168.1.20 192.168.1.1")
        let link = try await links.next { $0?.links.isEmpty == false }?.links.first
        #expect(link?.medium == .wifi(ssid: "Home", bssid: Self.bssid))
        let address = try #require(IPAddress("192.168.1.20"))
        #expect(link?.networks == [IPNetwork(address, prefix: 24)])
        #expect(link?.gateways == ["192.168.1.1"])
        #expect(link?.gateway == "02:00:00:00:00:AA")
        #expect(link?.isAutomatic == false)
        // DHCP answers with another address, in the same object.
        try await manager("ip4_change 192.168.1.77 192.168.1.254")
        let changed = try await links.next { $0?.links.first?.gateways == ["192.168.1.254"] }
        #expect(changed?.links.first?.networks.first?.address == IPAddress("192.168.1.77"))
        try await manager("none")
        // The connection goes before the connectivity; links may be delivered between them.
        let left = try await links.next { $0?.connectivity == Connectivity.none }
        #expect(left?.links.isEmpty == true)
        source.shutdown()
        bus.shutdown()
    }

    @Test("The hardware address of a gateway is looked for until the kernel knows it")
    @LoopActor func looksAgain() async throws {
        try write(
            neighbours:
                "192.168.1.1      0x1         0x0         00:00:00:00:00:00     *        eth0",
            "192.168.1.1      0x1         0x2         02:00:00:00:00:bb     *        wlan0")
        let manager = try await privateBus.mock("networkmanager")
        try await manager("wired Cable 5d1f")
        try await manager("ip4 192.168.1.20 192.168.1.1")
        let links = Links()
        let (bus, source) = start(links)
        let first = try await links.next { $0?.links.isEmpty == false }
        #expect(first?.isResolving == true)
        #expect(first?.links.first?.gateway == nil)
        try write(
            neighbours:
                "192.168.1.1      0x1         0x2         02:00:00:00:00:aa     *        eth0")
        let second = try await links.next { $0?.isResolving == false }
        #expect(second?.links.first?.gateway == "02:00:00:00:00:AA")
        #expect(second?.links.first?.medium == .cable)
        source.shutdown()
        bus.shutdown()
    }

    @Test("A connection that NetworkManager made by itself is told apart; a tunnel is no link")
    @LoopActor func automatic() async throws {
        let manager = try await privateBus.mock("networkmanager")
        try await manager("wired Cable 5d1f")
        try await manager("ip4 192.168.1.20 192.168.1.1")
        try await manager("generated")
        let links = Links()
        let (bus, source) = start(links)
        let first = try await links.next { $0?.links.isEmpty == false }
        #expect(first?.links.map(\.isAutomatic) == [true])
        try await manager("other wireguard")
        try await manager("ip4 10.8.0.2 10.8.0.1")
        try await manager("connectivity 3")
        let last = try await links.next { $0?.connectivity == .limited }
        #expect(last?.links.map(\.uuid) == ["5d1f"])
        source.shutdown()
        bus.shutdown()
    }

    @Test("Nothing is known of links while NetworkManager is away")
    @LoopActor func away() async throws {
        let links = Links()
        let (bus, source) = start(links)
        #expect(try await links.next { _ in true } == nil)
        source.shutdown()
        bus.shutdown()
    }

    @Test(
        "A table of neighbours that is no table has no address",
        arguments: ["", "x\ny\n", "a b c d e f\n1 2 0x2 3\n"])
    func damaged(_ text: String) throws {
        _ = try files.write(text, to: "proc/net/arp")
        let table = NeighbourTable(HostFiles(root: files.path))
        #expect(table.hardwareAddress(of: "1", on: "3") == nil)
    }
}
