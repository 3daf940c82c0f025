/// An id that sorts by its time: 48 bits of milliseconds since 1970 and 80 random bits, in 26
/// characters of Crockford's base 32 (github.com/ulid/spec).
public enum ULID {
    private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// - Parameters:
    ///   - unixTime: seconds since 1970; a time before that counts as 1970.
    ///   - random: of which 80 bits are used.
    public static func make(unixTime: Seconds, random: (UInt64, UInt16)) -> String {
        let milliseconds = UInt64(max(0, min(unixTime, 281_474_976_710)) * 1000)
        var text: [Character] = []
        for place in stride(from: 45, through: 0, by: -5) {
            text.append(digits[Int(milliseconds >> UInt64(place)) & 31])
        }
        // 80 bits as two halves of 40, eight digits each.
        let high = random.0 >> 24
        let low = (random.0 & 0xff_ffff) << 16 | UInt64(random.1)
        for half in [high, low] {
            for place in stride(from: 35, through: 0, by: -5) {
                text.append(digits[Int(half >> UInt64(place)) & 31])
            }
        }
        return String(text)
    }
}
