internal import HomingBase

/// The path of an address, and whether every program takes it for the same page.
///
/// Programs remove `.` and `..` at different times: a client before it asks, a proxy after it has
/// decoded `%2e`. A path without such segments is the same to all of them, so what was compared is
/// what is asked for.
struct LinkPath {
    /// Rounds of decoding that are looked at: proxies in a row decode one each.
    private static let rounds = 3

    private let bytes: [UInt8]

    /// - Parameter text: a path; a query and a fragment behind it do not belong to it.
    init(_ text: some StringProtocol) {
        bytes = Array(text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    }

    /// The path of a web address: everything behind its host.
    init(ofAddress address: String) {
        let start = address.firstPlace(of: "://")?.upperBound ?? address.startIndex
        let rest = address.utf8[start...]
        let path = rest.drop { !"/?#".utf8.contains($0) }
        self.init(String(decoding: path, as: UTF8.self))
    }

    /// Whether no segment is `.` or `..`, however often the path is decoded.
    var isPlain: Bool {
        var bytes = bytes
        for _ in 0..<Self.rounds {
            if Self.hasDots(bytes) { return false }
            let decoded = Self.decoded(bytes)
            if decoded == bytes { return true }
            bytes = decoded
        }
        return false
    }

    /// Whether it has a segment `.` or `..`, also with parameters (`..;v=1`) behind it.
    private static func hasDots(_ bytes: [UInt8]) -> Bool {
        let slashes: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "\\")]
        return bytes.split(whereSeparator: slashes.contains).contains { segment in
            let name = segment.prefix { $0 != UInt8(ascii: ";") }
            return name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
        }
    }

    /// With each `%` and its two digits as the byte they stand for.
    private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                decoded.append(UInt8(digits[0] << 4 | digits[1]))
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }
}
