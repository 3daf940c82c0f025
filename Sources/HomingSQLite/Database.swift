internal import CSQLite
internal import Glibc

/// Connection to a SQLite file, used by the thread that opened it: the loop's, or a writer's own.
///
/// It is opened without SQLite's own mutexes (SQLITE_OPEN_NOMUTEX), as no other thread has it, and
/// with extended result codes. Errors are `DatabaseError`s in SQLite's words.
public final class Database {
    public let path: String
    /// `nil` once closed.
    private var handle: OpaquePointer?
    private var statements: [String: Statement] = [:]
    /// Once for the process: two files that need few pages have 170 kB in memory otherwise.
    static let pagesAreLate = homing_sqlite_allocate_late() == SQLITE_OK

    /// Opens the file (`:memory:` for none); makes it, readable by its owner only, if it is not
    /// there and may be made. SQLite gives the mode of the file to the -wal beside it.
    public init(_ path: String, readOnly: Bool = false) throws(DatabaseError) {
        self.path = path
        _ = Self.pagesAreLate
        if !readOnly && path != ":memory:" { Database.makeFile(path) }
        let access = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK else {
            let error = DatabaseError(code: code, on: opened, path: path)
            sqlite3_close(opened)
            throw error
        }
        sqlite3_busy_timeout(opened, 1000)
        handle = opened
        // SQLite falls back to reading, and would fail later for want of a lock.
        if !readOnly && isReadOnly {
            close()
            throw DatabaseError(.readOnly, "\(path): may not be written to")
        }
    }

    /// Whether SQLite will not write: it has no right to, or, once the file's header has been read,
    /// that names a format which only a newer SQLite writes.
    public var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// Whatever goes wrong here, SQLite meets it next and has the words for it.
    static func makeFile(_ path: String) {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    deinit { close() }

    /// Lets the prepared statements go, such as those needed once.
    public func forgetStatements() { statements.removeAll() }

    /// Checkpoints and closes; every later call fails.
    public func close() {
        forgetStatements()
        sqlite3_close(handle)
        handle = nil
    }

    private func connection() throws(DatabaseError) -> OpaquePointer {
        guard let handle else { throw DatabaseError(.failed, "\(path): closed") }
        return handle
    }

    /// Runs statements without parameters and results.
    public func execute(_ script: String) throws(DatabaseError) {
        let connection = try connection()
        let code = sqlite3_exec(connection, script, nil, nil, nil)
        guard code == SQLITE_OK else {
            throw DatabaseError(statement: code, on: connection, path: path)
        }
    }

    /// Runs one statement; returns how many rows it changed.
    @discardableResult
    public func run(_ sql: String, _ values: SQLValue...) throws(DatabaseError) -> Int {
        try eachRow(sql, values) { _ in true }
        return Int(sqlite3_changes(try connection()))
    }

    /// The first row of a query, read by `read`.
    public func first<T>(
        _ sql: String, _ values: SQLValue..., read: (Statement) -> T
    ) throws(DatabaseError) -> T? {
        var found: T?
        try eachRow(sql, values) {
            found = read($0)
            return false
        }
        return found
    }

    /// Grows with every row that this connection changes, also where the change is taken back; `nil`
    /// within a transaction.
    public var changes: Int64? {
        guard let handle, sqlite3_get_autocommit(handle) != 0 else { return nil }
        return sqlite3_total_changes64(handle)
    }

    /// The one number a query gives, if it gives one.
    public func integer(_ sql: String, _ values: SQLValue...) throws(DatabaseError) -> Int64? {
        var found: Int64?
        try eachRow(sql, values) {
            found = $0.integer(0)
            return false
        }
        return found
    }

    /// Hands every row to `body` until that returns `false`. Statements are kept by their text, so
    /// `body` must not run the same one.
    public func eachRow(
        _ sql: String, _ values: [SQLValue] = [], _ body: (Statement) -> Bool
    ) throws(DatabaseError) {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {
            guard body(statement) else { return }
        }
    }

    private func statement(_ sql: String) throws(DatabaseError) -> Statement {
        if let kept = statements[sql] { return kept }
        let made = try Statement(sql, on: connection(), path: path)
        statements[sql] = made
        return made
    }

    /// Runs `body` as one transaction: all of it happens, or, if it throws, nothing.
    public func transaction<T>(_ body: () throws(DatabaseError) -> T) throws(DatabaseError) -> T {
        try run("BEGIN IMMEDIATE")
        do throws(DatabaseError) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            try rollBack(after: error)
        }
    }

    /// SQLite itself rolls back after some errors (a full disk, an I/O error).
    private func rollBack(after error: DatabaseError) throws(DatabaseError) -> Never {
        if sqlite3_get_autocommit(try connection()) == 0 { try? execute("ROLLBACK") }
        throw error
    }
}
