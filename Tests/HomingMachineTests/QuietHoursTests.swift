import HomingBase
import HomingMachine
import Testing

@Suite("Quiet hours")
struct QuietHoursTests {
    @Test(
        "Two times of a day are read",
        arguments: [
            ("22:00-07:00", 22 * 3600, 7 * 3600), ("7:05-7:06", 25_500, 25_560),
            ("00:00-23:59", 0, 86_340),
        ])
    func read(_ text: String, _ begin: Int, _ end: Int) throws {
        let hours = try #require(QuietHours(text))
        #expect(hours.begin == begin)
        #expect(hours.end == end)
        #expect(QuietHours(hours.text) == hours)
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "22:00", "22:00-", "-07:00", "22-07", "24:00-07:00", "22:60-07:00", "22:00-22:00",
            "22:0-07:00", "022:00-07:00", "+2:00-07:00", "22:00-07:00-08:00", "22:00 - 07:00",
            "٢٢:00-07:00", "22:00–07:00",
        ])
    func refused(_ text: String) { #expect(QuietHours(text) == nil) }

    private static func at(_ hour: Int, _ minute: Int = 0, _ second: Int = 0) -> CalendarTime {
        CalendarTime(
            year: 2026, month: 11, day: 27, secondOfDay: (hour * 60 + minute) * 60 + second)
    }

    @Test("They may last over midnight")
    func overMidnight() throws {
        let night = try #require(QuietHours("22:00-07:00"))
        #expect(!night.contains(Self.at(21, 59, 59)))
        #expect(night.contains(Self.at(22)))
        #expect(night.contains(Self.at(0)))
        #expect(night.contains(Self.at(6, 59, 59)))
        #expect(!night.contains(Self.at(7)))
        let noon = try #require(QuietHours("12:00-14:00"))
        #expect(!noon.contains(Self.at(11, 59, 59)))
        #expect(noon.contains(Self.at(12)))
        #expect(!noon.contains(Self.at(14)))
    }

    @Test("Each change comes after the time that was told before")
    func changes() throws {
        for text in ["22:00-07:00", "12:00-14:00", "00:00-06:30"] {
            let hours = try #require(QuietHours(text))
            for second in stride(from: 0, to: 86_400, by: 61) {
                let now = CalendarTime(year: 2026, month: 11, day: 27, secondOfDay: second)
                let wait = Int(hours.secondsToChange(from: now))
                #expect(wait > 0)
                var then = now
                then.secondOfDay = (second + wait) % 86_400
                #expect(hours.contains(then) != hours.contains(now))
                then.secondOfDay = (second + wait - 1) % 86_400
                #expect(hours.contains(then) == hours.contains(now))
            }
        }
    }
}
