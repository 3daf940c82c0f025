internal import HomingBase
internal import HomingLocation
internal import HomingSQLite

/// Operations of the store. An operation that changes rows that wait has the rows committed first,
/// except for settling.
extension GroupingOutbox: PersistentOutbox {
    var databaseID: String { disk.databaseID }

    func append(
        _ message: OutboxMessage, acceptedAt: Seconds, expiresAt: Seconds?
    ) throws(DatabaseError) -> EntryID {
        let stream = message.stream
        let entry = OutboxEntry(
            id: EntryID(stream, disk.lastNumber(stream) + 1), message: message,
            acceptedAt: acceptedAt, expiresAt: expiresAt)
        if stream != .location || !keep(entry) { try commit(adding: entry) }
        return entry.id
    }

    func save() throws(DatabaseError) {
        if let newest = group.last { try save(at: newest.acceptedAt) } else { try commit() }
    }

    func commit() throws(DatabaseError) {
        if isCommitDue { try write(group, at: group.last?.acceptedAt ?? 0) }
    }

    func entries(
        _ stream: Stream, freshness: Freshness, after number: Int64, limit: Int
    ) throws(DatabaseError) -> [OutboxEntry] {
        let written = try disk.entries(stream, freshness: freshness, after: number, limit: limit)
        guard stream == .location, freshness == .live, written.count < limit else { return written }
        return written + group.lazy.filter { $0.id.number > number }.prefix(limit - written.count)
    }

    /// Rows that were never written are only counted.
    func settle(_ ids: [EntryID], as fate: Fate) throws(DatabaseError) {
        guard let newest = group.last else { return try disk.settle(ids, as: fate) }
        let gone = Set(ids)
        let settled = group.filter { gone.contains($0.id) }
        try write(group.filter { !gone.contains($0.id) }, at: newest.acceptedAt) {
            () throws(DatabaseError) in
            try disk.settleRows(ids, as: fate)
            guard let last = settled.last else { return }
            try disk.ledgers.count(
                settled.count, of: .location, as: fate, through: last.id.number)
            guard fate == .deliveredLive else { return }
            try disk.meta.noteDelivery(
                LastDelivery(number: last.id.number, coordinate: last.message.coordinate))
        }
    }

    func moveToHistory(
        acceptedBefore time: Seconds, keepingNewest: Bool
    ) throws(DatabaseError) -> Int {
        if group.contains(where: { $0.acceptedAt < time }) || keepingNewest { try commit() }
        return try disk.moveToHistory(acceptedBefore: time, keepingNewest: keepingNewest)
    }

    func moveToHistory(through number: Int64) throws(DatabaseError) -> Int {
        try commit()
        return try disk.moveToHistory(through: number)
    }

    func supersedeOlderPositions() throws(DatabaseError) {
        try commit()
        try disk.supersedeOlderPositions()
    }

    func expire(at time: Seconds, acceptedBefore cutoff: Seconds?) throws(DatabaseError) {
        let isDue = group.contains { row in
            row.expiresAt.map { $0 < time } ?? false || cutoff.map { row.acceptedAt < $0 } ?? false
        }
        if isDue { try commit() }
        try disk.expire(at: time, acceptedBefore: cutoff)
    }

    func ledger(_ stream: Stream) throws(DatabaseError) -> Ledger {
        let written = try disk.ledger(stream)
        guard stream == .location, !group.isEmpty else { return written }
        return written + Ledger(accepted: group.count, queued: group.count)
    }

    func oldest(_ stream: Stream) throws(DatabaseError) -> Seconds? {
        if let written = try disk.oldest(stream) { return written }
        return stream == .location ? group.first?.acceptedAt : nil
    }

    func newest(_ stream: Stream) throws(DatabaseError) -> Int64? {
        if stream == .location, let waiting = group.last { return waiting.id.number }
        return try disk.newest(stream)
    }

    func lastDelivered() throws(DatabaseError) -> Coordinate? { try disk.lastDelivered() }

    func spill(acceptedBefore time: Seconds) throws(DatabaseError) {}

    func spillAll() throws(DatabaseError) { try commit() }

    func close() {
        // What cannot be written stays in the journal.
        try? finish()
        disk.close()
    }
}

extension OutboxMessage {
    /// The place in it; `nil` for a zone.
    fileprivate var coordinate: Coordinate? {
        guard case .location(let message) = self, case .fix(let fix) = message.place else {
            return nil
        }
        return fix.coordinate
    }
}
