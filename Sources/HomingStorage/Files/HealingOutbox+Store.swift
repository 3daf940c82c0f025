public import HomingCore

// What these do is told at the protocols.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension HealingOutbox: PersistentOutbox {
    public func append(
        _ message: OutboxMessage, acceptedAt: Seconds, expiresAt: Seconds?
    ) throws(OutboxError) -> EntryID {
        let id = try perform(.append) { store throws(OutboxError) in
            try store.append(message, acceptedAt: acceptedAt, expiresAt: expiresAt)
        }
        noteGiven([id])
        return id
    }

    public func entries(
        _ stream: Stream, route: Route, after number: Int64, limit: Int
    ) throws(OutboxError) -> [OutboxEntry] {
        let entries = try perform(.read) { store throws(OutboxError) in
            try store.entries(stream, route: route, after: number, limit: limit)
        }
        noteGiven(entries.map(\.id))
        return entries
    }

    public func settle(_ ids: [EntryID], as fate: Fate) throws(OutboxError) {
        try perform(.settle) { store throws(OutboxError) in try store.settle(ids, as: fate) }
    }

    public func moveToTrack(
        acceptedBefore time: Seconds, keepingNewest: Bool
    ) throws(OutboxError) -> Int {
        try perform(.moveToTrack) { store throws(OutboxError) in
            try store.moveToTrack(acceptedBefore: time, keepingNewest: keepingNewest)
        }
    }

    public func moveToTrack(through number: Int64) throws(OutboxError) -> Int {
        try perform(.moveToTrack) { store throws(OutboxError) in
            try store.moveToTrack(through: number)
        }
    }

    public func supersedeOlderPositions() throws(OutboxError) {
        try perform(.supersede) { store throws(OutboxError) in
            try store.supersedeOlderPositions()
        }
    }

    public func expire(at time: Seconds, acceptedBefore cutoff: Seconds?) throws(OutboxError) {
        try perform(.expire) { store throws(OutboxError) in
            try store.expire(at: time, acceptedBefore: cutoff)
        }
    }

    public func ledger(_ stream: Stream) throws(OutboxError) -> Ledger {
        try perform(.read) { store throws(OutboxError) in try store.ledger(stream) }
    }

    public func oldest(_ stream: Stream) throws(OutboxError) -> Seconds? {
        try perform(.read) { store throws(OutboxError) in try store.oldest(stream) }
    }

    public func lastDelivered() throws(OutboxError) -> Coordinate? {
        try perform(.read) { store throws(OutboxError) in try store.lastDelivered() }
    }

    /// Brings rows accepted before `time` (seconds since 1970), and all before them, to the disk.
    /// Does nothing where they are there from the start.
    public func spill(acceptedBefore time: Seconds) throws(OutboxError) {
        try perform(.spill) { store throws(OutboxError) in try store.spill(acceptedBefore: time) }
    }

    /// Brings every row and the whole book to the disk, as before the machine goes down.
    public func spillAll() throws(OutboxError) {
        try perform(.spill) { store throws(OutboxError) in try store.spillAll() }
    }
}
