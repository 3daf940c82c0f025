import Testing

@testable import HomingPairing

struct PairingTests {
    @Test(
        "addresses as people type and paste them",
        arguments: [
            ("homeassistant.local", "http://homeassistant.local:8123"),
            (" 192.168.1.5 ", "http://192.168.1.5:8123"), ("ha:80", "http://ha:80"),
            ("[fd00::1]", "http://[fd00::1]:8123"), ("[fd00::1]:81", "http://[fd00::1]:81"),
            ("https://Ha.Example/lovelace/0?x=1#y", "https://ha.example"),
            ("HTTP://ha.local:8123/", "http://ha.local:8123"),
        ])
    func addresses(typed: String, base: String) { #expect(PairingAddress.base(typed) == base) }

    @Test(
        "what is no address",
        arguments: [
            "", "ha ha", "ftp://ha", "http://", "http://me:pw@ha", "ha:0", "ha:99999", "hä",
        ])
    func noAddress(typed: String) { #expect(PairingAddress.base(typed) == nil) }

    @Test("an announced instance is reached by the first URL that is one")
    func discovered() throws {
        let texts = [
            "location_name=Home", "internal_url=", "base_url=http://10.0.0.2:8123/", "uuid=1",
        ]
        let one = try #require(
            DiscoveredInstance(
                DiscoveredService(name: "x", texts: texts, address: "10.0.0.3", port: 1)))
        #expect(one.name == "Home" && one.url == "http://10.0.0.2:8123")
        let bare = try #require(
            DiscoveredInstance(
                DiscoveredService(name: "A\u{1B}[2J", texts: [], address: "fd00::1", port: 8123)))
        #expect(bare.url == "http://[fd00::1]:8123" && bare.name == "A\u{FFFD}[2J")
        #expect(
            DiscoveredInstance(
                DiscoveredService(name: "x", texts: ["base_url=ftp://x"], address: nil, port: 1))
                == nil)
        let again = try #require(
            DiscoveredInstance(
                DiscoveredService(name: "x", texts: ["uuid=1"], address: "10.0.0.9", port: 8123)))
        #expect(DiscoveredInstance.distinct([one, bare, again, bare]) == [bare, one])
    }

    @Test("the page asks for this login, with PKCE where the server has it")
    func page() {
        let plain = LoginAttempt(port: 4711, state: "s")
        #expect(
            plain.page(at: "http://ha")
                == "http://ha/auth/authorize?response_type=code&client_id=http%3A%2F%2F127.0.0.1%3A4711"
                + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A4711%2Fcallback&state=s")
        let proved = LoginAttempt(port: 1, state: "s", verifier: "v", challenge: "c")
        #expect(
            proved.page(at: "http://ha").hasSuffix("&code_challenge=c&code_challenge_method=S256"))
    }

    @Test("an escaped answer is read, a code with other characters is not")
    func answers() {
        let login = LoginAttempt(port: 1, state: "a b")
        let code = "0123456789abcdef"
        #expect(login.read(target: "/callback?state=a%20b&code=\(code)") == .code(code))
        #expect(login.read(target: "/callback?state=a+b&code=\(code)#x") == .code(code))
        #expect(login.read(target: "/callback?state=a+b&code=\(code)%0A") == .unrelated)
        #expect(login.read(target: "/callback?state=a+b&error=no&code=\(code)") == .refused("no"))
        #expect(login.read(pasted: "short") == .unrelated)
    }

    @Test("a pointer record names its service, and garbage names none")
    func pointer() {
        let owner = Array("\u{3}_ha\u{4}_tcp\0".utf8)
        let head: [UInt8] = [0, 12, 0, 1, 0, 0, 0, 60, 0, 9]
        let record = owner + head + Array("\u{4}Home\u{3}_ha\0".utf8)
        #expect(PointerRecord(record)?.instance == "Home")
        for length in 0..<(owner.count + head.count + 5) {
            #expect(PointerRecord(Array(record.prefix(length))) == nil)
        }
    }
}
