import Testing

@testable import HomingPairing

/// `homing setup --if-needed`.
@Suite struct KeptRegistrationTests {
    private func keeps(
        at url: String? = nil, isNew: Bool = false,
        change: (inout PairingSituation) -> Void = { _ in }
    ) -> Bool {
        var situation = PairingSituation(
            home: "home", registeredAs: "Van", machineName: "van", network: nil,
            isDaemonRunning: true, hasServiceManager: true)
        situation.registeredURL = "http://homeassistant.local:8123"
        change(&situation)
        var choices = PairingChoices()
        choices.url = url
        choices.isNew = isNew
        return situation.keepsRegistration(choices)
    }

    @Test("A registration at the address stays, however the address is written")
    func same() {
        #expect(keeps() && keeps(isNew: true))
        for url in [
            "http://homeassistant.local:8123", "homeassistant.local",
            "http://HomeAssistant.local:8123/",
            "http://homeassistant.local:8123/lovelace/0",
        ] { #expect(keeps(at: url), "\(url)") }
    }

    @Test("Without a registration, and at another address, the machine is registered")
    func another() {
        #expect(!keeps { $0.registeredAs = nil })
        for url in ["https://homeassistant.local:8123", "http://cabin.local:8123", "http://a b"] {
            #expect(!keeps(at: url), "\(url)")
        }
    }

    @Test(
        "An image's registration does not stay, and another machine's only as long as nobody says new"
    )
    func notOwn() {
        #expect(!keeps { $0.isCopied = true })
        #expect(keeps { $0.isMoved = true })
        #expect(!keeps(isNew: true) { $0.isMoved = true })
    }
}
