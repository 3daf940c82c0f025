internal import HomingBase
internal import HomingLocation
internal import HomingSQLite

extension SQLiteOutbox: PersistentOutbox {
    func append(
        _ message: OutboxMessage, acceptedAt: Seconds, expiresAt: Seconds?
    ) throws(DatabaseError) -> EntryID {
        let id = EntryID(message.stream, lastNumber(message.stream) + 1)
        try accept([
            OutboxEntry(id: id, message: message, acceptedAt: acceptedAt, expiresAt: expiresAt)
        ])
        return id
    }

    /// Takes rows in, and does what else belongs to them, in one transaction.
    func accept(
        _ entries: [OutboxEntry], and work: () throws(DatabaseError) -> Void = {}
    ) throws(DatabaseError) {
        do throws(DatabaseError) {
            try accept(entries, isFull: false, work)
        } catch {
            // Full for the page limit, or for want of a few blocks: what is evicted makes room for
            // the new rows. If not, nothing has happened.
            guard error.kind == .full else { throw error }
            try accept(entries, isFull: true, work)
        }
        for entry in entries { raiseLastNumber(entry.id.stream, to: entry.id.number) }
    }

    private func accept(
        _ entries: [OutboxEntry], isFull: Bool, _ work: () throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in
            if !entries.isEmpty { try makeRoom(for: entries.map(\.message), isFull: isFull) }
            for stream in Stream.allCases {
                let rows = entries.filter { $0.id.stream == stream }
                if let last = rows.last { try ledgers.accept(rows.count, through: last.id) }
            }
            for entry in entries { try insert(entry) }
            try work()
        }
    }

    func entries(
        _ stream: Stream, freshness: Freshness, after number: Int64, limit: Int
    ) throws(DatabaseError) -> [OutboxEntry] {
        var (after, through) = (number, Int64.max)
        if stream == .location {
            if freshness == .live {
                after = max(after, trackThrough)
            } else {
                through = trackThrough
            }
        }
        let (entries, damaged) = try readRows(stream, after: after, through: through, limit: limit)
        do throws(DatabaseError) {
            if !damaged.isEmpty { try giveUp(damaged) }
        } catch {
            // What cannot be settled now, on a full disk for instance, is met again.
            if error.kind == .damaged { throw error }
        }
        return entries
    }

    func settle(_ ids: [EntryID], as fate: Fate) throws(DatabaseError) {
        guard !ids.isEmpty else { return }
        try database.transaction { () throws(DatabaseError) in try settleRows(ids, as: fate) }
    }

    /// The same, inside a transaction.
    func settleRows(_ ids: [EntryID], as fate: Fate) throws(DatabaseError) {
        if fate == .deliveredLive { try noteDelivered(ids) }
        for stream in Stream.allCases {
            var settled = 0
            for run in ids.runs(of: stream) {
                settled += try database.run(
                    "DELETE FROM \(stream.table) WHERE id >= ?1 AND id < ?2",
                    .integer(run.lowerBound), .integer(run.upperBound))
            }
            try ledgers.settle(settled, of: stream, as: fate)
        }
    }

    func moveToHistory(
        acceptedBefore time: Seconds, keepingNewest: Bool
    ) throws(DatabaseError) -> Int {
        let cut = try liveCut(acceptedBefore: time)
        return try moveToHistory(through: keepingNewest ? min(cut, newestPosition() - 1) : cut)
    }

    func supersedeOlderPositions() throws(DatabaseError) {
        try supersedePositions(before: newestPosition())
    }

    func oldest(_ stream: Stream) throws(DatabaseError) -> Seconds? {
        let sql = "SELECT accepted_at FROM \(stream.table) ORDER BY id LIMIT 1"
        return try database.first(sql) { $0.real(0) } ?? nil
    }

    func newest(_ stream: Stream) throws(DatabaseError) -> Int64? {
        let sql = "SELECT id FROM \(stream.table) ORDER BY id DESC LIMIT 1"
        return try database.first(sql) { $0.integer(0) } ?? nil
    }

    func lastDelivered() throws(DatabaseError) -> Coordinate? {
        try meta.lastDelivery().coordinate
    }

    func spill(acceptedBefore time: Seconds) throws(DatabaseError) {}

    func spillAll() throws(DatabaseError) {}

    func close() { database.close() }
}

extension [EntryID] {
    /// The numbers of a stream. Numbers that follow each other go together.
    fileprivate func runs(of stream: Stream) -> [Range<Int64>] {
        var runs: [Range<Int64>] = []
        for id in self where id.stream == stream {
            if let last = runs.last, last.upperBound == id.number {
                runs[runs.count - 1] = last.lowerBound..<id.number + 1
            } else {
                runs.append(id.number..<id.number + 1)
            }
        }
        return runs
    }
}
