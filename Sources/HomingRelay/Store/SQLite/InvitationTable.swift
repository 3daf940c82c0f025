internal import HomingRelayProtocol
internal import HomingSQLite

/// The invitations that are open, by the hashes of their codes.
struct InvitationTable {
    let database: Database

    /// The number of invitations; those that have expired count until they are swept.
    func number() throws(DatabaseError) -> Int {
        Int(try database.integer("SELECT count(*) FROM invitation") ?? 0)
    }

    func add(_ hash: [UInt8], expires: Int64, uses: Int) throws(DatabaseError) {
        try database.run(
            "REPLACE INTO invitation (hash, expires, uses) VALUES (?1, ?2, ?3)", .bytes(hash),
            .integer(expires), SQLValue(uses))
    }

    /// Uses an invitation up, once more; whether it was good.
    func spend(
        _ hash: [UInt8], for mailbox: MailboxID, at now: Int64
    ) throws(DatabaseError) -> Bool {
        let spent = try database.run(
            """
            UPDATE invitation SET
                uses = uses - (spender IS NOT ?2), spender = ?2
            WHERE hash = ?1 AND expires > ?3 AND (uses > 0 OR spender IS ?2)
            """, .bytes(hash), .bytes(mailbox.bytes), .integer(now))
        return spent > 0
    }

    /// Deletes some that have expired; returns how many.
    func remove(until now: Int64, limit: Int) throws(DatabaseError) -> Int {
        try database.run(
            """
            DELETE FROM invitation WHERE hash IN (
                SELECT hash FROM invitation WHERE expires <= ?1 LIMIT ?2)
            """, .integer(now), SQLValue(limit))
    }
}
