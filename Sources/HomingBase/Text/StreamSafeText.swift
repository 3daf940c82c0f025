/// Text from outside in a form that is cheap to compare.
///
/// Swift compares and hashes texts in a normal form, for which it sorts each row of combining marks.
/// The time grows with the square of the row: 64 kB of marks took seconds. Unicode's Stream-Safe Text
/// Format (UAX #15, section 13) cuts a row after 30 marks by U+034F, which is not shown. No language
/// has such rows.
extension String {
    /// The text in the Stream-Safe Text Format.
    public var streamSafe: String {
        guard largestByte >= StreamSafeText.firstByte, !StreamSafeText.holds(self) else {
            return self
        }
        var row = StreamSafeText.Row()
        var safe: [UInt8] = []
        safe.reserveCapacity(utf8.count + utf8.count / StreamSafeText.limit)
        for scalar in unicodeScalars {
            if row.isFull(before: scalar) { safe += StreamSafeText.joiner }
            safe += scalar.utf8
        }
        return String(decoding: safe, as: UTF8.self)
    }

    /// The largest byte in UTF-8, found without a branch for each byte.
    private var largestByte: UInt8 {
        utf8.withContiguousStorageIfAvailable { $0.reduce(0, max) } ?? .max
    }
}

private enum StreamSafeText {
    /// Marks that may follow each other.
    static let limit = 30
    /// The first byte of U+0300, the first combining mark.
    static let firstByte: UInt8 = 0xCC
    /// U+034F, the combining grapheme joiner, in UTF-8: it ends a row.
    static let joiner: [UInt8] = [0xCD, 0x8F]

    static func holds(_ text: String) -> Bool {
        var row = Row()
        return text.unicodeScalars.allSatisfy { !row.isFull(before: $0) }
    }

    /// Combining marks that follow each other.
    struct Row {
        private var length = 0

        /// Takes a scalar; whether the row has to be ended before it.
        mutating func isFull(before scalar: Unicode.Scalar) -> Bool {
            guard isMark(scalar) else {
                length = 0
                return false
            }
            let isFull = length == limit
            length = isFull ? 1 : length + 1
            return isFull
        }

        /// Whether normalising sorts it among marks: by its class, or as one that decomposes into marks.
        private func isMark(_ scalar: Unicode.Scalar) -> Bool {
            guard scalar.value >= 0x300 else { return false }
            return scalar.properties.canonicalCombiningClass != .notReordered
                || [0x344, 0xF73, 0xF75, 0xF81].contains(scalar.value)
        }
    }
}
