/// Frames as they are sent: RFC 6455, section 5. A client's are masked, each with a key of its own
/// that nobody can guess, so that no proxy takes them for something else.
public enum WebSocketFrame {
    public enum Opcode: UInt8, Sendable {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10

        var isControl: Bool { rawValue >= 8 }
    }

    /// The largest payload of a control frame, in bytes.
    public static let controlLimit = 125

    /// The frame's bytes; a message is always one frame.
    ///
    /// - Parameters:
    ///   - sender: whose frame it is.
    ///   - key: of a client's mask.
    public static func bytes(
        _ opcode: Opcode, _ payload: [UInt8], from sender: WebSocketRole,
        key: @autoclosure () -> UInt32 = .random(in: .min ... .max)
    ) -> [UInt8] {
        let count = payload.count
        let maskBit: UInt8 = sender == .client ? 0x80 : 0
        var frame: [UInt8] = []
        frame.reserveCapacity(count + 14)
        frame.append(0x80 | opcode.rawValue)
        switch count {
        case ..<126: frame.append(maskBit | UInt8(count))
        // One after the other: the sum of the two makes Debian 13's compiler take the first for Int.
        case ..<65536:
            frame.append(maskBit | 126)
            frame += bigEndian(count, bytes: 2)
        default:
            frame.append(maskBit | 127)
            frame += bigEndian(count, bytes: 8)
        }
        guard sender == .client else { return frame + payload }
        let key = key()
        frame += bigEndian(Int(key), bytes: 4)
        frame += payload
        mask(&frame, from: frame.count - count, with: key)
        return frame
    }

    /// Lays the mask over these bytes, or takes it off.
    private static func mask(_ frame: inout [UInt8], from start: Int, with key: UInt32) {
        frame.withUnsafeMutableBytes { bytes in
            let payload = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
            let word = UInt64(key.bigEndian) << 32 | UInt64(key.bigEndian)
            let whole = payload.count / 8 * 8
            for at in stride(from: 0, to: whole, by: 8) {
                let masked = payload.loadUnaligned(fromByteOffset: at, as: UInt64.self) ^ word
                payload.storeBytes(of: masked, toByteOffset: at, as: UInt64.self)
            }
            for at in whole..<payload.count {
                payload[at] ^= UInt8(truncatingIfNeeded: key >> (24 - 8 * UInt32(at & 3)))
            }
        }
    }

    /// A frame that closes, with this code of RFC 6455, section 7.4.
    public static func close(_ code: UInt16?, from sender: WebSocketRole) -> [UInt8] {
        bytes(.close, code.map { bigEndian(Int($0), bytes: 2) } ?? [], from: sender)
    }

    private static func bigEndian(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
