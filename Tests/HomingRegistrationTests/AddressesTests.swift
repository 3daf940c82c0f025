import Testing

@testable import HomingHTTP
@testable import HomingRegistration

@Suite struct AddressesTests {
    @Test("An address with a login in it is refused, and no message repeats the login")
    func login() {
        for address in [
            "http://me:PASSWORD@ha:8123", "me:PASSWORD@ha", "https://PASSWORD@ha/x",
            "http://me:a/PASSWORD@ha", "http://me:443/PASSWORD@ha", "me:a#PASSWORD@ha",
        ] {
            #expect(throws: RegistrationFailure.badURL(address)) {
                try Registrar.base(of: address, allowPlainHTTP: true)
            }
            let failure = RegistrationFailure.badURL(address)
            #expect(failure.message.contains("a password"), "\(address)")
            #expect(!(failure.message + failure.hint).contains("PASSWORD"), "\(address)")
        }
    }

    @Test("A token goes unencrypted to a local name or address alone")
    func localNames() throws {
        for address in ["http://ha.lan:8123", "ha.home.arpa", "http://192.168.1.9"] {
            #expect(try !Registrar.base(of: address, allowPlainHTTP: false).isEmpty)
        }
        #expect(throws: RegistrationFailure.plainHTTP(host: "ha.example")) {
            try Registrar.base(of: "http://ha.example:8123", allowPlainHTTP: false)
        }
    }

    @Test(
        "A forgotten port is told where nobody answers",
        arguments: [
            ("http://ha.lan", HTTPFailure.Kind.refused, "http://ha.lan:8123" as String?),
            ("http://ha.lan:80", .connectTimeout, "http://ha.lan:8123"),
            ("http://[fd00::1]", .refused, "http://[fd00::1]:8123"),
            ("http://ha.lan:8123", .refused, nil), ("https://ha.lan", .refused, nil),
            ("http://ha.lan", .unreachable, nil),
        ])
    func forgottenPort(address: String, kind: HTTPFailure.Kind, advised: String?) {
        let failure = HTTPFailure(kind: kind, mayHaveArrived: false, description: "played")
        let hint = RegistrationFailure.unreachable(base: address, failure).hint
        #expect(
            hint == advised.map { "give the port, which is usually 8123: \($0)" }
                ?? "check host, port, and that Home Assistant is running")
    }

    @Test("A text that is no address is repeated")
    func noAddress() {
        #expect(RegistrationFailure.badURL("ftp://ha").message.contains("ftp://ha"))
    }
}
