internal import HomingRelayProtocol
internal import HomingSQLite

/// A message that waits, without its parcel.
struct WaitingRow {
    /// The kind of a row, as the file has it.
    enum Kind: Int {
        case message = 0
        /// Takes a notification back: not missed once it has expired.
        case clearing = 1
        case limitNotice = 2
        case freeLimitNotice = 3
        case droppedNotice = 4

        init(_ deposit: Deposit) {
            switch deposit.content {
            case .push: self = deposit.isClearing ? .clearing : .message
            case .notice(.limitReached(.notification)): self = .limitNotice
            case .notice(.limitReached(.free)): self = .freeLimitNotice
            case .notice(.dropped): self = .droppedNotice
            }
        }

        var isNotice: Bool { rawValue >= Self.limitNotice.rawValue }
    }

    var id: MessageID
    var kind: Kind
    /// Dropped messages that it tells of.
    var tells: Int
    var tag: [UInt8]?
    var expires: Int64
    /// Bytes of the parcel.
    var size: Int

    /// The messages that the device has lost if this row goes unread: the row itself, and the
    /// messages that the row tells of.
    var losses: Int { tells + (kind == .message ? 1 : 0) }
}

/// The messages that wait.
struct MessageTable {
    let database: Database

    /// All of a mailbox, in the order of their ids.
    func rows(of mailbox: MailboxID) throws(DatabaseError) -> [WaitingRow] {
        var rows: [WaitingRow] = []
        try database.eachRow(
            """
            SELECT id, kind, tells, tag, expires, length(parcel) FROM message
            WHERE mailbox = ?1 ORDER BY id
            """, [.bytes(mailbox.bytes)]
        ) { row in
            guard let id = row.bytes(0).flatMap(MessageID.init(bytes:)) else { return true }
            rows.append(
                WaitingRow(
                    id: id, kind: WaitingRow.Kind(rawValue: row.count(1)) ?? .message,
                    tells: row.count(2), tag: row.bytes(3), expires: row.time(4),
                    size: row.count(5)))
            return true
        }
        return rows
    }

    /// Returns the rows that `RoomPlan` needs for a deposit: all of the mailbox, or none if no row is
    /// replaced, has expired or exceeds a bound. A count by SQLite costs less than to read all rows.
    ///
    /// - Parameters:
    ///   - messages: how many may wait.
    ///   - limit: how many bytes may wait.
    func rows(
        before deposit: Deposit, messages: Int, bytes limit: Int, at now: Int64
    ) throws(DatabaseError) -> [WaitingRow] {
        let kind = WaitingRow.Kind(deposit)
        let mayStay = try database.first(
            """
            SELECT count(*), sum(length(parcel)), sum(expires <= ?2 OR kind = ?3 OR tag = ?4)
            FROM message WHERE mailbox = ?1
            """, .bytes(deposit.mailbox.bytes), .integer(now),
            kind.isNotice ? SQLValue(kind.rawValue) : .null,
            kind.isNotice ? .null : deposit.tag.map(SQLValue.bytes) ?? .null
        ) { row in
            row.count(0) < messages && row.count(1) + deposit.parcel.count <= limit
                && row.count(2) == 0
        }
        return mayStay == true ? [] : try rows(of: deposit.mailbox)
    }

    func insert(_ deposit: Deposit) throws(DatabaseError) {
        var tells = 0
        if case .notice(.dropped(let number)) = deposit.content { tells = number }
        // The far relay counts a front's notice among the commands.
        let isFree = deposit.content != .push(.notification)
        try database.run(
            """
            INSERT INTO message (mailbox, id, kind, tells, tag, expires, parcel, free)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """, .bytes(deposit.mailbox.bytes), .bytes(deposit.id.bytes),
            SQLValue(WaitingRow.Kind(deposit).rawValue),
            SQLValue(tells), deposit.tag.map(SQLValue.bytes) ?? .null, .integer(deposit.expires),
            .bytes(deposit.parcel), SQLValue(isFree ? 1 : 0))
    }

    /// Returns how many there were of them: 0 or 1.
    @discardableResult
    func delete(_ id: MessageID, of mailbox: MailboxID) throws(DatabaseError) -> Int {
        try database.run(
            "DELETE FROM message WHERE mailbox = ?1 AND id = ?2", .bytes(mailbox.bytes),
            .bytes(id.bytes))
    }

