internal import HomingSQLite

/// Reach of a spill in each stream: the number of its last row.
typealias SpillCut = [Stream: Int64]

/// Functions that `SpillingOutbox` uses on its disk.
extension SQLiteOutbox {
    /// Returns the content of the tier's last spill, as far as this file knows.
    func takenSpill(of tier: String) throws(DatabaseError) -> Spill? {
        guard try meta.text(.takenTier) == tier, let number = try meta.integer(.takenNumber) else {
            return nil
        }
        var spill = Spill(number: number)
        for stream in Stream.allCases {
            spill.parts[stream] = try meta.text(stream.takenName).flatMap(Spill.Part.init(text:))
        }
        return spill
    }

    /// Takes rows, ledgers and marks over from the memory tier, in one transaction.
    func takeOverRows(
        _ rows: [OutboxEntry], as spill: Spill, from tier: SQLiteOutbox
    ) throws(DatabaseError) {
        let delivery = try tier.meta.lastDelivery()
        try database.transaction { () throws(DatabaseError) in
            for row in rows {
                try makeRoom(for: CollectionOfOne(row.message))
                try ledgers.accept(through: row.id)
                try insert(row)
            }
            for (stream, part) in spill.parts {
                try ledgers.add(part.settled, to: stream, lastNumber: tier.lastNumber(stream))
                try meta.set(stream.takenName, .text(part.text))
            }
            try meta.set(.trackThrough, .integer(max(trackThrough, tier.trackThrough)))
            try meta.noteDelivery(delivery)
            try meta.set(.takenTier, .text(tier.databaseID))
            try meta.set(.takenNumber, .integer(spill.number))
        }
        noteTrackThrough(tier.trackThrough)
        for stream in Stream.allCases { raiseLastNumber(stream, to: tier.lastNumber(stream)) }
    }

    /// Takes a spill back that the memory tier gave up, in one transaction. What went for its sake
    /// stays gone, and is counted: rows evicted, and states superseded by newer ones.
    func giveBack(_ spill: Spill) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in
            for (stream, part) in spill.parts {
                let rows = try database.run(
                    "DELETE FROM \(stream.table) WHERE id >= ?1 AND id <= ?2",
                    .integer(part.first), .integer(part.last))
                var ledger = try ledgers.ledger(stream)
                ledger.remove(part.settled)
                // Those of its rows that are not here had to make room at once.
                ledger.remove(
                    Ledger(
                        accepted: part.count, fates: [.evicted: part.count - rows], queued: rows))
                try ledgers.replace(stream, with: ledger, lastNumber: lastNumber(stream))
            }
            try meta.set(.takenTier, .null)
        }
    }
}

/// Functions that `SpillingOutbox` uses on its memory tier.
extension SQLiteOutbox {
    /// The number of the last spill that was completed, -1 before the first, and of the next.
    func spillNumbers() throws(DatabaseError) -> (completed: Int64, next: Int64) {
        let next = try meta.integer(.spillNumber) ?? 0
        guard LedgerTable.plausible.contains(next) else { return (-1, 0) }
        return (min(try meta.integer(.completedSpill) ?? -1, next - 1), next)
    }

    /// The next spill, which brings these rows and all that is closed in the ledgers.
    func nextSpill(of rows: [OutboxEntry]) throws(DatabaseError) -> Spill {
        var spill = Spill(number: try spillNumbers().next)
        for stream in Stream.allCases {
            let ids = rows.filter { $0.id.stream == stream }.map(\.id.number)
            spill.parts[stream] = Spill.Part(
                first: ids.first ?? 0, last: ids.last ?? 0, count: ids.count,
                settled: try ledgers.ledger(stream).settled)
        }
        return spill
    }

    /// Forgets what the disk has taken, in one transaction.
    func release(_ spill: Spill) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in
            for (stream, part) in spill.parts {
                let released = try database.run(
                    "DELETE FROM \(stream.table) WHERE id <= ?1", .integer(part.last))
                let queued = max(0, try queued(stream) - released)
                try ledgers.replace(
                    stream, with: Ledger(accepted: queued, queued: queued),
                    lastNumber: lastNumber(stream))
            }
            try meta.set(.completedSpill, .integer(spill.number))
            try meta.set(.spillNumber, .integer(spill.number + 1))
        }
    }

    /// Gives the next spill up: the disk has not taken it, and what comes up of it later does not
    /// count.
    func abandonSpill() throws(DatabaseError) {
        let (completed, next) = try spillNumbers()
        try database.transaction { () throws(DatabaseError) in
            try meta.set(.completedSpill, .integer(completed))
            try meta.set(.spillNumber, .integer(next + 1))
        }
    }
}

extension Stream {
    fileprivate var takenName: MetaTable.Name {
        switch self {
        case .location: .takenLocation
        case .sensors: .takenSensors
        case .events: .takenEvents
        }
    }
}
