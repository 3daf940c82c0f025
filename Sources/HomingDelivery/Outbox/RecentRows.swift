public import HomingBase
public import HomingLocation
public import HomingSQLite

/// Keeps the rows of a short queue in memory beside the store, so that a row that was just written
/// is not read back.
///
/// A stream's rows are known from the moment its queue is empty, until there are too many rows, or
/// the store has moved or evicted rows. What is not known is read.
public final class RecentRows: OutboxStore {
    /// Rows of a stream that are kept: those that may be sent without a receipt, and some more.
    static let limit = Courier.maxUnproved + 14

    private let store: any OutboxStore
    /// All queued rows of a stream, in order; all positions are live. `nil`: not known.
    private var rows: [Stream: [OutboxEntry]] = [:]

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
        guard var known = rows[entry.id.stream] else { return }
        if let id = entry.message.sensorID { known.removeAll { $0.message.sensorID == id } }
        known.append(entry)
        rows[entry.id.stream] = known.count <= Self.limit ? known : nil
    }

    /// Room for a row may have been made at the cost of others.
    private func forgetIfEvicted() {
        for (stream, known) in rows where !known.isEmpty {
            if (try? store.ledger(stream).queued) != known.count { return forget() }
        }
    }

    public func entries(
        _ stream: Stream, route: Route, after number: Int64, limit: Int
    ) throws(DatabaseError) -> [OutboxEntry] {
        if let known = rows[stream] {
            // All known positions are live.
            if stream == .location, route == .track { return [] }
            let first = known.lastIndex { $0.id.number <= number }.map { $0 + 1 } ?? 0
            return Array(known[first...].prefix(limit))
        }
        let read = try store.entries(stream, route: route, after: number, limit: limit)
        if read.isEmpty, try store.ledger(stream).queued == 0 { rows[stream] = [] }
        return read
    }

    public func settle(_ ids: [EntryID], as fate: Fate) throws(DatabaseError) {
        try forgettingOnFailure { () throws(DatabaseError) in try store.settle(ids, as: fate) }
        let gone = Set(ids)
        for stream in rows.keys { rows[stream]?.removeAll { gone.contains($0.id) } }
        forgetIfEvicted()
    }

    public func moveToTrack(
        acceptedBefore time: Seconds, keepingNewest: Bool
    ) throws(DatabaseError) -> Int {
        try moving({ $0.acceptedAt < time }) { () throws(DatabaseError) in
            try store.moveToTrack(acceptedBefore: time, keepingNewest: keepingNewest)
        }
    }

    public func moveToTrack(through number: Int64) throws(DatabaseError) -> Int {
        try moving({ $0.id.number <= number }) { () throws(DatabaseError) in
            try store.moveToTrack(through: number)
        }
    }

    /// Has the store make history, unless none of the known rows is meant.
    private func moving(
        _ isMeant: (OutboxEntry) -> Bool, _ move: () throws(DatabaseError) -> Int
    ) throws(DatabaseError) -> Int {
        if let known = rows[.location], !known.contains(where: isMeant) { return 0 }
        rows[.location] = nil
        return try move()
    }

    public func supersedeOlderPositions() throws(DatabaseError) {
        if let known = rows[.location], known.count < 2 { return }
        rows[.location] = nil
        try store.supersedeOlderPositions()
    }

    public func expire(
        at time: Seconds, acceptedBefore cutoff: Seconds?
    ) throws(DatabaseError) {
        for (stream, known) in rows {
            let isDue = known.contains { row in
                row.expiresAt.map { $0 < time } ?? false
                    || cutoff.map { row.acceptedAt < $0 } ?? false
            }
            if isDue { rows[stream] = nil }
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

    public func lastDelivered() throws(DatabaseError) -> Coordinate? {
        try store.lastDelivered()
    }

    public func reserve(_ count: Int) { store.reserve(count) }

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
