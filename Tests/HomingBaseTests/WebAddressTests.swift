import HomingBase
import Testing

@Suite struct WebAddressTests {
    @Test(
        "The host is the one that libcurl goes to",
        arguments: [
            ("http://homeassistant.local:8123/x", "homeassistant.local"),
            ("HTTPS://User:pass@HA.example/", "ha.example"), ("http://[::1]:8123", "::1"),
            ("http://a@b@c/", "c"), ("http://evil.example/\u{301}@localhost/", "evil.example"),
            ("http://evil.example?\u{301}@localhost/", "evil.example"),
            ("http://evil.example#\u{301}@127.0.0.1", "evil.example"),
        ])
    func host(url: String, host: String) {
        #expect(WebAddress(url)?.host == host)
    }

    @Test("A bracket that is not closed makes no address")
    func openBracket() {
        #expect(WebAddress("http://[::1") == nil)
        #expect(WebAddress("http://[::1/]") == nil)
    }

    @Test(
        "A user or a password in front of the host is seen, with and without a scheme",
        arguments: [
            ("http://me:secret@ha:8123", true), ("me@ha", true),
            ("http://a\u{301}@\u{301}ha", true),
            ("http://me:hun/ter2@ha", true), ("me:a#b@ha", true), ("me:a?b@ha", true),
            ("http:/me:pw@ha", true), ("me:pw%40ha", true), ("ha:8123", false), ("", false),
        ])
    func login(text: String, holds: Bool) {
        #expect(WebAddress.holdsLogin(text) == holds)
    }

    @Test("An address that libcurl reads in another way is no local one")
    func oddNumbers() throws {
        for host in [
            "0127.0.0.1", "+127.0.0.1", "010.0.0.1", "127.0.0", "127.0.0.256", "evil%2eexample",
            "evil\u{3002}example", "evil%2fexample.lan", "2130706433", "0x7f000001",
        ] {
            let address = try #require(WebAddress("http://\(host)/"))
            #expect(!address.isLoopback && !address.isPrivate, "\(host)")
        }
        #expect(WebAddress("http://127.0.0.1/")?.isLoopback == true)
        #expect(WebAddress("http://10.0.0.1/")?.isPrivate == true)
    }
}
