internal import HomingCrypto

/// The id of a message: 6 bytes of milliseconds since 1970, 2 that count within a millisecond, 8
/// random. Later ids of a relay are larger.
///
/// So ids are ordered by time. An id discloses nothing of other mailboxes but the number of
/// messages before it in the same millisecond.
public struct MessageID: Hashable, Sendable {
    /// Bytes of an id.
    public static let size = 16
    /// Characters of its text.
    public static let textSize = 22

    private let high: UInt64
    private let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads the bytes that a store keeps; `nil` unless there are 16 bytes.
    public init?(bytes: [UInt8]) {
        var reader = WireReader(bytes)
        guard bytes.count == MessageID.size, let high = reader.number(UInt64.self),
            let low = reader.number(UInt64.self)
        else { return nil }
        self.init(high: high, low: low)
    }

    /// Reads the text of a frame; `nil` unless the text is that of an id.
    public init?(text: String) {
        guard text.utf8.count == MessageID.textSize, let bytes = URLBase64.bytes(of: text) else {
            return nil
        }
        self.init(bytes: bytes)
    }

    /// The 16 bytes of the id; their order is the order of the ids.
    public var bytes: [UInt8] { high.wireBytes + low.wireBytes }

    /// 22 characters, which need no escaping in a URL.
    public var text: String { URLBase64.text(of: bytes) }

    /// Time when the message came, by the relay's clock: milliseconds since 1970.
    public var milliseconds: Int64 { Int64(high >> 16) }

    /// The number of the id within its millisecond, from 0.
    var counter: UInt16 { UInt16(truncatingIfNeeded: high) }
}

extension MessageID: Comparable {
    public static func < (one: MessageID, other: MessageID) -> Bool {
        (one.high, one.low) < (other.high, other.low)
    }
}

extension MessageID: CustomStringConvertible {
    /// The text.
    public var description: String { text }
}

/// Makes ids, each larger than those before, also where the clock was stepped back.
public struct MessageIDs: Sendable {
    private var last: (milliseconds: Int64, counter: UInt16)?

    /// - Parameter last: the largest id that a store holds, which the next are to exceed.
    public init(after last: MessageID? = nil) {
        self.last = last.map { ($0.milliseconds, $0.counter) }
    }

    /// The id of a message that comes now.
    ///
    /// - Parameter milliseconds: since 1970, bounded to the years 1970 to 9999.
    public mutating func next(at milliseconds: Int64) -> MessageID {
        var (time, counter) = (RelayTime.bounded(milliseconds), UInt16(0))
        if let last, time <= last.milliseconds {
            let isFull = last.counter == .max
            time = last.milliseconds + (isFull ? 1 : 0)
            counter = isFull ? 0 : last.counter + 1
        }
        last = (time, counter)
        let random = RandomToken.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return MessageID(high: UInt64(time) << 16 | UInt64(counter), low: random)
    }
}
