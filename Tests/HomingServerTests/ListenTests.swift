import Glibc
import HomingRuntime
import HomingServer
import HomingTestKit
import Testing

extension ServerTests {
    /// Addresses where a server listens, and whom it takes for whom.
    @Suite struct ListenTests {
        private static let get = "GET /one HTTP/1.1\r\nHost: h\r\n\r\n"

        private static func expectAnswer(at address: ListenAddress) throws {
            let client = try RawClient(address)
            client.send(get)
            #expect(try client.wholeAnswer().status == 200, "\(address)")
        }

        @Test("Several addresses at once, of every kind")
        func several() async throws {
            let folder = try TemporaryFolder()
            let path = "\(folder.path)/relay.sock"
            let addresses: [ListenAddress] = [
                .tcp("127.0.0.1", port: 0), .tcp("::1", port: 0), .unix(path),
            ]
            try await withServer(on: addresses) { rig in
                #expect(rig.addresses.count == 3 && rig.addresses.allSatisfy { $0.port != 0 })
                for address in rig.addresses { try Self.expectAnswer(at: address) }
            }
            #expect(access(path, F_OK) != 0)
        }

        @Test("All of IPv6 takes IPv4 too, unless that has an address of its own")
        func wildcard() async throws {
            try await withServer(on: [.tcp("::", port: 0)]) { rig in
                let port = try #require(rig.address.port)
                try Self.expectAnswer(at: .tcp("::1", port: port))
                try Self.expectAnswer(at: .tcp("127.0.0.1", port: port))
            }
            let both: [ListenAddress] = [.tcp("0.0.0.0", port: 0), .tcp("::", port: 0)]
            try await withServer(on: both) { rig in
                for address in rig.addresses { try Self.expectAnswer(at: address) }
                #expect(RawClient.reaches(rig.addresses[0]) && !RawClient.reaches(rig.addresses[1]))
            }
        }

        @Test("An IPv4 client of an IPv6 socket is an IPv4 client")
        func mapped() async throws {
            try await withServer(on: [.tcp("::", port: 0)], limits: { $0.perAddress = 1 }) { rig in
                let port = try #require(rig.address.port)
                let clients = try (1...2).map {
                    try RawClient(.tcp("127.0.0.1", port: port), from: "127.0.0.\($0)")
                }
                for client in clients {
                    client.send(Self.get)
                    #expect(try client.wholeAnswer().status == 200)
                }
                #expect(try RawClient(.tcp("127.0.0.1", port: port)).isEnded())
                // Until here they are connected.
                withExtendedLifetime(clients) {}
            }
        }

        private func failure(on addresses: [ListenAddress]) async -> ServerFailure? {
            await spawn {
                do throws(ServerFailure) {
                    let server = try HTTPServer(on: addresses) { $0.echo() }
                    await server.end()
                    return nil
                } catch {
                    return error
                }
            }.value
        }

        @Test("An address that is taken is named, and the others are given back")
        func taken() async throws {
            try await withServer { rig in
                let folder = try TemporaryFolder()
                let path = ListenAddress.unix("\(folder.path)/relay.sock")
                let failure = await failure(on: [path, rig.address])
                #expect(failure?.address == rig.address)
                #expect(failure?.description.contains("\(rig.address)") == true)
                #expect(failure?.number == EADDRINUSE)
                try await withServer(on: [path]) { rig in
                    try Self.expectAnswer(at: path)
                    #expect(await self.failure(on: [path])?.address == path)
                    try Self.expectAnswer(at: path)
                }
            }
        }

        @Test("What cannot be listened on is said")
        func impossible() async throws {
            LoopThread.start()
            let long = ListenAddress.unix("/" + String(repeating: "x", count: 120))
            let none = ListenAddress.unix("/nonexistent/relay.sock")
            for address in [long, none, .tcp("192.0.2.1", port: 0), .tcp("home", port: 0)] {
                #expect(await failure(on: [address])?.address == address)
            }
            let nowhere = await failure(on: [])
            #expect(nowhere != nil && nowhere?.number == nil)
        }

        @Test("A Unix socket that nobody listens on any more is replaced")
        func left() async throws {
            let folder = try TemporaryFolder()
            let path = "\(folder.path)/relay.sock"
            var unix = sockaddr_un()
            unix.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &unix.sun_path) { $0.copyBytes(from: path.utf8) }
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            let isBound = withUnsafePointer(to: unix) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                }
            }
            close(descriptor)
            #expect(isBound)
            try await withServer(on: [.unix(path)]) { try Self.expectAnswer(at: $0.address) }
        }

        @Test("A file that is no socket is left as it is")
        func foreign() async throws {
            LoopThread.start()
            let folder = try TemporaryFolder()
            let path = try folder.write("the keys", to: "relay.keys")
            #expect(await failure(on: [.unix(path)])?.description.contains("no socket") == true)
            #expect(try folder.read("relay.keys") == Array("the keys".utf8))
        }

        // MARK: Who is who

        @Test(
            "A forwarded address counts if a trusted proxy wrote it",
            arguments: [
                ("127.0.0.1", "203.0.113.5", "an IPv4 client", false, false),
                ("127.0.0.9", "203.0.113.5", "an IPv4 client", true, true),
                ("127.0.0.1", "2001:db8::5", "an IPv6 client", false, false),
                ("127.0.0.9", nil, "an IPv4 client", false, true),
                ("127.0.0.1", nil, "an IPv4 client", false, true),
            ])
        func forwarded(
            from: String, field: String?, client: String, isUntrusted: Bool, isLoopback: Bool
        ) async throws {
            let proxies = [try #require(AddressRange("127.0.0.1"))]
            try await withServer(trusts: proxies) { rig in
                await rig.handleRequests { request, served in
                    request.answer(
                        ServerAnswer(
                            200,
                            json: Array(
                                "{\(request.client) \(request.untrustedForward) \(request.client.isLoopback)}"
                                    .utf8)))
                }
                let connection = try rig.client(from: from)
                let line = field.map { "X-Forwarded-For: \($0)\r\n" } ?? ""
                connection.send("GET / HTTP/1.1\r\nHost: h\r\n\(line)\r\n")
                let answer = try connection.wholeAnswer()
                #expect(answer.body == "{\(client) \(isUntrusted) \(isLoopback)}")
            }
        }

        @Test("A request does not show its body, nor where it comes from")
        func silence() async throws {
            try await withServer { rig in
                await rig.handleRequests { request, _ in
                    var text = "\(request) \(String(reflecting: request))"
                    dump(request, to: &text)
                    request.answer(ServerAnswer(200, json: Array("{\(text)}".utf8)))
                }
                let client = try rig.client()
                client.send("POST /path HTTP/1.1\r\nHost: h\r\nContent-Length: 6\r\n\r\nsecret")
                let answer = try client.wholeAnswer()
                #expect(answer.body.contains("a request of 6 bytes"))
                for word in ["secret", "path", "127", "115"] {
                    #expect(!answer.body.contains(word))
                }
            }
        }
    }
}
