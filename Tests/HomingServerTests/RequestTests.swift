import Glibc
import HomingBase
import HomingRuntime
import HomingServer
import HomingTestKit
import Testing

extension ServerTests {
    /// Requests and their answers.
    @Suite struct RequestTests {
        private static let get = "GET /one HTTP/1.1\r\nHost: h\r\n\r\n"
        private static let post = "POST /two HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello"
        private static let chunked =
            "POST /three HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "5\r\nhello\r\n1\r\n!\r\n0\r\nTrailer: t\r\n\r\n"

        /// Holds back what asks for /one.
        private static let holdFirst: Served.Take = { request, served in
            if request.path == "/one" { served.hold(request) } else { request.echo() }
        }

        @Test("A connection serves one request after the other")
        func keepAlive() async throws {
            try await withServer { rig in
                let client = try rig.client()
                for _ in 0..<3 {
                    client.send(Self.get)
                    #expect(try client.wholeAnswer().body == "{\"GET /one\":0}")
                    client.send(Self.post)
                    let answer = try client.wholeAnswer()
                    #expect(answer.status == 200 && answer.isJSON && !answer.closes)
                    #expect(answer.body == "{\"POST /two\":5}")
                    client.send(Self.chunked)
                    #expect(try client.wholeAnswer().body == "{\"POST /three\":6}")
                }
                #expect(await rig.counts.requests == 9)
                #expect(await rig.counts.buffered == 0)
            }
        }

        @Test("Requests that come at once are answered in order, also when the first waits")
        func pipelining() async throws {
            try await withServer { rig in
                await rig.handleRequests { Self.holdFirst($0, $1) }
                let client = try rig.client()
                client.send(Self.get + Self.post + Self.chunked)
                try await rig.wait("a request") { $0.waiting.count == 1 }
                await rig.settle()
                #expect(client.isSilent)
                #expect(await rig.counts.requests == 1)
                await spawn { rig.served.answerFirst() }.value
                let bodies = try (0..<3).map { _ in try client.wholeAnswer().body }
                #expect(bodies == ["{\"GET /one\":0}", "{\"POST /two\":5}", "{\"POST /three\":6}"])
            }
        }

        @Test("While one waits, others are served; all late answers reach whom they are for")
        func late() async throws {
            try await withServer { rig in
                await rig.handleRequests { Self.holdFirst($0, $1) }
                let waiting = try (0..<20).map { number in
                    let client = try rig.client()
                    client.send(
                        "POST /one HTTP/1.1\r\nHost: h\r\nContent-Length: \(number)\r\n\r\n")
                    client.send([UInt8](repeating: 0x61, count: number))
                    return client
                }
                try await rig.wait("20 requests") { $0.waiting.count == 20 }
                let other = try rig.client()
                other.send(Self.post)
                #expect(try other.wholeAnswer().status == 200)
                #expect(await rig.counts.buffered == 190)
                await spawn { for _ in 0..<20 { rig.served.answerFirst(201) } }.value
                for (number, client) in waiting.enumerated() {
                    let answer = try client.wholeAnswer()
                    #expect(answer.status == 201 && answer.body == "{\"POST /one\":\(number)}")
                }
                #expect(await rig.counts.buffered == 0)
            }
        }

        @Test("A request is answered once")
        func once() async throws {
            try await withServer { rig in
                await rig.handleRequests { request, served in
                    request.echo(201)
                    request.echo(500)
                    served.hold(request)
                }
                let client = try rig.client()
                client.send(Self.get)
                #expect(try client.wholeAnswer().status == 201)
                await spawn { rig.served.answerFirst(500) }.value
                client.send(Self.get)
                #expect(try client.wholeAnswer().status == 201)
            }
        }

        @Test("Fields are read by any case until the answer, the path comes without the query")
        func fields() async throws {
            try await withServer { rig in
                await rig.handleRequests { request, _ in
                    let before = [request.field("content-type"), request.field("X-NONE")]
                    let query = request.field("q")
                    request.answer(
                        ServerAnswer(
                            203, json: Array("{\"\(request.path)\":\(before.description)}".utf8),
                            fields: [(name: "Retry-After", value: query ?? "none")]))
                    #expect(request.field("content-type") == nil)
                }
                let client = try rig.client()
                client.send(
                    "GET /a%2Fb%00+c?q=1&content-type=x HTTP/1.1\r\nHost: h\r\n"
                        + "Content-Type: application/json\r\n\r\n")
                let answer = try client.wholeAnswer()
                #expect(
                    answer.body == "{\"/a%2Fb%00+c\":[Optional(\"application/json\"), nil]}")
                #expect(answer.fields["retry-after"] == "none")
                #expect(answer.fields["date"] != nil)
            }
        }

