/// Frames as clients send them: RFC 6455, section 5. A client's are masked, each with a key of its
/// own that nobody can guess, so that no proxy takes them for something else.
enum WebSocketFrame {
    enum Opcode: UInt8 {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10

        var isControl: Bool { rawValue >= 8 }
    }

    /// The largest payload of a control frame, in bytes.
    static let controlLimit = 125

    /// The frame's bytes; a message is always one frame.
    ///
    /// - Parameter key: of the mask.
    static func bytes(
        _ opcode: Opcode, _ payload: some Collection<UInt8>,
        key: UInt32 = .random(in: .min ... .max)
    ) -> [UInt8] {
        let count = payload.count
        var frame: [UInt8] = []
        frame.reserveCapacity(count + 14)
        frame.append(0x80 | opcode.rawValue)
        switch count {
        case ..<126: frame.append(0x80 | UInt8(count))
        // One after the other: the sum of the two makes Debian 13's compiler take the first for Int.
        case ..<65536:
            frame.append(0x80 | 126)
            frame += bigEndian(count, bytes: 2)
        default:
            frame.append(0x80 | 127)
            frame += bigEndian(count, bytes: 8)
        }
        let mask = bigEndian(Int(key), bytes: 4)
        frame += mask
        for (index, byte) in payload.enumerated() { frame.append(byte ^ mask[index & 3]) }
        return frame
    }

    private static func bigEndian(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
