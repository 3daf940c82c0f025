import HomingServer
import Testing

/// Addresses of clients, ranges of them, and where to listen.
@Suite struct AddressTests {
    private func address(_ text: String) throws -> ClientAddress {
        try #require(ClientAddress(text), "\(text)")
    }

    @Test("An IPv6 client counts as its network of 64 bits, an IPv4 client as itself")
    func groups() throws {
        let one = try address("2001:db8:1:2:3::4")
        #expect(try one.group == address("2001:db8:1:2:ffff::1").group)
        #expect(try one.group != address("2001:db8:1:3:3::4").group)
        #expect(try one != address("2001:db8:1:2:3::5"))
        let four = try address("192.0.2.1")
        #expect(try four.group == four && four.group != address("192.0.2.2").group)
        #expect(ClientAddress.unix.group == .unix)
    }

    @Test("IPv4 in the form of IPv6 is the same address")
    func mapped() throws {
        #expect(try address("::ffff:192.0.2.1") == address("192.0.2.1"))
        #expect(try address("::ffff:192.0.2.1").isFour)
        #expect(try !address("::ffff:0:192.0.2.1").isFour)
        #expect(try ClientAddress.unix != address("::"))
    }

    @Test(
        "What is on this machine",
        arguments: [
            ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true),
            ("128.0.0.1", false), ("::", false), ("::2", false), ("fe80::1", false),
        ])
    func loopback(text: String, isLoopback: Bool) throws {
        #expect(try address(text).isLoopback == isLoopback)
        #expect(ClientAddress.unix.isLoopback)
    }

    @Test(
        "What is no address",
        arguments: [
            "", "home", "192.0.2", "192.0.2.1 ", "1.2.3.4:80", "[::1]", "::1%lo", "1.2.3.4\0",
        ])
    func none(text: String) {
        #expect(ClientAddress(text) == nil)
    }

    @Test("An address shows itself to nobody")
    func silence() throws {
        let client = try address("192.0.2.77")
        #expect(!"\(client) \(String(reflecting: client))".contains("77"))
        var text = ""
        dump(client, to: &text)
        #expect(!text.contains("77") && !text.contains("low"))
    }

    @Test(
        "A range holds what its bits say",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.0.0.1", true), ("10.0.0.0/8", "a00::", false),
            ("192.0.2.64/26", "192.0.2.127", true), ("192.0.2.64/26", "192.0.2.128", false),
            ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.0", false),
            ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false),
            ("::/0", "2001:db8::1", true), ("::/0", "203.0.113.9", true),
            ("2001:db8::/33", "2001:db8:7fff::", true), ("2001:db8::/33", "2001:db8:8000::", false),
            ("2001:db8::/64", "2001:db8::ffff", true), ("2001:db8::/64", "2001:db8:0:1::", false),
            ("2001:db8::/65", "2001:db8::7fff:0:0:0", true),
            ("2001:db8::/65", "2001:db8::8000:0:0:0", false), ("::1", "::1", true),
        ])
    func ranges(range: String, client: String, isIn: Bool) throws {
        let range = try #require(AddressRange(range))
        #expect(try range.contains(address(client)) == isIn)
        #expect(!range.contains(.unix))
    }

    @Test("A Unix socket's clients are in the range of that name alone")
    func unix() throws {
        let range = try #require(AddressRange("unix"))
        #expect(try range.contains(.unix) && !range.contains(address("127.0.0.1")))
    }

    @Test(
        "What is no range",
        arguments: [
            "", "/8", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/+8",
            "10.0.0.0/8/8", "10.0.0.0/0x8", "10.0.0.0/0008", "Unix", "proxy/8",
        ])
    func noRange(text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test(
        "Where to listen is read and written",
        arguments: [
            "127.0.0.1:8126", "[::]:8126", "[2001:db8::1]:1", "0.0.0.0:0", "/run/relay.sock",
        ])
    func listening(text: String) throws {
        let address = try #require(ListenAddress(text))
        #expect(address.description == text)
        #expect((address.port == nil) == text.hasPrefix("/"))
    }

    @Test(
        "Where nobody can listen",
        arguments: [
            "", "8126", ":8126", "::1:80", "[127.0.0.1]:80", "[::1]", "home:80",
            "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:", "run/relay.sock", "[::1]:80 ",
        ])
    func notListening(text: String) {
        #expect(ListenAddress(text) == nil)
    }
}
