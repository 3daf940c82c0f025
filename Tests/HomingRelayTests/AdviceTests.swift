import Glibc
import HomingServer
import HomingTestKit
import Testing

@testable import HomingRelay

/// What `homing-relay init` and `homing-relay check` find in a configuration, and what they advise.
@Suite("The relay's advice")
struct AdviceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func warnings(_ url: String?, _ addresses: [String]) -> [String] {
        var configuration = RelayConfiguration()
        configuration.listen.publicURL = url
        configuration.listen.addresses = addresses.compactMap { ListenAddress($0) }
        return configuration.warnings
    }

    @Test("warns of plain HTTP to a relay that only its own machine reaches")
    func loopback() {
        let four = warnings("http://192.168.1.20:8765", ["127.0.0.1:8765", "[::1]:8765"])
        #expect(four.count == 1)
        #expect(four.first?.contains("set address = 0.0.0.0:8765 under [listen]") == true)
        let six = warnings("http://[fd00::20]:8765", ["127.0.0.1:8765"])
        #expect(six.first?.contains("set address = [::]:8765 under [listen]") == true)
    }

    @Test("warns of plain HTTP to a port on which the relay does not listen")
    func port() {
        let forgotten = warnings("http://192.168.1.20", ["0.0.0.0:8765"])
        #expect(forgotten.count == 1)
        #expect(forgotten.first?.contains("port 80, and the relay listens on 0.0.0.0:8765") == true)
        #expect(warnings("http://192.168.1.20:8766/homing", ["0.0.0.0:8765"]).count == 1)
        #expect(warnings("http://192.168.1.20", ["127.0.0.1:8765"]).count == 2)
    }

    @Test(
        "warns of nothing where a client may well reach the relay",
        arguments: [
            ("http://192.168.1.20:8765", "0.0.0.0:8765"),
            ("http://relay.local:8765", "192.168.1.20:8765"),
            ("http://127.0.0.1:8765", "127.0.0.1:8765"),
            ("http://localhost", "127.0.0.1:8765"),
            ("https://relay.example.org", "127.0.0.1:8765"),
            ("https://relay.example.org:8443", "127.0.0.1:8765"),
            ("http://192.168.1.20", "/run/homing-relay/http.sock"),
            ("http://192.168.1.20:8765", "127.0.0.1:0"),
        ])
    func nothing(url: String, address: String) {
        #expect(warnings(url, [address]) == [])
        #expect(warnings(nil, [address]) == [])
    }

    @Test("names the files that are read, in their order")
    func files() throws {
        let path = folder.file("relay.conf")
        #expect(RelayConfiguration.files(of: path) == [])
        for name in ["b.conf", "a.conf", ".hidden.conf", "note.txt"] {
            try folder.write("", to: "relay.conf.d/\(name)")
        }
        let dropIns = ["\(path).d/a.conf", "\(path).d/b.conf"]
        #expect(RelayConfiguration.files(of: path) == dropIns)
        try folder.write("", to: "relay.conf")
        #expect(RelayConfiguration.files(of: path) == [path] + dropIns)
    }

    private func failure(_ number: Int32, at address: ListenAddress?) -> ServerFailure {
        ServerFailure("cannot listen: \(String(cString: strerror(number)))", at: address)
    }

    @Test("says what to do about an address that cannot be listened on")
    func listening() {
        let address = ListenAddress.tcp("0.0.0.0", port: 80)
        #expect(failure(EADDRINUSE, at: address).advice?.contains("ss -ltnp") == true)
        #expect(failure(EADDRINUSE, at: address).advice?.contains("public_url") == true)
        #expect(failure(EADDRNOTAVAIL, at: address).advice?.contains("0.0.0.0") == true)
        #expect(failure(EACCES, at: address).advice?.contains("1024") == true)
        #expect(failure(EMFILE, at: address).advice == nil)
        #expect(failure(EADDRINUSE, at: .unix("/run/relay.sock")).advice == nil)
        #expect(failure(EADDRINUSE, at: nil).advice == nil)
    }

    @Test("names ca_file for a far relay that is not trusted, and for no other")
    func untrusted() {
        let reason = "the certificate of far is from an issuer that is not trusted here"
        let explained = RelayConfiguration.Forward.explained(reason)
        #expect(explained.hasPrefix("\(reason); ") && explained.contains("ca_file under [forward]"))
        let other = "far refuses the connection"
        #expect(RelayConfiguration.Forward.explained(other) == other)
    }

    @Test("asks for root where the relay is the service's, and this user has none of their own")
    func root() throws {
        let (service, keys) = (folder.file("service"), folder.file("relay.keys"))
        func needsRoot(_ user: UInt32) -> Bool {
            SystemRelay.needsRoot(keys: keys, folder: service, user: user)
        }
        #expect(!needsRoot(1000), "no relay at all")
        // The service's folder leads where only root can look.
        #expect(symlink(folder.file("private"), service) == 0)
        #expect(needsRoot(1000) && !needsRoot(0))
        try folder.write("", to: "relay.keys")
        #expect(!needsRoot(1000))
    }
}
