import Testing

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

    @Test("A text that is no address is repeated")
    func noAddress() {
        #expect(RegistrationFailure.badURL("ftp://ha").message.contains("ftp://ha"))
    }
}
