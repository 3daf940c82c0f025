public import HomingBase
public import HomingLocation
public import HomingSQLite

// What these do is told at the protocols.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension HealingOutbox: PersistentOutbox {
    public func append(
        _ message: OutboxMessage, acceptedAt: Seconds, expiresAt: Seconds?
    ) throws(DatabaseError) -> EntryID {
        let id = try useOutbox(.append) { store throws(DatabaseError) in
            try store.append(message, acceptedAt: acceptedAt, expiresAt: expiresAt)
        }
        noteGiven([id])
        return id
    }

    public func entries(
        _ stream: Stream, freshness: Freshness, after number: Int64, limit: Int
    ) throws(DatabaseError) -> [OutboxEntry] {
        let entries = try useOutbox(.read) { store throws(DatabaseError) in
            try store.entries(stream, freshness: freshness, after: number, limit: limit)
        }
        noteGiven(entries.map(\.id))
        return entries
    }

    public func settle(_ ids: [EntryID], as fate: Fate) throws(DatabaseError) {
        try useOutbox(.settle) { store throws(DatabaseError) in try store.settle(ids, as: fate) }
    }

    public func moveToHistory(
        acceptedBefore time: Seconds, keepingNewest: Bool
    ) throws(DatabaseError) -> Int {
        try useOutbox(.moveToHistory) { store throws(DatabaseError) in
            try store.moveToHistory(acceptedBefore: time, keepingNewest: keepingNewest)
        }
    }

    public func moveToHistory(through number: Int64) throws(DatabaseError) -> Int {
        try useOutbox(.moveToHistory) { store throws(DatabaseError) in
            try store.moveToHistory(through: number)
        }
    }

    public func supersedeOlderPositions() throws(DatabaseError) {
        try useOutbox(.supersede) { store throws(DatabaseError) in
            try store.supersedeOlderPositions()
        }
    }

    public func expire(at time: Seconds, acceptedBefore cutoff: Seconds?) throws(DatabaseError) {
        try useOutbox(.expire) { store throws(DatabaseError) in
            try store.expire(at: time, acceptedBefore: cutoff)
        }
    }

    public func ledger(_ stream: Stream) throws(DatabaseError) -> Ledger {
        try useOutbox(.read) { store throws(DatabaseError) in try store.ledger(stream) }
    }

    public func oldest(_ stream: Stream) throws(DatabaseError) -> Seconds? {
        try useOutbox(.read) { store throws(DatabaseError) in try store.oldest(stream) }
    }

    public func newest(_ stream: Stream) throws(DatabaseError) -> Int64? {
        try useOutbox(.read) { store throws(DatabaseError) in try store.newest(stream) }
    }

    public func lastDelivered() throws(DatabaseError) -> Coordinate? {
        try useOutbox(.read) { store throws(DatabaseError) in try store.lastDelivered() }
    }

    public func save() throws(DatabaseError) {
        try useOutbox(.commit) { store throws(DatabaseError) in try store.save() }
    }

    public func commit() throws(DatabaseError) {
        try useOutbox(.commit) { store throws(DatabaseError) in try store.commit() }
    }

    /// Brings rows accepted before `time` (seconds since 1970), and all before them, to the disk.
    /// Does nothing where they are there from the start.
    public func spill(acceptedBefore time: Seconds) throws(DatabaseError) {
        try useOutbox(.spill) { store throws(DatabaseError) in
            try store.spill(acceptedBefore: time)
        }
    }

    /// Brings every row and the whole ledger to the disk, as before the machine goes down.
    public func spillAll() throws(DatabaseError) {
        try useOutbox(.spill) { store throws(DatabaseError) in try store.spillAll() }
    }
}
