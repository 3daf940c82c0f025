import Glibc
import HomingJSON
import HomingRuntime
import HomingServer
import HomingTestKit
import Testing

extension ServerTests {
    /// Requests that break HTTP. docs/decisions/0042-http-server.md lists who refuses what.
    @Suite struct RefusalTests {
        private static func get(_ rest: String) -> String { "GET " + rest + "\r\n\r\n" }

        /// With what follows the first two lines.
        private static func post(_ rest: String) -> String {
            "POST /p HTTP/1.1\r\nHost: h\r\n" + rest
        }

        private static func chunked(_ body: String) -> String {
            post("Transfer-Encoding: chunked\r\n\r\n" + body)
        }

        /// Refused by the server with every version of the library.
        private static let own: [String] = [
            post("Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"),
            post("Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello"),
            post("Content-Length: 9223372036854775808\r\n\r\nhello"),
            post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            "POST /p HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            get("/p HTTP/1.1\r\nHost: a\r\nHost: b"),
        ]

        /// Refused by the server, and by version 1.0 of the library itself.
        private static let either: [String] = [
            post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            chunked("0\r\n\r\n").replacing("\r\n\r\n0", with: "\r\nContent-Length: 5\r\n\r\n0"),
            post("Content-Length : 5\r\n\r\nhello"),
            post("Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
            post("Transfer-Encoding: identity\r\n\r\n"),
            post("Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
            get("/p HTTP/1.1"), post("X: a\rb\r\n\r\n"), post("a b: c\r\n\r\n"),
            get("/p q HTTP/1.1\r\nHost: h"), get("/p?q r HTTP/1.1\r\nHost: h"),
        ]

        /// Refused by the library itself.
        private static let library: [String] = [
            post("Content-Length: 5, 5\r\n\r\nhello"), post("Content-Length: +5\r\n\r\nhello"),
            post("Content-Length: -5\r\n\r\nhello"), post("Content-Length: 0x5\r\n\r\nhello"),
            post("Content-Length:\r\n\r\nhello"),
            post("Content-Length: 99999999999999999999999\r\n\r\nhello"),
            post("nonsense\r\n\r\n"), get("/p http/1.1\r\nHost: h"), get("/p HTTP/2.0\r\nHost: h"),
            get("/p HTTP/0.9\r\nHost: h"), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", get("/p"),
            get("HTTP/1.1\r\nHost: h"), "GET\t/p\tHTTP/1.1\r\nHost: h\r\n\r\n",
            "\u{16}\u{3}\u{1}\r\n\r\n", chunked("zz\r\n\r\n"), chunked("0x1\r\na\r\n0\r\n\r\n"),
            chunked("11111111111111111\r\na\r\n0\r\n\r\n"), chunked("1\r\nabc\r\n0\r\n\r\n"),
            chunked("0\r\nbad trailer\r\n\r\n"),
            get("/" + String(repeating: "a", count: 40_000) + " HTTP/1.1\r\nHost: h"),
            post("X: " + String(repeating: "a", count: 40_000) + "\r\n\r\n"),
            post(String(repeating: "a:\r\n", count: 2000) + "\r\n"),
        ]

        @Test("Every refusal of the server is JSON with both names of the message")
        func words() throws {
            let all: [ServerRefusal] = [
                .malformed("why"), .slowHead, .slowBody, .headTooLarge(1), .bodyTooLarge(1),
                .noAnswer(2), .crowded, .overloaded, .ending, .noWebSocket("why"), .upgradeNeeded,
            ]
            for refusal in all {
                let answer = refusal.answer
                let json = try JSON.value(of: answer.body)
                #expect(json["message"]?.string == refusal.message)
                #expect(json["errorMessage"]?.string == refusal.message)
                #expect(answer.status == refusal.status && (400..<600).contains(answer.status))
            }
        }

        @Test(
            "What two servers could read differently is refused, and nothing behind it is read",
            arguments: own + either)
        func malformed(request: String) async throws {
            try await withServer { rig in
                let client = try rig.client()
                client.send(request + "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n")
                let answer = try client.wholeAnswer()
                #expect(answer.status == 400 && answer.closes)
                if Self.own.contains(request) || !answer.body.hasPrefix("<html>") {
                    try expectOwn(answer)
                }
                #expect(try client.rest() == "")
                #expect(await rig.counts.requests == 0)
            }
        }

        @Test("Control characters in a target reach nobody")
        func controlCharacters() async throws {
            try await withServer { rig in
                let client = try rig.client()
                client.send("GET /\u{1} HTTP/1.1\r\nHost: h\r\n\r\n")
                let answer = try client.answer()
                #expect(answer == nil || answer?.status == 400)
                #expect(await rig.counts.requests == 0)
            }
        }

        @Test("A chunk's extension is taken, or refused as version 1.0 does")
        func extensions() async throws {
            try await withServer { rig in
                let client = try rig.client()
                client.send(Self.chunked("1;x=y\r\n!\r\n0\r\n\r\n"))
                let answer = try client.wholeAnswer()
                #expect(answer.body == "{\"POST /p\":1}" || answer.status == 400 && answer.closes)
            }
        }

        private func expectOwn(_ answer: RawAnswer) throws {
            #expect(answer.isJSON)
            let json = try JSON.value(of: Array(answer.body.utf8))
            #expect(json["message"]?.string?.isEmpty == false)
        }

        /// Sends requests that libmicrohttpd refuses itself. The program gets no such request, and
        /// only the words of libmicrohttpd come back. Version 0.9.75 says some of them twice, and
        /// some not at all.
        @Test(
            "What the library refuses itself reaches nobody, and ends the connection",
            arguments: library)
        func libraryRefuses(request: String) async throws {
            try await withServer { rig in
                let client = try rig.client()
                client.send(request)
                let text = try client.rest()
                #expect(!text.contains("HTTP/1.1 2"), "\(text)")
                if !text.isEmpty {
                    let status = Int(text.dropFirst(9).prefix(3)) ?? 0
                    #expect([400, 413, 414, 431, 505].contains(status), "\(text)")
                    #expect(text.contains("Connection: close"))
                }
                #expect(await rig.counts.requests == 0)
                let next = try rig.client()
                next.send("GET /p HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try next.wholeAnswer().status == 200)
            }
        }

        /// Field for field as the aiohttp of Home Assistant 2024.3.3, 2025.4.4 and 2026.11.0 writes it.
        /// `EndToEnd/test_relay_bytes.py` reads what the real ones send.
        @Test(
            "What Home Assistant sends is none of it",
            arguments: [
                ("3.9.3", "gzip, deflate"), ("3.11.16", "gzip, deflate"),
                ("3.14.5", "gzip, deflate, zstd"),
            ])
        func homeAssistant(version: String, encodings: String) async throws {
            try await withServer { rig in
                await rig.handleRequests { request, _ in
                    request.answer(ServerAnswer(201, json: Array("{}".utf8)))
                }
                let body =
                    "{\"message\": \"Gr\\u00fc\\u00dfe\",\"push_token\":\"hr1.x\",\"registration_info\":{}}"
                let client = try rig.client()
                for _ in 0..<3 {
                    client.send(
                        "POST /v1/push HTTP/1.1\r\nHost: 127.0.0.1:8126\r\n"
                            + "User-Agent: HomeAssistant/2024.3.3 aiohttp/\(version) Python/3.12\r\n"
                            + "Accept: */*\r\nAccept-Encoding: \(encodings)\r\n"
                            + "Content-Length: \(body.utf8.count)\r\n"
                            + "Content-Type: application/json\r\n\r\n\(body)")
                    let answer = try client.wholeAnswer()
                    #expect(answer.status == 201 && answer.isJSON)
                }
                #expect(await rig.counts.refusals == 0)
            }
        }

        @Test(
            "What the library neither takes nor refuses costs no processor time, and ends",
            arguments: [
                chunked("1;" + String(repeating: "x", count: 40_000)),
                get("/p?" + String(repeating: "a&", count: 2000) + " HTTP/1.1\r\nHost: h"),
            ])
        func endless(request: String) async throws {
            func time() async -> Double {
                await spawn {
                    var time = timespec()
                    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
                    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
                }.value
            }
            try await withServer(isPlayed: true) { rig in
                let clients = try (0..<5).map { _ in try rig.client() }
                for client in clients { client.send(request) }
                await rig.settle()
                let before = await time()
                await spawn { await Watch.pause(0.5) }.value
                #expect(await time() - before < 0.25)
                await rig.pass(10.1)
                for client in clients { _ = try client.rest() }
                #expect(await rig.counts.connections == 0)
            }
        }
    }
}
