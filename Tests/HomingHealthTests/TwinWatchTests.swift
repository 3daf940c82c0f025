import Testing

@testable import HomingBase
@testable import HomingHealth

/// Times at which another machine is suspected, and at which it is certain.
@Suite struct TwinWatchTests {
    private func moment(_ hours: Double) -> Moment {
        Moment(uptime: hours * 3600, unixTime: 1_800_000_000 + hours * 3600)
    }

    @Test("Three strange places within six hours make it certain, one makes it a suspicion")
    func three() {
        var watch = TwinWatch()
        #expect(!watch.isSuspected(at: moment(1)))
        for (hours, isCertain) in [(1.0, false), (2, false), (3, true)] {
            watch.sawSign(at: moment(hours))
            #expect(watch.isSuspected(at: moment(hours)))
            #expect(watch.isCertain(at: moment(hours)) == isCertain)
        }
        #expect(!watch.isCertain(at: moment(8)) && watch.isSuspected(at: moment(8)))
        #expect(!watch.isSuspected(at: moment(10)))
    }

    @Test("One sign a day is no twin")
    func seldom() {
        var watch = TwinWatch()
        for day in 1...9 {
            watch.sawSign(at: moment(Double(day) * 24))
            #expect(!watch.isCertain(at: moment(Double(day) * 24)))
        }
    }
}
