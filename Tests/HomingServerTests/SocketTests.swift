import Glibc
import HomingRuntime
import HomingServer
import HomingTestKit
import HomingWebSocket
import Testing

extension ServerTests {
    /// WebSockets.
    @Suite struct SocketTests {
        static let upgrade =
            "GET /v1/mailbox HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

        static func frame(_ text: String) -> [UInt8] {
            WebSocketFrame.bytes(.text, Array(text.utf8), from: .client)
        }

        /// Makes a reader for a client of the tests.
        static func reader() -> FrameReader { FrameReader(limit: 4 << 20, role: .client) }

        static func open(
            _ rig: ServerRig, early: [UInt8] = [], from source: String? = nil
        ) throws -> RawClient {
            let client = try rig.client(from: source)
            client.send(Array(upgrade.utf8) + early)
            let answer = try client.wholeAnswer()
            try #require(answer.status == 101, "\(answer)")
            return client
        }

        static let echo: Served.Take = { request, served in served.upgrade(request) }

        @Test("The upgrade is the standard's, and texts go both ways")
        func upgrade() async throws {
            try await withServer { rig in
                await rig.handleRequests { Self.echo($0, $1) }
                let client = try rig.client()
                client.send(Self.upgrade)
                let answer = try client.wholeAnswer()
                #expect(answer.status == 101)
                #expect(answer.fields["upgrade"] == "websocket")
                #expect(answer.fields["connection"]?.lowercased() == "upgrade")
                #expect(answer.fields["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
                #expect(answer.fields["content-length"] == nil)
                var reader = Self.reader()
                for text in ["hello", "", String(repeating: "€", count: 20_000)] {
                    client.send(Self.frame(text))
                    #expect(try client.item(&reader) == .text(Array(text.utf8)))
                }
                let counts = await rig.counts
                #expect(counts.sockets == 1 && counts.connections == 0)
                client.close()
                try await rig.wait("the end") { $0.events.last == .ended(.dropped) }
                #expect(await rig.counts.sockets == 0)
            }
        }

        @Test("An upgrade that comes late is one too")
        func late() async throws {
            try await withServer { rig in
                await rig.handleRequests { request, served in served.hold(request) }
                let client = try rig.client()
                client.send(Self.upgrade)
                try await rig.wait("the request") { $0.waiting.count == 1 }
                await rig.settle()
                #expect(client.isSilent)
                await spawn { rig.served.waiting.forEach { rig.served.upgrade($0) } }.value
                #expect(try client.wholeAnswer().status == 101)
                var reader = Self.reader()
                client.send(Self.frame("late"))
                #expect(try client.item(&reader) == .text(Array("late".utf8)))
            }
        }

        @Test("An upgrade for a client that has gone ends as a WebSocket that is dropped")
        func gone() async throws {
            try await withServer { rig in
                await rig.handleRequests { request, served in served.hold(request) }
                let client = try rig.client()
                client.send(Self.upgrade)
                try await rig.wait("the request") { $0.waiting.count == 1 }
                client.reset()
                await spawn { rig.served.waiting.forEach { rig.served.upgrade($0) } }.value
                try await rig.wait("the end") { $0.events == [.ended(.dropped)] }
                let counts = await rig.counts
                #expect(counts.sockets == 0 && counts.connections == 0)
            }
        }

        @Test("What follows the head in the same packet is not lost, nor what is sent at once")
        func early() async throws {
            try await withServer { rig in
                await rig.handleRequests { request, served in
                    served.upgrade(request)
                    served.sockets.last?.send(text: Array("welcome".utf8))
                }
                let early = Self.frame("one") + Self.frame("two") + Self.frame("three").dropLast(2)
                let client = try Self.open(rig, early: early)
                var reader = Self.reader()
                var texts: [String] = []
                for _ in 0..<3 {
                    guard case .text(let text)? = try client.item(&reader) else { break }
                    texts.append(String(decoding: text, as: UTF8.self))
                }
                #expect(texts == ["welcome", "one", "two"])
                client.send(Array(Self.frame("three").suffix(2)))
                #expect(try client.item(&reader) != nil)
            }
        }

        @Test("A message in parts is one, with a ping between, which is answered")
        func fragments() async throws {
            try await withServer { rig in
                await rig.handleRequests { Self.echo($0, $1) }
                let client = try Self.open(rig)
                let mask: [UInt8] = [0, 0, 0, 0]
                client.send([0x01, 0x82] + mask + Array("ab".utf8))
                client.send([0x89, 0x81] + mask + Array("p".utf8))
                var reader = Self.reader()
                client.send([0x80, 0x81] + mask + Array("c".utf8))
                let items = [try client.item(&reader), try client.item(&reader)]
                #expect(items.contains(.text(Array("abc".utf8))) && items.contains(.pong))
                let events = await rig.events
                #expect(Set(events.map { "\($0)" }).count == 2 && events.contains(.heard))
            }
        }

