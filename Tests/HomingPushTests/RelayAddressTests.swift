import Testing

@testable import HomingPush

/// A relay's address, as people type it.
@Suite struct RelayAddressTests {
    @Test("A relay has Home Assistant post by TLS, or to the machine that the relay itself is on")
    func posting() throws {
        let (far, here) = (
            try #require(RelayAddress("relay.example")),
            try #require(RelayAddress("http://[::1]:8"))
        )
        let allowed = ["https://other.example/v1/push", "https://192.168.1.2/push"]
        for text in allowed { #expect(far.mayReceive(at: try #require(RelayAddress(text)))) }
        let own = [
            "http://127.0.0.1:8123/api/webhook/x/push", "https://localhost/push",
            "http://[::1]/push",
        ]
        for text in own + ["http://relay.example/v1/push", "http://192.168.1.2/push"] {
            #expect(!far.mayReceive(at: try #require(RelayAddress(text))), "\(text)")
        }
        for text in own { #expect(here.mayReceive(at: try #require(RelayAddress(text)))) }
        #expect(!here.mayReceive(at: try #require(RelayAddress("http://192.168.1.2/push"))))
    }

    @Test(
        "What people type is brought into one form",
        arguments: [
            ("relay.example", "https://relay.example"),
            ("HTTPS://Relay.Example:8443/", "https://relay.example:8443"),
            ("https://relay.example/Relay/", "https://relay.example/Relay"),
            ("https://relay.example/v1/push", "https://relay.example"),
            ("https://relay.example/x/v1/mailbox", "https://relay.example/x"),
            ("http://[::1]:8126", "http://[::1]:8126"),
        ])
    func forms(_ typed: String, _ url: String) {
        #expect(RelayAddress(typed)?.url == url)
    }

    @Test(
        "What is no address, or has more in it than an address, is none",
        arguments: [
            "", "https://", "ftp://relay.example", "https://a b", "https://user@relay.example",
            "https://relay.example/?x", "https://relay.example/#x", "https://relay.example:port",
            "https://relay.example/\u{FC}", "https://relay.example\\@other.example",
            "https://" + String(repeating: "x", count: 5000),
        ])
    func none(_ typed: String) {
        #expect(RelayAddress(typed) == nil)
    }

    @Test("Plain HTTP is confidential to this machine alone")
    func confidential() {
        #expect(RelayAddress("http://127.0.0.1:8126")?.isConfidential == true)
        #expect(RelayAddress("http://localhost")?.isConfidential == true)
        #expect(RelayAddress("https://relay.example")?.isConfidential == true)
        #expect(RelayAddress("http://192.168.1.2")?.isConfidential == false)
    }
}
