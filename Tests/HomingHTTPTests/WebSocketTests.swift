import Glibc
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingHTTP

/// Takes a socket's events, and lets a test wait for them.
@LoopActor final class SocketRecord {
    private(set) var events: [WebSocket.Event] = []
    /// Held, as a socket ends without a word when it is let go.
    var socket: WebSocket?
    private var arrival: (@LoopActor () -> Void)?
    private var at = 0

    func recordEvent(_ event: WebSocket.Event) {
        events.append(event)
        arrival?()
    }

    /// The next event that is no `heard`; `heard` if none comes within 10 s.
    func next() async -> WebSocket.Event {
        let deadline = SystemClock.now().uptime + 10
        while SystemClock.now().uptime < deadline {
            while at < events.count {
                at += 1
                if events[at - 1] != .heard { return events[at - 1] }
            }
            await arrivalOrTimeout()
        }
        return .heard
    }

    private func arrivalOrTimeout() async {
        var timer: Watch?
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            guard at == events.count else { return continuation.resume() }
            let go: @LoopActor () -> Void = { [weak self] in
                self?.arrival = nil
                continuation.resume()
            }
            arrival = go
            timer = Watch.timer(10) {
                go()
                return .done
            }
        }
        timer?.cancel()
    }

    func text() async -> String? {
        if case .text(let bytes) = await next() {
            String(decoding: bytes, as: UTF8.self)
        } else {
            nil
        }
    }

    /// Returns the end of the WebSocket, whatever came before.
    func end() async -> WebSocketEnd {
        while true {
            switch await next() {
            case .ended(let end): return end
            case .heard: return WebSocketEnd.missing
            case .opened, .text: break
            }
        }
    }
}

extension WebSocketEnd {
    /// End that no socket has.
    fileprivate static let missing = WebSocketEnd(
        kind: .status(0), description: "the end did not come")
}

extension HTTPTests {
    @Suite("WebSocket") struct WebSocketTests {
        init() { LoopThread.start() }

        @LoopActor private func open(
            _ behaviour: String, _ port: String = "plain", _ client: HTTPClient? = nil
        ) throws -> (WebSocket, SocketRecord) {
            let record = SocketRecord()
            let url = try TestServer.url(behaviour, port) + "/secret-path"
            let socket = try WebSocket(url, over: client ?? makeTrustingClient()) {
                record.recordEvent($0)
            }
            record.socket = socket
            return (socket, record)
        }

        @Test("Messages go there and come back, over TCP and TLS", arguments: ["plain", "good"])
        @LoopActor func echo(port: String) async throws {
            let (socket, record) = try open("ws-echo", port)
            #expect(await record.next() == .opened)
            for size in [0, 1, 125, 126, 65535, 65536, 900_000] {
                let text = String(repeating: "x", count: size)
                socket.send(Array(text.utf8))
                #expect(await record.text() == text)
            }
            socket.close()
        }

        @Test("The head that is sent is the one a server wants")
        @LoopActor func head() async throws {
            let (socket, record) = try open("ws-head")
            _ = await record.next()
            let head = try #require(await record.text())
            let port = try TestServer.fact("plain")
            #expect(
                head.hasPrefix("GET /ws-head/secret-path HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"))
            #expect(head.contains("User-Agent: Homing/1.2.3"))
            #expect(!head.contains("Authorization"))
            socket.close()
        }

        @Test(
            "A token goes with the upgrade's request; one that would break out of its line does not"
        )
        @LoopActor func bearerToken() async throws {
            for (token, isSent) in [("hr1.secret", true), ("a\r\nX: y", false)] {
                let record = SocketRecord()
                let (url, client) = (try TestServer.url("ws-head"), try makeTrustingClient())
                let socket = WebSocket(url, over: client, bearerToken: token) {
                    record.recordEvent($0)
                }
                record.socket = socket
                guard isSent else {
                    #expect(await record.end().kind == .connection(.badHeader))
                    continue
                }
                _ = await record.next()
                let head = try #require(await record.text())
                #expect(head.contains("\r\nAuthorization: Bearer hr1.secret\r\n"))
                socket.close()
            }
        }

