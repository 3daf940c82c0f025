internal import HomingCore

/// How far a spill goes in each stream: the number of its last row.
typealias SpillCut = [Stream: Int64]

/// What `SpillingOutbox` asks of its two files. The protocol is described there.
extension SQLiteOutbox {
    /// In the memory tier: the number of the spill that is next.
    func spillNumber() throws(OutboxError) -> Int64 {
        let number = try meta.integer(.spillNumber) ?? 0
        return LedgerTable.plausible.contains(number) ? number : 0
    }

    /// On the disk: how far the tier's spill of that number went, if it was taken.
    func takenSpill(of tier: String, number: Int64) throws(OutboxError) -> SpillCut? {
        guard try meta.text(.takenTier) == tier, try meta.integer(.takenNumber) == number else {
            return nil
        }
        var cut: SpillCut = [:]
        for stream in Stream.allCases {
            cut[stream] = min(try meta.integer(stream.takenName) ?? 0, lastNumber(stream))
        }
        return cut
    }

    /// On the disk: takes rows, books and marks over from the memory tier, in one transaction.
    func take(
        _ rows: [OutboxEntry], upTo cut: SpillCut, from tier: SQLiteOutbox
    ) throws(OutboxError) {
        let number = try tier.spillNumber()
        let delivery = try tier.meta.lastDelivery()
        try database.transaction { () throws(OutboxError) in
            for row in rows {
                try makeRoom(for: row.message)
                try book.accept(row.id)
                try insert(row)
            }
            for stream in Stream.allCases {
                let settled = try tier.book.ledger(stream).settled
                try book.add(settled, to: stream, lastNumber: tier.lastNumber(stream))
                try meta.set(stream.takenName, .integer(cut[stream] ?? 0))
            }
            try meta.set(.trackThrough, .integer(max(trackThrough, tier.trackThrough)))
            try meta.noteDelivery(delivery)
            try meta.set(.takenTier, .text(tier.databaseID))
            try meta.set(.takenNumber, .integer(number))
        }
        noteTrackThrough(tier.trackThrough)
        for stream in Stream.allCases { raiseLastNumber(stream, to: tier.lastNumber(stream)) }
    }

    /// In the memory tier: forgets what the disk has taken, in one transaction.
    func release(upTo cut: SpillCut) throws(OutboxError) {
        let number = try spillNumber()
        try database.transaction { () throws(OutboxError) in
            for stream in Stream.allCases {
                let released = try database.run(
                    "DELETE FROM \(stream.table) WHERE id <= ?1", .integer(cut[stream] ?? 0))
                let queued = max(0, try queued(stream) - released)
                try book.replace(
                    stream, with: Ledger(accepted: queued, queued: queued),
                    lastNumber: lastNumber(stream))
            }
            try meta.set(.spillNumber, .integer(number + 1))
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

extension Ledger {
    /// The part of the book that is closed: rows that have their fate.
    var settled: Ledger { Ledger(accepted: accepted - queued, fates: fates) }
}
