import HomingBase
import HomingSensors
import Testing

@Suite struct SensorGuardTests {
    private let start = Moment(uptime: 1000, unixTime: 1_800_000_000)

    /// Fails so often; gives what is said about it.
    private func fail(
        _ guardian: inout SensorGuard, _ count: Int, at now: Moment
    ) -> [SensorGuard.Notice] {
        (0..<count).compactMap { _ in
            guardian.note("sensor x", .failed("/proc/x holds \"?\""), at: now)
        }
    }

    private func expectSilence(_ notices: [SensorGuard.Notice]) { #expect(notices.isEmpty) }

    @Test("three failures running switch a sensor off, and it is said once, with the reason")
    func fails() {
        var guardian = SensorGuard()
        expectSilence(fail(&guardian, 2, at: start))
        #expect(guardian.allows("sensor x", at: start))
        let notices = fail(&guardian, 1, at: start)
        #expect(notices == [.switchedOff("sensor x", because: "/proc/x holds \"?\"")])
        #expect(
            notices.first?.text == "sensor x is switched off for an hour: /proc/x holds \"?\"")
        #expect(!guardian.allows("sensor x", at: start.advanced(by: 3599)))
        #expect(guardian.allows("sensor y", at: start))
    }

    @Test("a success in between begins the count anew")
    func recovers() {
        var guardian = SensorGuard()
        for _ in 0..<5 {
            expectSilence(fail(&guardian, 2, at: start))
            #expect(guardian.note("sensor x", .succeeded, at: start) == nil)
        }
        #expect(guardian.allows("sensor x", at: start))
    }

    @Test("a sensor that takes more than 50 ms three times running is switched off")
    func slow() {
        var guardian = SensorGuard()
        for _ in 0..<5 {
            _ = guardian.note("sensor x", .succeeded, took: 0.06, at: start)
            _ = guardian.note("sensor x", .succeeded, took: 0.06, at: start)
            #expect(guardian.note("sensor x", .succeeded, took: 0.05, at: start) == nil)
        }
        _ = guardian.note("sensor x", .succeeded, took: 0.06, at: start)
        _ = guardian.note("sensor x", .succeeded, took: 0.06, at: start)
        #expect(
            guardian.note("sensor x", .succeeded, took: 0.0714, at: start)
                == .switchedOff("sensor x", because: "reading it takes 71 ms"))
    }

    @Test("after an hour it gets a trial: one failure switches it off again, without a word")
    func trialFails() {
        var guardian = SensorGuard()
        _ = fail(&guardian, 3, at: start)
        let later = start.advanced(by: 3600)
        #expect(guardian.allows("sensor x", at: later))
        expectSilence(fail(&guardian, 1, at: later))
        #expect(!guardian.allows("sensor x", at: later.advanced(by: 3599)))
        #expect(guardian.note("sensor x", .succeeded, took: 1, at: later) == nil)
        #expect(!guardian.allows("sensor x", at: later))
    }

    @Test("one success on trial switches it on for good, and that is said")
    func trialSucceeds() {
        var guardian = SensorGuard()
        _ = fail(&guardian, 3, at: start)
        let later = start.advanced(by: 3600)
        #expect(guardian.note("sensor x", .succeeded, at: later) == .worksAgain("sensor x"))
        expectSilence(fail(&guardian, 2, at: later))
        #expect(guardian.allows("sensor x", at: later))
    }
}
