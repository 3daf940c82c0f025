import HomingRuntime
import HomingServer
import HomingTestKit
import HomingWebSocket
import Testing

extension ServerTests {
    /// End of a server.
    @Suite struct EndTests {
        private static let get = "GET /one HTTP/1.1\r\nHost: h\r\n\r\n"

        private static let hold: Served.Take = { request, served in served.hold(request) }

        @Test("What waits is answered, then the connection ends; new ones are not taken")
        func answered() async throws {
            try await withServer(isPlayed: true) { rig in
                await rig.handleRequests { Self.hold($0, $1) }
                let (client, idle, kept) = (try rig.client(), try rig.client(), try rig.client())
                kept.send(Self.get)
                try await rig.wait("a request") { $0.waiting.count == 1 }
                await spawn { rig.served.answerFirst() }.value
                #expect(try kept.wholeAnswer().status == 200)
                client.send(Self.get)
                try await rig.wait("a request") { $0.waiting.count == 1 }
                let end = spawn { await rig.served.server?.end() }
                await rig.settle()
                #expect(try idle.isEnded() && kept.isEnded())
                #expect(client.isSilent)
                #expect(!RawClient.reaches(rig.address))
                await spawn { rig.served.answerFirst() }.value
                let answer = try client.wholeAnswer()
                #expect(answer.status == 200 && answer.closes)
                #expect(try client.isEnded())
                await end.value
            }
        }

        @Test("A request whose head had begun is answered with 503, and so is who waits too long")
        func refused() async throws {
            try await withServer(isPlayed: true) { rig in
                await rig.handleRequests { Self.hold($0, $1) }
                let (waiting, begun) = (try rig.client(), try rig.client())
                waiting.send(Self.get)
                begun.send("GET /two HTTP/1.1\r\n")
                try await rig.wait("a request") { $0.waiting.count == 1 }
                await rig.settle()
                let end = spawn { await rig.served.server?.end() }
                await rig.settle()
                begun.send("Host: h\r\n\r\n")
                let refused = try begun.wholeAnswer()
                #expect(refused.status == 503 && refused.isJSON && refused.closes)
                await rig.pass(2.1)
                let late = try waiting.wholeAnswer()
                #expect(late.status == 503 && late.isJSON && late.closes)
                await end.value
                await spawn { rig.served.answerFirst() }.value
            }
        }

        @Test("Whoever hinders the end is ended after 10 s")
        func hindered() async throws {
            func limits(_ limits: inout ServerLimits) {
                (limits.answerTime, limits.headTime, limits.goodbyeTime) = (60, 60, 60)
            }
            try await withServer(limits: limits, isPlayed: true) { rig in
                await rig.handleRequests { request, served in
                    if request.path == "/one" {
                        served.hold(request)
                    } else {
                        served.upgrade(request)
                    }
                }
                let (waiting, begun) = (try rig.client(), try rig.client())
                let socket = try SocketTests.open(rig)
                waiting.send(Self.get)
                begun.send("GET /two HTTP/1.1\r\n")
                try await rig.wait("a request") { $0.waiting.count == 1 }
                await rig.settle()
                let end = spawn { await rig.served.server?.end() }
                await rig.pass(9.9)
                #expect(begun.isSilent && waiting.isSilent)
                await rig.pass(0.2)
                await end.value
                #expect(try waiting.wholeAnswer().status == 503)
                #expect(try begun.isEnded())
                #expect(await rig.counts == HTTPServer.Counts(requests: 2))
                _ = socket
            }
        }

        @Test("The WebSockets are told by code 1001, and so is the program")
        func sockets() async throws {
            try await withServer { rig in
                await rig.handleRequests { SocketTests.echo($0, $1) }
                let clients = try (0..<5).map { _ in try SocketTests.open(rig) }
                let end = spawn { await rig.served.server?.end() }
                for client in clients {
                    var reader = SocketTests.reader()
                    #expect(try client.item(&reader) == .close(code: 1001, reason: ""))
                    #expect(try client.isEnded())
                    client.close()
                }
                await end.value
                let events = await rig.events
                #expect(events == [ServerSocket.Event](repeating: .ended(.ending), count: 5))
            }
        }

        @Test("A server ends under load, at any moment, with requests of every kind under way")
        func load() async throws {
            for round in 0..<5 {
                try await withServer(limits: { $0.answerTime = 0.2 }) { rig in
                    await rig.handleRequests { request, served in
                        switch request.path {
                        case "/one": served.hold(request)
                        case "/v1/mailbox": served.upgrade(request)
                        default: request.echo()
                        }
                        if served.waiting.count > 20 { served.answerFirst() }
                    }
                    let clients = try (0..<60).map { _ in try rig.client() }
                    for (number, client) in clients.enumerated() {
                        switch number % 6 {
                        case 0: client.send(Self.get)
                        case 1: client.send(Self.get + Self.get + "GET /t")
                        case 2: client.send(SocketTests.upgrade)
                        case 3:
                            client.send(
                                "POST /two HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nx")
                        case 4: client.send("GET /two HTTP/1.1\r\nHost: h\r\n\r\n")
                        default: client.send("GET /")
                        }
                    }
                    for _ in 0..<round { await rig.settle() }
                    let end = spawn { await rig.served.server?.end() }
                    for (number, client) in clients.enumerated() where number % 6 != 1 {
                        if number % 2 == 0 { client.endSending() } else { client.close() }
                    }
                    await rig.settle()
                    for client in clients { client.close() }
                    await end.value
                    let counts = await rig.counts
                    #expect(counts.connections == 0 && counts.sockets == 0 && counts.buffered == 0)
                }
            }
        }

        @Test("A server that nobody holds serves on until its end")
        func unheld() async throws {
            LoopThread.start()
            let address = await spawn { () -> ListenAddress in
                let server = try? HTTPServer(on: [.tcp("127.0.0.1", port: 0)]) { $0.echo() }
                return server?.addresses.first ?? .unix("")
            }.value
            let client = try RawClient(address)
            client.send(Self.get)
            #expect(try client.wholeAnswer().status == 200)
        }
    }
}

extension HTTPServer.Counts {
    fileprivate init(requests: Int) {
        self.init()
        (self.requests, refusals) = (requests, 1)
    }
}
