internal import HomingSQLite

extension SQLiteOutbox {
    /// Makes sure the file is ours, and sets the connection up.
    static func prepare(
        _ database: Database, _ synchronous: Synchronous
    ) throws(DatabaseError) {
        // Before anything that writes: a foreign file is left as it is.
        try database.execute(
            """
            PRAGMA page_size = \(Room.pageSize);
            PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA trusted_schema = OFF;
            PRAGMA cell_size_check = ON;
            PRAGMA cache_size = -256;
            PRAGMA mmap_size = 0;
            PRAGMA temp_store = MEMORY;
            PRAGMA synchronous = \(synchronous.rawValue);
            """)
        try OutboxSchema.migrations.check(database)
        // It could be written to when it was opened, so it is the header that says otherwise.
        guard !database.isReadOnly else {
            throw DatabaseError(.damaged, "\(database.path): the header is damaged")
        }
        try database.execute(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA secure_delete = FAST;
            """)
        try OutboxSchema.migrations.apply(to: database)
        try OutboxSchema.migrations.verify(database)
    }

    /// Throws `.damaged` if a page is not what it should be.
    ///
    /// What `quick_check` says of a single value is passed over: that costs a row at most, which
    /// `RowReader` and `LedgerTable.reconcile` see to, while setting the file aside costs all rows.
    static func checkWholeness(of database: Database) throws(DatabaseError) {
        var fault: String?
        try database.eachRow("PRAGMA quick_check") { row in
            let finding = row.text(0) ?? "unreadable"
            let isOfOneValue =
                finding.hasPrefix("NULL value in")
                || finding.hasPrefix("CHECK constraint failed in")
            if finding != "ok" && !isOfOneValue { fault = finding }
            return fault == nil
        }
        guard let fault else { return }
        let line = fault.split(separator: "\n").joined(separator: " ")
        throw DatabaseError(.damaged, "\(database.path): \(line)")
    }

    /// Gives an older file the pages of a new one, which are smaller. A file that holds much stays
    /// as it is until a later start, as its copy is made in memory. So does a file on a full disk.
    static func fitPages(
        of database: Database, freeSpace: (_ folder: String) -> Int
    ) throws(DatabaseError) {
        let size = try pageSize(of: database)
        guard size != Room.pageSize else { return }
        let pages = Int(try database.integer("PRAGMA page_count") ?? 0)
        let used = pages - Int(try database.integer("PRAGMA freelist_count") ?? 0)
        // The journal has each page of before.
        guard used * size <= Room.mostCopied,
            freeSpace(Room.folder(of: database.path)) > 2 * size * pages + Room.leastFree,
            // SQLite changes no pages in WAL mode.
            try database.first("PRAGMA journal_mode = DELETE", read: { $0.text(0) }) == "delete"
        else { return }
        do throws(DatabaseError) {
            try database.execute("PRAGMA page_size = \(Room.pageSize); VACUUM")
        } catch {
            // All is as before: a later start tries again.
            guard error.kind != .damaged else { throw error }
        }
        try database.execute("PRAGMA journal_mode = WAL")
    }

    /// Bytes of a page.
    static func pageSize(of database: Database) throws(DatabaseError) -> Int {
        Int(try database.integer("PRAGMA page_size") ?? 0)
    }

    /// Has the log written back when it is as long as it may be.
    static func limitLog(of database: Database, to room: Room) throws(DatabaseError) {
        try database.execute(
            """
            PRAGMA wal_autocheckpoint = \(room.logPages);
            PRAGMA journal_size_limit = \(room.logPages * room.pageSize);
            """)
    }

    /// Gives room back that the file does not need: after a long outage, or under a new bound.
    func compact() throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in
            while try isShort(of: 0), try evictOldest() {}
        }
        let (total, free) = try pageCounts()
        guard total * room.pageSize > 1 << 20 && free > total / 2 || total > room.pages else {
            return
        }
        // Needs room itself for a moment. Where there is none, the file stays as large as it was.
        try? database.execute("VACUUM")
    }
}
