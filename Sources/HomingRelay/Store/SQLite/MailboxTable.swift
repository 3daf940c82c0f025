internal import HomingRelayProtocol
internal import HomingSQLite

/// The facts about a mailbox beside its messages.
struct MailboxRow: Equatable {
    var generation: UInt16
    var isBlocked: Bool
    /// Messages that were dropped, and that no waiting notice tells of.
    var dropped: Int
    var used: Int64
}

/// The mailboxes that hold something, or of which something has to be remembered.
final class MailboxTable {
    private let database: Database
    /// The number of rows; `nil` until they are counted.
    private var count: Int?

    init(database: Database) { self.database = database }

    /// Forgets the number of mailboxes: the next question counts the rows.
    func forgetCount() { count = nil }

    func number() throws(DatabaseError) -> Int {
        if let count { return count }
        let counted = Int(try database.integer("SELECT count(*) FROM mailbox") ?? 0)
        count = counted
        return counted
    }

    func row(_ mailbox: MailboxID) throws(DatabaseError) -> MailboxRow? {
        try database.first(
            "SELECT generation, blocked, dropped, used FROM mailbox WHERE id = ?1",
            .bytes(mailbox.bytes)
        ) { row in
            MailboxRow(
                generation: UInt16(clamping: row.integer(0) ?? 0),
                isBlocked: row.integer(1) != 0, dropped: row.count(2), used: row.time(3))
        }
    }

    /// Writes a row that was there, or is new.
    func put(
        _ mailbox: MailboxID, _ row: MailboxRow, isNew: Bool
    ) throws(DatabaseError) {
        try database.run(
            """
            INSERT INTO mailbox (id, generation, blocked, dropped, used)
            VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET
                generation = excluded.generation, blocked = excluded.blocked,
                dropped = excluded.dropped, used = excluded.used
            """, .bytes(mailbox.bytes), SQLValue(Int(row.generation)),
            SQLValue(row.isBlocked ? 1 : 0), SQLValue(row.dropped), .integer(row.used))
        if isNew { count = count.map { $0 + 1 } }
    }

    /// Counts messages of a mailbox that were dropped.
    func addDropped(_ number: Int, to mailbox: MailboxID) throws(DatabaseError) {
        guard number > 0 else { return }
        try database.run(
            "UPDATE mailbox SET dropped = min(dropped + ?2, \(Statement.largestCount)) WHERE id = ?1",
            .bytes(mailbox.bytes), SQLValue(number))
    }

    func remove(_ mailbox: MailboxID) throws(DatabaseError) {
        let removed = try database.run("DELETE FROM mailbox WHERE id = ?1", .bytes(mailbox.bytes))
        count = count.map { $0 - removed }
    }

    /// The rows after `last`, in their order.
    func rows(
        after last: MailboxID?, limit: Int
    ) throws(DatabaseError) -> [(MailboxID, MailboxRow)] {
        var found: [(MailboxID, MailboxRow)] = []
        try database.eachRow(
            """
            SELECT generation, blocked, dropped, used, id FROM mailbox
            WHERE id > ?1 ORDER BY id LIMIT ?2
            """, [.bytes(last?.bytes ?? []), SQLValue(limit)]
        ) { row in
            guard let id = row.bytes(4).flatMap(MailboxID.init(bytes:)) else { return true }
            let mailbox = MailboxRow(
                generation: UInt16(clamping: row.integer(0) ?? 0),
                isBlocked: row.integer(1) != 0, dropped: row.count(2), used: row.time(3))
            found.append((id, mailbox))
            return true
        }
        return found
    }

    /// Mailboxes with messages that have not expired, or with dropped messages to tell of.
    func toForward(
        after last: MailboxID?, limit: Int, at now: Int64
    ) throws(DatabaseError) -> [MailboxID] {
        var found: [MailboxID] = []
        try database.eachRow(
            """
            SELECT id FROM mailbox WHERE id > ?1 AND blocked = 0 AND (dropped > 0 OR EXISTS (
                SELECT 1 FROM message WHERE mailbox = mailbox.id AND expires > ?2))
            ORDER BY id LIMIT ?3
            """, [.bytes(last?.bytes ?? []), .integer(now), SQLValue(limit)]
        ) { row in
            if let id = row.bytes(0).flatMap(MailboxID.init(bytes:)) { found.append(id) }
            return true
        }
        return found
    }

    /// Deletes mailboxes that nothing has used since `time` and that hold no message. One that is
    /// blocked stays; one with revoked tokens, or with dropped messages to tell of, stays until
    /// `later`.
    func removeUnused(
        since time: Int64, orRemembering later: Int64, limit: Int
    ) throws(DatabaseError) -> Int {
        let removed = try database.run(
            """
            DELETE FROM mailbox WHERE id IN (
                SELECT id FROM mailbox WHERE used < ?1 AND blocked = 0
                    AND (used < ?2 OR (generation = 0 AND dropped = 0))
                    AND NOT EXISTS (SELECT 1 FROM message WHERE message.mailbox = mailbox.id)
                LIMIT ?3)
            """, .integer(time), .integer(later), SQLValue(limit))
        count = count.map { $0 - removed }
        return removed
    }
}

/// Numbers of a file that somebody else may have changed: no sum of them overflows.
extension Statement {
    /// The largest count; the sum of a mailbox's counts is far from the largest `Int`.
    static let largestCount = Int(Int32.max)

    /// The column as a count, from zero to `largestCount`.
    func count(_ column: Int32) -> Int {
        min(Int(clamping: max(0, integer(column) ?? 0)), Self.largestCount)
    }

    /// The column as a time: milliseconds since 1970.
    func time(_ column: Int32) -> Int64 { RelayTime.bounded(integer(column) ?? 0) }
}
