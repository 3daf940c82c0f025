import Glibc
import HomingBase
import HomingPush
import Testing

/// Random histories of the push channel: killed sockets, restarts of Home Assistant, frozen
/// processes, sleep, changes of network, and a relay that repeats what came by the socket.
@Suite struct PushHistoryTests {
    /// `HOMING_SEED` repeats a run; `HOMING_HISTORIES` makes it longer.
    private static func number(_ name: String, _ fallback: UInt64) -> UInt64 {
        getenv(name).flatMap { UInt64(String(cString: $0)) } ?? fallback
    }

    @Test("In random histories each notification is shown exactly once, and the channel comes back")
    func randomHistories() {
        let seed = Self.number("HOMING_SEED", UInt64.random(in: 0...(.max)))
        let histories = Self.number("HOMING_HISTORIES", 2000)
        print("HOMING_SEED=\(seed), \(histories) histories")
        for index in 0..<histories {
            let violations = Self.run(seed: seed &+ index)
            #expect(violations.isEmpty, "HOMING_SEED=\(seed &+ index) HOMING_HISTORIES=1")
            if !violations.isEmpty { return }
        }
    }

    @Test("A planted loss is found: what Home Assistant lost is missing at the end")
    func plantedLossIsFound() {
        var world = SimulatedPush(seed: 1)
        world.passPushEvent(.endpoints(SimulatedPush.endpoints, networkChanged: true))
        world.server.isUp = false
        world.notify()
        world.server.fallen = []
        world.heal()
        #expect(!Self.finalViolations(world).isEmpty)
    }

    private static func run(seed: UInt64) -> [String] {
        var random = SeededRandom(seed: seed)
        var world = SimulatedPush(seed: seed)
        world.passPushEvent(.endpoints(SimulatedPush.endpoints, networkChanged: true))
        for _ in 0..<Int.random(in: 10...120, using: &random) { step(&world, &random) }
        world.heal()
        return finalViolations(world)
    }

    private static func step(_ world: inout SimulatedPush, _ random: inout SeededRandom) {
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<18: world.step(towardServer: Bool.random(using: &random))
        case 18..<26: world.notify()
        case 26, 27: world.relay()
        case 28: world.kill()
        case 29: world.pass(Seconds.random(in: 0...12, using: &random))
        case 30: world.pass(Seconds.random(in: 0...4000, using: &random))
        case 31:
            world.server.isUp.toggle()
            if !world.server.isUp { world.kill() }
        case 32: world.server.isStarting.toggle()
        case 33 where world.isFrozen: world.thaw()
        case 33: world.isFrozen = true
        case 34 where !world.isFrozen: world.passPushEvent(.sleep)
        case 35 where !world.isFrozen: world.passPushEvent(.resume)
        case 36 where !world.isFrozen:
            let endpoints = SimulatedPush.endpoints.filter { _ in Bool.random(using: &random) }
            world.passPushEvent(.endpoints(endpoints, networkChanged: Bool.random(using: &random)))
        case 37 where !world.isFrozen: world.passPushEvent(.wake)
        case 38: world.now.unixTime += Seconds.random(in: -1000...1000, using: &random)
        default: world.pass(Seconds.random(in: 0...2, using: &random), answering: true)
        }
    }

    private static func finalViolations(_ world: SimulatedPush) -> [String] {
        var violations = world.violations
        if !world.isWell { violations.append("no channel at the end: \(world.session.state)") }
        let missing = Set(world.server.sent).subtracting(world.shown)
        if !missing.isEmpty { violations.append("never shown: \(missing.sorted())") }
        return violations
    }
}
