internal import HomingSQLite

/// An outbox in one SQLite file.
///
/// The connection is the file's only one: `locking_mode=EXCLUSIVE` keeps the index of the log in
/// memory (no -shm file) and a second daemon out. In WAL mode with `synchronous=FULL` a commit is
/// on the disk when it returns (https://www.sqlite.org/wal.html).
///
/// Long: only one object may write the file. Opening, rows, room, expiry, delivery and the move
/// between two files have a file each.
final class SQLiteOutbox {
    /// Rule about when a commit is told to the disk.
    enum Synchronous: String {
        /// At every commit.
        case full = "FULL"
        /// Never: for a file in memory (tmpfs).
        case off = "OFF"
    }

    let database: Database
    let meta: MetaTable
    let ledgers: LedgerTable
    let room: Room
    let databaseID: String
    /// Told of every row that could not be read and was given up.
    let tell: (OutboxNote) -> Void
    /// Streams whose ledger did not agree with itself or their rows at opening, and was made to.
    let correctedStreams: [Stream]

    /// State of the file, known without asking: its only writer is this object.
    private(set) var lastNumbers: [Stream: Int64]
    private(set) var trackThrough: Int64
    let expiry = ExpiryTimes()
    /// The ledgers as they were read after so many changes.
    private var readBooks: (changes: Int64, ledgers: [Stream: Ledger]) = (-1, [:])

    /// Opens the file or makes it.
    ///
    /// Throws `.damaged` for a file that is not whole or not Homing's, `.newerSchema`, `.readOnly`,
    /// and `.failed` if another process has it open. The whole file is read once (`quick_check`).
    ///
    /// - Parameters:
    ///   - isInUse: whether others wait meanwhile: the file is not read as a whole, compacted or copied.
    ///   - freeSpace: free bytes on the file system of a folder.
    init(
        _ path: String, maxSize: Int, synchronous: Synchronous = .full, isInUse: Bool = false,
        freeSpace: @escaping (_ folder: String) -> Int = Room.freeSpace,
        tell: @escaping (OutboxNote) -> Void = { _ in }
    ) throws(DatabaseError) {
        let database = try Database(path)
        let meta = MetaTable(database: database)
        let ledgers = LedgerTable(database: database)
        try SQLiteOutbox.prepare(database, synchronous)
        if !isInUse {
            try SQLiteOutbox.checkWholeness(of: database)
            try SQLiteOutbox.fitPages(of: database, freeSpace: freeSpace)
        }
        let room = Room(
            maxSize: maxSize, pageSize: try SQLiteOutbox.pageSize(of: database), path: path,
            freeSpace: freeSpace)
        try SQLiteOutbox.limitLog(of: database, to: room)
        correctedStreams = try database.transaction { () throws(DatabaseError) in
            try SQLiteOutbox.reconcile(ledgers, meta)
        }
        databaseID = try SQLiteOutbox.identify(meta)
        trackThrough = try meta.integer(.trackThrough) ?? 0
        lastNumbers = [:]
        for stream in Stream.allCases { lastNumbers[stream] = try ledgers.lastNumber(stream) ?? 0 }
        (self.database, self.meta, self.ledgers) = (database, meta, ledgers)
        (self.room, self.tell) = (room, tell)
        if !isInUse { try compact() }
        try database.execute("PRAGMA max_page_count = \(room.hardLimit)")
        database.forgetStatements()
    }

    private static func reconcile(
        _ ledgers: LedgerTable, _ meta: MetaTable
    ) throws(DatabaseError) -> [Stream] {
        var corrected: [Stream] = []
        for stream in Stream.allCases where try ledgers.reconcile(stream) {
            corrected.append(stream)
        }
        let last = try ledgers.lastNumber(.location) ?? 0
        if try meta.reconcile(last: last), !corrected.contains(.location) {
            corrected.append(.location)
        }
        return corrected
    }

    private static func identify(_ meta: MetaTable) throws(DatabaseError) -> String {
        if let id = try meta.text(.databaseID) { return id }
        let digits = String(UInt128.random(in: .min ... .max), radix: 16)
        let id = String(repeating: "0", count: 32 - digits.count) + digits
        try meta.set(.databaseID, .text(id))
        return id
    }

    /// The largest number the stream has given to a row.
    func lastNumber(_ stream: Stream) -> Int64 { lastNumbers[stream] ?? 0 }

    /// Lets the stream go on above `number`, which another file has given.
    func raiseLastNumber(_ stream: Stream, to number: Int64) {
        lastNumbers[stream] = max(lastNumber(stream), number)
    }

    /// Remembers a cut that is in the file.
    func noteTrackThrough(_ number: Int64) { trackThrough = max(trackThrough, number) }

    /// The ledger of a stream. The file is read once for each change.
    func ledger(_ stream: Stream) throws(DatabaseError) -> Ledger {
        guard let changes = database.changes else { return try ledgers.ledger(stream) }
        if readBooks.changes != changes { readBooks = (changes, [:]) }
        if let known = readBooks.ledgers[stream] { return known }
        let ledger = try ledgers.ledger(stream)
        readBooks.ledgers[stream] = ledger
        return ledger
    }

    /// Returns the number of queued rows of the stream.
    func queued(_ stream: Stream) throws(DatabaseError) -> Int { try ledger(stream).queued }
}
