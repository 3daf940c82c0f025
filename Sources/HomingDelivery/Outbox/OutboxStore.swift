public import HomingBase
public import HomingLocation
public import HomingSQLite

/// Rows accepted and not yet settled, in their order, with the ledger of where all others went.
///
/// Every change and its counter are one transaction: after a crash the ledger balances. `append`
/// returns when the row survives a crash, and a power cut as far as the chosen durability promises.
public protocol OutboxStore: AnyObject {
    /// Takes a row in. Makes room by evicting the oldest rows first if the bound is reached; a
    /// sensor's earlier state is superseded.
    func append(
        _ message: OutboxMessage, acceptedAt: Seconds, expiresAt: Seconds?
    ) throws(DatabaseError) -> EntryID

    /// The oldest rows of a stream (and, for positions, of a freshness) after `number`, in order; fewer
    /// than `limit` only if there are no more. Rows that turn out to be damaged are passed over and
    /// settled as lost.
    func entries(
        _ stream: Stream, freshness: Freshness, after number: Int64, limit: Int
    ) throws(DatabaseError) -> [OutboxEntry]

    /// Gives the rows their fate and forgets them. Rows that are not there any more (evicted
    /// meanwhile) keep the fate they have. Positions settled as delivered live set
    /// `lastDelivered`, whatever their freshness has become meanwhile.
    func settle(_ ids: [EntryID], as fate: Fate) throws(DatabaseError)

    /// Turns the live positions up to the last one accepted before `time` into history, the newest
    /// position of all excepted if it is kept; returns how many. It is a clean cut: history always
    /// precedes news, even where the clock was set back between two of them.
    func moveToHistory(acceptedBefore time: Seconds, keepingNewest: Bool) throws(DatabaseError)
        -> Int

    /// The same for the live positions up to this number.
    func moveToHistory(through number: Int64) throws(DatabaseError) -> Int

    /// Gives all live positions older than the newest one the fate `superseded`.
    func supersedeOlderPositions() throws(DatabaseError)

    /// Settles as expired what is past its expiry (`expiresAt < time`) or was accepted before
    /// `cutoff`. Costs next to nothing while nothing is due.
    func expire(at time: Seconds, acceptedBefore cutoff: Seconds?) throws(DatabaseError)

    /// The ledger of a stream.
    func ledger(_ stream: Stream) throws(DatabaseError) -> Ledger

    /// Seconds since 1970 at which the oldest queued row of the stream, the one with the smallest
    /// number, was accepted.
    func oldest(_ stream: Stream) throws(DatabaseError) -> Seconds?

    /// The largest number of a queued row of the stream; `nil` where no row is queued.
    func newest(_ stream: Stream) throws(DatabaseError) -> Int64?

    /// The place in the position with the largest number that was settled as delivered live;
    /// `nil` before the first, and if that one named a zone.
    func lastDelivered() throws(DatabaseError) -> Coordinate?

    /// Sets how many positions may wait for `save` or `commit` from now on
    /// (`durability = grouped`); with 0 each is on the disk when `append` returns.
    func reserve(_ count: Int)

    /// Has the positions that wait survive a power cut.
    func save() throws(DatabaseError)

    /// Brings the positions that wait to the tables of the disk.
    func commit() throws(DatabaseError)
}

extension OutboxStore {
    /// Does nothing, as no location waits in a store that knows no groups.
    public func reserve(_ count: Int) {}

    /// Does nothing, as no location waits in a store that knows no groups.
    public func commit() throws(DatabaseError) {}

    /// Does nothing, as no location waits in a store that knows no groups.
    public func save() throws(DatabaseError) {}
}

/// An outbox in files.
///
/// Not `Sendable`: it belongs to the loop. Positions, sensors and events that were accepted are
/// there again after `kill -9`; after a power cut too, as far as the durability promises.
public protocol PersistentOutbox: OutboxStore {
    /// 32 hexadecimal digits, made with the file on disk; another id is another history.
    var databaseID: String { get }

    /// The power cuts that this queue had; `nil` before the first, and where they take nothing.
    var powerCut: PowerCut? { get }

    /// Brings rows accepted before `time` (seconds since 1970), and all before them, to the disk, with
    /// `durability = crash`.
    func spill(acceptedBefore time: Seconds) throws(DatabaseError)

    /// Brings every row and the whole ledger to the disk, as before the machine goes down.
    func spillAll() throws(DatabaseError)

    /// Checkpoints and lets the files go. Every later call throws `.failed`.
    func close()
}

extension PersistentOutbox {
    /// A power cut takes nothing, or is not noticed.
    public var powerCut: PowerCut? { nil }
}
