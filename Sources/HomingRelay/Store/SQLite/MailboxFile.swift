internal import HomingBase
internal import HomingRelayProtocol
internal import HomingSQLite

/// The mailboxes in one SQLite file: all that the writer does with the file. Used by the writer's
/// thread alone.
///
/// The connection is the file's only one: `locking_mode=EXCLUSIVE` keeps a second relay out. In WAL
/// mode with `synchronous=FULL` a commit is on the disk when it returns
/// (https://www.sqlite.org/wal.html). Every function is part of a transaction of the writer's.
final class MailboxFile {
    let database: Database
    let limits: StoreLimits
    let mailboxes: MailboxTable
    let messages: MessageTable
    let tallies: TallyTable
    let invitations: InvitationTable
    let confirmations: ConfirmationTable
    let outbox: MailboxOutbox
    /// The times that earlier runs have left.
    let marks: Marks
    private var timeMark: Int64
    private var room: DiskRoom

    /// Times of earlier runs: milliseconds since 1970.
    struct Marks: Sendable {
        /// Ids given by an earlier run are smaller.
        let firstTime: Int64
        /// The date of the last sweep; `nil` before the first.
        let sweptUntil: Int64?
    }

    static let pageSize = 4096
    /// A file up to this size is read as a whole at opening.
    private static let checkedSize = 256 << 20

    /// Opens the file, or makes it.
    ///
    /// Throws `.damaged` for a file that is not whole or not a relay's, `.newerSchema`,
    /// `.readOnly`, and `.failed` if another process has it open. Such a file is left as it is.
    init(
        _ path: String, limits: StoreLimits, space: @escaping DiskRoom.Space = DiskRoom.space(of:)
    ) throws(DatabaseError) {
        self.limits = limits
        room = DiskRoom(beside: path, space: space)
        database = try Database(path)
        mailboxes = MailboxTable(database: database)
        messages = MessageTable(database: database)
        tallies = TallyTable(database: database)
        invitations = InvitationTable(database: database)
        confirmations = ConfirmationTable(database: database)
        outbox = MailboxOutbox(database: database, mailboxes, messages)
        try Self.prepare(database, limits, logPages: room.logPages)
        let mark = try database.integer("SELECT value FROM meta WHERE name = 'time_mark'")
        timeMark = RelayTime.bounded(mark ?? 0)
        marks = Marks(
            firstTime: timeMark,
            sweptUntil: try database.integer("SELECT value FROM meta WHERE name = 'swept_until'"))
        database.forgetStatements()
    }

    private static func prepare(
        _ database: Database, _ limits: StoreLimits, logPages: Int
    ) throws(DatabaseError) {
        // Before anything that writes: a foreign file is left as it is.
        try database.execute(
            """
            PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA trusted_schema = OFF;
            PRAGMA cell_size_check = ON;
            PRAGMA cache_size = -4096;
            PRAGMA mmap_size = 0;
            PRAGMA temp_store = MEMORY;
            PRAGMA page_size = \(pageSize);
            PRAGMA synchronous = FULL;
            """)
        try MailboxSchema.migrations.check(database)
        guard !database.isReadOnly else {
            throw DatabaseError(.damaged, "\(database.path): the header is damaged")
        }
        try database.execute(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA wal_autocheckpoint = \(logPages);
            PRAGMA journal_size_limit = \(logPages * pageSize);
            PRAGMA secure_delete = FAST;
            """)
        try MailboxSchema.migrations.apply(to: database)
        try MailboxSchema.migrations.verify(database)
        try checkWholeness(of: database)
        // `boundReached` refuses first. This limit of SQLite holds even if that check is wrong.
        let most = limits.bytes / pageSize
        try database.execute("PRAGMA max_page_count = \(most + most / 8 + 256)")
    }

    private static func checkWholeness(of database: Database) throws(DatabaseError) {
        let pages = try database.integer("PRAGMA page_count") ?? 0
        guard pages <= Int64(checkedSize / pageSize) else { return }
        var fault: String?
        try database.eachRow("PRAGMA quick_check(1)") { row in
            let finding = row.text(0) ?? "unreadable"
            if finding != "ok" { fault = finding }
            return true
        }
        guard let fault else { return }
        let line = fault.split(separator: "\n").joined(separator: " ")
        throw DatabaseError(.damaged, "\(database.path): \(line)")
    }

    /// A transaction begins: looks at the room on the disk.
    func beginTransaction() { room.look() }

    /// Whether the disk has room for so many bytes; if so they count in this transaction.
    func hasRoom(for bytes: Int) throws(DatabaseError) -> Bool {
        room.takes(bytes, free: try freePages() * Self.pageSize)
    }

    private func freePages() throws(DatabaseError) -> Int {
        Int(try database.integer("PRAGMA freelist_count") ?? 0)
    }

    /// Forgets the values remembered in memory, after a transaction was rolled back.
    func forgetTransaction() {
        mailboxes.forgetCount()
        timeMark = 0
    }

    /// Bytes of the file that are in use.
    func usedBytes() throws(DatabaseError) -> Int {
        let pages = try database.integer("PRAGMA page_count") ?? 0
        return (Int(pages) - (try freePages())) * Self.pageSize
    }

    /// Remembers the date of a sweep; the date never goes back.
    func noteSweep(at date: Int64) throws(DatabaseError) { try raise("swept_until", to: date) }

    private func raise(_ mark: String, to time: Int64) throws(DatabaseError) {
        try database.run(
            """
            INSERT INTO meta VALUES (?1, ?2)
            ON CONFLICT DO UPDATE SET value = max(value, excluded.value)
            """, .text(mark), .integer(time))
    }

    /// Milliseconds by which a mark lies ahead of the id that caused the mark.
    private static let markSpan: Int64 = 60_000

    /// Remembers that ids up to this time were given, so that those of the next run are larger,
    /// whatever the clock says then.
    func noteTime(of id: MessageID) throws(DatabaseError) {
        guard id.milliseconds >= timeMark else { return }
        let mark = id.milliseconds + Self.markSpan
        // The mark in memory may have been forgotten with a transaction.
        try raise("time_mark", to: mark)
        timeMark = mark
    }
}
