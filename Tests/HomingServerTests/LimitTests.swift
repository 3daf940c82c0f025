import HomingRuntime
import HomingServer
import HomingTestKit
import HomingWebSocket
import Testing

extension ServerTests {
    /// Sizes that are too large, and numbers that are too high.
    @Suite struct LimitTests {
        private static func post(_ size: Int, _ fields: String = "") -> [UInt8] {
            Array("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: \(size)\r\n\(fields)\r\n".utf8)
        }

        private static func body(_ size: Int) -> [UInt8] { [UInt8](repeating: 0x61, count: size) }

        private static func chunks(_ sizes: [Int]) -> [UInt8] {
            let head = "POST /p HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            return Array(head.utf8)
                + sizes.flatMap {
                    Array((String($0, radix: 16) + "\r\n").utf8) + body($0) + [13, 10]
                }
        }

        private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

        @Test("Limits without bounds do no harm")
        func boundless() async throws {
            func limits(_ limits: inout ServerLimits) {
                (limits.head, limits.body, limits.connections) = (.max, .max, .max)
                (limits.perAddress, limits.buffered, limits.backlog) = (.max, .max, .max)
                (limits.headTime, limits.idle, limits.answerTime) = (
                    .infinity, .infinity, .infinity
                )
            }
            try await withServer(limits: limits) { rig in
                let client = try rig.client()
                client.send(Self.post(300_000) + Self.body(300_000))
                #expect(try client.wholeAnswer().body == "{\"POST /p\":300000}")
            }
        }

        @Test("A body of 64 KiB is taken; a longer one is answered with 413 when it has come")
        func bodies() async throws {
            try await withServer { rig in
                let client = try rig.client()
                for _ in 0..<2 {
                    client.send(Self.post(65536) + Self.body(65536))
                    #expect(try client.wholeAnswer().body == "{\"POST /p\":65536}")
                    client.send(Self.post(65537) + Self.body(65537))
                    let answer = try client.wholeAnswer()
                    #expect(answer.status == 413 && answer.isJSON && !answer.closes)
                    client.send(Self.chunks([60_000, 5_000, 536, 0]))
                    #expect(try client.wholeAnswer().body == "{\"POST /p\":65536}")
                    client.send(Self.chunks([60_000, 5_000, 537, 0]))
                    #expect(try client.wholeAnswer().status == 413)
                }
                let counts = await rig.counts
                #expect(counts.requests == 4 && counts.refusals == 4 && counts.buffered == 0)
            }
        }

        @Test("A body that is announced to be far too long is not read")
        func announced() async throws {
            try await withServer { rig in
                for size in ["262145", "99999999999", "999999999999999999"] {
                    let client = try rig.client()
                    client.send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: \(size)\r\n\r\n")
                    let answer = try client.wholeAnswer()
                    #expect(answer.status == 413 && answer.isJSON && answer.closes)
                    #expect(try client.isEnded())
                }
                let client = try rig.client()
                client.send(Self.post(65537, "Expect: 100-continue\r\n"))
                let answer = try client.wholeAnswer()
                #expect(answer.status == 413 && answer.isJSON && answer.closes)
            }
        }

        @Test("A body in chunks without an end is cut off after four times the limit")
        func endless() async throws {
            try await withServer { rig in
                let client = try rig.client()
                client.send(Self.chunks([]))
                let chunk = Array("1000\r\n".utf8) + Self.body(4096) + [13, 10]
                var sent = 0
                while sent < 10_000, client.send(chunk) { sent += 1 }
                // The kernel takes some MB before the client sees the end.
                #expect(sent < 10_000)
                #expect(await rig.counts.buffered == 0)
                let counts = await rig.counts
                #expect(counts.requests == 0 && counts.refusals == 1 && counts.connections == 0)
            }
        }

        @Test("Who stops when a body in chunks is cut off can read why")
        func cutOff() async throws {
            try await withServer(limits: { $0.body = 1000 }) { rig in
                let client = try rig.client()
                client.send(Self.chunks([1000, 1000, 1000, 1000, 1]))
                let answer = try client.wholeAnswer()
                #expect(answer.status == 413 && answer.isJSON && answer.closes)
                #expect(try client.isEnded())
            }
        }

        @Test("A head of 8 KiB is taken; a longer one is answered with 431")
        func heads() async throws {
            try await withServer { rig in
                func head(_ size: Int) -> String {
                    let rest = "GET / HTTP/1.1\r\nHost: h\r\nX-Filler: \r\n\r\n"
                    let filler = String(repeating: "x", count: size - rest.utf8.count)
                    return rest.replacing("Filler: ", with: "Filler: \(filler)")
                }
                let client = try rig.client()
                client.send(head(8192))
                #expect(try client.wholeAnswer().status == 200)
                client.send(head(8193))
                let answer = try client.wholeAnswer()
                #expect(answer.status == 431 && answer.isJSON && answer.closes)
                #expect(try client.isEnded())
            }
        }

