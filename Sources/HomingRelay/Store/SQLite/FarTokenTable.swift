internal import HomingRelayProtocol
internal import HomingSQLite

/// The far relay's tokens, by which a front forwards, with the far relay's address: another far relay
/// must not get them. A row stays until the operator forgets its
/// mailbox, as a device may be silent for a year.
struct FarTokenTable {
    let database: Database

    func token(of mailbox: MailboxID, at url: String) throws(DatabaseError) -> PushToken? {
        try database.first(
            "SELECT token FROM far WHERE mailbox = ?1 AND url = ?2", .bytes(mailbox.bytes),
            .text(url)
        ) { $0.text(0).flatMap { PushToken($0) } } ?? nil
    }

    /// Whether there is a row for that mailbox.
    func has(_ mailbox: MailboxID) throws(DatabaseError) -> Bool {
        try database.integer(
            "SELECT 1 FROM far WHERE mailbox = ?1", .bytes(mailbox.bytes)) != nil
    }

    func number() throws(DatabaseError) -> Int {
        Int(try database.integer("SELECT count(*) FROM far") ?? 0)
    }

    func put(
        _ token: PushToken, of mailbox: MailboxID, at url: String
    ) throws(DatabaseError) {
        try database.run(
            "REPLACE INTO far VALUES (?1, ?2, ?3)", .bytes(mailbox.bytes), .text(token.text),
            .text(url))
    }

    func remove(_ mailbox: MailboxID) throws(DatabaseError) {
        try database.run("DELETE FROM far WHERE mailbox = ?1", .bytes(mailbox.bytes))
    }
}
