import HomingConfiguration
import HomingDelivery
import HomingHealth
import HomingLocation
import HomingMachine
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingAgent

/// Warnings that the machine and its home raise, and the end of each warning.
@Suite struct HomeHealthTests {
    init() { LoopThread.start() }

    @Test("A gpsd that is switched off is not complained of")
    @LoopActor func gpsdOff() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        let warnables: [Warnable] = [.gpsdUnreachable, .noReceiver, .noFix, .clockAhead]
        rig.machine.observe(.gpsd(.watching(receivers: 0)))
        rig.machine.observe(.position(PositionReport(mode: .none)))
        rig.fix(north: 0, age: 7200)
        rig.machine.observe(.position(PositionReport(mode: .none)))
        #expect(warnables.filter { rig.isRaised($0) } == [.noReceiver, .noFix, .clockAhead])
        #expect(rig.machine.state.receiver.lastFix != nil)
        rig.machine.observe(.gpsd(.off))
        #expect(!warnables.contains { rig.isRaised($0) })
        #expect(rig.machine.state.receiver.lastFix == nil, "nothing compares a tracker with it")
        rig.machine.observe(.gpsd(.disconnected("refused")))
        #expect(warnables.filter { rig.isRaised($0) } == [.gpsdUnreachable])
        rig.machine.observe(.gpsd(.off))
        #expect(!warnables.contains { rig.isRaised($0) })
    }

    @Test("While the receiver rests, what was wrong is believed until the next look")
    @LoopActor func resting() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        rig.machine.observe(.gpsd(.disconnected("refused")))
        rig.machine.observe(.gpsd(.resting))
        #expect(rig.isRaised(.gpsdUnreachable))
        rig.machine.observe(.gpsd(.watching(receivers: 1)))
        #expect(!rig.isRaised(.gpsdUnreachable))
    }

    @Test("A clock that is ahead is noticed, and one that is behind, and their end")
    @LoopActor func clocks() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        rig.fix(north: 0, age: 86400)
        #expect(rig.isRaised(.clockAhead) && !rig.isRaised(.clockBehind))
        // A fix that nobody looks at the time of says nothing of the clock.
        rig.machine.observe(.position(PositionReport(mode: .twoDimensional)))
        #expect(rig.isRaised(.clockAhead))
        rig.fix(north: 0, age: -3600)
        #expect(!rig.isRaised(.clockAhead) && rig.isRaised(.clockBehind))
        rig.fix(north: 0)
        #expect(!rig.isRaised(.clockAhead) && !rig.isRaised(.clockBehind))
    }

    @Test("A refused message is warned of with its reason, and a reload takes note")
    @LoopActor func rejected() throws {
        let rig = try HomeRig()
        defer { rig.shutdown() }
        rig.home.delivery.performCourierEffect(
            .rejected([EntryID(.location, 7)], "with status 400"))
        #expect(rig.shown(.rejected) == "1 so far; the last: a location: with status 400")
        rig.home.delivery.performCourierEffect(
            .rejected([EntryID(.location, 9)], "with status 413"))
        #expect(rig.shown(.rejected) == "2 so far; the last: a location: with status 413")
        rig.home.apply(rig.home.configuration)
        #expect(!rig.isRaised(.rejected))
        rig.home.delivery.performCourierEffect(.rejected([EntryID(.events, 1)], "with status 400"))
        #expect(rig.shown(.rejected)?.hasPrefix("1 so far") == true)
        #expect(rig.home.delivery.state.rejections.count == 3, "the list is the whole story")
    }
}
