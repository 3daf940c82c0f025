/// A moment as a calendar and a clock on the wall show it.
public struct CalendarTime: Equatable, Sendable {
    public var year: Int
    /// 1…12.
    public var month: Int
    /// 1…31.
    public var day: Int
    /// Seconds since midnight.
    public var secondOfDay: Int

    public init(year: Int, month: Int, day: Int, secondOfDay: Int) {
        self.year = year
        self.month = month
        self.day = day
        self.secondOfDay = secondOfDay
    }

    /// Date and time to the minute, as `2026-11-28 09:05`.
    public var minuteText: String {
        let fields = [month, day, secondOfDay / 3600, secondOfDay / 60 % 60]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(year)-\(fields[0])-\(fields[1]) \(fields[2]):\(fields[3])"
    }

    /// Days of the month.
    public var daysInMonth: Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days of the month that have passed, with their part: 0 at its begin.
    public var daysPassed: Double { Double(day - 1) + Double(secondOfDay) / 86_400 }
}
