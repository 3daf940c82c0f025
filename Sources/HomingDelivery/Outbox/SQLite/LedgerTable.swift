internal import HomingSQLite

/// The ledgers of the three streams, kept as rows so that a counter changes with the row it counts.
struct LedgerTable {
    let database: Database

    private static let counters = Fate.allCases.map(\.rawValue).joined(separator: ", ")

    /// Range of plausible counts; only a damaged page has more.
    static let plausible = Int64(0)...Int64(1 << 53)

    /// Range of numbers that are taken over at opening, with room to grow within what is plausible.
    private static let sensible = Int64(0)...Int64(1 << 52)

    /// Whether such a ledger can be gone on with.
    static func isSound(_ ledger: Ledger, lastNumber: Int64) -> Bool {
        ledger.balances && sensible.contains(Int64(ledger.accepted))
            && sensible.contains(lastNumber)
    }

    /// The ledger of a stream; counters at zero are left out of `fates`.
    func ledger(_ stream: Stream) throws(DatabaseError) -> Ledger {
        let sql = "SELECT accepted, queued, \(LedgerTable.counters) FROM ledger WHERE stream = ?1"
        return try database.first(sql, SQLValue(stream.rawValue)) { row in
            var ledger = Ledger(accepted: count(row, 0), queued: count(row, 1))
            for (index, fate) in Fate.allCases.enumerated() {
                let count = count(row, Int32(index + 2))
                if count != 0 { ledger.fates[fate] = count }
            }
            return ledger
        } ?? Ledger()
    }

    /// Whether every counter of the stream is one that somebody could have counted. SQLite would
    /// refuse to count on from NULL, and so every change of a row.
    private func isWhole(_ stream: Stream) throws(DatabaseError) -> Bool {
        let sql = "SELECT accepted, queued, \(LedgerTable.counters) FROM ledger WHERE stream = ?1"
        let columns = 0..<Int32(2 + Fate.allCases.count)
        return try database.first(sql, SQLValue(stream.rawValue)) { row in
            columns.allSatisfy { row.integer($0).map(LedgerTable.plausible.contains) ?? false }
        } ?? false
    }

    private func count(_ row: Statement, _ column: Int32) -> Int {
        guard let value = row.integer(column), LedgerTable.plausible.contains(value) else {
            return 0
        }
        return Int(value)
    }

    /// The largest number given to a row of the stream so far; `nil` if the ledger has no such line.
    func lastNumber(_ stream: Stream) throws(DatabaseError) -> Int64? {
        let sql = "SELECT last_number FROM ledger WHERE stream = ?1"
        let number = try database.integer(sql, SQLValue(stream.rawValue))
        return number.flatMap { LedgerTable.plausible.contains($0) ? $0 : nil }
    }

    /// Counts new rows, of which the last has this number.
    func accept(_ count: Int = 1, through last: EntryID) throws(DatabaseError) {
        try database.run(
            """
            UPDATE ledger SET accepted = accepted + ?3, queued = queued + ?3, last_number = ?2
            WHERE stream = ?1
            """, SQLValue(last.stream.rawValue), .integer(last.number), SQLValue(count))
    }

    /// Counts so many numbers, up to the last, as lost in a power cut.
    func lose(_ count: Int64, of stream: Stream, through last: Int64) throws(DatabaseError) {
        guard count > 0 else { return }
        try database.run(
            """
            UPDATE ledger SET accepted = accepted + ?3, last_number = max(last_number, ?2),
                lost_in_power_cut = lost_in_power_cut + ?3
            WHERE stream = ?1
            """, SQLValue(stream.rawValue), .integer(last), .integer(count))
    }

    /// The last number that was reserved; 0 before the first.
    func reservedNumber(_ stream: Stream) throws(DatabaseError) -> Int64 {
        let sql = "SELECT reserved FROM ledger WHERE stream = ?1"
        let number = try database.integer(sql, SQLValue(stream.rawValue)) ?? 0
        return LedgerTable.plausible.contains(number) ? number : 0
    }

    /// Seconds since 1970 at which numbers were last reserved; `nil` before the first time.
    func reservedAt(_ stream: Stream) throws(DatabaseError) -> Double? {
        let sql = "SELECT reserved_at FROM ledger WHERE stream = ?1"
        return try database.first(sql, SQLValue(stream.rawValue)) { $0.real(0) } ?? nil
    }

