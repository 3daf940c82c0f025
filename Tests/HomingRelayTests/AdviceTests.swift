import Glibc
import HomingRuntime
import HomingServer
import HomingTestKit
import Testing

@testable import HomingHTTP
@testable import HomingRelay

/// Findings of `homing-relay init` and `homing-relay check` in a configuration, and their advice.
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

    /// The failure of a second server on the address of a first.
    private static func failureOfSecond(on address: ListenAddress) async -> ServerFailure? {
        await spawn { () async -> ServerFailure? in
            do throws(ServerFailure) {
                let first = try HTTPServer(on: [address], take: { _ in })
                let second = await Self.failure(on: first.addresses[0])
                await first.end()
                return second
            } catch {
                return error
            }
        }.value
    }

    /// The failure of a server that listens there.
    private static func failure(on address: ListenAddress) async -> ServerFailure? {
        await spawn { () async -> ServerFailure? in
            do throws(ServerFailure) {
                let server = try HTTPServer(on: [address], take: { _ in })
                await server.end()
                return nil
            } catch {
                return error
            }
        }.value
    }

    @Test("says what to do about an address that cannot be listened on")
    func listening() async {
        LoopThread.start()
        let taken = await Self.failureOfSecond(on: .tcp("127.0.0.1", port: 0))
        #expect(taken?.number == EADDRINUSE)
        #expect(taken?.advice?.contains("ss -ltnp") == true)
        #expect(taken?.advice?.contains("public_url") == true)
        let foreign = await Self.failure(on: .tcp("192.0.2.1", port: 0))
        #expect(foreign?.number == EADDRNOTAVAIL && foreign?.advice?.contains("0.0.0.0") == true)
        let path = await Self.failureOfSecond(on: .unix(folder.file("relay.sock")))
        #expect(path?.number == EADDRINUSE && path?.advice == nil, "a path has no port to change")
    }

    @Test("knows the ports on which root may listen, and the service may not")
    func ports() {
        func refusal(_ address: ListenAddress) -> ServerFailure? {
            FreePorts.refusal(of: [.tcp("127.0.0.1", port: 8765), address], first: 1024)
        }
        let https = ListenAddress.tcp("0.0.0.0", port: 443)
        #expect(refusal(https)?.number == EACCES && refusal(https)?.address == https)
        #expect(refusal(https)?.advice?.contains("choose a port from") == true)
        #expect(refusal(https)?.description == "cannot listen on 0.0.0.0:443: Permission denied")
        for port: UInt16 in [0, 1024, 65535] {
            #expect(refusal(.tcp("0.0.0.0", port: port)) == nil)
        }
        #expect(refusal(.unix("/run/relay.sock")) == nil)
        #expect(FreePorts.refusal(of: [https], first: 443) == nil)
        #expect((0...65536).contains(FreePorts.first))
    }

    @Test("names ca_file for a far relay that is not trusted, and for no other")
    func untrusted() {
        func reason(_ kind: HTTPFailure.Kind, _ words: String) -> String {
            FarRelay.reason(HTTPFailure(kind: kind, mayHaveArrived: false, description: words))
        }
        let words = "the certificate of far is from an issuer that is not trusted here"
        let untrusted = reason(.tls(.unknownIssuer), words)
        #expect(untrusted.hasPrefix("\(words); ") && untrusted.contains("ca_file under [forward]"))
        #expect(reason(.tls(.expired), words) == words)
        #expect(reason(.refused, "far refuses the connection") == "far refuses the connection")
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
