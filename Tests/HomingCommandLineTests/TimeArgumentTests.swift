import Glibc
import HomingCommandLine
import Testing

@Suite(.serialized) struct TimeArgumentTests {
    /// 2026-11-21T12:00:00Z.
    private let now = 1_795_262_400.0

    init() {
        setenv("TZ", "Europe/Amsterdam", 1)
        tzset()
    }

    @Test(
        "Lengths of time count back from now",
        arguments: [
            ("2h", 7200.0), ("90min", 5400), ("30s", 30), ("7d", 604_800), ("1w", 604_800),
            ("0.5h", 1800), ("0s", 0), ("now", 0),
        ])
    func lengths(_ text: String, _ before: Double) {
        #expect(TimeArgument.parse(text, now: now) == now - before)
    }

    @Test(
        "Dates are where this machine is, unless they say otherwise",
        arguments: [
            ("2026-11-21T12:00Z", 0.0), ("2026-11-21T12:00:00Z", 0), ("2026-11-21T13:00", 0),
            ("2026-11-21T13:00:30", 30), ("2026-11-21T12:00+00:00", 0),
            ("2026-11-21T06:30-05:30", 0), ("2026-11-21", -46_800), ("today", -46_800),
            ("yesterday", -133_200),
        ])
    func dates(_ text: String, _ after: Double) {
        #expect(TimeArgument.parse(text, now: now) == now + after)
    }

    @Test("A day of 25 hours is a day")
    func summerTime() {
        // 2026-10-26T12:00Z; the clocks went back on the 25th.
        let monday = 1_793_016_000.0
        #expect(TimeArgument.parse("today", now: monday) == monday - 46_800)
        #expect(TimeArgument.parse("yesterday", now: monday) == monday - 46_800 - 90_000)
    }

    @Test(
        "What is no time is none",
        arguments: [
            "", "soon", "h", "-2h", "2", "2x", "2026-13-01", "2026-02-30", "12:00", "nanh", "infd",
            "2026-11-21T25:00", "T", "2026-11-21T",
        ])
    func nonsense(_ text: String) {
        #expect(TimeArgument.parse(text, now: now) == nil)
    }
}
