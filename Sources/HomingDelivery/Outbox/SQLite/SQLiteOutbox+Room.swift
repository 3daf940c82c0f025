internal import HomingSQLite

extension SQLiteOutbox {
    /// Pages in the file, and those of them that hold nothing.
    func pageCounts() throws(DatabaseError) -> (total: Int, free: Int) {
        let total = try database.integer("PRAGMA page_count") ?? 0
        let free = try database.integer("PRAGMA freelist_count") ?? 0
        return (Int(total), Int(free))
    }

    func isShort(of needed: Int, isFull: Bool = false) throws(DatabaseError) -> Bool {
        let (total, free) = try pageCounts()
        return room.isShort(of: needed, total: total, free: free, isFull: isFull)
    }

    /// Evicts the oldest rows until the messages have room; inside a transaction.
    ///
    /// - Parameter isFull: SQLite has said that the file cannot grow.
    func makeRoom(
        for messages: some Collection<OutboxMessage>, isFull: Bool = false
    ) throws(DatabaseError) {
        let needed = room.pages(for: messages)
        let (total, free) = try pageCounts()
        // What SQLite has said counts for more than what the pages promise.
        if isFull, !room.isSmall(total: total, free: free) { _ = try evictOldest() }
        while try isShort(of: needed, isFull: isFull) {
            if try evictOldest() { continue }
            let (total, free) = try pageCounts()
            guard room.isOverBound(needed, total: total, free: free) else { return }
            throw DatabaseError(.full, "\(database.path): nothing left to evict")
        }
    }

    /// Evicts one batch, 1 % of the rows and at least 16: positions while there are any, then
    /// events. The latest states of sensors are few and stay. Returns whether anything went.
    func evictOldest() throws(DatabaseError) -> Bool {
        for stream in [Stream.location, .events] {
            let batch = max(16, try queued(stream) / 100)
            let table = stream.table
            let evicted = try database.run(
                "DELETE FROM \(table) WHERE id IN (SELECT id FROM \(table) ORDER BY id LIMIT ?1)",
                SQLValue(batch))
            try ledgers.settle(evicted, of: stream, as: .evicted)
            if evicted > 0 { return true }
        }
        return false
    }
}
