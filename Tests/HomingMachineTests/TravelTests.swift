import HomingBase
import HomingLocation
import HomingTestKit
import Testing

@testable import HomingMachine

/// A receiver and networks together.
@Suite struct TravelTests {
    @Test("The router of a van that was seen far from home is never home again")
    func travels() {
        var world = PlaceWorld.atHome()
        world.fix(61)
        #expect(!world.stage.isTravelling, "one position may be wrong")
        world.pass(61)
        world.fix(61)
        #expect(world.stage.isTravelling)
        // The receiver is off from now on; Home Assistant on board is reached as ever.
        world.receiver(false)
        world.reachHome()
        world.connect()
        world.connect(PlaceWorld.wifi())
        world.pass(100_000)
        #expect(world.told == ["home"], "before the journey")
        var again = PlaceWorld(world.stage.known)
        again.connect(PlaceWorld.wifi(bssid: "02:00:00:00:01:77"))
        again.pass(1000)
        #expect(again.told.isEmpty && again.stage.isTravelling)
    }

    @Test(
        "After one position far from home, a restarted router or daemon does not make the van home"
    )
    func farForAMoment() {
        var world = PlaceWorld.atHome()
        world.fix(61)
        world.receiver(false)
        world.connect()
        world.connect(PlaceWorld.wifi())
        world.reachHome()
        #expect(world.stage.verdict == .unknown && !world.stage.isTravelling)
        world.pass(100_000)
        var again = PlaceWorld(world.stage.known)
        again.tellPlaces(.home(PlaceWorld.homeZone))
        again.connect(PlaceWorld.wifi())
        again.reachHome()
        again.pass(100_000)
        #expect(again.told.isEmpty)
        // It was wrong.
        again.fix(52.005)
        again.fix(52)
        #expect(again.stage.verdict == .home)
    }

    @Test("A van's router that was seen far away before it came home is not learned as home")
    func travelledBefore() {
        var world = PlaceWorld()
        world.connect(PlaceWorld.wifi())
        world.tellPlaces(.fix(PlaceWorld.fix(61)))
        // Where home is becomes known later.
        world.tellPlaces(.home(PlaceWorld.homeZone))
        world.pass(61)
        world.tellPlaces(.fix(PlaceWorld.fix(61)))
        world.reachHome()
        #expect(world.stage.verdict == .unknown)
    }

    @Test("A receiver that falls silent a thousand kilometres from home leaves no trace of home")
    func silentFarAway() {
        for links in [[], [PlaceWorld.modem], [PlaceWorld.cafe], [PlaceWorld.wifi()]] {
            var world = PlaceWorld.atHome()
            #expect(world.told == ["home"])
            for step in 0..<200 {
                world.fix(52 + Double(step) / 20)
                world.pass(10)
                if step == 3 { world.tellPlaces(.links(NetworkLinks(links))) }
            }
            world.pass(100_000)
            #expect(world.told == ["home"], "\(links)")
        }
    }

    @Test("A car that drives off still hears its network for a moment, and is home when it is back")
    func drivesOff() {
        var world = PlaceWorld.atHome()
        world.fix(52)
        world.fix(52.004)  // 445 m
        #expect(world.stage.verdict == .unknown && !world.stage.isTravelling)
        let saves = world.saves
        for _ in 0..<100 {
            world.fix(52.001)
            world.fix(52.0008)
        }
        #expect(world.saves == saves, "the border of the zone costs no write")
        world.connect()
        world.receiver(false)
        world.connect(PlaceWorld.wifi())
        #expect(world.stage.verdict == .home)
    }

    @Test("In the carport neither modem nor the van's router takes a van away from home")
    func carport() {
        var world = PlaceWorld.atHome()
        let router = PlaceWorld.wifi(
            "Van", bssid: "02:00:00:00:0E:01", gateway: "02:00:00:00:0E:02")
        world.connect(router)
        for _ in 0..<4 {
            world.fix(61)
            world.pass(30)
        }
        world.fix(52)
        for links in [[router], [PlaceWorld.modem], [router, PlaceWorld.modem]] {
            world.tellPlaces(.links(NetworkLinks(links)))
            world.pass(100_000)
        }
        #expect(world.told == ["home"])
    }

    @Test("After a start the receiver is waited for, and its last word is not contradicted by away")
    func afterStart() {
        var world = PlaceWorld(PlaceWorld.atHome().stage.known, isSettled: false)
        world.connect(PlaceWorld.wifi())
        world.pass(1)
        world.receiver(true)
        world.pass(239)
        #expect(world.told.isEmpty)
        world.pass(2)
        #expect(world.told == ["home"])
        var away = PlaceWorld(PlaceWorld.atHome().stage.known, isSettled: false)
        away.connect(PlaceWorld.cafe)
        away.pass(1)
        away.receiver(true)
        away.pass(100_000)
        #expect(away.told.isEmpty)
    }

    @Test("Where the zone of home has moved, nothing is known of travels any more")
    func movesHouse() {
        var world = PlaceWorld.atHome()
        world.fix(61)
        world.pass(61)
        world.fix(61)
        #expect(world.stage.isTravelling)
        world.tellPlaces(.home(PlaceWorld.zone(61)))
        #expect(!world.stage.isTravelling && world.stage.verdict == .home)
        world.tellPlaces(.home(PlaceWorld.zone(61.0005)))
        #expect(world.stage.verdict == .home)
    }