    func deleteAll(of mailbox: MailboxID) throws(DatabaseError) {
        try database.run("DELETE FROM message WHERE mailbox = ?1", .bytes(mailbox.bytes))
    }

    /// The oldest that have not expired, without those that are known.
    func load(
        _ mailbox: MailboxID, except known: Set<MessageID>, limit: Int, bytes: Int, at now: Int64
    ) throws(DatabaseError) -> LoadedMessages {
        var found = LoadedMessages()
        var rest = bytes
        try database.eachRow(
            """
            SELECT id, parcel FROM message WHERE mailbox = ?1 AND expires > ?2 ORDER BY id
            """, [.bytes(mailbox.bytes), .integer(now)]
        ) { row in
            guard let id = row.bytes(0).flatMap(MessageID.init(bytes:)), !known.contains(id) else {
                return true
            }
            guard found.messages.count < limit, rest > 0 else {
                found.isMoreLeft = true
                return false
            }
            let parcel = row.bytes(1) ?? []
            found.messages.append(StoredMessage(id: id, parcel: parcel))
            rest -= parcel.count
            return true
        }
        return found
    }

    /// The oldest that has not expired.
    func next(
        of mailbox: MailboxID, isFreeOnly: Bool, at now: Int64
    ) throws(DatabaseError) -> OutgoingMessage? {
        try database.first(
            """
            SELECT id, parcel, free, kind, tag, expires FROM message
            WHERE mailbox = ?1 AND expires > ?2 AND free >= ?3 ORDER BY id LIMIT 1
            """, .bytes(mailbox.bytes), .integer(now), SQLValue(isFreeOnly ? 1 : 0)
        ) { row in
            guard let id = row.bytes(0).flatMap(MessageID.init(bytes:)) else { return nil }
            return OutgoingMessage(
                id: id, parcel: row.bytes(1) ?? [],
                kind: row.integer(2) == 0 ? .notification : .free,
                isClearing: row.count(3) == WaitingRow.Kind.clearing.rawValue,
                tag: row.bytes(4), expires: row.time(5))
        } ?? nil
    }

    /// The number of a mailbox's messages that have not expired.
    func waiting(_ mailbox: MailboxID, at now: Int64) throws(DatabaseError) -> Int {
        let number = try database.integer(
            "SELECT count(*) FROM message WHERE mailbox = ?1 AND expires > ?2",
            .bytes(mailbox.bytes), .integer(now))
        return Int(number ?? 0)
    }

    /// Dropped messages that waiting notices tell of.
    func countOfDroppedInNotices(_ mailbox: MailboxID) throws(DatabaseError) -> Int {
        let number = try database.integer(
            """
            SELECT sum(max(0, min(tells, \(Statement.largestCount)))) FROM message
            WHERE mailbox = ?1
            """, .bytes(mailbox.bytes))
        return Int(number ?? 0)
    }

    /// Whether something in the mailbox has not expired.
    func isWaiting(_ mailbox: MailboxID, at now: Int64) throws(DatabaseError) -> Bool {
        try database.integer(
            "SELECT 1 FROM message WHERE mailbox = ?1 AND expires > ?2 LIMIT 1",
            .bytes(mailbox.bytes), .integer(now)) != nil
    }

    /// Some that have expired, with what their going means for the device.
    func expired(
        at now: Int64, limit: Int
    ) throws(DatabaseError) -> [(mailbox: MailboxID, id: MessageID, losses: Int)] {
        var found: [(mailbox: MailboxID, id: MessageID, losses: Int)] = []
        try database.eachRow(
            "SELECT mailbox, id, kind, tells FROM message WHERE expires <= ?1 LIMIT ?2",
            [.integer(now), SQLValue(limit)]
        ) { row in
            guard let mailbox = row.bytes(0).flatMap(MailboxID.init(bytes:)),
                let id = row.bytes(1).flatMap(MessageID.init(bytes:))
            else { return true }
            let isMessage = row.count(2) == WaitingRow.Kind.message.rawValue
            found.append((mailbox, id, row.count(3) + (isMessage ? 1 : 0)))
            return true
        }
        return found
    }
}