        @Test("Who waits for a word before the body gets it")
        func expect100() async throws {
            try await withServer { rig in
                let client = try rig.client()
                client.send(
                    "POST /one HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
                )
                #expect(try client.wholeAnswer().status == 100)
                client.send("hello")
                #expect(try client.wholeAnswer().body == "{\"POST /one\":5}")
            }
        }

        @Test("HEAD is answered without a body, HTTP/1.0 with an end, and so is who asks for one")
        func ends() async throws {
            try await withServer { rig in
                let client = try rig.client()
                client.send("HEAD /one HTTP/1.1\r\nHost: h\r\n\r\n")
                let head = try #require(try client.answer(isHead: true))
                #expect(head.status == 200 && head.fields["content-length"] == "15")
                client.send("GET /one HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                let last = try client.wholeAnswer()
                #expect(last.closes && last.body == "{\"GET /one\":0}")
                #expect(try client.isEnded())
                let old = try rig.client()
                old.send("GET /one HTTP/1.0\r\n\r\n")
                #expect(try old.wholeAnswer().status == 200)
                #expect(try old.isEnded())
            }
        }

        @Test("A client that has said its last gets its answer")
        func halfClosed() async throws {
            try await withServer { rig in
                await rig.handleRequests { Self.holdFirst($0, $1) }
                let client = try rig.client()
                client.send(Self.get)
                client.endSending()
                try await rig.wait("a request") { $0.waiting.count == 1 }
                await rig.settle()
                await spawn { rig.served.answerFirst() }.value
                #expect(try client.wholeAnswer().status == 200)
                #expect(try client.isEnded())
            }
        }

        @Test(
            "A client whose last word comes with its request gets the answer, and the end at once")
        func lastWord() async throws {
            try await withServer(isPlayed: true) { rig in
                let client = try rig.client()
                let (descriptor, bytes) = (client.descriptor, Array(Self.get.utf8))
                // On the loop, which reads nothing meanwhile.
                await spawn {
                    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                    _ = shutdown(descriptor, Int32(SHUT_WR))
                }.value
                #expect(try client.wholeAnswer().status == 200)
                #expect(try client.isEnded())
            }
        }

        @Test("A client that goes before its answer hinders nobody")
        func gone() async throws {
            try await withServer { rig in
                await rig.handleRequests { Self.holdFirst($0, $1) }
                for isReset in [true, false] {
                    let client = try rig.client()
                    client.send(Self.get)
                    try await rig.wait("a request") { $0.waiting.count == 1 }
                    if isReset { client.reset() } else { client.close() }
                    await rig.settle()
                    await spawn { rig.served.answerFirst() }.value
                }
                try await rig.wait("the ends") { $0.server?.counts.connections == 0 }
                let client = try rig.client()
                client.send(Self.post)
                #expect(try client.wholeAnswer().status == 200)
            }
        }

        @Test("In whatever pieces requests come, the answers are the same")
        func pieces() async throws {
            let seed = TestRun.seed()
            print("HOMING_SEED=\(seed)")
            var random = SeededRandom(seed: seed)
            let bytes = Array((Self.get + Self.chunked + Self.post + Self.get + Self.post).utf8)
            try await withServer { rig in
                let whole = try rig.client()
                whole.send(bytes)
                let expected = try (0..<5).map { _ in try whole.wholeAnswer().body }
                for _ in 0..<(TestRun.isLong ? 2000 : 60) {
                    let client = try rig.client()
                    client.descriptor.setNoDelay()
                    var rest = bytes[...]
                    while !rest.isEmpty {
                        let piece = rest.prefix(.random(in: 1...40, using: &random))
                        rest = rest.dropFirst(piece.count)
                        client.send(Array(piece))
                        // The loop reads what has come, or not yet.
                        if Bool.random(using: &random) { await rig.settle() }
                    }
                    let bodies = try (0..<5).map { _ in try client.wholeAnswer().body }
                    #expect(bodies == expected, "HOMING_SEED=\(seed)")
                    client.reset()
                }
                #expect(await rig.counts.refusals == 0)
            }
        }
    }
}

extension Int32 {
    /// Has each piece sent as it is.
    func setNoDelay() {
        var one: Int32 = 1
        setsockopt(
            self, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }
}
