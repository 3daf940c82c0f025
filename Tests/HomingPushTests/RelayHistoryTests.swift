import HomingBase
import HomingRelayProtocol
import HomingTestKit
import Testing

@testable import HomingPush

/// Random histories of a device and its relay: killed sockets, restarts of both, lost acknowledgements,
/// disks that fail, sleep, and Home Assistant's channel that comes and goes.
@Suite struct RelayHistoryTests {
    @Test(
        "In random histories each message is shown once, and never acknowledged before it is on the disk"
    )
    func randomHistories() {
        let seed = TestRun.seed()
        let histories = TestRun.number("HOMING_HISTORIES", 1000)
        print("HOMING_SEED=\(seed), \(histories) histories")
        for index in 0..<UInt64(histories) {
            let violations = Self.run(seed: seed &+ index)
            #expect(violations.isEmpty, "HOMING_SEED=\(seed &+ index) HOMING_HISTORIES=1")
            if !violations.isEmpty { return }
        }
    }

    @Test("Without a crash nothing is excused")
    func strict() {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed)")
        var random = SeededRandom(seed: seed)
        var world = SimulatedRelay(seed: seed)
        for _ in 0..<2000 { Self.step(&world, &random, crashes: false) }
        world.heal()
        #expect(world.violations.isEmpty)
        #expect(world.excused.isEmpty)
        #expect(world.shown == world.mailbox.all)
    }

    private static func run(seed: UInt64) -> [String] {
        var random = SeededRandom(seed: seed)
        var world = SimulatedRelay(seed: seed)
        for _ in 0..<Int.random(in: 10...150, using: &random) {
            step(&world, &random, crashes: true)
        }
        world.heal()
        var violations = world.violations
        if !world.mailbox.waiting.isEmpty { violations.append("some wait at the end") }
        let missing = Set(world.mailbox.all).subtracting(world.shown)
        if !missing.isEmpty { violations.append("never shown: \(missing.sorted())") }
        return violations
    }

    private static func step(
        _ world: inout SimulatedRelay, _ random: inout SeededRandom, crashes: Bool
    ) {
        switch Int.random(in: 0..<44, using: &random) {
        case 0..<16: world.step()
        case 16..<24: world.mailbox.post(at: world.now)
        case 24..<28: world.write()
        case 28: world.kill()
        case 29: world.pass(.random(in: 0...12, using: &random))
        case 30: world.pass(.random(in: 0...4000, using: &random))
        case 31:
            world.isUp.toggle()
            if !world.isUp { world.kill() }
        case 32: world.isDiskWell.toggle()
        case 33 where crashes: world.crash()
        case 34: world.passAttentionEvent(.sleep)
        case 35: world.passAttentionEvent(.woke)
        case 36: world.passAttentionEvent(.channel(.open))
        case 37: world.passAttentionEvent(.channel(.closed))
        case 38: world.passAttentionEvent(.opened)
        case 39: world.networkChanged()
        case 40: world.drain(seconds: .random(in: 0...60, using: &random))
        case 41: world.passAttentionEvent(.occasion)
        case 42: world.now.unixTime += .random(in: -1000...1000, using: &random)
        default: world.pass(.random(in: 0...2, using: &random), answering: true)
        }
    }
}
