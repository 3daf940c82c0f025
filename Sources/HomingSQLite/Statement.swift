internal import CSQLite

/// Content that is bound to a parameter of a statement.
public enum SQLValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    /// A BLOB, which an empty array is too.
    case bytes([UInt8])

    public init(_ value: Double?) { self = value.map(SQLValue.real) ?? .null }
    public init(_ value: Int) { self = .integer(Int64(value)) }
}

/// A prepared statement (https://www.sqlite.org/c3ref/stmt.html). `Database` makes and keeps them,
/// and resets each after use, so that none holds a lock or a copy of a row.
public final class Statement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer
    private let path: String

    init(_ sql: String, on connection: OpaquePointer, path: String) throws(DatabaseError) {
        var prepared: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = sqlite3_prepare_v3(connection, sql, -1, flags, &prepared, nil)
        guard code == SQLITE_OK, let prepared else {
            throw DatabaseError(statement: code, on: connection, path: path)
        }
        handle = prepared
        self.connection = connection
        self.path = path
    }

    deinit { sqlite3_finalize(handle) }

    /// Binds the parameters ?1, ?2 and so on.
    func bind(_ values: [SQLValue]) throws(DatabaseError) {
        for (index, value) in values.enumerated() {
            let code = bind(value, at: Int32(index + 1))
            guard code == SQLITE_OK else {
                throw DatabaseError(code: code, on: connection, path: path)
            }
        }
    }

    private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .real(let number): return sqlite3_bind_double(handle, index, number)
        case .text(let text):
            // By length, as a text may hold a NUL.
            let length = Int32(clamping: text.utf8.count)
            return sqlite3_bind_text(handle, index, text, length, homing_sqlite_transient())
        case .bytes(let bytes):
            // Without a pointer, NULL would be bound.
            if bytes.isEmpty { return sqlite3_bind_zeroblob(handle, index, 0) }
            let length = Int32(clamping: bytes.count)
            return sqlite3_bind_blob(handle, index, bytes, length, homing_sqlite_transient())
        }
    }

    /// Runs to the next row: whether there is one.
    func step() throws(DatabaseError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw DatabaseError(code: code, on: connection, path: path)
        }
    }

    /// Makes it ready for the next use.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Whether the column is NULL.
    public func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    /// The column, or `nil` if it holds no integer.
    public func integer(_ column: Int32) -> Int64? {
        guard sqlite3_column_type(handle, column) == SQLITE_INTEGER else { return nil }
        return sqlite3_column_int64(handle, column)
    }

    /// The column, or `nil` if it holds no finite number.
    public func real(_ column: Int32) -> Double? {
        let type = sqlite3_column_type(handle, column)
        guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { return nil }
        let number = sqlite3_column_double(handle, column)
        return number.isFinite ? number : nil
    }

    /// The column, or `nil` if it holds no text or no UTF-8.
    public func text(_ column: Int32) -> String? {
        guard sqlite3_column_type(handle, column) == SQLITE_TEXT,
            let start = sqlite3_column_text(handle, column)
        else { return nil }
        let length = Int(sqlite3_column_bytes(handle, column))
        return String(
            validating: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
    }

    /// The column, or `nil` if it holds no BLOB.
    public func bytes(_ column: Int32) -> [UInt8]? {
        guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
        // An empty BLOB has no pointer.
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        let length = Int(sqlite3_column_bytes(handle, column))
        return Array(UnsafeRawBufferPointer(start: start, count: length))
    }
}
