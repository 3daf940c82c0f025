import HomingHTTP
import HomingRuntime
import HomingTestKit
import Testing

extension HTTPTests {
    @Suite("TLS") struct TLSTests {
        init() { LoopThread.start() }

        @LoopActor private func failure(
            _ port: String, _ client: HTTPClient
        ) async throws -> HTTPFailure {
            let request = HTTPRequest.post(
                try TestServer.url("echo", port, secret: secret), Array("{}".utf8))
            let failure = try #require(await client.response(to: request).failure)
            expectDiscreet(failure)
            return failure
        }

        @LoopActor private func status(_ port: String, _ client: HTTPClient) async throws -> Int {
            try await client.response(to: .post(TestServer.url("x", port), [])).get().status
        }

        @Test("a certificate of the CA that was given is trusted")
        @LoopActor func good() async throws {
            let client = try makeTrustingClient()
            defer { client.shutdown() }
            #expect(try await status("good", client) == 200)
        }

        @Test("each fault of a certificate has its name, one after the other on one client")
        @LoopActor func faults() async throws {
            let client = try makeTrustingClient()
            defer { client.shutdown() }
            let faults: [(port: String, problem: HTTPFailure.TLSProblem, words: String)] = [
                ("expired", .expired, "has expired"),
                ("named", .wrongName, "is for another name"),
                ("unknown", .unknownIssuer, "from an issuer that is not trusted"),
                ("named", .wrongName, "is for another name"),
                ("selfsigned", .unknownIssuer, "self-signed"),
                ("future", .notYetValid, "not valid yet"),
            ]
            for fault in faults {
                let failure = try await failure(fault.port, client)
                #expect(failure.kind == .tls(fault.problem), "\(fault.port)")
                #expect(failure.description.contains(fault.words), "\(failure)")
                #expect(!failure.mayHaveArrived)
                #expect(try await status("good", client) == 200)
            }
        }

        @Test("without the CA its certificates are not trusted")
        @LoopActor func noCA() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            #expect(try await failure("good", client).kind == .tls(.unknownIssuer))
        }

        @Test("a server that wants a certificate says so", arguments: ["mutual", "mutual12"])
        @LoopActor func clientCertificateAbsent(port: String) async throws {
            let client = try makeTrustingClient()
            defer { client.shutdown() }
            let failure = try await failure(port, client)
            // TLS 1.2 has one alert for all that went wrong in the handshake.
            let expected: HTTPFailure.TLSProblem =
                port == "mutual" ? .clientCertificateWanted : .protocolMismatch
            #expect(failure.kind == .tls(expected), "\(failure)")
            #expect(failure.description.contains("wants a client certificate"))
        }

        @Test("https asked of a port that speaks http is told of as that")
        @LoopActor func plainPort() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let url = "https://127.0.0.1:\(try TestServer.fact("plain"))/echo"
            let failure = try #require(await client.response(to: HTTPRequest(url: url)).failure)
            #expect(failure.kind == .tls(.plainHTTP))
            #expect(failure.description.contains("begins with http://"))
        }

        @Test("a server that wants a certificate and hangs up before that is read gets a guess")
        @LoopActor func clientCertificateAbrupt() async throws {
            let client = try makeTrustingClient()
            defer { client.shutdown() }
            let failure = try await failure("abrupt", client)
            let kinds: [HTTPFailure.Kind] = [.connectionLost, .tls(.clientCertificateWanted)]
            #expect(kinds.contains(failure.kind))
            #expect(failure.description.contains("wants a client certificate"))
        }

        @Test("a server that wants a certificate gets ours", arguments: ["mutual", "mutual12"])
        @LoopActor func clientCertificatePresent(port: String) async throws {
            let pair = try TestServer.fact("client")
            let ca = try TestServer.fact("ca")
            for key in [pair, nil] {
                let client = makeClient(
                    TLSOptions(caFile: ca, clientCertificate: pair, clientKey: key))
                #expect(try await status(port, client) == 200)
                client.shutdown()
            }
        }

        @Test("a certificate the server does not take is named", arguments: ["mutual", "mutual12"])
        @LoopActor func clientCertificateRefused(port: String) async throws {
            let client = makeClient(
                TLSOptions(
                    caFile: try TestServer.fact("ca"),
                    clientCertificate: try TestServer.fact("stranger")))
            defer { client.shutdown() }
            let failure = try await failure(port, client)
            #expect(failure.kind == .tls(.clientCertificateRefused), "\(failure)")
            #expect(
                failure.description.contains("does not accept this machine's client certificate"))
        }

        @Test("a file that is not there is named")
        @LoopActor func missingFiles() async throws {
            let pair = try TestServer.fact("client")
            let ca = try TestServer.fact("ca")
            let options = [
                (
                    TLSOptions(caFile: "/nowhere/ca.pem"),
                    "the CA file /nowhere/ca.pem cannot be read"
                ),
                (
                    TLSOptions(caFile: ca, clientCertificate: "/nowhere/c.pem"),
                    "the client certificate /nowhere/c.pem cannot be read"
                ),
                (
                    TLSOptions(caFile: ca, clientCertificate: pair, clientKey: "/nowhere/k.pem"),
                    "the client key /nowhere/k.pem cannot be read"
                ),
            ]
            for (options, words) in options {
                let client = makeClient(options)
                let failure = try await failure("mutual", client)
                #expect(failure.kind == .tls(.unusableFile), "\(failure)")
                #expect(failure.description == "\(words): No such file or directory")
                #expect(!failure.mayHaveArrived)
                client.shutdown()
            }
        }

        @Test("a file that holds no certificate is named")
        @LoopActor func emptyFiles() async throws {
            let ca = try TestServer.fact("ca")
            for options in [
                TLSOptions(caFile: "/etc/hostname"),
                TLSOptions(caFile: ca, clientCertificate: "/etc/hostname"),
            ] {
                let client = makeClient(options)
                let failure = try await failure("mutual", client)
                #expect(failure.kind == .tls(.unusableFile), "\(failure)")
                #expect(failure.description.contains("/etc/hostname"), "\(failure)")
                client.shutdown()
            }
        }
    }
}
