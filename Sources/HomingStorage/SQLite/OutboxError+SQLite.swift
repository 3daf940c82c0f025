internal import CSQLite
internal import Glibc
internal import HomingCore

extension OutboxError {
    /// A result code of SQLite's (https://www.sqlite.org/rescode.html), primary or extended.
    ///
    /// - Parameter handle: the connection that gave it, for its words and the system's number.
    init(code: Int32, on handle: OpaquePointer?, path: String) {
        let words = handle.map { String(cString: sqlite3_errmsg($0)) }
        let systemError = handle.map { sqlite3_system_errno($0) } ?? 0
        var text = words ?? String(cString: sqlite3_errstr(code))
        if code & 0xff == SQLITE_BUSY { text += ": another process has it open" }
        self.init(
            OutboxError.kind(of: code, systemError: systemError), "\(path): \(text) (\(code))")
    }

    /// The same for SQL that SQLite does not understand: ours is right, so a table or a column that
    /// is not there, or is there already, is damage to the schema.
    init(statement code: Int32, on handle: OpaquePointer, path: String) {
        let error = OutboxError(code: code, on: handle, path: path)
        self = code == SQLITE_ERROR ? OutboxError(.damaged, error.message) : error
    }

    /// The system's number tells more than SQLITE_IOERR where a quota or a remounted disk is at
    /// fault; SQLite itself only knows ENOSPC.
    private static func kind(of code: Int32, systemError: Int32) -> Kind {
        switch code & 0xff {
        case SQLITE_FULL: .full
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM: .readOnly
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
        case SQLITE_IOERR where systemError == EDQUOT: .full
        case SQLITE_IOERR where systemError == EROFS: .readOnly
        default: .failed
        }
    }
}
