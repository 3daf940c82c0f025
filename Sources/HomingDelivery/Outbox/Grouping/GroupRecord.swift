internal import HomingSQLite

/// A row in the journal of a group: its length, then the columns of its table.
///
/// A record is 4 bytes with the length of what follows, then a byte for the kind of each column and
/// its 8 bytes, or the length of a text and the text; all in the byte order of the machine, as the
/// journal never leaves it.
enum GroupRecord {
    /// Bytes of a record at the most; a position has 130, or the name of a zone.
    static let limit = 64 << 10

    private enum Kind: UInt8 {
        case null, integer, real, text
    }

    /// The record of a position.
    static func bytes(of entry: OutboxEntry) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(160)
        append(UInt32(0), to: &bytes)
        for value in OutboxRow.values(of: entry) {
            switch value {
            case .null: bytes.append(Kind.null.rawValue)
            case .integer(let number):
                bytes.append(Kind.integer.rawValue)
                append(number, to: &bytes)
            case .real(let number):
                bytes.append(Kind.real.rawValue)
                append(number.bitPattern, to: &bytes)
            case .text(let text):
                bytes.append(Kind.text.rawValue)
                append(UInt32(clamping: text.utf8.count), to: &bytes)
                bytes += text.utf8
            case .bytes: preconditionFailure("a location has no such column")
            }
        }
        let length = UInt32(bytes.count - 4)
        withUnsafeBytes(of: length) { for (index, byte) in $0.enumerated() { bytes[index] = byte } }
        return bytes
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number) { bytes += $0 }
    }

    /// The positions in these records. Ends at the first that is cut off or damaged, and says
    /// whether there is any.
    static func entries(in bytes: ArraySlice<UInt8>) -> (entries: [OutboxEntry], isWhole: Bool) {
        var entries: [OutboxEntry] = []
        var rest = bytes
        while !rest.isEmpty {
            guard let length = number(UInt32.self, from: &rest), length <= limit,
                length <= rest.count
            else { return (entries, false) }
            let columns = columns(in: rest.prefix(Int(length)))
            guard let columns, let entry = OutboxRow.entry(.location, in: columns, trackThrough: 0)
            else { return (entries, false) }
            entries.append(entry)
            rest = rest.dropFirst(Int(length))
        }
        return (entries, true)
    }

    /// `nil` if the record is damaged.
    private static func columns(in record: ArraySlice<UInt8>) -> RecordColumns? {
        var columns = RecordColumns()
        var rest = record
        while let kind = rest.popFirst() {
            switch Kind(rawValue: kind) {
            case .null: columns.values.append(.null)
            case .integer:
                guard let value = number(Int64.self, from: &rest) else { return nil }
                columns.values.append(.integer(value))
            case .real:
                guard let bits = number(UInt64.self, from: &rest) else { return nil }
                columns.values.append(.real(Double(bitPattern: bits)))
            case .text:
                guard let length = number(UInt32.self, from: &rest), length <= rest.count,
                    let text = String(validating: rest.prefix(Int(length)), as: UTF8.self)
                else { return nil }
                columns.values.append(.text(text))
                rest = rest.dropFirst(Int(length))
            case nil: return nil
            }
        }
        return columns
    }

    private static func number<Number: FixedWidthInteger>(
        _ type: Number.Type, from rest: inout ArraySlice<UInt8>
    ) -> Number? {
        let size = MemoryLayout<Number>.size
        guard rest.count >= size else { return nil }
        var number: Number = 0
        withUnsafeMutableBytes(of: &number) { $0.copyBytes(from: rest.prefix(size)) }
        rest = rest.dropFirst(size)
        return number
    }
}

/// The columns of a record, read as those of a statement are.
private struct RecordColumns: RowColumns {
    var values: [SQLValue] = []

    private func value(_ column: Int32) -> SQLValue {
        values.indices.contains(Int(column)) ? values[Int(column)] : .null
    }

    func integer(_ column: Int32) -> Int64? {
        if case .integer(let number) = value(column) { number } else { nil }
    }

    func real(_ column: Int32) -> Double? {
        if case .real(let number) = value(column), number.isFinite { number } else { nil }
    }

    func text(_ column: Int32) -> String? {
        if case .text(let text) = value(column) { text } else { nil }
    }

    func isNull(_ column: Int32) -> Bool {
        if case .null = value(column) { true } else { false }
    }
}
