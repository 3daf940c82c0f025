import HomingBase
import HomingDelivery
import HomingRoutes
import HomingSQLite
import HomingTestKit
import Testing

/// Random histories of the core: fixes, failures, restarts, clock steps, changes of network, an
/// outbox that fails. `HOMING_SEED` repeats a run; `HOMING_HISTORIES` makes it longer, and tells of
/// one alone all that happens in it.
@Suite struct CourierHistoryTests {
    @Test(
        "In random histories the ledger balances, nothing undelivered is called delivered, order holds"
    )
    func randomHistories() {
        let seed = TestRun.seed()
        let histories = UInt64(TestRun.number("HOMING_HISTORIES", 100_000))
        print("HOMING_SEED=\(seed), \(histories) histories")
        var excused = 0
        for index in 0..<histories {
            let (violations, isExcused) = Self.run(seed: seed &+ index)
            #expect(violations.isEmpty, "HOMING_SEED=\(seed &+ index) HOMING_HISTORIES=1")
            if !violations.isEmpty { return }
            excused += isExcused ? 1 : 0
        }
        print("\(excused) histories lost a position in a reload that no receipt can show")
        #expect(excused <= 2 + histories / 50_000)
    }

    @Test("A planted lie is found: a store that forgets a row does not balance with the server")
    func plantedLossIsFound() {
        var world = SimulatedWorld(settings: Courier.Settings(), seed: 1)
        world.tellCourier(.route(SimulatedWorld.endpoints, networkChanged: true))
        world.accept()
        world.store.settle([EntryID(.location, 1)], as: .deliveredLive)
        world.heal()
        #expect(!Self.finalViolations(world, backlog: .track).isEmpty)
    }

    @Test("The same histories find what a reload loses, if receipts do not tell of it")
    func reloadsAreFound() {
        let seed = TestRun.seed()
        let found = (0..<20_000).first { index in
            !Self.run(seed: seed &+ index, hasWitness: false).violations.isEmpty
        }
        #expect(found != nil, "HOMING_SEED=\(seed)")
    }

    @Test("What an outbox could not give is asked for again, though nothing new is accepted")
    func unreadableOutbox() {
        for operation in [FaultyOutbox.Operation.entries, .lastDelivered, .moveToHistory, .expire] {
            var world = SimulatedWorld(settings: Courier.Settings(), seed: 1)
            world.outbox.fail { $0 == operation ? DatabaseError(.failed, "") : nil }
            world.accept()
            world.tellCourier(.route(SimulatedWorld.endpoints, networkChanged: true))
            while world.underWay != nil { world.answer() }
            #expect(world.homeAssistant.live.isEmpty, "\(operation)")
            world.outbox.fail { _ in nil }
            world.pass(301)
            while world.underWay != nil { world.answer() }
            world.pass(301)
            #expect(world.store.ledger(.location).queued == 0, "\(operation)")
        }
    }

    /// - Parameter hasWitness: whether receipts tell of reloads.
    /// - Returns: what went wrong, and whether a position was lost in a reload that no receipt can
    ///   show.
    private static func run(
        seed: UInt64, hasWitness: Bool = true
    ) -> (violations: [String], isExcused: Bool) {
        var random = SeededRandom(seed: seed)
        let backlog = BacklogPolicy.allCases.randomElement(using: &random) ?? .track
        let settings = Courier.Settings(
            maxAge: 300, backlog: backlog,
            stalePosition: Bool.random(using: &random) ? .ask : .send,
            batch: Bool.random(using: &random) ? 0 : 30)
        var world = SimulatedWorld(settings: settings, seed: seed)
        world.homeAssistant.hasWitness = hasWitness
        if TestRun.number("HOMING_HISTORIES", 0) == 1 { world.trace = { print($0) } }
        world.tellCourier(.route(SimulatedWorld.endpoints, networkChanged: true))
        for _ in 0..<Int.random(in: 5...40, using: &random) {
            step(&world, &random)
        }
        // A quiet hour ends.
        let paces = [Courier.Pace.usual, .dear, .thrifty(wait: 100)]
        world.tellCourier(.pace(paces.randomElement(using: &random) ?? .usual))
        world.heal()
        return (finalViolations(world, backlog: backlog), !world.hidden.isEmpty)
    }

    private static func step(_ world: inout SimulatedWorld, _ random: inout SeededRandom) {
        switch Int.random(in: 0..<27, using: &random) {
        case 0..<6: world.accept(urgent: Bool.random(using: &random))
        case 6..<13: world.answer()
        case 13: world.pass(Seconds.random(in: 0...2000, using: &random))
        case 14: world.pass(Seconds.random(in: 0...20, using: &random))
        case 15:
            let kind = Endpoint.Kind.allCases.randomElement(using: &random) ?? .instance
            world.conditions[kind] = SimulatedWorld.EndpointCondition.allCases.randomElement(
                using: &random)
        case 16:
            let conditions = SimulatedHomeAssistant.Condition.allCases
            world.homeAssistant.condition = conditions.randomElement(using: &random) ?? .running
        case 25, 26: world.homeAssistant.reload(losing: Int.random(in: 0...3, using: &random))
        case 20: world.acceptSensor(["a", "b", "c"].randomElement(using: &random) ?? "a")
        case 21: world.acceptEvent()
        case 22: world.forgetSensors()
        case 19:
            let paces = [Courier.Pace.usual, .dear, .thrifty(wait: 100), .thrifty(wait: nil)]
            world.tellCourier(.pace(paces.randomElement(using: &random) ?? .usual))
        case 17: world.restart(seed: random.next())
        case 23, 24:
            let chance = Double.random(in: 0...1, using: &random)
            let failing = FaultyOutbox.Operation.allCases.filter { _ in
                Double.random(in: 0..<1, using: &random) < chance * chance
            }
            world.outbox.fail {
                failing.contains($0) ? DatabaseError(.full, "no space left on device") : nil
            }
        case 18:
            let kept = SimulatedWorld.endpoints.filter { _ in Bool.random(using: &random) }
            world.tellCourier(.route(kept, networkChanged: Bool.random(using: &random)))
        default:
            // The wall clock is set; the time since boot goes on.
            world.now.unixTime += Seconds.random(in: -1000...1000, using: &random)
            if Bool.random(using: &random) { world.tellCourier(.flush) }
        }
    }

    private static func finalViolations(_ world: SimulatedWorld, backlog: BacklogPolicy) -> [String]
    {
        var violations = world.violations
        let ledger = world.store.ledger(.location)
        if !ledger.balances { violations.append("the ledger does not balance: \(ledger)") }
        if backlog != .latest, ledger.queued != 0 {
            violations.append("\(ledger.queued) rows never got home")
        }
        let sensors = world.store.ledger(.sensors)
        if !sensors.balances || sensors.queued != 0 {
            violations.append("sensors never got home: \(sensors)")
        }
        for (id, item) in world.lastItem where world.homeAssistant.sensors.shown[id] != item {
            violations.append("\(id) shows an old state")
        }
        let seen = Set(world.homeAssistant.live).union(world.homeAssistant.track)
        let delivered = ledger[.deliveredLive] + ledger[.deliveredTrack]
        if delivered > seen.union(world.excused).count {
            violations.append("delivered more than Home Assistant took")
        }
        for (name, log) in [
            ("live", world.homeAssistant.live), ("track", world.homeAssistant.track),
            ("events", world.homeAssistant.events),
        ] {
            var known = Set<Int64>()
            let firsts = log.filter { known.insert($0).inserted }
            if firsts != firsts.sorted() { violations.append("\(name) out of order: \(firsts)") }
        }
        return violations
    }
}
