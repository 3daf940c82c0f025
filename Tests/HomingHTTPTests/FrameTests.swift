import Glibc
import HomingBase
import Testing

@testable import HomingHTTP

/// Frames and the upgrade, byte by byte: RFC 6455.
@Suite struct FrameTests {
    private func read(_ bytes: [UInt8], limit: Int = 1 << 16) throws -> [FrameReader.Item] {
        var reader = FrameReader(limit: limit)
        reader.feed(bytes)
        var items: [FrameReader.Item] = []
        while let item = try reader.next() { items.append(item) }
        return items
    }

    private func text(_ text: String) -> FrameReader.Item { .text(Array(text.utf8)) }

    @Test("The examples of the standard are read")
    func examples() throws {
        let hello: [UInt8] = [0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f]
        #expect(try read(hello) == [text("Hello")])
        #expect(
            try read([0x01, 0x03, 0x48, 0x65, 0x6c, 0x80, 0x02, 0x6c, 0x6f]) == [text("Hello")])
        #expect(
            try read([0x89, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f]) == [.ping(Array("Hello".utf8))])
        let long = [UInt8](repeating: 0x61, count: 256)
        #expect(try read([0x81, 0x7e, 0x01, 0x00] + long) == [.text(long)])
        let longer = [UInt8](repeating: 0x61, count: 65536)
        #expect(try read([0x81, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0] + longer) == [.text(longer)])
        #expect(try read([0x88, 0x02, 0x03, 0xe8]) == [.close(code: 1000, reason: "")])
        #expect(try read([0x88, 0x00]) == [.close(code: nil, reason: "")])
    }

    @Test("What is sent is masked, as the standard's example is")
    func masked() {
        #expect(
            WebSocketFrame.bytes(.text, Array("Hello".utf8), key: 0x37fa_213d) == [
                0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58,
            ])
        let sizes = [(125, 6), (126, 8), (65535, 8), (65536, 14)]
        for (size, head) in sizes {
            let payload = [UInt8](repeating: 0, count: size)
            #expect(WebSocketFrame.bytes(.text, payload, key: 1).count == size + head)
        }
        let frames = (0..<8).map { _ in WebSocketFrame.bytes(.ping, []) }
        #expect(Set(frames).count > 1)
    }

    @Test("Control frames may come between the parts of a message")
    func interleaved() throws {
        let bytes: [UInt8] = [0x01, 1, 0x61, 0x8a, 0, 0x89, 1, 0x78, 0x00, 0, 0x80, 1, 0x62]
        #expect(try read(bytes) == [.pong, .ping([0x78]), text("ab")])
    }

    @Test(
        "What the standard forbids is named by its code",
        arguments: [
            ([0xc1, 0], 1002), ([0x83, 0], 1002), ([0x8b, 0], 1002), ([0x81, 0x80], 1002),
            ([0x89, 0x7e], 1002), ([0x09, 0], 1002), ([0x80, 0], 1002), ([0x01, 0, 0x01, 0], 1002),
            ([0x88, 1, 3], 1002), ([0x88, 2, 3, 0xed], 1002), ([0x88, 3, 3, 0xe8, 0xff], 1007),
            ([0x81, 1, 0xff], 1007), ([0x82, 0], 1003), ([0x81, 0x7f, 0xff], nil),
            ([0x81, 0x7f, 0x80, 0, 0, 0, 0, 0, 0, 0], 1009),
            ([0x81, 0x7f, 0, 0, 0, 0, 0, 1, 0, 1], 1009),
        ] as [([UInt8], UInt16?)])
    func violations(bytes: [UInt8], code: UInt16?) {
        var found: UInt16?
        do {
            _ = try read(bytes)
        } catch {
            found = (error as? FrameReader.Violation)?.code
        }
        #expect(found == code)
    }

    @Test("The parts of a message count together")
    func limit() throws {
        let part: [UInt8] = [0x00, 100] + [UInt8](repeating: 0x61, count: 100)
        var reader = FrameReader(limit: 1000)
        reader.feed([0x01, 0x00])
        var taken = 0
        var code: UInt16?
        do {
            while taken < 100 {
                reader.feed(part)
                _ = try reader.next()
                taken += 1
            }
        } catch {
            code = error.code
        }
        #expect(taken == 10 && code == 1009)
    }

    @Test("Random messages, cut at random, come out as they went in; random bytes end in order")
    func random() throws {
        let seed =
            getenv("HOMING_SEED").flatMap { UInt64(String(cString: $0)) }
            ?? UInt64.random(in: 0...(.max))
        print("HOMING_SEED=\(seed)")
        var random = SeededRandom(seed: seed)
        for _ in 0..<2000 {
            let messages = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                [UInt8](
                    repeating: UInt8.random(in: 0x20..<0x7f, using: &random),
                    count: Int.random(in: 0...300, using: &random))
            }
            var bytes = messages.flatMap { Self.split($0, &random) }
            var reader = FrameReader(limit: 1 << 12)
            var items: [FrameReader.Item] = []
            while !bytes.isEmpty {
                let count = Int.random(in: 1...bytes.count, using: &random)
                reader.feed(bytes.prefix(count))
                bytes.removeFirst(count)
                while let item = try reader.next() { items.append(item) }
            }
            let texts = items.filter { if case .text = $0 { true } else { false } }
            #expect(texts == messages.map { .text($0) }, "HOMING_SEED=\(seed)")
        }
        for _ in 0..<20_000 {
            let noise = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = try? read(noise, limit: 1000)
        }
    }

    /// A message in frames, with pings between.
    private static func split(_ message: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var rest = message[...]
        var bytes: [UInt8] = []
        var opcode: UInt8 = 1
        repeat {
            let piece = rest.prefix(Int.random(in: 0...125, using: &random))
            rest = rest.dropFirst(piece.count)
            bytes += [(rest.isEmpty ? 0x80 : 0) | opcode, UInt8(piece.count)] + piece
            if Bool.random(using: &random) { bytes += [0x89, 0x01, 0x70] }
            opcode = 0
        } while !rest.isEmpty
        return bytes
    }

    // MARK: Upgrade

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
