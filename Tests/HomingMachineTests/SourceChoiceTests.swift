import HomingBase
import HomingLocation
import HomingTestKit
import Testing

@testable import HomingMachine

@Suite struct SourceChoiceTests {
    private static let work = PlaceStage.Verdict.at(.zone("Work"), name: "Work", .hardware)

    private static func pier(_ latitude: Double) -> PlaceStage.Verdict {
        .at(.point(PlaceWorld.at(latitude), accuracy: 100), name: "Pier", .ssid)
    }

    /// Tells the choice alone what the networks show.
    private static func show(_ verdict: PlaceStage.Verdict, in world: inout PlaceWorld) {
        world.choose { $0.note(verdict, at: $1) }
    }

    @Test("Without a receiver each place is told once, at once")
    func withoutReceiver() {
        var world = PlaceWorld()
        for verdict in [.unknown, .home, .unknown, .home, .away, Self.work] {
            Self.show(verdict, in: &world)
        }
        #expect(world.told == ["home", "not_home", "Work"])
    }

    @Test("While the receiver has positions no place is told")
    func receiverFirst() {
        var world = PlaceWorld()
        for step in 0..<100 {
            world.fix(50 + Double(step) / 1000)
            if step == 50 { Self.show(.home, in: &world) }
            world.pass(100)
        }
        #expect(world.told.isEmpty)
    }

    @Test("A place that contradicts a silent receiver must be shown for a minute")
    func receiverFallsSilent() {
        var world = PlaceWorld()
        world.fix(50)
        Self.show(.home, in: &world)
        world.pass(240)
        #expect(world.told.isEmpty)
        world.pass(30)
        Self.show(.unknown, in: &world)
        Self.show(.home, in: &world)
        world.pass(59)
        #expect(world.told.isEmpty, "the minute begins again")
        world.pass(2)
        #expect(world.told == ["home"] && world.returns == 0)
        world.fix(52)
        world.fix(52)
        #expect(world.returns == 1, "the receiver is back")
    }

    @Test("A place that the last position confirms is not told")
    func agreement() {
        var world = PlaceWorld()
        world.fix(52)
        for verdict in [.home, .unknown, .home, Self.pier(52.0001)] {
            Self.show(verdict, in: &world)
            world.pass(10_000)
        }
        #expect(world.told.isEmpty)
        Self.show(Self.pier(53), in: &world)
        world.pass(61)
        #expect(world.told == ["point"])
    }

    @Test("Away takes no position off the map, except one at home")
    func mapStays() {
        var world = PlaceWorld()
        Self.show(.away, in: &world)
        world.fix(50)
        world.pass(100_000)
        world.fix(51, in: "Work")
        world.pass(100_000)
        #expect(world.told == ["not_home"], "before the receiver spoke")
        world.fix(52)
        world.pass(301)
        #expect(world.told == ["not_home", "not_home"])
    }

    @Test("A position whose zone becomes known later is compared by that zone")
    func lateZones() {
        var world = PlaceWorld()
        world.fix(52, in: "not_home")
        world.choose { $0.correct(state: "home", at: $1) }
        Self.show(.home, in: &world)
        world.pass(10_000)
        #expect(world.told.isEmpty)
    }

    @Test("Nothing is told without a registration; another registration is told the place again")
    func registration() {
        var world = PlaceWorld()
        world.choose { $0.noteRegistration(false, isAnother: true, at: $1) }
        Self.show(.home, in: &world)
        world.pass(1000)
        #expect(world.told.isEmpty)
        for _ in 0..<2 { world.choose { $0.noteRegistration(true, isAnother: true, at: $1) } }
        #expect(world.told == ["home", "home"])
        var heard = PlaceWorld()
        heard.fix(50)
        Self.show(.home, in: &heard)
        heard.choose { $0.noteRegistration(true, isAnother: true, at: $1) }
        #expect(heard.told.isEmpty, "the receiver has just spoken")
    }

    @Test("What could not be stored is told again after a minute, and what grew old at once")
    func lost() {
        var world = PlaceWorld()
        Self.show(.home, in: &world)
        world.choose { $0.notStored(at: $1) }
        world.pass(59)
        #expect(world.told == ["home"])
        world.pass(2)
        #expect(world.told == ["home", "home"])
        world.choose { $0.forgetPlace(at: $1) }
        #expect(world.told == ["home", "home", "home"])
        Self.show(.unknown, in: &world)
        world.choose { $0.forgetPlace(at: $1) }
        world.pass(1000)
        #expect(world.told.count == 3, "only while the networks show the place")
    }

    @Test("A receiver and networks that contradict each other never alternate, in random histories")
    func neverAlternate() {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): a receiver and networks")
        for number in 0..<500 {
            var random = SeededRandom(seed: seed &+ UInt64(number))
            var world = PlaceWorld()
            world.receiver(true)
            // The receiver is never silent for its time; the networks say what they like.
            for _ in 0..<200 {
                world.fix(.random(in: 50...53, using: &random))
                let verdicts = [.home, .away, Self.work, .unknown]
                Self.show(verdicts.randomElement(using: &random) ?? .unknown, in: &world)
                world.pass(.random(in: 0...239, using: &random))
            }
            #expect(
                world.told.isEmpty && world.returns == 0, "HOMING_SEED=\(seed &+ UInt64(number))")
        }
    }
}
