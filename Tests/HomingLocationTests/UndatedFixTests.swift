import HomingBase
import HomingLocation
import Testing

/// Facts that a receiver leaves out, and what is made of the gaps.
@Suite struct UndatedFixTests {
    private static let start = Moment(uptime: 1000, unixTime: 1_800_000_000)

    @Test(
        "Where a fix has no radius, it follows from HDOP, then from the mode",
        arguments: [
            (8, 2, .threeDimensional, 8), (nil, 2, .threeDimensional, 38),
            (0, 2, .twoDimensional, 38), (.nan, nil, .threeDimensional, 50),
            (nil, 0, .threeDimensional, 50), (nil, .nan, .twoDimensional, 100),
            (-1, nil, .twoDimensional, 100),
        ] as [(Double?, Double?, FixMode, Double)])
    func radius(accuracy: Double?, hdop: Double?, mode: FixMode, expected: Double) throws {
        let report = PositionReport(
            mode: mode, time: 5, latitude: 52, longitude: 4.9, accuracy: accuracy, hdop: hdop)
        #expect(try Fix.reading(report).get().accuracy == expected)
    }

    /// Returns the decisions about one report a second, at places so far north.
    private func decisions(
        _ places: [Double], _ source: TimeSource
    ) -> (decisions: [Positions.Decision], positions: Positions) {
        var positions = Positions(heartbeat: 30)
        let decisions = places.enumerated().map { second, north in
            let now = Self.start.advanced(by: Seconds(second))
            var report = PositionReport(
                mode: .threeDimensional, time: now.unixTime, latitude: 52 + north / 111_195,
                longitude: 4.9, accuracy: 8)
            report.timeSource = source
            return positions.consider(report, at: now)
        }
        return (decisions, positions)
    }

    private let stuck = [0, 10, 20] + [Double](repeating: 30, count: 200)

    @Test("A place that stays equal to the last digit for a minute is frozen, and no news")
    func frozen() {
        for source in [TimeSource.arrival, .timeOfDay] {
            let (decisions, positions) = self.decisions(stuck, source)
            #expect(decisions.firstIndex(of: .skip(.frozen)) == 63)
            #expect(decisions[63...].allSatisfy { $0 == .skip(.frozen) })
            #expect(positions.filter.frozenSince == Self.start.uptime + 3)
        }
    }

    @Test(
        "A place is frozen neither with a date, nor before it has changed, nor once it does again")
    func notFrozen() {
        #expect(!decisions(stuck, .receiver).decisions.contains(.skip(.frozen)))
        let resting = [Double](repeating: 0, count: 200)
        #expect(!decisions(resting, .arrival).decisions.contains(.skip(.frozen)))
        let (moving, positions) = decisions(stuck + [30.001], .arrival)
        #expect(moving.last != .skip(.frozen) && positions.filter.frozenSince == nil)
    }

    @Test("A streak is one of fixes, all of them skipped for one reason")
    func streak() {
        var streak = SkipStreak()
        func skipFix(_ reason: SkipReason, _ at: Seconds) {
            streak.noteVerdict(.skipped(reason), at: Self.start.advanced(by: at))
        }
        skipFix(.noTime, -2)
        skipFix(.noFix, -1)
        #expect(streak.current == nil, "without a fix nothing is skipped")
        skipFix(.noTime, 0)
        skipFix(.duplicate, 2)
        skipFix(.noTime, 3)
        #expect(streak.current?.reason == .noTime && streak.current?.since == 1000)
        skipFix(.inaccurate, 4)
        #expect(streak.current?.reason == .inaccurate && streak.current?.since == 1004)
        skipFix(.near, 5)
        #expect(streak.current == nil)
        skipFix(.held, 6)
        skipFix(.future, 7)
        #expect(streak.current == nil, "it has a warning of its own")
    }
}
