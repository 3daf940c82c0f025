import Glibc
import HomingRuntime
import HomingServer
import HomingTestKit
import HomingWebSocket
import Testing

extension ServerTests {
    /// Deadlines: how long each stage may last, on a played clock.
    @Suite struct DeadlineTests {
        private static let get = "GET /one HTTP/1.1\r\nHost: h\r\n\r\n"
        private static let postHead = "POST /two HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n"

        private func expectTimeout(_ client: RawClient) throws {
            let answer = try client.wholeAnswer()
            #expect(answer.status == 408 && answer.isJSON && answer.closes)
            #expect(try client.isEnded())
        }

        @Test("A head that comes byte by byte is ended 10 s after the connection began")
        func slowHead() async throws {
            try await withServer(isPlayed: true) { rig in
                let (client, silent) = (try rig.client(), try rig.client())
                client.send("GET /")
                await rig.pass(9)
                client.send("o")
                await rig.pass(0.9)
                #expect(client.isSilent && silent.isSilent)
                await rig.pass(0.2)
                try expectTimeout(client)
                try expectTimeout(silent)
                #expect(await rig.counts.connections == 0)
            }
        }

        @Test("So is that of a second request, 10 s after its first byte")
        func slowSecondHead() async throws {
            try await withServer(isPlayed: true) { rig in
                let client = try rig.client()
                client.send(Self.get)
                #expect(try client.wholeAnswer().status == 200)
                await rig.pass(60)
                client.send("G")
                await rig.pass(9)
                client.send("E")
                await rig.pass(0.9)
                #expect(client.isSilent)
                await rig.pass(0.2)
                try expectTimeout(client)
            }
        }

        @Test("An empty line is no request, and begins a head, or ends the connection")
        func emptyLine() async throws {
            try await withServer(isPlayed: true) { rig in
                let client = try rig.client()
                client.send(Self.get)
                #expect(try client.wholeAnswer().status == 200)
                await rig.pass(20)
                client.send("\r\n")
                await rig.pass(10.1)
                #expect(await rig.counts.connections == 0)
                #expect(await rig.counts.requests == 1)
            }
        }

        @Test("A body has 10 s from the end of its head, the first of a connection and the next")
        func slowBody() async throws {
            try await withServer(isPlayed: true) { rig in
                for requests in 0..<2 {
                    let client = try rig.client()
                    for _ in 0..<requests {
                        client.send(Self.postHead + "hello")
                        #expect(try client.wholeAnswer().status == 200)
                    }
                    await rig.pass(5)
                    client.send(Self.postHead)
                    for _ in 0..<3 {
                        await rig.pass(3.3)
                        client.send("h")
                    }
                    #expect(client.isSilent)
                    await rig.pass(0.2)
                    try expectTimeout(client)
                }
                #expect(await rig.counts.buffered == 0)
                #expect(await rig.counts.requests == 1)
            }
        }

        @Test("So has a body in chunks")
        func slowChunks() async throws {
            try await withServer(isPlayed: true) { rig in
                let client = try rig.client()
                client.send("POST /two HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
                for _ in 0..<3 {
                    await rig.pass(3.3)
                    client.send("1\r\na\r\n")
                }
                #expect(client.isSilent)
                await rig.pass(0.2)
                try expectTimeout(client)
            }
        }

        @Test("What the program does not answer in 2 s the server does, and serves on")
        func noAnswer() async throws {
            try await withServer(isPlayed: true) { rig in
                await rig.handleRequests { request, served in
                    if request.path == "/one" { served.hold(request) } else { request.echo() }
                }
                let client = try rig.client()
                client.send(Self.get)
                await rig.pass(1.9)
                #expect(client.isSilent)
                #expect(await spawn { rig.served.waiting.count }.value == 1)
                await rig.pass(0.2)
                let answer = try client.wholeAnswer()
                #expect(answer.status == 503 && answer.isJSON && !answer.closes)
                #expect(answer.fields["retry-after"] != nil)
                await spawn { rig.served.answerFirst() }.value
                client.send(Self.postHead + "hello")
                #expect(try client.wholeAnswer().body == "{\"POST /two\":5}")
            }
        }

        @Test("A connection without a request lives 75 s")
        func idle() async throws {
            try await withServer(isPlayed: true) { rig in
                let client = try rig.client()
                for _ in 0..<3 {
                    client.send(Self.get)
                    #expect(try client.wholeAnswer().status == 200)
                    await rig.pass(74)
                }
                #expect(client.isSilent)
                await rig.pass(1.1)
                #expect(try client.isEnded())
            }
        }

        @Test("Waiting for many costs one timer")
        func timers() async throws {
            try await withServer(isPlayed: true) { rig in
                let clients = try (0..<50).map { _ in try rig.client() }
                for client in clients {
                    client.send(Self.get)
                    #expect(try client.wholeAnswer().status == 200)
                }
                await rig.pass(70)
                #expect(await spawn { rig.clock?.count ?? 0 }.value <= 4)
                await rig.pass(6)
                for client in clients { #expect(try client.isEnded()) }
            }
        }

        @Test("Who does not read an answer is ended after 10 s")
        func unread() async throws {
            try await withServer(isPlayed: true) { rig in
                await rig.handleRequests { request, _ in
                    request.answer(
                        ServerAnswer(200, json: [UInt8](repeating: 0x61, count: 32 << 20)))
                }
                let client = try rig.client()
                client.send(Self.get)
                await rig.pass(9.9)
                #expect(await rig.counts.connections == 1)
                await rig.pass(0.2)
                try await rig.wait("the end") { $0.server?.counts.connections == 0 }
                withExtendedLifetime(client) {}
            }
        }

        // MARK: WebSockets

        @Test("A WebSocket from which nothing comes is ended; a ping keeps it")
        func silence() async throws {
            try await withServer(limits: { $0.silence = 900 }, isPlayed: true) { rig in
                await rig.handleRequests { SocketTests.echo($0, $1) }
                let client = try SocketTests.open(rig)
                let quiet = try SocketTests.open(rig)
                await rig.pass(600)
                client.send(WebSocketFrame.bytes(.ping, [1], from: .client))
                await rig.pass(301)
                #expect(try quiet.isEnded())
                var reader = SocketTests.reader()
                #expect(try client.item(&reader) == .pong)
                #expect(await rig.events == [.heard, .ended(.silent)])
                client.send(SocketTests.frame("here"))
                #expect(try client.item(&reader) == .text(Array("here".utf8)))
                let heard = await spawn { rig.served.sockets.first?.lastHeard }.value
                #expect(heard == rig.clock?.now().uptime)
                await rig.pass(899)
                #expect(client.isSilent)
                await rig.pass(2)
                #expect(try client.isEnded())
            }
        }

        @Test("A client that does not close after the goodbye is not waited for")
        func goodbye() async throws {
            try await withServer(isPlayed: true) { rig in
                await rig.handleRequests { SocketTests.echo($0, $1) }
                let client = try SocketTests.open(rig)
                await spawn { rig.served.sockets.first?.close() }.value
                var reader = SocketTests.reader()
                #expect(try client.item(&reader) == .close(code: 1000, reason: ""))
                #expect(try client.isEnded())
                await rig.pass(4.9)
                #expect(await rig.counts.sockets == 1)
                await rig.pass(0.2)
                #expect(await rig.counts.sockets == 0)
                withExtendedLifetime(client) {}
            }
        }
    }
}
