import HomingHTTP
import HomingRuntime
import HomingTestKit
import Testing

extension HTTPTests {
    @Suite("Connections") struct ConnectionTests {
        init() { LoopThread.start() }

        /// Returns the number of a request's connection, as the server counts connections.
        @LoopActor private func connection(
            _ client: HTTPClient, _ port: String = "plain"
        ) async throws -> (number: String, isReused: Bool) {
            let url = try TestServer.url("count", port)
            let answer = try await client.response(to: .post(url, Array("{}".utf8))).get()
            return (String(answer.text.prefix { $0 != " " }), answer.isReused)
        }

        @Test("one connection carries request after request", arguments: ["plain", "good"])
        @LoopActor func reuse(port: String) async throws {
            let client = try makeTrustingClient()
            defer { client.shutdown() }
            let first = try await connection(client, port)
            #expect(!first.isReused)
            for _ in 0..<5 {
                let next = try await connection(client, port)
                #expect(next.number == first.number)
                #expect(next.isReused)
            }
        }

        @Test(
            "a request that needs a connection of its own gets one, and leaves the warm one alone")
        @LoopActor func ownConnection() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let first = try await connection(client)
            var request = HTTPRequest.post(try TestServer.url("count", "plain"), Array("{}".utf8))
            request.needsNewConnection = true
            for _ in 0..<3 {
                let own = try await client.response(to: request).get()
                #expect(!own.isReused)
                #expect(own.text.prefix { $0 != " " } != first.number)
            }
            #expect(try await connection(client).isReused)
        }

        @Test("the meter counts what a connection carries, while it is open and when it has ended")
        @LoopActor func meter() async throws {
            let client = makeClient()
            let before = TrafficMeter.total
            let body = [UInt8](repeating: 0x20, count: 1 << 20)
            _ = try await client.response(
                to: .post(try TestServer.url("count", "plain"), body)
            ).get()
            let open = TrafficMeter.total - before
            #expect((body.count...body.count * 5 / 4).contains(open), "\(open) bytes")
            client.shutdown()
            let ended = TrafficMeter.total - before
            #expect((open...open + 4096).contains(ended), "\(ended) bytes")
        }

        @Test("an answer that continues the headers of the one before spoils nothing")
        @LoopActor func foldedFirstHeader() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let folded = HTTPRequest(url: try TestServer.url("folded"))
            let plain = HTTPRequest(url: try TestServer.url("count"))
            for _ in 0..<20 {
                #expect(try await client.response(to: plain).get().status == 200)
                // It is nonsense: whether it counts as an answer is libcurl's to say.
                _ = await client.response(to: folded)
            }
        }

        @Test("after letting go of idle connections the next request makes one")
        @LoopActor func closeIdle() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let first = try await connection(client)
            client.closeIdleConnections()
            client.closeIdleConnections()
            let second = try await connection(client)
            #expect(second.number != first.number)
            #expect(!second.isReused)
        }

        @Test("a client that keeps no connections closes each one with its request")
        @LoopActor func keepsNone() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let before = try await connection(client)
            client.keepConnections(false)
            let first = try await connection(client)
            let second = try await connection(client)
            #expect(Set([before, first, second].map(\.number)).count == 3)
            client.keepConnections(true)
            let third = try await connection(client)
            #expect(third.number != second.number)
            #expect(try await connection(client).number == third.number)
        }

        @Test("letting go of idle connections leaves a request under way alone")
        @LoopActor func closeIdleUnderWay() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let url = try TestServer.url("slow")
            let slow = spawn { await client.response(to: .post(url, [])) }
            await Watch.pause(0.1)
            client.closeIdleConnections()
            let first = try await connection(client)
            #expect(try await slow.value.get().status == 200)
            // What was only open for the slow one is closed with it; the new one is still warm.
            #expect(try await connection(client).number == first.number)
        }

        @Test("a server that closed the warm connection meanwhile gets a new one")
        @LoopActor func closedMeanwhile() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let url = try TestServer.url("leave")
            for _ in 0..<5 {
                #expect(try await client.response(to: .post(url, [])).get().status == 200)
                await Watch.pause(0.02)
            }
        }

        @Test("a TLS session is taken up again on a new connection")
        @LoopActor func resumption() async throws {
            let client = try makeTrustingClient()
            defer { client.shutdown() }
            let request = HTTPRequest(url: try TestServer.url("resumed", "good"))
            #expect(try await client.response(to: request).get().text == "0")
            client.closeIdleConnections()
            // Another request keeps the first handle busy: the session is the client's, not its.
            let slow = HTTPRequest(url: try TestServer.url("slow"))
            let other = spawn { await client.response(to: slow) }
            await Watch.pause(0.05)
            #expect(try await client.response(to: request).get().text == "1")
            _ = await other.value
        }

        @Test("a post is a short head and its whole body", arguments: ["plain", "good"])
        @LoopActor func bytes(port: String) async throws {
            let client = try makeTrustingClient()
            defer { client.shutdown() }
            let url = try TestServer.url("count", port)
            for size in [0, 1, 200, 300, 5000, 16_300, 30_000, 60_000, 100_000, 300_000] {
                let request = HTTPRequest.post(url, [UInt8](repeating: 0x61, count: size))
                let answer = try await client.response(to: request).get()
                let head = [
                    "POST /count HTTP/1.1", "Host: 127.0.0.1:\(try TestServer.fact(port))",
                    "User-Agent: Homing/1.2.3", "Content-Type: application/json",
                    "Content-Length: \(size)", "", "",
                ]
                let whole = head.joined(separator: "\r\n").utf8.count + size
                #expect(received(answer) == whole, "size \(size)")
            }
        }

        @Test("300 bytes to a webhook cost little more than themselves")
        @LoopActor func frugal() async throws {
            let client = makeClient()
            defer { client.shutdown() }
            let id = String(repeating: "0123456789abcdef", count: 4)
            let url = try TestServer.url("count/webhook/\(id)")
            let body = [UInt8](repeating: 0x61, count: 300)
            let answer = try await client.response(to: .post(url, body)).get()
            let sent = try #require(received(answer))
            print("300 B out: \(sent) B")
            #expect(sent <= 520)
        }

        /// Bytes of the request, as the server counts them.
        private func received(_ answer: HTTPResponse) -> Int? {
            answer.text.split(separator: " ").last.flatMap { Int($0) }
        }
    }
}
