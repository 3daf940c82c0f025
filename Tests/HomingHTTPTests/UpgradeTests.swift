import Testing

@testable import HomingHTTP

/// The upgrade of a client, byte by byte: RFC 6455.
@Suite struct UpgradeTests {
    /// The standard's own nonce.
    private func upgrade() -> Upgrade { Upgrade(nonce: Array("the sample nonce".utf8)) }

    private static let answer =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"

    @Test("The upgrade's request")
    func request() {
        let text = String(
            decoding: upgrade().request(
                host: "ha:8123", path: "/api/websocket", userAgent: "Homing/1"),
            as: UTF8.self)
        #expect(
            text == "GET /api/websocket HTTP/1.1\r\nHost: ha:8123\r\nUser-Agent: Homing/1\r\n"
                + "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    }

    @Test("The standard's answer is taken, in whatever pieces, and what follows is kept")
    func answer() {
        let bytes = Array((Self.answer + "rest").utf8)
        for size in [1, 2, 3, 7, bytes.count] {
            var upgrade = upgrade()
            var verdict: Upgrade.Verdict?
            var at = 0
            while verdict == nil, at < bytes.count {
                verdict = upgrade.feed(bytes[at..<min(at + size, bytes.count)])
                at += size
            }
            guard case .switched(let rest)? = verdict else {
                Issue.record("not taken in pieces of \(size)")
                continue
            }
            let left = at < bytes.count ? Array(bytes[at...]) : []
            #expect(rest + left == Array("rest".utf8))
        }
    }

    @Test(
        "Any other answer is not",
        arguments: [
            ("101 Switching Protocols", "200 OK", true), ("s3pP", "S3pP", false),
            ("Upgrade: websocket\r\n", "", false), ("Upgrade: websocket", "Upgrade: h2c", false),
            ("Connection: Upgrade", "Connection: close", false), ("HTTP/1.1", "ICY", false),
            ("\r\n\r\n", "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n", false),
            ("\r\n\r\n", "\r\nSec-WebSocket-Protocol: chat\r\n\r\n", false),
        ])
    func others(from: String, to: String, isStatus: Bool) {
        var upgrade = upgrade()
        switch upgrade.feed(Array(Self.answer.replacing(from, with: to).utf8)) {
        case .status(200)?: #expect(isStatus)
        case .notWebSocket?: #expect(!isStatus)
        default: Issue.record("\(to) was taken")
        }
    }

    @Test("An answer without end is given up")
    func endless() {
        var upgrade = upgrade()
        let line = Array("X-Filler: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\n".utf8)
        var lines = 0
        while upgrade.feed(line) == nil, lines < 10_000 { lines += 1 }
        #expect(lines < 400)
    }
}
