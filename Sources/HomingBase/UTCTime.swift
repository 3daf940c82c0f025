/// A moment of the proleptic Gregorian calendar in UTC, without leap seconds, to the second.
public struct UTCTime: Equatable, Sendable {
    public let year: Int
    public let month: Int
    public let day: Int
    public let hour: Int
    public let minute: Int
    public let second: Int

    /// - Parameter time: seconds since 1970; what lies outside the years 0 to 9999 is taken as the
    ///   nearest of them.
    public init(_ time: Seconds) {
        let bounded = time.isFinite ? min(max(time, -62_167_219_200), 253_402_300_799) : 0
        let seconds = Int(bounded.rounded(.down))
        let days = (seconds - Self.modulo(seconds, 86_400)) / 86_400
        let ofDay = Self.modulo(seconds, 86_400)
        (hour, minute, second) = (ofDay / 3600, ofDay / 60 % 60, ofDay % 60)
        (year, month, day) = Self.date(days)
    }

    /// ISO 8601 and RFC 3339: `2026-11-21T08:05:00Z`.
    public var text: String {
        "\(Self.padded(year, 4))-\(Self.padded(month))-\(Self.padded(day))T"
            + "\(Self.padded(hour)):\(Self.padded(minute)):\(Self.padded(second))Z"
    }

    /// For people, to the minute: `2026-11-21 08:05 UTC`.
    public var minuteText: String {
        "\(Self.padded(year, 4))-\(Self.padded(month))-\(Self.padded(day)) "
            + "\(Self.padded(hour)):\(Self.padded(minute)) UTC"
    }

    /// Days since 1970-01-01 as a date. The year begins in March here, so that the leap day is its
    /// last; 400 years, an era, are always 146 097 days.
    private static func date(_ days: Int) -> (Int, Int, Int) {
        let shifted = days + 719_468
        let era = (shifted - modulo(shifted, 146_097)) / 146_097
        let dayOfEra = modulo(shifted, 146_097)
        let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func modulo(_ value: Int, _ divisor: Int) -> Int {
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }

    private static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
