internal import HomingBase
internal import HomingLocation
internal import HomingSQLite

extension SpillingOutbox: PersistentOutbox {
    var databaseID: String { disk.databaseID }

    func append(
        _ message: OutboxMessage, acceptedAt: Seconds, expiresAt: Seconds?
    ) throws(DatabaseError) -> EntryID {
        try finishSpill()
        // Better written to the disk than evicted from memory; if the disk will not have them, the
        // memory tier evicts.
        if try memory.isShort(of: memory.room.pages(for: CollectionOfOne(message))) {
            try? spillAll()
            try finishSpill()
        }
        let id = try memory.append(message, acceptedAt: acceptedAt, expiresAt: expiresAt)
        if let sensor = message.sensorID { supersedeOnDisk(sensor) }
        return id
    }

    /// The new state is accepted already; an old one that stays is sent before it and does no harm.
    private func supersedeOnDisk(_ uniqueID: String) {
        guard (try? disk.queued(.sensors)) != 0 else { return }
        try? disk.database.transaction { () throws(DatabaseError) in try disk.supersede(uniqueID) }
    }

    func entries(
        _ stream: Stream, freshness: Freshness, after number: Int64, limit: Int
    ) throws(DatabaseError) -> [OutboxEntry] {
        try finishSpill()
        let older = try disk.entries(stream, freshness: freshness, after: number, limit: limit)
        let newer = try memory.entries(
            stream, freshness: freshness, after: number, limit: limit - older.count)
        return older + newer
    }

    func settle(_ ids: [EntryID], as fate: Fate) throws(DatabaseError) {
        try finishSpill()
        try disk.settle(ids, as: fate)
        try memory.settle(ids, as: fate)
    }

    func moveToHistory(
        acceptedBefore time: Seconds, keepingNewest: Bool
    ) throws(DatabaseError) -> Int {
        try finishSpill()
        var cut = max(
            try disk.liveCut(acceptedBefore: time), try memory.liveCut(acceptedBefore: time))
        if keepingNewest { cut = min(cut, try newestPosition() - 1) }
        return try disk.moveToHistory(through: cut) + memory.moveToHistory(through: cut)
    }

    func moveToHistory(through number: Int64) throws(DatabaseError) -> Int {
        try finishSpill()
        return try disk.moveToHistory(through: number) + memory.moveToHistory(through: number)
    }

    func supersedeOlderPositions() throws(DatabaseError) {
        try finishSpill()
        let newest = try newestPosition()
        try disk.supersedePositions(before: newest)
        try memory.supersedePositions(before: newest)
    }

    private func newestPosition() throws(DatabaseError) -> Int64 {
        max(try memory.newestPosition(), try disk.newestPosition())
    }

    func expire(at time: Seconds, acceptedBefore cutoff: Seconds?) throws(DatabaseError) {
        try finishSpill()
        try disk.expire(at: time, acceptedBefore: cutoff)
        try memory.expire(at: time, acceptedBefore: cutoff)
    }

    func ledger(_ stream: Stream) throws(DatabaseError) -> Ledger {
        try finishSpill()
        return try disk.ledger(stream) + memory.ledger(stream)
    }

    func oldest(_ stream: Stream) throws(DatabaseError) -> Seconds? {
        try finishSpill()
        if let older = try disk.oldest(stream) { return older }
        return try memory.oldest(stream)
    }

    func newest(_ stream: Stream) throws(DatabaseError) -> Int64? {
        try finishSpill()
        if let newer = try memory.newest(stream) { return newer }
        return try disk.newest(stream)
    }

    func lastDelivered() throws(DatabaseError) -> Coordinate? {
        let (older, newer) = (try disk.meta.lastDelivery(), try memory.meta.lastDelivery())
        return newer.number >= older.number ? newer.coordinate : older.coordinate
    }

    func spill(acceptedBefore time: Seconds) throws(DatabaseError) {
        var cut: SpillCut = [:]
        for stream in Stream.allCases {
            cut[stream] = try memory.lastRow(stream, acceptedBefore: time)
        }
        try spill(upTo: cut)
    }

    func spillAll() throws(DatabaseError) {
        var cut: SpillCut = [:]
        for stream in Stream.allCases { cut[stream] = memory.lastNumber(stream) }
        try spill(upTo: cut, wholeLedger: true)
    }

    func close() {
        disk.close()
        memory.close()
    }
}
