internal import CSQLite
internal import Glibc
internal import HomingRuntime

extension DatabaseError {
    /// A result code of SQLite's (https://www.sqlite.org/rescode.html), primary or extended.
    ///
    /// To be made at once: the system's error number (`errno`) counts, too, as
    /// sqlite3_system_errno() does not know that of a failed commit.
    ///
    /// - Parameter handle: the connection that gave it, for its words.
    init(code: Int32, on handle: OpaquePointer?, path: String) {
        let systemError = errno
        let words = handle.map { String(cString: sqlite3_errmsg($0)) }
        var text = words ?? String(cString: sqlite3_errstr(code))
        if code & 0xff == SQLITE_BUSY { text += ": another process has it open" }
        // A damaged byte in the header, for which SQLite has words and no code of their own.
        let isForeign = code & 0xff == SQLITE_ERROR && text.hasPrefix("unsupported file format")
        self.init(
            isForeign ? .damaged : DatabaseError.kind(of: code, systemError: systemError),
            "\(path): \(text) (\(code))")
    }

    /// A system call that failed on one of the files.
    init(_ error: SystemError) {
        let kind: Kind =
            switch error.number {
            case ENOSPC, EDQUOT: .full
            default: error.mayPass ? .failed : .readOnly
            }
        self.init(kind, "\(error)")
    }

    /// The same for SQL that SQLite does not understand: ours is right, so a table or a column that
    /// is not there, or is there already, is damage to the schema.
    init(statement code: Int32, on handle: OpaquePointer, path: String) {
        let error = DatabaseError(code: code, on: handle, path: path)
        self = code == SQLITE_ERROR ? DatabaseError(.damaged, error.message) : error
    }

    /// The system's number tells more than SQLITE_IOERR where a quota or a remounted disk is at
    /// fault, as SQLite itself only knows ENOSPC, and more than SQLITE_CANTOPEN where that passes.
    ///
    /// Our statements fit our tables, so a constraint that fails is damage to what it protects. So
    /// is a row that claims to be larger than SQLite allows, and what the disk cannot read any more
    /// (SQLITE_IOERR_CORRUPTFS, from EIO): the kernel has tried again and again.
    private static func kind(of code: Int32, systemError: Int32) -> Kind {
        switch code & 0xff {
        case SQLITE_FULL: .full
        case SQLITE_READONLY, SQLITE_PERM: .readOnly
        case SQLITE_CANTOPEN:
            [EIO, EMFILE, ENFILE, ENOMEM].contains(systemError) ? .failed : .readOnly
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CONSTRAINT, SQLITE_TOOBIG: .damaged
        case SQLITE_IOERR where code == ioErrorCorruptFileSystem: .damaged
        case SQLITE_IOERR where systemError == EDQUOT: .full
        case SQLITE_IOERR where systemError == EROFS: .readOnly
        default: .failed
        }
    }

    private static let ioErrorCorruptFileSystem = SQLITE_IOERR | 33 << 8
}
