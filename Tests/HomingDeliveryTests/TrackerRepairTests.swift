import HomingBase
import HomingDelivery
import Testing

/// Repair of a device tracker that Home Assistant does not show.
@Suite struct TrackerRepairTests {
    private var repair = TrackerRepair()

    private static func at(_ uptime: Seconds) -> Moment {
        Moment(uptime: uptime, unixTime: 1_800_000_000 + uptime)
    }

    /// The tracker is missing from this uptime on, and the registry says so much.
    private mutating func miss(_ found: TrackerRepair.Found?, at uptime: Seconds)
        -> [TrackerRepair.Effect]
    {
        #expect(repair.handle(.tracker(.missing), at: Self.at(uptime)) == [.ask(.look)])
        #expect(repair.isUnderWay)
        return repair.handle(.found(found), at: Self.at(uptime))
    }

    @Test("A tracker that was deleted has its entry reloaded, once, and is looked for then")
    mutating func deleted() {
        #expect(miss(.deleted(configEntry: "e"), at: 10) == [.ask(.reload("e"))])
        #expect(repair.isUnderWay && repair.absence == .deleted(.underWay))
        #expect(repair.handle(.tracker(.missing), at: Self.at(11)).isEmpty)
        #expect(repair.handle(.reloaded(.asked), at: Self.at(12)) == [.lookForTracker])
        #expect(repair.handle(.tracker(.seen), at: Self.at(13)).isEmpty)
        #expect(repair.absence == .unknown && !repair.isUnderWay)
    }

    @Test("A reload that brings nothing is not repeated, however long the tracker is missing")
    mutating func inVain() {
        #expect(miss(.deleted(configEntry: "e"), at: 10) == [.ask(.reload("e"))])
        _ = repair.handle(.reloaded(.asked), at: Self.at(12))
        #expect(repair.handle(.tracker(.missing), at: Self.at(71)).isEmpty)
        #expect(miss(.deleted(configEntry: "e"), at: 72).isEmpty)
        #expect(repair.absence == .deleted(.unsuccessful))
        for hour in 1...50 {
            #expect(miss(.deleted(configEntry: "e"), at: 72 + 3600 * Double(hour)).isEmpty)
        }
    }

    @Test("A second deletion within the hour is told, and answered by a reload after the hour")
    mutating func again() {
        #expect(miss(.deleted(configEntry: "e"), at: 10) == [.ask(.reload("e"))])
        _ = repair.handle(.reloaded(.asked), at: Self.at(12))
        _ = repair.handle(.tracker(.seen), at: Self.at(13))
        #expect(miss(.deleted(configEntry: "e"), at: 100).isEmpty)
        #expect(repair.absence == .deleted(.notAsked))
        #expect(repair.handle(.tracker(.missing), at: Self.at(3609)).isEmpty)
        #expect(miss(.deleted(configEntry: "e"), at: 3700) == [.ask(.reload("e"))])
    }

    @Test("A refusal is remembered as one, and not asked for again")
    mutating func refused() {
        #expect(miss(.deleted(configEntry: "e"), at: 10) == [.ask(.reload("e"))])
        #expect(repair.handle(.reloaded(.refused), at: Self.at(12)).isEmpty)
        #expect(repair.absence == .deleted(.refused))
        #expect(miss(.deleted(configEntry: "e"), at: 3700).isEmpty)
        #expect(repair.absence == .deleted(.refused))
    }

    @Test("An outage does not have a refused reload asked for again, nor the warning forgotten")
    mutating func outage() {
        #expect(miss(.deleted(configEntry: "e"), at: 10) == [.ask(.reload("e"))])
        _ = repair.handle(.reloaded(.refused), at: Self.at(12))
        #expect(repair.handle(.tracker(.unknown), at: Self.at(5000)).isEmpty)
        #expect(repair.absence == .deleted(.refused))
        #expect(miss(.deleted(configEntry: "e"), at: 9000).isEmpty)
        #expect(repair.absence == .deleted(.refused))
    }

    @Test("A reload that reached nobody is asked for again after a minute")
    mutating func notReached() {
        #expect(miss(.deleted(configEntry: "e"), at: 10) == [.ask(.reload("e"))])
        #expect(repair.handle(.reloaded(.notReached), at: Self.at(12)).isEmpty)
        #expect(repair.handle(.tracker(.missing), at: Self.at(30)).isEmpty)
        #expect(miss(.deleted(configEntry: "e"), at: 72) == [.ask(.reload("e"))])
    }

    @Test("A tracker that is disabled, or of which nothing is known, is left alone")
    mutating func present() {
        #expect(miss(.present, at: 10).isEmpty && repair.absence == .present)
        #expect(repair.handle(.tracker(.missing), at: Self.at(3000)).isEmpty)
        #expect(miss(nil, at: 3700).isEmpty)
        #expect(miss(.deleted(configEntry: nil), at: 3770).isEmpty)
        #expect(repair.absence == .deleted(.notAsked))
    }

    @Test("What is learnt after the tracker came back changes nothing")
    mutating func late() {
        #expect(repair.handle(.tracker(.missing), at: Self.at(10)) == [.ask(.look)])
        #expect(repair.handle(.tracker(.seen), at: Self.at(11)).isEmpty)
        #expect(repair.handle(.found(.deleted(configEntry: "e")), at: Self.at(12)).isEmpty)
        #expect(repair.absence == .unknown)
        #expect(repair.handle(.reloaded(.asked), at: Self.at(13)).isEmpty)
    }
}
