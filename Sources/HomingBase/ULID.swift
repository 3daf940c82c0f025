/// A name that nothing else has, and that sorts by the time it was given: 48 bits of milliseconds
/// and 80 of chance (https://github.com/ulid/spec).
public struct ULID: Equatable, Sendable, CustomStringConvertible {
    /// Crockford's Base32: no I, L, O and U, which look like others.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// 26 digits and capitals.
    public let description: String

    /// - Parameters:
    ///   - time: seconds since 1970; what 48 bits do not hold is taken as the nearest.
    ///   - random: 16 and 64 bits of chance.
    public init(time: Seconds, random: (high: UInt16, low: UInt64)) {
        let milliseconds = time.isFinite ? UInt64(min(max(time * 1000, 0), 281_474_976_710_655)) : 0
        let high = milliseconds << 16 | UInt64(random.high)
        // 128 bits are 26 digits of five; the first of them has three.
        description = String(
            (0..<26).map { digit in
                Self.alphabet[Self.five(at: 125 - 5 * digit, high, random.low)]
            })
    }

    /// The five bits from `place` on, counted from the lowest.
    private static func five(at place: Int, _ high: UInt64, _ low: UInt64) -> Int {
        let bits: UInt64
        if place >= 64 {
            bits = high >> UInt64(place - 64)
        } else if place > 59 {
            bits = low >> UInt64(place) | high << UInt64(64 - place)
        } else {
            bits = low >> UInt64(place)
        }
        return Int(bits & 31)
    }
}
