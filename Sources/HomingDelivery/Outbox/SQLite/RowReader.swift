internal import HomingSQLite

/// The columns of one row; a column of another type reads as `nil`.
protocol RowColumns {
    func isNull(_ column: Int32) -> Bool
    func integer(_ column: Int32) -> Int64?
    /// `nil` also for what is not finite.
    func real(_ column: Int32) -> Double?
    /// `nil` also for what is not UTF-8.
    func text(_ column: Int32) -> String?
}

extension Statement: RowColumns {}

/// Reads the columns of one row and remembers whether each held what it should.
///
/// SQLite keeps any type in any column, and a damaged page may hold any bytes: a column that is of
/// the wrong type, not finite or not UTF-8 makes the row unsound and reads as something harmless.
struct RowReader<Row: RowColumns> {
    private let row: Row
    /// Whether every column read so far was as it should be.
    private(set) var isSound = true

    init(_ row: Row) { self.row = row }

    mutating func number(_ column: Int32) -> Int64 {
        required(row.integer(column)) ?? 0
    }

    mutating func real(_ column: Int32) -> Double {
        required(row.real(column)) ?? 0
    }

    mutating func text(_ column: Int32) -> String {
        required(row.text(column)) ?? ""
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
        row.isNull(column) ? nil : required(row.real(column))
    }

    mutating func optionalText(_ column: Int32) -> String? {
        row.isNull(column) ? nil : required(row.text(column))
    }

    /// Passes a value on, or notes that it was not one.
    mutating func required<T>(_ value: T?) -> T? {
        if value == nil { isSound = false }
        return value
    }
}
