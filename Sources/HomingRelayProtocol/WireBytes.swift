/// Reads a text of fields of fixed sizes, numbers with the highest byte first.
struct WireReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The next bytes; `nil` if there are fewer.
    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// The next number of that type.
    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        bytes(Number.bitWidth / 8)?.reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }
}

extension FixedWidthInteger {
    /// The number's bytes, the highest first.
    var wireBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