        @Test(
            "What a client must not do ends the socket with its code",
            arguments: [
                ([0x81, 0x01, 0x61], 1002), ([0x82, 0x80, 0, 0, 0, 0], 1003),
                ([0x81, 0x81, 0, 0, 0, 0, 0xff], 1007), ([0xc1, 0x80, 0, 0, 0, 0], 1002),
                ([0x81, 0xfe, 0xff, 0xff, 0, 0, 0, 0], 1009),
            ] as [([UInt8], UInt16)])
        func violations(bytes: [UInt8], code: UInt16) async throws {
            try await withServer { rig in
                await rig.handleRequests { request, served in served.upgrade(request, limit: 1000) }
                let client = try Self.open(rig)
                client.send(bytes)
                var reader = Self.reader()
                #expect(try client.item(&reader) == .close(code: code, reason: ""))
                #expect(try client.isEnded())
                client.close()
                try await rig.wait("the end") { $0.events == [.ended(.violation(code))] }
                try await rig.wait("the close") { $0.server?.counts.sockets == 0 }
            }
        }

        @Test("A client that closes is answered with its code, and the connection ends")
        func closes() async throws {
            try await withServer { rig in
                await rig.handleRequests { Self.echo($0, $1) }
                let client = try Self.open(rig)
                client.send(Self.frame("last") + WebSocketFrame.close(4001, from: .client))
                var reader = Self.reader()
                #expect(try client.item(&reader) == .text(Array("last".utf8)))
                #expect(try client.item(&reader) == .close(code: 4001, reason: ""))
                #expect(try client.isEnded())
                client.close()
                try await rig.wait("the end") { $0.events.last == .ended(.closed(4001)) }
                try await rig.wait("the close") { $0.server?.counts.sockets == 0 }
            }
        }

        @Test(
            "When the program closes, all that was sent before arrives, and nothing is told any more"
        )
        func closed() async throws {
            try await withServer { rig in
                await rig.handleRequests { Self.echo($0, $1) }
                let client = try Self.open(rig)
                let text = [UInt8](repeating: 0x61, count: 300_000)
                await spawn {
                    for _ in 0..<3 { rig.served.sockets.first?.send(text: text) }
                    rig.served.sockets.first?.close(code: 1012)
                    rig.served.sockets.first?.send(text: [0x62])
                }.value
                client.send(Self.frame("unheard"))
                var reader = Self.reader()
                for _ in 0..<3 { #expect(try client.item(&reader) == .text(text)) }
                #expect(try client.item(&reader) == .close(code: 1012, reason: ""))
                #expect(try client.isEnded())
                client.close()
                try await rig.wait("the close") { $0.server?.counts.sockets == 0 }
                #expect(await rig.events.isEmpty)
            }
        }

        @Test("A client that does not read is ended when too much waits for it")
        func backlog() async throws {
            try await withServer(limits: { $0.backlog = 1 << 20 }) { rig in
                await rig.handleRequests { Self.echo($0, $1) }
                let client = try Self.open(rig)
                let text = [UInt8](repeating: 0x61, count: 100_000)
                let (most, told) = await spawn {
                    var most = 0
                    for _ in 0..<1000 {
                        rig.served.sockets.first?.send(text: text)
                        most = max(most, rig.served.sockets.first?.pendingBytes ?? 0)
                    }
                    // Whoever sends is not told meanwhile.
                    return (most, rig.served.copiedEvents)
                }.value
                #expect(most > 500_000 && most <= 1 << 20)
                #expect(told.isEmpty)
                try await rig.wait("the end") { $0.events == [.ended(.stalled)] }
                #expect(await rig.counts.sockets == 0)
                _ = client
            }
        }

        @Test(
            "A request that is no upgrade is answered in JSON, and the connection lives",
            arguments: [
                ("Upgrade: websocket\r\n", "", 426), ("Version: 13", "Version: 8", 426),
                ("Connection: Upgrade", "Connection: keep-alive", 400),
                ("Key: dGhl", "Key: !Ghl", 400), ("GET", "POST", 400),
            ])
        func noUpgrade(from: String, to: String, status: Int) async throws {
            try await withServer { rig in
                await rig.handleRequests { Self.echo($0, $1) }
                let client = try rig.client()
                client.send(Self.upgrade.replacing(from, with: to))
                let answer = try client.wholeAnswer()
                #expect(answer.status == status && answer.isJSON && !answer.closes)
                #expect((answer.fields["sec-websocket-version"] == "13") == (status == 426))
                client.send(Self.upgrade)
                #expect(try client.wholeAnswer().status == 101)
                #expect(await rig.counts.sockets == 1)
            }
        }
    }
}
