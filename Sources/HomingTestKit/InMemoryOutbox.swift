public import HomingBase
public import HomingDelivery
public import HomingLocation
public import HomingSQLite

/// An outbox as plain arrays: what the real ones are compared with, and what tests of pure logic
/// use. It survives a "restart" by being kept.
///
/// Its bound is a number of rows, where the real ones have bytes; it evicts one row at a time.
public final class InMemoryOutbox {
    private var rows: [Stream: [OutboxEntry]] = [:]
    private var ledgers: [Stream: Ledger] = [:]
    private var lastNumbers: [Stream: Int64] = [:]
    private var delivered: (number: Int64, coordinate: Coordinate?) = (0, nil)
    private let limit: Int
    /// Number of times that everything was written to the disk.
    public private(set) var spills = 0

    /// The largest number that was given to a row of the stream.
    public func lastNumber(_ stream: Stream) -> Int64 { lastNumbers[stream] ?? 0 }

    /// - Parameter limit: rows of all streams together.
    public init(limit: Int = .max) {
        self.limit = limit
    }
}

// What these do is told at the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension InMemoryOutbox: OutboxStore {
    public func append(
        _ message: OutboxMessage, acceptedAt: Seconds, expiresAt: Seconds?
    ) throws(DatabaseError) -> EntryID {
        let stream = message.stream
        if case .sensor(let sensor) = message {
            remove(.sensors, as: .superseded) { $0.message.uniqueID == sensor.uniqueID }
        }
        try makeRoom()
        let id = EntryID(stream, lastNumbers[stream, default: 0] + 1)
        lastNumbers[stream] = id.number
        rows[stream, default: []].append(
            OutboxEntry(id: id, message: message, acceptedAt: acceptedAt, expiresAt: expiresAt))
        ledgers[stream, default: Ledger()].accepted += 1
        ledgers[stream, default: Ledger()].queued += 1
        return id
    }

    private func makeRoom() throws(DatabaseError) {
        while rows.values.reduce(0, { $0 + $1.count }) >= limit {
            let streams: [Stream] = [.location, .events]
            guard let oldest = streams.lazy.compactMap({ self.rows[$0]?.first }).first else {
                throw DatabaseError(.full, "nothing left to evict")
            }
            remove(oldest.id.stream, as: .evicted) { $0.id == oldest.id }
        }
    }

    public func entries(
        _ stream: Stream, freshness: Freshness, after number: Int64, limit: Int
    ) -> [OutboxEntry] {
        let all = rows[stream] ?? []
        let wanted = all.filter {
            $0.id.number > number && (stream != .location || $0.freshness == freshness)
        }
        return Array(wanted.prefix(limit))
    }

    public func settle(_ ids: [EntryID], as fate: Fate) {
        let wanted = Set(ids)
        if fate == .deliveredLive {
            let newest = rows[.location]?.last { wanted.contains($0.id) }
            if let newest, newest.id.number > delivered.number {
                delivered = (newest.id.number, newest.message.coordinate)
            }
        }
        for stream in Stream.allCases {
            remove(stream, as: fate) { wanted.contains($0.id) }
        }
    }

    public func moveToHistory(acceptedBefore time: Seconds, keepingNewest: Bool) -> Int {
        let all = rows[.location] ?? []
        var last = all.lastIndex { $0.freshness == .live && $0.acceptedAt < time }
        if keepingNewest, last == all.count - 1 { last = all.count >= 2 ? all.count - 2 : nil }
        return last.map { moveToHistory(through: all[$0].id.number) } ?? 0
    }

    public func moveToHistory(through number: Int64) -> Int {
        let all = rows[.location] ?? []
        let moved = all.count { $0.freshness == .live && $0.id.number <= number }
        rows[.location] = all.map { $0.id.number <= number ? $0.asTrack : $0 }
        return moved
    }

    public func supersedeOlderPositions() {
        guard let newest = rows[.location]?.last else { return }
        remove(.location, as: .superseded) { $0.freshness == .live && $0.id != newest.id }
    }

    public func expire(at time: Seconds, acceptedBefore cutoff: Seconds?) {
        for stream in Stream.allCases {
            remove(stream, as: .expired) {
                ($0.expiresAt ?? .infinity) < time || $0.acceptedAt < cutoff ?? -.infinity
            }
        }
    }

    public func ledger(_ stream: Stream) -> Ledger { ledgers[stream] ?? Ledger() }

    public func oldest(_ stream: Stream) -> Seconds? { rows[stream]?.first?.acceptedAt }

    public func newest(_ stream: Stream) -> Int64? { rows[stream]?.last?.id.number }

    public func lastDelivered() -> Coordinate? { delivered.coordinate }

    private func remove(
        _ stream: Stream, as fate: Fate, where matches: (OutboxEntry) -> Bool
    ) {
        let before = rows[stream] ?? []
        let after = before.filter { !matches($0) }
        guard after.count < before.count else { return }
        rows[stream] = after
        ledgers[stream, default: Ledger()].queued = after.count
        ledgers[stream, default: Ledger()].fates[fate, default: 0] += before.count - after.count
    }
}

extension OutboxEntry {
    fileprivate var asTrack: OutboxEntry {
        OutboxEntry(
            id: id, message: message, acceptedAt: acceptedAt, expiresAt: expiresAt,
            freshness: .history)
    }
}

extension OutboxMessage {
    fileprivate var uniqueID: String? {
        if case .sensor(let sensor) = self { sensor.uniqueID } else { nil }
    }

    fileprivate var coordinate: Coordinate? {
        if case .location(let message) = self, case .fix(let fix) = message.place {
            fix.coordinate
        } else {
            nil
        }
    }
}

/// Memory has no tier below it.
// What these do is told at the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension InMemoryOutbox: PersistentOutbox {
    public var databaseID: String { "o" }

    public func spill(acceptedBefore time: Seconds) {}

    public func spillAll() { spills += 1 }

    public func close() {}
}
