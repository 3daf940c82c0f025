import HomingHTTP
import HomingWebSocket
import Testing

/// 64 kB of frames, before any message is read.
@Suite(.serialized) struct FrameCostTests {
    private static var inputs: [(name: String, text: [UInt8])] {
        let frames: [(String, [UInt8])] = [
            ("empty pings", [0x89, 0]), ("pings", [0x89, 4, 1, 2, 3, 4]),
            ("longest pings", [0x89, 125] + [UInt8](repeating: 1, count: 125)),
            ("empty pongs", [0x8A, 0]), ("empty messages", [0x81, 0]),
            ("messages of a letter", [0x81, 1, 0x61]),
            ("messages of an emoji", [0x81, 4, 0xF0, 0x9F, 0x98, 0x80]),
            ("lengths in eight bytes", [0x81, 127, 0, 0, 0, 0, 0, 0, 0, 1, 0x61]),
        ]
        var inputs = frames.map { name, frame in (name: name, text: repeated(frame)) }
        let parts = repeated([0x00, 1, 0x61])
        inputs += [
            ("parts of one message", [0x01, 1, 0x61] + parts),
            ("empty parts of one message", [0x01, 0] + repeated([0x00, 0])),
            ("pings between parts", [0x01, 1, 0x61] + repeated([0x89, 0, 0x00, 1, 0x61])),
            ("a message without its end", [0x81, 127, 0, 0, 0, 0, 0, 1, 0xFF, 0xFF] + parts),
            (
                "a message that is not UTF-8 at its end",
                whole([UInt8](repeating: 0x61, count: Price.size - 11) + [0xFF])
            ),
        ]
        return inputs
    }

    private static func repeated(_ frame: [UInt8]) -> [UInt8] {
        Array(Array(repeating: frame, count: Price.size / frame.count).joined())
    }

    private static func whole(_ text: [UInt8]) -> [UInt8] {
        let size = text.count
        return [
            0x81, 127, 0, 0, 0, 0, 0, UInt8(size >> 16), UInt8(size >> 8 & 0xFF),
            UInt8(size & 0xFF),
        ] + text
    }

    private static func read(_ bytes: [UInt8], pieces: Int) throws {
        var reader = FrameReader(limit: WebSocket.messageLimit, role: .client)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            reader.feed(bytes[start..<min(start + pieces, bytes.count)])
            while try reader.next() != nil {}
        }
    }

    @Test("Frames that come at once")
    func atOnce() {
        Price.highest(of: Self.inputs) { try Self.read($0, pieces: $0.count) }
            .check("WebSocket: frames")
    }

    @Test("Frames that come in pieces of 16 bytes, the least of a TLS record")
    func inPieces() {
        Price.highest(of: Self.inputs) { try Self.read($0, pieces: 16) }
            .check("WebSocket: frames in pieces")
    }
}
