public import HomingBase
public import HomingLocation
public import HomingSQLite

/// Keeps the rows of a short queue in memory beside the store, so that a row that was just written
/// is not read back.
///
/// A stream's rows are known from the moment that its queue is empty, or that a receipt leaves few
/// live rows. Too many rows end that, and rows that the store moved or evicted. What is not known is
/// read.
public final class RecentRows: OutboxStore {
    /// Rows of a stream that are kept: those that may be sent without a receipt, and some more.
    static func limit(_ stream: Stream) -> Int {
        (stream == .location ? Courier.maxUnproved : Courier.maxUnprovedOthers) + 14
    }

    /// All queued rows of a stream, in order; all positions are live.
    private struct Known {
        private(set) var entries: [OutboxEntry] = []
        /// Seconds since 1970 at which the first of them was accepted, and at which the first expires. Most
        /// questions are answered by these alone.
        private(set) var earliest: (acceptedAt: Seconds, expiresAt: Seconds) = (
            .infinity, .infinity
        )

        mutating func append(_ entry: OutboxEntry) {
            entries.append(entry)
            count(entry)
        }

        mutating func removeAll(where isMeant: (OutboxEntry) -> Bool) {
            let before = entries.count
            entries.removeAll(where: isMeant)
            guard entries.count < before else { return }
            earliest = (.infinity, .infinity)
            for entry in entries { count(entry) }
        }

        private mutating func count(_ entry: OutboxEntry) {
            earliest.acceptedAt = min(earliest.acceptedAt, entry.acceptedAt)
            earliest.expiresAt = min(earliest.expiresAt, entry.expiresAt ?? .infinity)
        }
    }

    private let store: any OutboxStore
    /// `nil`: not known.
    private var rows: [Stream: Known] = [:]

    public init(_ store: any OutboxStore) { self.store = store }

    /// The store holds other rows than before: it took the place of a damaged one.
    public func forget() { rows = [:] }

    public func append(
        _ message: OutboxMessage, acceptedAt: Seconds, expiresAt: Seconds?
    ) throws(DatabaseError) -> EntryID {
        let id = try forgettingOnFailure { () throws(DatabaseError) in
            try store.append(message, acceptedAt: acceptedAt, expiresAt: expiresAt)
        }
        note(
            OutboxEntry(id: id, message: message, acceptedAt: acceptedAt, expiresAt: expiresAt))
        forgetIfEvicted()
        return id
    }

    private func note(_ entry: OutboxEntry) {
        let stream = entry.id.stream
        // In place: a copy would cost as much as there are rows.
        if let id = entry.message.sensorID {
            rows[stream]?.removeAll { $0.message.sensorID == id }
        }
        rows[stream]?.append(entry)
        if let count = rows[stream]?.entries.count, count > Self.limit(stream) {
            rows[stream] = nil
        }
    }

    /// Room for a row may have been made at the cost of others.
    private func forgetIfEvicted() {
        for (stream, known) in rows where !known.entries.isEmpty {
            if (try? store.ledger(stream).queued) != known.entries.count { return forget() }
        }
    }

    public func entries(
        _ stream: Stream, freshness: Freshness, after number: Int64, limit: Int
    ) throws(DatabaseError) -> [OutboxEntry] {
        if let known = rows[stream]?.entries {
            // All known positions are live.
            if stream == .location, freshness == .history { return [] }
            let first = known.lastIndex { $0.id.number <= number }.map { $0 + 1 } ?? 0
            return Array(known[first...].prefix(limit))
        }
        let read = try store.entries(stream, freshness: freshness, after: number, limit: limit)
        if read.isEmpty, try store.ledger(stream).queued == 0 { rows[stream] = Known() }
        return read
    }

    public func settle(_ ids: [EntryID], as fate: Fate) throws(DatabaseError) {
        try forgettingOnFailure { () throws(DatabaseError) in try store.settle(ids, as: fate) }
        let gone = Set(ids)
        for stream in rows.keys { rows[stream]?.removeAll { gone.contains($0.id) } }
        forgetIfEvicted()
        for stream in Set(ids.map(\.stream)) where rows[stream] == nil { readShortQueue(stream) }
    }

    /// Reads the rows that a receipt left, all at once. Twice as many are known before they are
    /// forgotten again.
    private func readShortQueue(_ stream: Stream) {
        guard let queued = try? store.ledger(stream).queued, queued <= Self.limit(stream) / 2
        else { return }
        var known = Known()
        if queued > 0 {
            // Rows of history are not known.
            guard
                let live = try? store.entries(
                    stream, freshness: .live, after: 0, limit: queued), live.count == queued
            else { return }
            for entry in live { known.append(entry) }
        }
        rows[stream] = known
    }

    public func moveToHistory(
        acceptedBefore time: Seconds, keepingNewest: Bool
    ) throws(DatabaseError) -> Int {
        try moving({ $0.earliest.acceptedAt < time }) { () throws(DatabaseError) in
            try store.moveToHistory(acceptedBefore: time, keepingNewest: keepingNewest)
        }
    }

    public func moveToHistory(through number: Int64) throws(DatabaseError) -> Int {
        try moving({ ($0.entries.first?.id.number ?? .max) <= number }) {
            () throws(DatabaseError) in
            try store.moveToHistory(through: number)
        }
    }

    /// Has the store make history, unless none of the known rows is meant.
    private func moving(
        _ isMeant: (Known) -> Bool, _ move: () throws(DatabaseError) -> Int
    ) throws(DatabaseError) -> Int {
        if let known = rows[.location], !isMeant(known) { return 0 }
        rows[.location] = nil
        return try move()
    }

    public func supersedeOlderPositions() throws(DatabaseError) {
        if let known = rows[.location], known.entries.count < 2 { return }
        rows[.location] = nil
        try store.supersedeOlderPositions()
    }

    public func expire(
        at time: Seconds, acceptedBefore cutoff: Seconds?
    ) throws(DatabaseError) {
        for (stream, known) in rows {
            let isTooOld = cutoff.map { known.earliest.acceptedAt < $0 } ?? false
            if isTooOld || known.earliest.expiresAt < time { rows[stream] = nil }
        }
        try forgettingOnFailure { () throws(DatabaseError) in
            try store.expire(at: time, acceptedBefore: cutoff)
        }
    }

    public func ledger(_ stream: Stream) throws(DatabaseError) -> Ledger {
        try store.ledger(stream)
    }

    public func oldest(_ stream: Stream) throws(DatabaseError) -> Seconds? {
        try store.oldest(stream)
    }

    public func newest(_ stream: Stream) throws(DatabaseError) -> Int64? {
        try store.newest(stream)
    }

    public func lastDelivered() throws(DatabaseError) -> Coordinate? {
        try store.lastDelivered()
    }

    public func reserve(_ count: Int) { store.reserve(count) }

    public func save() throws(DatabaseError) {
        try forgettingOnFailure { () throws(DatabaseError) in try store.save() }
        forgetIfEvicted()
    }

    public func commit() throws(DatabaseError) {
        try forgettingOnFailure { () throws(DatabaseError) in try store.commit() }
        forgetIfEvicted()
    }

    private func forgettingOnFailure<Result>(
        _ work: () throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> Result {
        do throws(DatabaseError) { return try work() } catch {
            forget()
            throw error
        }
    }
}