    /// Reserves numbers up to this one: rows outside the file may get them.
    func reserve(_ stream: Stream, through number: Int64, at time: Double) throws(DatabaseError) {
        try database.run(
            "UPDATE ledger SET reserved = ?2, reserved_at = ?3 WHERE stream = ?1",
            SQLValue(stream.rawValue), .integer(number), .real(time))
    }

    /// Counts rows that came to their end.
    func settle(_ count: Int, of stream: Stream, as fate: Fate) throws(DatabaseError) {
        guard count > 0 else { return }
        let counter = fate.rawValue
        try database.run(
            """
            UPDATE ledger SET queued = queued - ?2, \(counter) = \(counter) + ?2
            WHERE stream = ?1
            """, SQLValue(stream.rawValue), SQLValue(count))
    }

    /// Counts rows that came to their end without ever being written, the last with this number.
    func count(_ settled: Int, of stream: Stream, as fate: Fate, through last: Int64)
        throws(DatabaseError)
    {
        let counter = fate.rawValue
        try database.run(
            """
            UPDATE ledger SET accepted = accepted + ?2, \(counter) = \(counter) + ?2,
                last_number = max(last_number, ?3)
            WHERE stream = ?1
            """, SQLValue(stream.rawValue), SQLValue(settled), .integer(last))
    }

    /// Adds another ledger to the stream's.
    func add(_ other: Ledger, to stream: Stream, lastNumber: Int64) throws(DatabaseError) {
        let last = max(lastNumber, try self.lastNumber(stream) ?? 0)
        try replace(stream, with: ledger(stream) + other, lastNumber: last)
    }

    /// Puts a ledger in the place of the stream's.
    func replace(_ stream: Stream, with ledger: Ledger, lastNumber: Int64) throws(DatabaseError) {
        let counts = [ledger.accepted, ledger.queued] + Fate.allCases.map { ledger[$0] }
        let values = counts.map(String.init).joined(separator: ", ")
        try database.execute(
            """
            INSERT INTO ledger (stream, accepted, queued, \(LedgerTable.counters), last_number)
            VALUES (\(stream.rawValue), \(values), \(lastNumber))
            ON CONFLICT (stream) DO UPDATE SET
                (accepted, queued, \(LedgerTable.counters), last_number) = (\(values), \(lastNumber))
            """)
    }

    /// Makes the ledger agree with the rows there are; returns whether it had to be corrected.
    func reconcile(_ stream: Stream) throws(DatabaseError) -> Bool {
        // Nobody reads from below 1.
        try database.run("DELETE FROM \(stream.table) WHERE id < 1")
        let rows = Int(try database.integer("SELECT count(*) FROM \(stream.table)") ?? 0)
        let largest = try database.integer("SELECT max(id) FROM \(stream.table)") ?? 0
        guard LedgerTable.sensible.contains(largest) else {
            throw DatabaseError(.damaged, "\(database.path): a row has the number \(largest)")
        }
        var ledger = try ledger(stream)
        let last = try lastNumber(stream)
        if let last, last >= largest, ledger.queued == rows,
            LedgerTable.isSound(ledger, lastNumber: last), try isWhole(stream)
        {
            return false
        }
        correct(&ledger, rows: rows)
        let kept = last.flatMap { LedgerTable.sensible.contains($0) ? $0 : nil } ?? 0
        try replace(stream, with: ledger, lastNumber: max(kept, largest))
        return true
    }

    /// Rows the ledger has and the table has not were lost with what was damaged.
    private func correct(_ ledger: inout Ledger, rows: Int) {
        let counts = [ledger.accepted] + ledger.fates.values
        if !counts.allSatisfy({ LedgerTable.sensible.contains(Int64($0)) }) { ledger = Ledger() }
        ledger.queued = rows
        let counted = ledger.fates.values.reduce(rows, +)
        let missing = ledger.accepted - counted
        if missing > 0 { ledger.fates[.lostWithDatabase, default: 0] += missing }
        ledger.accepted = max(ledger.accepted, counted)
    }
}