        @Test("Fragments, single bytes, early frames and pings", arguments: ["plain", "good"])
        @LoopActor func pieces(port: String) async throws {
            var (socket, record) = try open("ws-fragments", port)
            _ = await record.next()
            socket.send(Array("in many pieces".utf8))
            #expect(await record.text() == "in many pieces")
            socket.close()
            (socket, record) = try open("ws-bytes", port)
            _ = await record.next()
            #expect(await record.text() == "grüße")
            socket.close()
            (socket, record) = try open("ws-early", port)
            #expect(await record.next() == .opened)
            #expect(await record.text() == "early")
            #expect(await record.text() == "bird")
            socket.close()
            (socket, record) = try open("ws-ping", port)
            _ = await record.next()
            #expect(await record.text() == "pong are you there")
            #expect(record.events.contains(.heard))
            socket.close()
        }

        @Test(
            "A server that breaks the protocol is left, and told why",
            arguments: [
                ("ws-masked", 1002), ("ws-reserved", 1002), ("ws-opcode", 1002),
                ("ws-control-opcode", 1002), ("ws-long-ping", 1002), ("ws-split-ping", 1002),
                ("ws-lost-continuation", 1002), ("ws-text-in-text", 1002), ("ws-not-utf8", 1007),
                ("ws-huge", 1009), ("ws-negative", 1009), ("ws-large", 1009), ("ws-endless", 1009),
                ("ws-short-close", 1002), ("ws-false-code", 1002), ("ws-binary", 1003),
            ] as [(String, UInt16)])
        @LoopActor func violations(behaviour: String, code: UInt16) async throws {
            let (_, record) = try open(behaviour)
            let end = await record.end()
            #expect(end.kind == .violation(code))
            #expect(end.description.hasPrefix("127.0.0.1:"))
            #expect(!end.description.contains("secret-path"))
        }

        @Test(
            "What is no WebSocket is named",
            arguments: [
                ("ws-lie", WebSocketEnd.Kind.notWebSocket), ("ws-garbage", .notWebSocket),
                ("ws-extension", .notWebSocket), ("ws-protocol", .notWebSocket),
                ("ws-no-upgrade", .notWebSocket), ("ws-endless-head", .notWebSocket),
                ("ws-plain", .status(200)), ("ws-forbidden", .status(403)),
                ("ws-redirect", .status(302)),
                ("ws-hangup", .dropped),
            ])
        @LoopActor func upgrades(behaviour: String, kind: WebSocketEnd.Kind) async throws {
            let (_, record) = try open(behaviour)
            let end = await record.end()
            #expect(end.kind == kind)
            #expect(!end.description.contains("secret-path"))
            #expect(!record.events.contains(.opened))
        }

        @Test(
            "Each way to end has its name",
            arguments: [
                ("ws-close", WebSocketEnd.Kind.closed(1001)), ("ws-bare-close", .closed(nil)),
                ("ws-drop", .dropped), ("ws-reset", .dropped),
            ])
        @LoopActor func ends(behaviour: String, kind: WebSocketEnd.Kind) async throws {
            for port in ["plain", "good"] {
                let (socket, record) = try open(behaviour, port)
                #expect(await record.next() == .opened)
                socket.send(Array("hello".utf8))
                #expect(await record.end().kind == kind)
            }
        }

        @Test("A server that does not read ends at a bound, not in our memory")
        @LoopActor func stall() async throws {
            let (socket, record) = try open("ws-stall")
            _ = await record.next()
            let piece = [UInt8](repeating: 0x78, count: 100_000)
            for _ in 0..<200 {
                socket.send(piece)
                await Watch.pause(0)
            }
            #expect(await record.end().kind == .stalled)
        }

        @Test("A flood leaves the others their turns", arguments: ["ws-flood", "ws-flood-pings"])
        @LoopActor func flood(behaviour: String) async throws {
            let (socket, record) = try open(behaviour)
            _ = await record.next()
            for _ in 0..<50 { await Watch.pause(0.001) }
            #expect(record.events.count > 10)
            socket.close()
            let count = record.events.count
            await Watch.pause(0.05)
            #expect(record.events.count == count)
        }

