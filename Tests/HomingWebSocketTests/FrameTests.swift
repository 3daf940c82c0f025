import HomingBase
import HomingTestKit
import Testing

@testable import HomingWebSocket

/// Frames, byte by byte: RFC 6455.
@Suite struct FrameTests {
    private func read(
        _ bytes: [UInt8], limit: Int = 1 << 16, role: WebSocketRole = .client
    ) throws -> [FrameReader.Item] {
        var reader = FrameReader(limit: limit, role: role)
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

    @Test("Half a message holds no more memory than its own bytes, whatever came before it")
    func halfMessage() throws {
        var reader = FrameReader(limit: 4096, role: .client)
        let whole = WebSocketFrame.bytes(
            .text, [UInt8](repeating: 0x61, count: 4000), from: .server)
        let many = Array(repeatElement(whole, count: 16).joined())
        reader.feed(many + whole.prefix(1000))
        for _ in 0..<16 { #expect(try reader.next() != nil) }
        #expect(try reader.next() == nil)
        #expect(reader.held >= 1000 && reader.held <= 4096)
        reader.feed(whole.dropFirst(1000))
        #expect(try reader.next() != nil)
        #expect(try reader.next() == nil && reader.held == 0)
    }

    /// The standard's example: "Hello" with the mask 37 fa 21 3d.
    private static let maskedHello: [UInt8] = [
        0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58,
    ]

    @Test("What a client sends is masked, as the standard's example is, and a server reads it")
    func masked() throws {
        let hello = Array("Hello".utf8)
        let frame = WebSocketFrame.bytes(.text, hello, from: .client, key: 0x37fa_213d)
        #expect(frame == Self.maskedHello)
        #expect(try read(Self.maskedHello, role: .server) == [text("Hello")])
        let sizes = [(125, 6), (126, 8), (65535, 8), (65536, 14)]
        for (size, head) in sizes {
            let payload = [UInt8](repeating: 0x61, count: size)
            let frame = WebSocketFrame.bytes(.text, payload, from: .client, key: 0x0102_0304)
            #expect(frame.count == size + head)
            #expect(try read(frame, role: .server) == [.text(payload)])
        }
        let frames = (0..<8).map { _ in WebSocketFrame.bytes(.ping, [], from: .client) }
        #expect(Set(frames).count > 1)
    }

    @Test("What a server sends is not masked, and a client reads it")
    func unmasked() throws {
        let hello = WebSocketFrame.bytes(.text, Array("Hello".utf8), from: .server)
        #expect(hello == [0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f])
        #expect(WebSocketFrame.close(1001, from: .server) == [0x88, 2, 0x03, 0xe9])
        #expect(WebSocketFrame.close(nil, from: .server) == [0x88, 0])
        let sizes = [(125, 2), (126, 4), (65535, 4), (65536, 10)]
        for (size, head) in sizes {
            let payload = [UInt8](repeating: 0x61, count: size)
            let frame = WebSocketFrame.bytes(.text, payload, from: .server)
            #expect(frame.count == size + head)
            #expect(try read(frame) == [.text(payload)])
        }
    }

    @Test("A server refuses what is not masked, and a client what is, by the head's two bytes")
    func roles() throws {
        for bytes in [[0x81, 0], [0x89, 0], [0x88, 2], [0x81, 126]] as [[UInt8]] {
            let refused = try thrown(FrameReader.Violation.self) {
                try read(bytes, role: .server)
            }
            #expect(refused?.code == 1002 && refused?.text == "a client's frame is not masked")
        }
        let refused = try thrown(FrameReader.Violation.self) { try read(Self.maskedHello) }
        #expect(refused?.code == 1002 && refused?.text == "a server's frame is masked")
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
    func violations(bytes: [UInt8], code: UInt16?) throws {
        let found = try thrown(FrameReader.Violation.self) { try read(bytes) }
        #expect(found?.code == code)
        // The same frames as a client sends them, but for those that are masked or not whole.
        guard bytes != [0x81, 0x80], bytes.count > 1, let masked = Self.masked(bytes) else {
            return
        }
        let other = try thrown(FrameReader.Violation.self) { try read(masked, role: .server) }
        #expect(other?.code == code)
    }

    /// Whole frames of a server, or their heads alone, masked.
    private static func masked(_ bytes: [UInt8]) -> [UInt8]? {
        var (rest, frames) = (bytes[...], [UInt8]())
        while rest.count >= 2 {
            let short = Int(rest[rest.startIndex + 1])
            let extra = short == 127 ? 8 : short == 126 ? 2 : 0
            guard rest.count >= 2 + extra else { return nil }
            var head = Array(rest.prefix(2 + extra))
            head[1] |= 0x80
            let payload = rest.dropFirst(2 + extra).prefix(short < 126 ? short : 0)
            rest = rest.dropFirst(2 + extra + payload.count)
            let mask: [UInt8] = [0x5a, 0xa5, 0x00, 0xff]
            frames += head + mask
            frames += payload.enumerated().map { $0.element ^ mask[$0.offset & 3] }
        }
        return frames
    }

    @Test("The parts of a message count together")
    func limit() throws {
        let part: [UInt8] = [0x00, 100] + [UInt8](repeating: 0x61, count: 100)
        var reader = FrameReader(limit: 1000, role: .client)
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

    @Test(
        "Random messages, cut at random, come out as they went in; random bytes end in order",
        arguments: [WebSocketRole.client, .server])
    func random(role: WebSocketRole) throws {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed)")
        var random = SeededRandom(seed: seed)
        for _ in 0..<2000 {
            let messages = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                [UInt8](
                    repeating: UInt8.random(in: 0x20..<0x7f, using: &random),
                    count: Int.random(in: 0...300, using: &random))
            }
            var bytes = messages.flatMap { Self.split($0, to: role, &random) }
            var reader = FrameReader(limit: 1 << 12, role: role)
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
            _ = try? read(noise, limit: 1000, role: role)
        }
    }

    /// A message in frames, with pings between.
    private static func split(
        _ message: [UInt8], to reader: WebSocketRole, _ random: inout SeededRandom
    ) -> [UInt8] {
        var rest = message[...]
        var bytes: [UInt8] = []
        var opcode: UInt8 = 1
        repeat {
            let piece = rest.prefix(Int.random(in: 0...125, using: &random))
            rest = rest.dropFirst(piece.count)
            bytes += frame((rest.isEmpty ? 0x80 : 0) | opcode, piece, to: reader, &random)
            if Bool.random(using: &random) { bytes += frame(0x89, [0x70], to: reader, &random) }
            opcode = 0
        } while !rest.isEmpty
        return bytes
    }

    private static func frame(
        _ first: UInt8, _ payload: some Collection<UInt8>, to reader: WebSocketRole,
        _ random: inout SeededRandom
    ) -> [UInt8] {
        guard reader == .server else { return [first, UInt8(payload.count)] + payload }
        let mask = (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }
        return [first, 0x80 | UInt8(payload.count)] + mask
            + payload.enumerated().map { $0.element ^ mask[$0.offset & 3] }
    }
}
