internal import HomingSQLite

/// Reads the columns of one row and remembers whether each held what it should.
///
/// SQLite keeps any type in any column, and a damaged page may hold any bytes: a column that is of
/// the wrong type, not finite or not UTF-8 makes the row unsound and reads as something harmless.
struct RowReader {
    private let statement: Statement
    /// Whether every column read so far was as it should be.
    private(set) var isSound = true

    init(_ statement: Statement) { self.statement = statement }

    mutating func number(_ column: Int32) -> Int64 {
        required(statement.integer(column)) ?? 0
    }

    mutating func real(_ column: Int32) -> Double {
        required(statement.real(column)) ?? 0
    }

    mutating func text(_ column: Int32) -> String {
        required(statement.text(column)) ?? ""
    }

    /// A JSON object, which goes into a message as it is and would spoil all of it. SQLite has
    /// looked at it up to its first zero byte (https://www.sqlite.org/json1.html).
    mutating func object(_ column: Int32, isValid: Int32) -> String {
        let text = text(column)
        let isObject = text.utf8.first == UInt8(ascii: "{") && !text.utf8.contains(0)
        if number(isValid) != 1 || !isObject { isSound = false }
        return text
    }

    mutating func optionalReal(_ column: Int32) -> Double? {
        statement.isNull(column) ? nil : required(statement.real(column))
    }

    mutating func optionalText(_ column: Int32) -> String? {
        statement.isNull(column) ? nil : required(statement.text(column))
    }

    /// Passes a value on, or notes that it was not one.
    mutating func required<T>(_ value: T?) -> T? {
        if value == nil { isSound = false }
        return value
    }
}
