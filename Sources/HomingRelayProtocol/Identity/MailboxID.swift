public import HomingCrypto

/// The id of a mailbox: a hash of the device's public key. So a token names its mailbox without a
/// look-up.
public struct MailboxID: Hashable, Sendable {
    /// Bytes of an id.
    public static let size = 16

    /// The 16 bytes of the id.
    public let bytes: [UInt8]

    /// The mailbox of the owner of that key.
    public init(of key: PublicKey) {
        bytes = KeyedHash.hash(key.bytes, use: "homing relay mailbox", size: .short)
    }

    /// Reads the bytes that a store keeps; `nil` unless there are 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == MailboxID.size else { return nil }
        self.bytes = bytes
    }

    /// 8 hexadecimal characters for people and the log. Nobody can compute the id from the label.
    public var label: String {
        let hash = KeyedHash.hash(bytes, use: "homing relay label", size: .short)
        return hash.prefix(4).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }
}

extension MailboxID: Comparable {
    public static func < (one: MailboxID, other: MailboxID) -> Bool {
        one.bytes.lexicographicallyPrecedes(other.bytes)
    }
}

extension MailboxID: CustomStringConvertible {
    /// The label.
    public var description: String { label }
}
