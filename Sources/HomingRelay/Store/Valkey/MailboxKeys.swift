internal import HomingRelayProtocol
internal import HomingValkey

/// The names of keys in the engine.
enum MailboxKeys {
    /// Shelves: the first byte of a mailbox's id says which.
    static let shelves = 256
    /// Invitations: a hash.
    static let invitations = Array("hr:{join}:i".utf8)
    /// The date of the last sweep: milliseconds since 1970.
    static let swept = Array("hr:{join}:swept".utf8)
    /// The relay's keys, sealed; the channel has the same name.
    static let ring = Array("hr:{keys}:ring".utf8)

    /// The prefix of a shelf's keys.
    static func prefix(_ shelf: Int) -> [UInt8] {
        let digits = String(shelf, radix: 16)
        return Array("hr:{\(digits.utf8.count == 1 ? "0" : "")\(digits)}:".utf8)
    }

    static func prefix(of mailbox: MailboxID) -> [UInt8] { prefix(Int(mailbox.bytes[0])) }

    /// The key of a mailbox's row; its channel has the same name.
    static func row(_ mailbox: MailboxID) -> [UInt8] {
        prefix(of: mailbox) + Array("m:".utf8) + mailbox.bytes
    }

    /// All keys that a script of a mailbox may use.
    static func all(_ mailbox: MailboxID) -> [[UInt8]] {
        let prefix = prefix(of: mailbox)
        return ["m:", "h:", "p:", "c:"].map { prefix + Array($0.utf8) + mailbox.bytes }
            + ["i", "due", "n"].map { prefix + Array($0.utf8) }
    }

    /// The mailbox whose row has that key.
    static func mailbox(ofRow key: [UInt8]) -> MailboxID? {
        MailboxID(bytes: Array(key.suffix(MailboxID.size)))
    }
}

/// Words of a command.
extension [UInt8] {
    init(text number: some BinaryInteger) { self = Array("\(number)".utf8) }
    init(text isSo: Bool) { self = [UInt8(ascii: isSo ? "1" : "0")] }
}