        @Test("Bodies under way have a limit in all, and room when they are answered")
        func buffered() async throws {
            try await withServer(limits: { $0.buffered = 1000 }) { rig in
                await rig.handleRequests { request, served in
                    if request.body.count == 800 { served.hold(request) } else { request.echo() }
                }
                let (first, second) = (try rig.client(), try rig.client())
                first.send(Self.post(800) + Self.body(800))
                try await rig.wait("the first") { $0.waiting.count == 1 }
                #expect(await rig.counts.buffered == 800)
                second.send(Self.post(201) + Self.body(201))
                let answer = try second.wholeAnswer()
                #expect(answer.status == 503 && answer.isJSON && !answer.closes)
                second.send(Self.post(200) + Self.body(200))
                #expect(try second.wholeAnswer().status == 200)
                await spawn { rig.served.answerFirst() }.value
                #expect(try first.wholeAnswer().status == 200)
                second.send(Self.post(201) + Self.body(201))
                #expect(try second.wholeAnswer().status == 200)
                // A body that is broken off gives its room back.
                first.send(Self.post(900) + Self.body(899))
                try await rig.wait("the body") { $0.server?.counts.buffered == 899 }
                first.close()
                try await rig.wait("the room") { $0.server?.counts.buffered == 0 }
            }
        }

        @Test("An address may have so many connections, WebSockets among them")
        func perAddress() async throws {
            try await withServer(limits: { $0.perAddress = 3 }) { rig in
                await rig.handleRequests { request, served in
                    if request.path == "/" { request.echo() } else { served.upgrade(request) }
                }
                let socket = try SocketTests.open(rig)
                let clients = try [rig.client(), rig.client()]
                for client in clients {
                    client.send(Self.get)
                    #expect(try client.wholeAnswer().status == 200)
                }
                #expect(try rig.client().isEnded())
                let other = try rig.client(from: "127.0.0.2")
                other.send(Self.get)
                #expect(try other.wholeAnswer().status == 200)
                socket.close()
                try await rig.wait("the end") { $0.server?.counts.sockets == 0 }
                let next = try rig.client()
                next.send(Self.get)
                #expect(try next.wholeAnswer().status == 200)
                #expect(try rig.client().isEnded())
                clients[0].close()
                try await rig.wait("the end") { $0.server?.counts.connections == 3 }
                #expect(try SocketTests.open(rig).isSilent)
                let turnedAway = await rig.counts.turnedAway
                #expect(turnedAway == 2)
                withExtendedLifetime((clients, other, next)) {}
            }
        }

        @Test("A trusted proxy may have any number; whom it stands for has so many WebSockets")
        func proxies() async throws {
            let proxies = [try #require(AddressRange("127.0.0.0/8"))]
            try await withServer(limits: { $0.perAddress = 2 }, trusts: proxies) { rig in
                await rig.handleRequests { SocketTests.echo($0, $1) }
                func open(_ client: String) throws -> (RawClient, RawAnswer) {
                    let connection = try rig.client()
                    connection.send(
                        SocketTests.upgrade.replacing(
                            "Host: h", with: "Host: h\r\nX-Forwarded-For: \(client)"))
                    return (connection, try connection.wholeAnswer())
                }
                var opened = try (0..<2).map { _ in try open("203.0.113.5") }
                opened += try (0..<2).map { _ in try open("2001:db8::5") }
                opened.append(try open("2001:db8:0:1::5"))
                #expect(opened.map(\.1.status) == [101, 101, 101, 101, 101])
                for client in ["203.0.113.5", "2001:db8::ffff"] {
                    let (_, answer) = try open(client)
                    #expect(answer.status == 429 && answer.isJSON)
                }
                opened.removeFirst().0.close()
                try await rig.wait("the end") { $0.server?.counts.sockets == 4 }
                #expect(try open("203.0.113.5").1.status == 101)
                withExtendedLifetime(opened) {}
            }
        }

        @Test("All together may have so many")
        func connections() async throws {
            try await withServer(limits: { $0.connections = 3 }) { rig in
                let clients = try (1...3).map { try rig.client(from: "127.0.0.\($0)") }
                for client in clients {
                    client.send(Self.get)
                    #expect(try client.wholeAnswer().status == 200)
                }
                #expect(try rig.client(from: "127.0.0.4").isEnded())
                clients[1].close()
                try await rig.wait("the end") { $0.server?.counts.connections == 2 }
                let next = try rig.client(from: "127.0.0.5")
                next.send(Self.get)
                #expect(try next.wholeAnswer().status == 200)
                withExtendedLifetime(clients) {}
            }
        }
    }
}
