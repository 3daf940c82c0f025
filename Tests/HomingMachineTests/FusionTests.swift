import HomingBase
import HomingLocation
import HomingTestKit
import Testing

@testable import HomingMachine

/// Location made out of a receiver, networks and look-ups.
@Suite struct FusionTests {
    private static func world() -> PlaceWorld {
        var world = PlaceWorld()
        world.choose { choice, now in
            choice.hasLookUps = true
            return choice.wake(at: now)
        }
        return world
    }

    /// Tells the choice alone what the networks show.
    private static func show(_ verdict: PlaceStage.Verdict, in world: inout PlaceWorld) {
        world.choose { $0.note(verdict, at: $1) }
    }

    @Test(
        "Without a receiver the first look-up is told at once, and the same place is not told again"
    )
    func first() {
        var world = Self.world()
        #expect(world.wantsLookUps)
        world.lookUp(50)
        world.lookUp(50.0002)
        world.lookUp(50.0004, accuracy: 200)
        #expect(world.told == ["look-up 50.0"] && world.doubts == 0)
        #expect(world.source == .geoclue)
    }

    @Test("Another place must be seen twice, and a single jump is never told")
    func twice() {
        var world = Self.world()
        world.lookUp(50)
        for latitude in [51, 50, 53, 50.0001, 54] {
            world.lookUp(latitude)
            world.pass(60)
        }
        #expect(world.told == ["look-up 50.0"])
        #expect(world.doubts == 3)
        world.lookUp(54.0003)
        #expect(world.told == ["look-up 50.0", "look-up 54.0003"])
    }

    @Test("A look-up is wanted, and used, only while receiver and networks say nothing")
    func rank() {
        var world = Self.world()
        world.fix(50)
        #expect(!world.wantsLookUps)
        for _ in 0..<3 { world.lookUp(51) }
        world.pass(239)
        for _ in 0..<3 { world.lookUp(51) }
        #expect(world.told.isEmpty && !world.wantsLookUps)
        world.pass(2)
        #expect(world.wantsLookUps)
        Self.show(.home, in: &world)
        #expect(!world.wantsLookUps)
        for _ in 0..<3 { world.lookUp(51) }
        world.pass(61)
        #expect(world.told == ["home"])
        world.fix(50)
        #expect(world.returns == 1 && world.source == .gpsd, "the receiver is used at once")
    }

    @Test("A circle that holds the last position changes nothing")
    func coarse() {
        var world = Self.world()
        world.fix(50)
        world.pass(241)
        for _ in 0..<3 { world.lookUp(50.001, accuracy: 150) }
        #expect(world.told.isEmpty)
        for _ in 0..<2 { world.lookUp(50.1, accuracy: 150) }
        #expect(world.told == ["look-up 50.1"])
    }

    @Test("Away and a look-up outside home agree; at home the networks are believed")
    func away() {
        var world = Self.world()
        Self.show(.away, in: &world)
        for _ in 0..<3 { world.lookUp(52) }
        #expect(world.told == ["not_home"])
        world.lookUp(53)
        #expect(world.told == ["not_home", "look-up 53.0"])
        Self.show(.unknown, in: &world)
        Self.show(.away, in: &world)
        #expect(world.told.count == 2, "the look-up is away, too")
        Self.show(.home, in: &world)
        #expect(world.told.last == "home")
    }

    @Test("A wrong look-up is used once: the better source says the same before and after")
    func wrong() {
        var world = Self.world()
        for _ in 0..<5 {
            world.fix(50)
            world.pass(300)
            for _ in 0..<3 { world.lookUp(50.1) }
        }
        #expect(world.told == ["look-up 50.1"])
        var networks = Self.world()
        for _ in 0..<5 {
            Self.show(.home, in: &networks)
            Self.show(.unknown, in: &networks)
            for _ in 0..<3 { networks.lookUp(50.1) }
        }
        #expect(networks.told == ["home", "look-up 50.1", "home"])
    }

