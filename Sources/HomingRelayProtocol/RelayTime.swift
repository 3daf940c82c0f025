public import HomingBase

/// A relay's time: milliseconds since 1970, and days of UTC.
public enum RelayTime {
    /// The last millisecond of the year 9999.
    public static let latest: Int64 = 253_402_300_799_999

    private static let day: Int64 = 86_400_000

    /// The nearest time from 1970 to the year 9999.
    public static func bounded(_ milliseconds: Int64) -> Int64 {
        min(max(milliseconds, 0), latest)
    }

    /// Seconds as milliseconds, rounded down and bounded.
    public static func milliseconds(_ seconds: Seconds) -> Int64 {
        bounded(Int64(exactly: (seconds * 1000).rounded(.down)) ?? 0)
    }

    /// The number of the day since 1970.
    public static func day(of milliseconds: Int64) -> Int { Int(bounded(milliseconds) / day) }

    /// The end of the day, when its count ends.
    public static func midnight(after milliseconds: Int64) -> Int64 {
        Int64(day(of: milliseconds) + 1) * day
    }

    /// ISO 8601, as Home Assistant reads it: `2026-11-26T00:00:00.000Z`.
    public static func text(of milliseconds: Int64) -> String {
        let time = bounded(milliseconds)
        let rest = String(time % 1000)
        let fraction = String(repeating: "0", count: 3 - rest.count) + rest
        return "\(UTCTime(Seconds(time / 1000)).text.dropLast()).\(fraction)Z"
    }
}
