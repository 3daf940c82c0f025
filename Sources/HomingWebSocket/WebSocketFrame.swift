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
        _ opcode: Opcode, _ payload: some Collection<UInt8>, from sender: WebSocketRole,
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
        let mask = bigEndian(Int(key()), bytes: 4)
        frame += mask
        for (index, byte) in payload.enumerated() { frame.append(byte ^ mask[index & 3]) }
        return frame
    }

    /// A frame that closes, with this code of RFC 6455, section 7.4.
    public static func close(_ code: UInt16?, from sender: WebSocketRole) -> [UInt8] {
        bytes(.close, code.map { bigEndian(Int($0), bytes: 2) } ?? [], from: sender)
    }

    private static func bigEndian(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
