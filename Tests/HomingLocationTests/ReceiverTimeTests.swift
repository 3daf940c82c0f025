import Testing

@testable import HomingBase
@testable import HomingLocation

/// A receiver that tells no date.
@Suite struct ReceiverTimeTests {
    private static let start = Moment(uptime: 1000, unixTime: 1_800_000_000)

    private func report(
        north: Double = 0, time: Seconds? = nil, timeOfDay: Seconds? = nil
    ) -> PositionReport {
        PositionReport(
            mode: .threeDimensional, time: time, latitude: 52 + north / 111_195, longitude: 4.9,
            accuracy: 8, timeOfDay: timeOfDay)
    }

    /// Returns the judged reports, with every wake; each report is so many seconds after the start.
    private func judged(
        _ reports: [(at: Seconds, report: PositionReport)], isClockSet: Bool
    ) -> [PositionReport] {
        var (time, judged, wake) = (ReceiverTime(), [PositionReport](), Seconds?.none)
        func note(_ effects: [ReceiverTime.Effect]) {
            for effect in effects {
                switch effect {
                case .consider(let report): judged.append(report)
                case .wake(let at): wake = at
                }
            }
        }
        for (at, report) in reports + [(at: 1e6, report: PositionReport(mode: .none))] {
            let now = Self.start.advanced(by: at)
            while let due = wake, due <= now.uptime {
                wake = nil
                note(time.timer(at: Self.start.advanced(by: due - Self.start.uptime)))
            }
            note(time.stampReport(report, isClockSet: isClockSet, at: now))
        }
        return judged.dropLast()
    }

    @Test("A dated report is passed on as it is, whatever the clock is")
    func dated() {
        let report = report(time: 5)
        #expect(judged([(0, report)], isClockSet: false) == [report])
    }

    @Test("Without a date for ten seconds it is stamped on arrival, where the clock is set")
    func arrival() {
        let reports = (0..<20).map { (Seconds($0), report(north: Double($0))) }
        let stamped = judged(reports, isClockSet: true).filter { $0.time != nil }
        #expect(stamped.map(\.time) == (10..<20).map { Self.start.unixTime + Seconds($0) })
        #expect(stamped.allSatisfy { $0.timeSource == .arrival })
        #expect(judged(reports, isClockSet: false).allSatisfy { $0.time == nil })
    }

    @Test("A single report without a date among dated ones is not stamped")
    func firstOfEpoch() {
        let reports = (0..<60).flatMap { second in
            let at = Seconds(second)
            return [
                (at, report()), (at + 0.01, report(time: Self.start.unixTime + at)),
            ]
        }
        let all = judged(reports, isClockSet: true)
        #expect(all.count == 120 && all.allSatisfy { $0.timeSource == .receiver })
    }

    @Test("A dated fix that agrees with the clock vouches for it, until somebody sets it")
    func proof() {
        var time = ReceiverTime()
        _ = time.stampReport(
            report(time: Self.start.unixTime - 2), isClockSet: false, at: Self.start)
        _ = time.stampReport(report(), isClockSet: false, at: Self.start.advanced(by: 1))
        let later = Self.start.advanced(by: 20)
        #expect(time.stampReport(report(), isClockSet: false, at: later).count == 1)
        var stepped = later.advanced(by: 10)
        stepped.unixTime += 3600
        let effects = time.stampReport(report(), isClockSet: false, at: stepped)
        #expect(effects == [.consider(report())], "not stamped")
    }

    @Test("A dated fix of another time vouches for nothing")
    func noProof() {
        var time = ReceiverTime()
        _ = time.stampReport(
            report(time: Self.start.unixTime - 900), isClockSet: false, at: Self.start)
        _ = time.stampReport(report(), isClockSet: false, at: Self.start.advanced(by: 1))
        let effects = time.stampReport(report(), isClockSet: false, at: Self.start.advanced(by: 20))
        #expect(effects == [.consider(report())])
    }

    @Test("A time of day gets the date that makes it nearest to now, also about midnight")
    func timeOfDay() {
        let midnight = 1_800_057_600.0
        #expect(midnight.truncatingRemainder(dividingBy: 86_400) == 0)
        for (clock, ofDay, expected) in [
            (midnight + 3600, 3598.5, midnight + 3598.5), (midnight + 1, 86_399, midnight - 1),
            (midnight - 1, 2, midnight + 2), (midnight - 40_000, 46_400, midnight - 40_000),
        ] {
            #expect(ReceiverTime.nearest(ofDay, to: clock) == expected)
        }
        let ofDay = Self.start.unixTime.truncatingRemainder(dividingBy: 86_400)
        let reports = (0..<15).map { (Seconds($0), report(timeOfDay: ofDay + Seconds($0) - 3)) }
        let stamped = judged(reports, isClockSet: true).filter { $0.time != nil }
        #expect(stamped.map(\.time) == (10..<15).map { Self.start.unixTime + Seconds($0) - 3 })
        #expect(stamped.allSatisfy { $0.timeSource == .timeOfDay })
    }

    @Test("Of a burst only the last report is used")
    func burst() {
        let quiet = (0..<15).map { (Seconds($0), report(north: Double($0))) }
        // Five minutes at once, over the two seconds that the line takes.
        let burst = (0..<300).map { (20 + Seconds($0) / 150, report(north: 100 + Double($0))) }
        let stamped = judged(quiet + burst, isClockSet: true).filter { $0.time != nil }
        #expect(stamped.count == 6)
        #expect(stamped.last?.latitude == report(north: 399).latitude)
    }

    @Test(
        "A receiver of one, five or ten reports a second is used every second",
        arguments: [1.0, 5, 10])
    func stream(rate: Double) {
        let reports = (0..<Int(30 * rate)).map { (Seconds($0) / rate, report(north: Double($0))) }
        let times = judged(reports, isClockSet: true).compactMap(\.time)
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(times.count >= 14 && gaps.allSatisfy { $0 > 0 && $0 <= 1.3 }, "\(gaps)")
    }
}
