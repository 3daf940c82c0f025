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

    @Test("An address that libcurl reads in another way is no local one")
    func oddNumbers() throws {
        for host in ["0127.0.0.1", "+127.0.0.1", "010.0.0.1", "127.0.0", "127.0.0.256"] {
            let address = try #require(WebAddress("http://\(host)/"))
            #expect(!address.isLoopback && !address.isPrivate, "\(host)")
        }
        #expect(WebAddress("http://127.0.0.1/")?.isLoopback == true)
        #expect(WebAddress("http://10.0.0.1/")?.isPrivate == true)
    }
}
