internal import HomingRelayProtocol
internal import HomingSQLite

/// The counts of a mailbox on a day.
struct Tally: Equatable {
    var notifications = 0
    var free = 0
    var errors = 0
    var freeErrors = 0
    /// Limits that the device has been left a notice of: bit 0 for notifications, bit 1 for free
    /// messages.
    var told = 0

    /// The number of that kind that were kept.
    func kept(_ kind: PushRequest.Kind) -> Int { kind == .notification ? notifications : free }

    mutating func keep(_ kind: PushRequest.Kind) {
        if kind == .notification { notifications += 1 } else { free += 1 }
    }

    mutating func refuse(_ kind: PushRequest.Kind) {
        if kind == .notification { errors += 1 } else { freeErrors += 1 }
    }

    /// Whether the device has been left a notice of that limit.
    func isTold(_ kind: PushRequest.Kind) -> Bool { told & Self.bit(kind) != 0 }

    mutating func markTold(_ kind: PushRequest.Kind) { told |= Self.bit(kind) }

    private static func bit(_ kind: PushRequest.Kind) -> Int { kind == .notification ? 1 : 2 }
}

/// The counts of the days. The day of a time is that of UTC.
struct TallyTable {
    let database: Database

    func tally(_ mailbox: MailboxID, day: Int) throws(DatabaseError) -> Tally {
        try database.first(
            """
            SELECT notifications, free, errors, free_errors, told FROM tally
            WHERE day = ?1 AND mailbox = ?2
            """, SQLValue(day), .bytes(mailbox.bytes)
        ) { row in
            Tally(
                notifications: row.count(0), free: row.count(1), errors: row.count(2),
                freeErrors: row.count(3), told: row.count(4))
        } ?? Tally()
    }

    func put(_ tally: Tally, _ mailbox: MailboxID, day: Int) throws(DatabaseError) {
        try database.run(
            "REPLACE INTO tally VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", SQLValue(day),
            .bytes(mailbox.bytes), SQLValue(tally.notifications), SQLValue(tally.free),
            SQLValue(tally.errors), SQLValue(tally.freeErrors), SQLValue(tally.told))
    }

    /// Deletes some of the days before `day`; returns how many rows.
    func remove(before day: Int, limit: Int) throws(DatabaseError) -> Int {
        try database.run(
            """
            DELETE FROM tally WHERE (day, mailbox) IN (
                SELECT day, mailbox FROM tally WHERE day < ?1 LIMIT ?2)
            """, SQLValue(day), SQLValue(limit))
    }

    /// Deletes all of a mailbox. Looks at every row: for what seldom happens.
    func removeAll(of mailbox: MailboxID) throws(DatabaseError) {
        try database.run("DELETE FROM tally WHERE mailbox = ?1", .bytes(mailbox.bytes))
    }
}
