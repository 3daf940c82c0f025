/// Why the outbox could not do what it was asked.
public struct OutboxError: Error, Equatable, Sendable {
    /// What a caller may do about it.
    public enum Kind: Equatable, Sendable {
        /// No room on the disk.
        case full
        /// Not to be written to: rights, a read-only file system.
        case readOnly
        /// The file is no database, or a damaged one.
        case damaged
        /// Made by a newer Homing.
        case newerSchema
        /// Anything else, an I/O error above all.
        case failed
    }

    public let kind: Kind
    /// What the system or SQLite said, for people.
    public let message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

/// Rows accepted and not yet settled, in their order, with the book of where all others went.
///
/// Every change and its counter are one transaction: after a crash the ledger balances. `append`
/// returns when the row is as safe as the chosen durability promises.
public protocol OutboxStore: AnyObject {
    /// Takes a row in. Makes room by evicting the oldest rows first if the bound is reached; a
    /// sensor's earlier state is superseded.
    func append(
        _ message: OutboxMessage, acceptedAt: Seconds, expiresAt: Seconds?
    ) throws(OutboxError) -> EntryID

    /// The oldest rows of a stream (and, for positions, of a route) after `number`, in order.
    func entries(
        _ stream: Stream, route: Route, after number: Int64, limit: Int
    ) throws(OutboxError) -> [OutboxEntry]

    /// Gives the rows their fate and forgets them. Rows that are not there any more (evicted
    /// meanwhile) keep the fate they have.
    func settle(_ ids: [EntryID], as fate: Fate) throws(OutboxError)

    /// Turns the live positions accepted before `time` into history, all or all but the newest row
    /// of the stream; returns how many.
    func moveToTrack(acceptedBefore time: Seconds, keepingNewest: Bool) throws(OutboxError) -> Int

    /// Gives all live positions older than the newest one the fate `superseded`.
    func supersedeOlderPositions() throws(OutboxError)

    /// Settles as expired what is past its expiry or was accepted before `cutoff`.
    func expire(at time: Seconds, acceptedBefore cutoff: Seconds?) throws(OutboxError)

    /// The book of a stream.
    func ledger(_ stream: Stream) throws(OutboxError) -> Ledger

    /// Seconds since 1970 at which the oldest queued row of the stream was accepted.
    func oldest(_ stream: Stream) throws(OutboxError) -> Seconds?

    /// The place that was last settled as delivered live, if any.
    func lastDelivered() throws(OutboxError) -> Coordinate?
}