    @Test("Who goes to the same place every day is told there every day")
    func commute() {
        for isLong in [true, false] {
            var world = Self.world()
            for _ in 0..<3 {
                Self.show(.home, in: &world)
                world.pass(100)
                Self.show(.unknown, in: &world)
                for _ in 0..<2 {
                    world.lookUp(50.1)
                    world.pass(60)
                }
                if isLong { Self.show(.away, in: &world) }
                world.pass(isLong ? 600 : SourceChoice.shortSilence)
            }
            #expect(
                world.told == [
                    "home", "look-up 50.1", "home", "look-up 50.1", "home", "look-up 50.1",
                ])
        }
        var receiver = Self.world()
        for _ in 0..<3 {
            receiver.fix(50)
            receiver.pass(300)
            for _ in 0..<2 { receiver.lookUp(50.1) }
            receiver.pass(SourceChoice.shortSilence)
        }
        #expect(receiver.told.count == 3)
    }

    @Test("On request a look-up is told that says nothing new")
    func asked() {
        var world = Self.world()
        world.fix(50)
        world.pass(300)
        world.lookUp(50)
        #expect(world.told.isEmpty)
        world.choose { $0.forgetPlace(at: $1) }
        world.lookUp(50)
        world.lookUp(50)
        #expect(world.told == ["look-up 50.0"])
    }

    @Test("A place and a look-up that could not be stored are told once the queue can be written")
    func fullQueue() {
        var world = Self.world()
        world.isFull = true
        world.fix(50)
        Self.show(.home, in: &world)
        world.pass(900)
        #expect(world.told.isEmpty)
        world.isFull = false
        world.pass(60)
        #expect(world.told == ["home"])

        var looking = Self.world()
        looking.isFull = true
        looking.lookUp(50)
        #expect(looking.told.isEmpty && looking.doubts == 1)
        looking.isFull = false
        looking.pass(60)
        looking.lookUp(50)
        #expect(looking.told == ["look-up 50.0"])
    }

    @Test(
        "The next time is set before a place is told, since telling may fail and set another time")
    func order() throws {
        let start = Moment(uptime: 1000, unixTime: 1_800_000_000)
        let place = try #require(Coordinate(latitude: 50, longitude: 4))
        var choice = SourceChoice(silence: 240, at: start)
        _ = choice.noteRegistration(true, isAnother: false, at: start)
        _ = choice.noteFix(at: place, state: "not_home", start)
        _ = choice.note(.home, at: start)
        #expect(choice.wake(at: start.advanced(by: 240)) == [.wake(at: 1300)])
        // The timer is late, and something else comes first.
        let effects = choice.noteReceiver(true, at: start.advanced(by: 301))
        #expect(effects == [.wake(at: nil), .tell(.zone("home"))])
    }

    @Test("A look-up that Home Assistant did not get is looked up again")
    func lost() {
        var world = Self.world()
        world.lookUp(50)
        world.choose { $0.forgetPlace(at: $1) }
        #expect(world.doubts == 1)
        world.lookUp(50)
        #expect(world.told.count == 2)
        world.choose { $0.notStored(at: $1) }
        #expect(world.doubts == 2)
        world.lookUp(50)
        #expect(world.told.count == 2, "not within the minute")
        world.pass(61)
        world.lookUp(50)
        #expect(world.told.count == 3)
    }

    @Test("Two noisy sources never alternate, and no jump of theirs reaches the map")
    func noise() {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): noisy sources")
        for number in 0..<300 {
            var noisy = Noisy(seed: seed &+ UInt64(number), world: Self.world())
            noisy.run()
            #expect(noisy.problem == nil, "HOMING_SEED=\(seed &+ UInt64(number))")
            if noisy.problem != nil { return }
        }
    }

    @Test("A planted fault is found: a look-up that is believed at first sight")
    func planted() {
        var problems = 0
        for seed in 0..<100 {
            var noisy = Noisy(seed: UInt64(seed), world: Self.world())
            noisy.repeatsJumps = true
            noisy.run()
            if noisy.problem != nil { problems += 1 }
        }
        #expect(problems > 0)
    }
}

/// A machine that stands at one place: its receiver comes and goes, its look-ups err, some of them always in
/// the same way.
private struct Noisy {
    private static let place = 50.0
    private var random: SeededRandom
    private var world: PlaceWorld
    /// Whether a jump is seen twice.
    var repeatsJumps = false
    private(set) var problem: String?

    init(seed: UInt64, world: PlaceWorld) {
        random = SeededRandom(seed: seed)
        self.world = world
    }

    mutating func run() {
        // A stale entry of the service: always the same wrong place.
        let stale = Self.place + 0.05
        var (toldBefore, jumps) = (0, 0)
        world.fix(Self.place)
        for _ in 0..<200 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                world.fix(Self.place + .random(in: -0.0001...0.0001, using: &random))
                toldBefore = count(stale)
            case 4..<7: world.lookUp(Self.place + .random(in: -0.0003...0.0003, using: &random))
            case 7: for _ in 0..<2 { world.lookUp(stale) }
            default:
                // No two jumps agree by chance.
                jumps += 1
                let jump = Self.place + 0.1 + 0.01 * Double(jumps)
                for _ in 0..<(repeatsJumps ? 2 : 1) { world.lookUp(jump) }
            }
            world.pass(.random(in: 1...400, using: &random))
        }
        let wrong = world.told.filter { $0 != "look-up \(stale)" && !isNear($0) }
        if !wrong.isEmpty { problem = "told \(wrong)" }
        // The receiver has shown that it is wrong.
        if toldBefore > 0, count(stale) > toldBefore { problem = "alternates" }
    }

    private func count(_ latitude: Double) -> Int {
        world.told.count { $0 == "look-up \(latitude)" }
    }

    private func isNear(_ told: String) -> Bool {
        guard let latitude = told.split(separator: " ").last.flatMap({ Double($0) }) else {
            return false
        }
        return abs(latitude - Self.place) < 0.001
    }
}
