import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingSources

@Suite("The addresses of this machine, by the kernel's files")
struct HostAddressesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func areReachable(
        routes: String? = nil, sixth: String? = nil, carriers: [String: String] = [:]
    ) throws -> Bool {
        let root = folder.file("\(UInt64.random(in: 0...UInt64.max))")
        var files = ["proc/net/route": routes, "proc/net/if_inet6": sixth]
        for (name, carrier) in carriers { files["sys/class/net/\(name)/carrier"] = carrier }
        for case (let name, let content?) in files {
            let path = "\(root)/\(name)"
            try Folders.make(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
            try AtomicFile.write(Array(content.utf8), to: path)
        }
        return HostAddresses(HostFiles(root: root)).areReachable
    }

    private static let heading = "Iface\tDestination\tGateway\tFlags\n"
    private static let route = heading + "eth0\t00FFFF0A\t00000000\t0001\n"
    private static let linkLocal = "fe800000000000000000000000000001 02 40 20 80     eth0\n"
    private static let global = "20010db8000000000000000000000001 02 40 00 80     eth0\n"
    private static let loopback = "00000000000000000000000000000001 01 80 10 80       lo\n"

    @Test("are reachable by a route of a connected interface, or by a global address")
    func reachable() throws {
        #expect(try areReachable(routes: Self.route))
        #expect(try areReachable(routes: Self.route, carriers: ["eth0": "1\n"]))
        #expect(try areReachable(routes: "", sixth: Self.loopback + Self.global))
    }

    @Test("are not reachable without a route, by the link alone, or without a cable")
    func cutOff() throws {
        #expect(try !areReachable(routes: ""))
        #expect(try !areReachable(routes: Self.heading, sixth: Self.loopback + Self.linkLocal))
        #expect(
            try !areReachable(routes: Self.route, sixth: Self.global, carriers: ["eth0": "0\n"]))
    }

    @Test("are taken for reachable where the files cannot be read")
    func unreadable() throws { #expect(try areReachable()) }
}
