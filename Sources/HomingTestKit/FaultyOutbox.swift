public import HomingBase
public import HomingDelivery
public import HomingLocation
public import HomingSQLite

/// An outbox that fails when a test says so, before anything has happened, and otherwise passes on
/// what it is asked.
public final class FaultyOutbox {
    /// Operation that a queue is asked for.
    public enum Operation: CaseIterable, Sendable {
        case append, entries, settle, moveToHistory, supersede, expire, ledger, oldest,
            lastDelivered
    }

    private var fault: (Operation) -> DatabaseError? = { _ in nil }
    private let outbox: any OutboxStore

    /// - Parameter outbox: does what does not fail.
    public init(_ outbox: any OutboxStore) { self.outbox = outbox }

    /// Asks this before each operation from now on: what the operation throws, if it does.
    public func fail(_ fault: @escaping (Operation) -> DatabaseError?) { self.fault = fault }

    private func admit(_ operation: Operation) throws(DatabaseError) -> any OutboxStore {
        if let error = fault(operation) { throw error }
        return outbox
    }
}

// What these do is told at the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FaultyOutbox: OutboxStore {
    public func append(
        _ message: OutboxMessage, acceptedAt: Seconds, expiresAt: Seconds?
    ) throws(DatabaseError) -> EntryID {
        try admit(.append).append(message, acceptedAt: acceptedAt, expiresAt: expiresAt)
    }

    public func entries(
        _ stream: Stream, freshness: Freshness, after number: Int64, limit: Int
    ) throws(DatabaseError) -> [OutboxEntry] {
        try admit(.entries).entries(stream, freshness: freshness, after: number, limit: limit)
    }

    public func settle(_ ids: [EntryID], as fate: Fate) throws(DatabaseError) {
        try admit(.settle).settle(ids, as: fate)
    }

    public func moveToHistory(
        acceptedBefore time: Seconds, keepingNewest: Bool
    ) throws(DatabaseError) -> Int {
        try admit(.moveToHistory).moveToHistory(acceptedBefore: time, keepingNewest: keepingNewest)
    }

    public func moveToHistory(through number: Int64) throws(DatabaseError) -> Int {
        try admit(.moveToHistory).moveToHistory(through: number)
    }

    public func supersedeOlderPositions() throws(DatabaseError) {
        try admit(.supersede).supersedeOlderPositions()
    }

    public func expire(at time: Seconds, acceptedBefore cutoff: Seconds?) throws(DatabaseError) {
        try admit(.expire).expire(at: time, acceptedBefore: cutoff)
    }

    public func ledger(_ stream: Stream) throws(DatabaseError) -> Ledger {
        try admit(.ledger).ledger(stream)
    }

    public func oldest(_ stream: Stream) throws(DatabaseError) -> Seconds? {
        try admit(.oldest).oldest(stream)
    }

    public func newest(_ stream: Stream) throws(DatabaseError) -> Int64? {
        try admit(.oldest).newest(stream)
    }

    public func lastDelivered() throws(DatabaseError) -> Coordinate? {
        try admit(.lastDelivered).lastDelivered()
    }
}
