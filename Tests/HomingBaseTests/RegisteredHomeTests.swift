import HomingBase
import Testing

@Suite("A home that is registered hinders another home at its address")
struct RegisteredHomeTests {
    @Test(
        "However the address is written",
        arguments: [
            ("http://ha.local:8123", "http://HA.local:8123/"),
            ("http://ha.local:8123", "ha.local:8123"),
            ("https://ha.example", "https://ha.example:443"),
            ("http://ha.local", "http://ha.local:80/"),
            ("http://[fd00::1]:8123", "http://[FD00::1]:8123/lovelace"),
        ])
    func same(url: String, typed: String) {
        #expect(RegisteredHome("villa", at: url).hinders(typed, from: nil))
        #expect(
            !RegisteredHome("villa", at: url).hinders(typed, from: url), "it is its own address too"
        )
        #expect(RegisteredHome("villa", at: url).hinders(typed, from: "http://other.local:8123"))
    }

    @Test(
        "Another scheme, host or port is another address, and so is a text that is no address",
        arguments: [
            "https://ha.local:8123", "http://ha.local:8124", "http://ha.local",
            "http://hut.local:8123",
            "", "ftp://ha.local:8123",
        ])
    func other(typed: String) {
        #expect(!RegisteredHome("villa", at: "http://ha.local:8123").hinders(typed, from: nil))
    }

    @Test("An address that is not known hinders no other home")
    func unknown() {
        #expect(!RegisteredHome("villa", at: nil).hinders("http://ha.local:8123", from: nil))
    }
}