    @Test("Cafés in which the receiver worked fill no memory, and the network at home is kept")
    func bounded() {
        var world = PlaceWorld.atHome()
        for number in 0..<200 {
            let gateway = "02:00:00:00:\(number / 90 + 10):\(number % 90 + 10)"
            world.connect(PlaceWorld.wifi("Café", bssid: gateway, gateway: gateway))
            world.fix(61)
            world.pass(61)
            world.fix(61)
        }
        #expect(world.stage.known.networks.count == KnownNetworks.capacity)
        world.receiver(false)
        world.connect(PlaceWorld.wifi())
        #expect(world.stage.verdict == .home)
        for number in 10..<90 {
            world.connect(PlaceWorld.wifi(bssid: "02:00:00:00:77:\(number)"))
            world.reachHome()
        }
        #expect(world.stage.known.networks.last?.bssids.count == KnownNetworks.pointCapacity)
    }

    @Test("Two entries that turn out to be one network become one")
    func merges() {
        var world = PlaceWorld()
        world.connect(PlaceWorld.cable())
        world.reachHome()
        world.connect(PlaceWorld.wifi(gateway: nil))
        world.reachHome()
        #expect(world.stage.known.networks.count == 2)
        world.connect(PlaceWorld.wifi())
        #expect(world.stage.known.networks.count == 1)
    }

    @Test("In random journeys no place is told where the machine is not")
    func journeys() {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): journeys")
        for number in 0..<500 {
            var journey = Journey(seed: seed &+ UInt64(number))
            journey.run()
            #expect(journey.problem == nil, "HOMING_SEED=\(seed &+ UInt64(number))")
            if journey.problem != nil { return }
        }
    }

    @Test("A planted lie is found: a journey whose network at home moves along")
    func planted() {
        var problems = 0
        for seed in 0..<50 {
            var journey = Journey(seed: UInt64(seed))
            journey.carriesHome = true
            journey.run()
            if journey.problem != nil { problems += 1 }
        }
        #expect(problems > 0)
    }
}

/// A van with a receiver that fails at random, a modem, a router on board, and cafés on the way.
private struct Journey {
    private static let router = PlaceWorld.wifi(
        "Van", bssid: "02:00:00:00:0E:01", gateway: "02:00:00:00:0E:02")

    private var world = PlaceWorld.atHome()
    private var random: SeededRandom
    private var latitude = 52.0
    private var checked = 1
    /// Whether the network at home is heard everywhere.
    var carriesHome = false
    private(set) var problem: String?

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    private var distance: Double {
        Geodesy.distance(PlaceWorld.at(latitude), PlaceWorld.homeZone.coordinate)
    }

    mutating func run() {
        world.receiver(true)
        // The router was on board when the receiver worked.
        world.connect(Self.router)
        for latitude in [61.0, 61, 52] {
            world.fix(latitude)
            world.pass(61)
        }
        for _ in 0..<Int.random(in: 5...30, using: &random) {
            let goal = Bool.random(using: &random) ? 52 : Double.random(in: 50...54, using: &random)
            drive(to: goal)
            stay()
            if problem != nil { return }
        }
    }

    private mutating func drive(to goal: Double) {
        let works = Bool.random(using: &random)
        let start = latitude
        var hasLeft = false
        for step in 1...40 {
            latitude = start + (goal - start) * Double(step) / 40
            if works { world.fix(latitude) }
            // What is heard at the start is heard for a moment more, and not kilometres away.
            let isFar = abs(latitude - start) * 111_195 > 1000
            if !hasLeft, step == 2 || isFar {
                connect(onRoad: true)
                hasLeft = true
            }
            pass(30)
        }
        connect()
    }

    private mutating func stay() {
        for _ in 0..<Int.random(in: 1...20, using: &random) {
            if Int.random(in: 0..<3, using: &random) == 0 { world.fix(latitude) }
            if Int.random(in: 0..<4, using: &random) == 0 { connect() }
            pass(.random(in: 1...900, using: &random))
        }
    }

    private mutating func connect(onRoad: Bool = false) {
        let cafe = PlaceWorld.wifi(
            "Café", bssid: "02:00:00:00:02:\(Int(latitude * 10) % 90 + 10)",
            gateway: "02:00:00:00:03:\(Int(latitude * 10) % 90 + 10)")
        var choices = [[], [PlaceWorld.modem], [Self.router], [Self.router, PlaceWorld.modem]]
        if onRoad {
            if carriesHome { choices = [[PlaceWorld.wifi()]] }
        } else if distance < 100 || carriesHome {
            choices += [[PlaceWorld.wifi()], [PlaceWorld.wifi(), PlaceWorld.modem]]
        } else {
            choices += [[cafe]]
        }
        world.tellPlaces(.links(NetworkLinks(choices.randomElement(using: &random) ?? [])))
        check()
    }

    private mutating func pass(_ seconds: Seconds) {
        world.pass(seconds)
        check()
    }

    private mutating func check() {
        for state in world.told.dropFirst(checked) {
            let isTrue = state == "home" ? distance < 1500 : distance >= 100
            if !isTrue { problem = "\(state) at \(Int(distance)) m" }
        }
        checked = world.told.count
    }
}
