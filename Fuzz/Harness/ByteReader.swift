/// Takes values out of an input, for targets whose inputs are recipes; at the end come zeros.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) { rest = input[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// 0 ..< `count`.
    mutating func index(below count: Int) -> Int {
        let bytes = count <= 256 ? 1 : 3
        var number = 0
        for _ in 0..<bytes { number = number << 8 | Int(byte()) }
        return number % count
    }

    mutating func integer() -> UInt64 {
        var number: UInt64 = 0
        for _ in 0..<8 { number = number << 8 | UInt64(byte()) }
        return number
    }

    /// A length in one byte, and as many bytes as are there.
    mutating func bytes() -> [UInt8] {
        let count = Int(byte())
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// All that is left.
    mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}
