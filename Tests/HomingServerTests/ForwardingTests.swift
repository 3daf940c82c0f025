import Testing

@testable import HomingServer

/// Sender of a request that came over proxies.
@Suite struct ForwardingTests {
    private static let proxies = ["10.0.0.0/8", "fd00::/8", "unix"].compactMap { AddressRange($0) }

    @Test(
        "The rightmost address that is not trusted is the client",
        arguments: [
            // The connection's end, the fields, the client; whether a stranger wrote a field.
            ("192.0.2.9", [], "192.0.2.9", false),
            ("192.0.2.9", ["203.0.113.5"], "192.0.2.9", true),
            ("10.0.0.1", [], "10.0.0.1", false),
            ("10.0.0.1", ["203.0.113.5"], "203.0.113.5", false),
            ("10.0.0.1", ["198.51.100.1, 203.0.113.5"], "203.0.113.5", false),
            ("10.0.0.1", ["198.51.100.1, 203.0.113.5, 10.0.0.2"], "203.0.113.5", false),
            ("10.0.0.1", ["198.51.100.1", "203.0.113.5,10.0.0.2"], "203.0.113.5", false),
            ("10.0.0.1", ["203.0.113.5", "10.0.0.2"], "203.0.113.5", false),
            ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3", false),
            ("10.0.0.1", ["203.0.113.5, unknown, 10.0.0.2"], "unreadable", false),
            ("10.0.0.1", ["203.0.113.5, unknown"], "unreadable", false),
            ("10.0.0.1", ["", ",,"], "unreadable", false),
            ("10.0.0.1", ["fe80::1%eth0"], "unreadable", false),
            // A mark that joins the comma behind it.
            ("10.0.0.1", ["\u{600}, 203.0.113.5"], "203.0.113.5", false),
            ("10.0.0.1", ["203.0.113.5,\u{301}"], "unreadable", false),
            ("10.0.0.1", ["203.0.113.5:4711"], "203.0.113.5", false),
            ("10.0.0.1", ["[2001:db8::7]:4711"], "2001:db8::7", false),
            ("10.0.0.1", ["[2001:db8::7]"], "2001:db8::7", false),
            ("10.0.0.1", ["2001:db8::7"], "2001:db8::7", false),
            ("fd00::1", ["203.0.113.5\t,\t10.0.0.2 "], "203.0.113.5", false),
            ("::ffff:10.0.0.1", ["203.0.113.5"], "203.0.113.5", false),
            ("unix", ["203.0.113.5"], "203.0.113.5", false),
            ("unix", [], "unix", false),
        ])
    func matrix(peer: String, fields: [String], client: String, isUntrusted: Bool) throws {
        func address(_ text: String) throws -> ClientAddress {
            switch text {
            case "unix": .unix
            case "unreadable": .unreadable
            default: try #require(ClientAddress(text))
            }
        }
        let found = Forwarding(peer: try address(peer), fields: fields, proxies: Self.proxies)
        #expect(try found.client == address(client) && found.isUntrusted == isUntrusted)
    }

    @Test("Without trusted proxies the connection's end is the client")
    func nobody() throws {
        let found = Forwarding(peer: .unix, fields: ["203.0.113.5"], proxies: [])
        #expect(found.client == .unix && found.isUntrusted)
    }
}
