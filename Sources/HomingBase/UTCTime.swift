internal import Glibc

/// A moment of the proleptic Gregorian calendar in UTC, without leap seconds, to the second.
public struct UTCTime: Sendable {
    /// ISO 8601 and RFC 3339: `2026-11-21T08:05:00Z`.
    public let text: String

    /// - Parameter time: seconds since 1970; what lies outside the years 0 to 9999 is taken as the
    ///   nearest of them.
    public init(_ time: Seconds) {
        let bounded = time.isFinite ? min(max(time, -62_167_219_200), 253_402_300_799) : 0
        var (seconds, parts) = (time_t(bounded.rounded(.down)), tm())
        gmtime_r(&seconds, &parts)
        let date = [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map(Self.padded)
        let ofDay = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(Self.padded)
        let year = String(repeating: "0", count: max(0, 4 - date[0].count))
        text = "\(year)\(date.joined(separator: "-"))T\(ofDay.joined(separator: ":"))Z"
    }

    /// Text for people, to the minute: `2026-11-21 08:05 UTC`.
    public var minuteText: String { "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC" }

    /// Returns a number with two digits at least.
    private static func padded(_ number: Int32) -> String {
        number < 10 ? "0\(number)" : String(number)
    }
}
