internal import HomingRelayProtocol
internal import HomingSQLite

/// The confirmation ids of recent messages: a sender, or a proxy, may post a notification twice.
///
/// A table of its own, as a sender may repeat a message after the device has acknowledged it.
struct ConfirmationTable {
    let database: Database

    /// Milliseconds for which a repetition is known.
    static let span: Int64 = 600_000

    /// The message that was kept under that name, while the name is to be known.
    func message(
        _ name: [UInt8], of mailbox: MailboxID, at now: Int64
    ) throws(DatabaseError) -> MessageID? {
        // A clock that was set back makes nobody wait longer than the span.
        try database.first(
            """
            SELECT message FROM confirmation
            WHERE mailbox = ?1 AND name = ?2 AND until > ?3 AND until <= ?4
            """, .bytes(mailbox.bytes), .bytes(name), .integer(now), .integer(now + Self.span)
        ) { $0.bytes(0).flatMap(MessageID.init(bytes:)) } ?? nil
    }

    /// Remembers a message until it expires, ten minutes at the most.
    func put(
        _ name: [UInt8], _ deposit: Deposit, at now: Int64
    ) throws(DatabaseError) {
        try database.run(
            "REPLACE INTO confirmation VALUES (?1, ?2, ?3, ?4)", .bytes(deposit.mailbox.bytes),
            .bytes(name), .bytes(deposit.id.bytes),
            .integer(min(deposit.expires, now + Self.span)))
    }

    /// Deletes some that are over; returns how many.
    func remove(until now: Int64, limit: Int) throws(DatabaseError) -> Int {
        try database.run(
            """
            DELETE FROM confirmation WHERE (mailbox, name) IN (
                SELECT mailbox, name FROM confirmation WHERE until <= ?1 LIMIT ?2)
            """, .integer(now), SQLValue(limit))
    }

    func removeAll(of mailbox: MailboxID) throws(DatabaseError) {
        try database.run("DELETE FROM confirmation WHERE mailbox = ?1", .bytes(mailbox.bytes))
    }
}
