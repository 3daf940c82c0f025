internal import HomingBase
internal import HomingSQLite

/// The steps that whole operations are made of, here and in `SpillingOutbox`.
extension SQLiteOutbox {
    /// Writes a row; a sensor's earlier state is superseded by it. Inside a transaction that counts
    /// the row.
    func insert(_ entry: OutboxEntry) throws(DatabaseError) {
        let stream = entry.id.stream
        if let id = entry.message.sensorID { try supersede(id) }
        try database.eachRow(stream.insertion, OutboxRow.values(of: entry)) { _ in true }
        expiry.include(entry)
    }

    /// Drops the queued state of a sensor for a newer one.
    func supersede(_ uniqueID: String) throws(DatabaseError) {
        let superseded = try database.run(
            "DELETE FROM sensor WHERE unique_id = ?1", .text(uniqueID))
        try ledgers.settle(superseded, of: .sensors, as: .superseded)
    }

    /// Up to `limit` sound rows with numbers above `number` and up to `last`, in order, and the
    /// damaged ones met on the way, which do not count.
    func readRows(
        _ stream: Stream, after number: Int64, through last: Int64 = .max, limit: Int
    ) throws(DatabaseError) -> (entries: [OutboxEntry], damaged: [EntryID]) {
        var entries: [OutboxEntry] = []
        var damaged: [EntryID] = []
        guard limit > 0 else { return (entries, damaged) }
        try database.eachRow(stream.selection, [.integer(number), .integer(last)]) { row in
            if let entry = OutboxRow.entry(stream, in: row, trackThrough: trackThrough) {
                entries.append(entry)
            } else {
                damaged.append(EntryID(stream, row.integer(0) ?? 0))
            }
            return entries.count < limit
        }
        return (entries, damaged)
    }

    /// Settles damaged rows as lost and tells of each.
    func giveUp(_ damaged: [EntryID]) throws(DatabaseError) {
        try settle(damaged, as: .lostWithDatabase)
        for id in damaged { tell(.lostRow(path: database.path, id: id)) }
    }

    /// The last live position accepted before `time`, or 0: the cut between history and news.
    func liveCut(acceptedBefore time: Seconds) throws(DatabaseError) -> Int64 {
        try lastRow(.location, after: trackThrough, acceptedBefore: time)
    }

    /// The number of the newest position, or 0.
    func newestPosition() throws(DatabaseError) -> Int64 {
        max(0, try database.integer("SELECT max(id) FROM location") ?? 0)
    }

    /// The largest number of a row accepted before `time`, or 0.
    func lastRow(
        _ stream: Stream, after number: Int64 = 0, acceptedBefore time: Seconds
    ) throws(DatabaseError) -> Int64 {
        let sql = "SELECT max(id) FROM \(stream.table) WHERE id > ?1 AND accepted_at < ?2"
        return try database.integer(sql, .integer(number), .real(time)) ?? 0
    }

    /// Makes history of every live position up to `number`; returns how many.
    func moveToHistory(through number: Int64) throws(DatabaseError) -> Int {
        guard number > trackThrough else { return 0 }
        let sql = "SELECT count(*), max(id) FROM location WHERE id > ?1 AND id <= ?2"
        let found = try database.first(sql, .integer(trackThrough), .integer(number)) {
            (count: Int($0.integer(0) ?? 0), last: $0.integer(1) ?? 0)
        }
        guard let found, found.count > 0 else { return 0 }
        try meta.set(.trackThrough, .integer(found.last))
        noteTrackThrough(found.last)
        return found.count
    }

    /// Supersedes the live positions with smaller numbers.
    func supersedePositions(before number: Int64) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in
            let superseded = try database.run(
                "DELETE FROM location WHERE id > ?1 AND id < ?2",
                .integer(trackThrough), .integer(number))
            try ledgers.settle(superseded, of: .location, as: .superseded)
        }
    }
}