        @Test("A flood of the smallest frames leaves the others their turns as well")
        @LoopActor func smallFrames() async throws {
            let (socket, record) = try open("ws-flood-empty-pings")
            defer { socket.close() }
            _ = await record.next()
            var longest = 0.0
            for _ in 0..<30 {
                let begin = SystemClock.now().uptime
                await Watch.pause(0.001)
                longest = max(longest, SystemClock.now().uptime - begin)
            }
            #expect(record.events.contains(.heard))
            #expect(longest < 0.15, "a turn of the loop took \(longest) s")
        }

        @Test("Nothing that came before the end is lost, in however many turns it is taken")
        @LoopActor func manyThenEnd() async throws {
            let (_, record) = try open("ws-many-then-drop")
            #expect(await record.end().kind == .dropped)
            #expect(record.events.filter { $0 == .text([0x78]) }.count == 2500)
        }

        @Test("A closed socket tells nothing more, whenever it is closed")
        @LoopActor func close() async throws {
            for pauses in [nil, 0, 0.001, 0.01, 0.1] {
                let (socket, record) = try open("ws-silent")
                if let pauses { await Watch.pause(pauses) }
                socket.close()
                socket.close()
                socket.send([0x78])
                await Watch.pause(0.05)
                #expect(record.events == [])
            }
        }

        @Test("It may be closed from within its own events")
        @LoopActor func closeWithin() async throws {
            var socket: WebSocket?
            var texts = 0
            await withCheckedContinuation { continuation in
                guard let url = try? TestServer.url("ws-flood") else {
                    return continuation.resume()
                }
                socket = WebSocket(url, over: makeClient()) { event in
                    guard case .text = event else { return }
                    texts += 1
                    socket?.close()
                    socket = nil
                    continuation.resume()
                }
            }
            await Watch.pause(0.05)
            #expect(texts == 1)
        }

        @Test(
            "Failures to connect are HTTP's",
            arguments: [
                ("refused", HTTPFailure.Kind.refused), ("expired", .tls(.expired)),
                ("named", .tls(.wrongName)), ("unknown", .tls(.unknownIssuer)),
                ("selfsigned", .tls(.unknownIssuer)),
            ])
        @LoopActor func failures(port: String, kind: HTTPFailure.Kind) async throws {
            let (_, record) = try open("ws-echo", port)
            #expect(await record.end().kind == .connection(kind))
        }

        @Test("A URL that is none is told of on the next turn")
        @LoopActor func badURL() async throws {
            let record = SocketRecord()
            let socket = WebSocket("ftp://x", over: makeClient()) { record.recordEvent($0) }
            #expect(record.events == [])
            #expect(await record.end().kind == .connection(.badURL))
            socket.close()
        }

        @Test(
            "A client certificate is shown as requests show it", arguments: ["mutual", "mutual12"])
        @LoopActor func mutual(port: String) async throws {
            let tls = TLSOptions(
                caFile: try TestServer.fact("ca"), clientCertificate: try TestServer.fact("client"))
            let client = makeClient(tls)
            defer { client.shutdown() }
            let (socket, record) = try open("ws-echo", port, client)
            #expect(await record.next() == .opened)
            socket.send(Array("hello".utf8))
            #expect(await record.text() == "hello")
            socket.close()
            let (_, without) = try open("ws-echo", port)
            guard case .ended = await without.next() else {
                Issue.record("it was let in without a certificate")
                return
            }
        }

        @Test("Opening and closing a hundred leaves no descriptor behind")
        @LoopActor func descriptors() async throws {
            func count() -> Int {
                var count = 0
                guard let folder = opendir("/proc/self/fd") else { return -1 }
                while readdir(folder) != nil { count += 1 }
                closedir(folder)
                return count
            }
            let client = makeClient()
            let before = count()
            for _ in 0..<100 {
                let (socket, record) = try open("ws-echo", "plain", client)
                #expect(await record.next() == .opened)
                socket.close()
            }
            #expect(count() <= before)
        }
    }
}
