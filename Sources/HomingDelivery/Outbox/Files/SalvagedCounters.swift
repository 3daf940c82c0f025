internal import HomingBase
internal import HomingSQLite

/// Counters that could still be read from a database that was set aside.
struct SalvagedCounters {
    /// A closed ledger for each stream: what was queued is lost with the database.
    private(set) var ledgers: [Stream: Ledger] = [:]
    private(set) var lastNumbers: [Stream: Int64] = [:]
    /// Home Assistant still holds that place.
    private(set) var delivery: LastDelivery?

    /// Rows that were queued.
    private(set) var lost = 0

    /// The queue before, for the positions that its log of groups holds.
    private var former: FormerQueue?

    /// Reads the ledgers, `nil` if they cannot be read or do not balance. The file stays as it is.
    init?(path: String) {
        guard let database = try? Database(path, readOnly: true) else { return nil }
        defer { database.close() }
        // Lets SQLite read what there is of a file that is shorter than its header says.
        try? database.execute("PRAGMA writable_schema = ON")
        let table = LedgerTable(database: database)
        for stream in Stream.allCases {
            guard let last = try? table.lastNumber(stream), var ledger = try? table.ledger(stream),
                LedgerTable.isSound(ledger, lastNumber: last)
            else { return nil }
            lost += ledger.queued
            ledger.fates[.lostWithDatabase, default: 0] += ledger.queued
            ledger.queued = 0
            // Numbers that were reserved may have been given away.
            let reserved = max(last, (try? table.reservedNumber(stream)) ?? 0)
            ledger.accepted += Int(reserved - last)
            ledger.fates[.lostWithDatabase, default: 0] += Int(reserved - last)
            ledgers[stream] = ledger
            lastNumbers[stream] = reserved
        }
        let meta = MetaTable(database: database)
        if let databaseID = try? meta.text(.databaseID),
            let lastNumber = try? table.lastNumber(.location)
        {
            former = FormerQueue(databaseID: databaseID, lastNumber: lastNumber)
        }
        // The log of groups may have given these away. What was saved is counted when it is taken over.
        let held = (try? meta.held()) ?? 0
        lastNumbers[.location] = max(lastNumbers[.location] ?? 0, held)
        let last = lastNumbers[.location] ?? 0
        if let delivery = try? meta.lastDelivery(), delivery.number > 0, delivery.number <= last {
            self.delivery = delivery
        }
    }

    /// A ledger that begins at 0, whose numbers begin where no earlier database can have come: a
    /// number that somebody still holds must not mean another row.
    init(beginningAt time: Seconds) {
        let number = Int64(exactly: (max(0, time) * 1000).rounded()) ?? 0
        for stream in Stream.allCases { lastNumbers[stream] = number }
    }

    /// Goes on with these ledgers in a new database.
    func write(to outbox: SQLiteOutbox) throws(DatabaseError) {
        try outbox.database.transaction { () throws(DatabaseError) in
            for stream in Stream.allCases {
                try outbox.ledgers.replace(
                    stream, with: ledgers[stream] ?? Ledger(), lastNumber: lastNumbers[stream] ?? 0)
            }
            if let delivery { try outbox.meta.replaceDelivery(delivery) }
            try former?.note(in: outbox.meta)
        }
        for stream in Stream.allCases {
            outbox.raiseLastNumber(stream, to: lastNumbers[stream] ?? 0)
        }
    }
}
