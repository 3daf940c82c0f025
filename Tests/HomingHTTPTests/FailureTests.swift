import HomingHTTP
import HomingRuntime
import HomingTestKit
import Testing

/// A stand-in for a webhook id.
let secret = String(repeating: "5ec2e7", count: 8)

extension HTTPTests {
    @Suite("Failures") struct FailureTests {
        init() { LoopThread.start() }

        struct Case: Sendable, CustomTestStringConvertible {
            var behaviour: String
            var port = "plain"
            var kind: HTTPFailure.Kind
            var words: String
            var mayHaveArrived = true
            var testDescription: String { "\(behaviour) \(port)" }
        }

        private static let cases = [
            Case(
                behaviour: "x", port: "refused", kind: .refused, words: "refuses the connection",
                mayHaveArrived: false),
            Case(behaviour: "silent", kind: .timeout, words: "no answer"),
            Case(behaviour: "half", kind: .connectionLost, words: "before its answer was complete"),
            Case(
                behaviour: "cuthead", kind: .connectionLost, words: "before its answer was complete"
            ),
            Case(
                behaviour: "cutline", kind: .connectionLost, words: "before its answer was complete"
            ),
            Case(behaviour: "hangup", kind: .connectionLost, words: "closed the connection"),
            Case(behaviour: "announced", kind: .tooLarge, words: "too large"),
            Case(behaviour: "huge", kind: .tooLarge, words: "too large"),
            Case(behaviour: "headers", kind: .tooLarge, words: "too large"),
            Case(behaviour: "continue", kind: .tooLarge, words: "too large"),
            Case(behaviour: "garbage", kind: .protocolError, words: "does not answer in HTTP"),
        ]

        @Test("each failure has its name and says so without the secret", arguments: cases)
        @LoopActor func kinds(test: Case) async throws {
            let client = makeClient()
            defer { client.shutdown() }
            var request = HTTPRequest.post(
                try TestServer.url(test.behaviour, test.port, secret: secret), Array("{}".utf8))
            request.timeout = test.kind == .timeout ? 0.3 : 10
            let failure = try #require(await client.response(to: request).failure)
            #expect(failure.kind == test.kind, "\(failure)")
            #expect(failure.mayHaveArrived == test.mayHaveArrived)
            #expect(failure.description.contains(test.words))
            #expect(failure.description.contains("127.0.0.1:\(try TestServer.fact(test.port))"))
            expectDiscreet(failure)
        }

        @Test("one endless header line ends")
        @LoopActor func endlessLine() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let request = HTTPRequest.post(try TestServer.url("line", secret: secret), [])
            let failure = try #require(await client.response(to: request).failure)
            #expect(failure.kind == .tooLarge, "\(failure)")
            expectDiscreet(failure)
        }

        @Test("a server that takes the connection and keeps quiet is a connect timeout for TLS")
        @LoopActor func handshakeTimeout() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let port = try TestServer.fact("plain")
            var request = HTTPRequest.post("https://127.0.0.1:\(port)/\(secret)", [])
            request.connectTimeout = 0.3
            let failure = try #require(await client.response(to: request).failure)
            #expect(failure.kind == .connectTimeout)
            #expect(failure.description == "no connection to 127.0.0.1:\(port) within 0.3 s")
            #expect(!failure.mayHaveArrived)
        }

        @Test("a name that does not exist is a failure of name resolution")
        @LoopActor func unknownName() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let url = "http://user:\(secret)@nowhere.invalid/\(secret)"
            let failure = try #require(await client.response(to: .post(url, [])).failure)
            #expect(failure.kind == .nameResolution)
            #expect(failure.description == "the name of nowhere.invalid cannot be resolved")
            #expect(!failure.mayHaveArrived)
        }

        @Test("an address without a route is unreachable")
        @LoopActor func unreachable() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            // A multicast address takes no connection, whatever the network.
            let url = "http://224.0.0.1/\(secret)"
            let failure = try #require(await client.response(to: .post(url, [])).failure)
            #expect(failure.kind == .unreachable, "\(failure)")
            #expect(failure.description.contains("224.0.0.1"))
            expectDiscreet(failure)
        }

        @Test(
            "what is no URL of ours is refused before anything is sent",
            arguments: [
                "", "ha.local/" + secret, "ftp://ha.local/" + secret, "file:///etc/passwd",
                "http://", "http://ha local/" + secret, "http://ha/\r\nX: " + secret,
                "http://ha:99999/" + secret, "http://ha/\0" + secret, "http://[::1/" + secret,
            ])
        @LoopActor func badURL(url: String) async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let failure = try #require(await client.response(to: .post(url, [])).failure)
            #expect(failure.kind == .badURL)
            #expect(!failure.mayHaveArrived)
            expectDiscreet(failure)
        }

        @Test("a header that would end the line is refused")
        @LoopActor func badHeader() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let url = try TestServer.url("echo")
            let requests = [
                HTTPRequest(url: url, bearerToken: "\(secret)\n"),
                HTTPRequest(url: url, bearerToken: "\(secret)\r\nY: b"),
                HTTPRequest(url: url, bearerToken: "\(secret)\0b"),
                HTTPRequest(url: url, method: .post, contentType: "a\nb"),
            ]
            for request in requests {
                let failure = try #require(await client.response(to: request).failure)
                #expect(failure.kind == .badHeader)
                expectDiscreet(failure)
            }
        }

        @Test("times that are no times end at once, and never trap", arguments: [0, -1, .nan])
        @LoopActor func oddTimes(seconds: Double) async throws {
            let client = makeClient()
            defer { client.shutdown() }
            var request = HTTPRequest.post(try TestServer.url("silent"), [])
            request.timeout = seconds
            request.connectTimeout = .infinity
            let failure = try #require(await client.response(to: request).failure)
            #expect([.timeout, .connectTimeout].contains(failure.kind))
        }

        @Test("a request does not print its secrets")
        func requestIsDiscreet() {
            let request = HTTPRequest(
                url: "http://ha/\(secret)", method: .post, body: [1], bearerToken: secret)
            var dumped = "\(request) \(String(reflecting: request))"
            dump(request, to: &dumped)
            #expect(!dumped.contains(secret))
        }
    }
}

/// Expects nothing of path, query or password, and no curl or OpenSSL jargon of error numbers.
func expectDiscreet(_ failure: HTTPFailure) {
    #expect(!failure.description.contains(secret.prefix(12)))
    #expect(!failure.description.contains("key="))
    #expect(!failure.description.contains("://"))
    #expect(!failure.description.isEmpty)
}
