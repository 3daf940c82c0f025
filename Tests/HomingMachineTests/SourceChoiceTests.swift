import HomingBase
import HomingLocation
import HomingTestKit
import Testing

@testable import HomingMachine

@Suite struct SourceChoiceTests {
    private static let work = PlaceStage.Verdict.at(.zone("Work"), name: "Work", .hardware)

    /// A choice on a clock that only tests move, and what was told.
    private struct World {
        var choice = SourceChoice(silence: 240)
        private(set) var now = Moment(uptime: 1000, unixTime: 1_800_000_000)
        private(set) var told: [Place.Target] = []
        private(set) var returns = 0
        private var wakesAt: Seconds?

        mutating func note(_ verdict: PlaceStage.Verdict) {
            perform(choice.note(verdict, at: now))
        }

        mutating func fix(_ latitude: Double, in state: String) {
            let (isReturn, effects) = choice.noteFix(
                at: PlaceWorld.at(latitude), state: state, now)
            if isReturn { returns += 1 }
            perform(effects)
        }

        mutating func forget() { perform(choice.forgetTold(at: now)) }

        mutating func pass(_ seconds: Seconds) {
            let end = now.uptime + seconds
            while let at = wakesAt, at <= end {
                wakesAt = nil
                now = now.advanced(by: max(0, at - now.uptime))
                perform(choice.wake(at: now))
            }
            now = now.advanced(by: max(0, end - now.uptime))
        }

        private mutating func perform(_ effects: [SourceChoice.Effect]) {
            for effect in effects {
                switch effect {
                case .tell(let target): told.append(target)
                case .wake(let at): wakesAt = at
                }
            }
        }
    }

    @Test("Without a receiver each verdict is told once, at once")
    func withoutReceiver() {
        var world = World()
        world.note(.unknown)
        world.note(.home)
        world.note(.home)
        world.pass(100_000)
        world.note(.away)
        world.note(Self.work)
        #expect(world.told == [.zone("home"), .zone("not_home"), .zone("Work")])
    }

    @Test("While the receiver has positions no place is told")
    func receiverFirst() {
        var world = World()
        for step in 0..<100 {
            world.fix(50 + Double(step) / 1000, in: "not_home")
            if step == 50 { world.note(.home) }
            world.pass(100)
        }
        #expect(world.told.isEmpty)
    }

    @Test(
        "A place that contradicts a silent receiver is told after a second look, and the receiver at once"
    )
    func receiverFallsSilent() {
        var world = World()
        world.fix(50, in: "not_home")
        world.note(.home)
        world.pass(240)
        #expect(world.told.isEmpty, "seen once")
        world.pass(61)
        #expect(world.told == [.zone("home")])
        #expect(world.returns == 0)
        world.fix(52, in: "home")
        #expect(world.returns == 1)
        world.fix(52, in: "home")
        #expect(world.returns == 1)
    }

    @Test("A place that the last position confirms is not told")
    func agreement() {
        var world = World()
        world.fix(52, in: "home")
        world.note(.home)
        world.pass(10_000)
        world.note(.unknown)
        world.note(.home)
        world.pass(10_000)
        #expect(world.told.isEmpty)
        world.note(.at(.point(PlaceWorld.at(52.0001), accuracy: 100), name: "Pier", .ssid))
        world.pass(10_000)
        #expect(world.told.isEmpty, "its circle holds the last position")
        world.note(.at(.point(PlaceWorld.at(53), accuracy: 100), name: "Pier", .ssid))
        world.pass(61)
        #expect(world.told == [.point(PlaceWorld.at(53), accuracy: 100)])
    }

    @Test("Away takes no position off the map where the last position was in no zone")
    func mapStays() {
        var world = World()
        world.fix(50, in: "not_home")
        world.note(.away)
        world.pass(100_000)
        #expect(world.told.isEmpty)
        world.fix(51, in: "Work")
        world.pass(100_000)
        #expect(world.told.isEmpty, "another network may be at work")
        world.fix(52, in: "home")
        world.pass(301)
        #expect(world.told == [.zone("not_home")])
    }

    @Test("Another registration is told the place anew")
    func registration() {
        var world = World()
        world.note(.home)
        world.forget()
        #expect(world.told == [.zone("home"), .zone("home")])
    }

    @Test("A receiver and networks that contradict each other never alternate, in random histories")
    func neverAlternate() {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): a receiver and networks")
        for number in 0..<500 {
            var random = SeededRandom(seed: seed &+ UInt64(number))
            var world = World()
            // The receiver is never silent for its time; the networks say what they like.
            for _ in 0..<200 {
                world.fix(.random(in: 50...53, using: &random), in: "not_home")
                let verdicts = [.home, .away, Self.work, .unknown]
                world.note(verdicts.randomElement(using: &random) ?? .unknown)
                world.pass(.random(in: 0...239, using: &random))
            }
            #expect(
                world.told.isEmpty && world.returns == 0, "HOMING_SEED=\(seed &+ UInt64(number))")
        }
    }
}
