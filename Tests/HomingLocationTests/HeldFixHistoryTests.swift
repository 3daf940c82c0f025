import HomingBase
import HomingTestKit
import Testing

/// Random journeys with random wild fixes.
@Suite struct HeldFixHistoryTests {
    /// Journey of a machine, with its receiver's true fixes and those that the receiver makes up.
    private struct Journey {
        private var random: SeededRandom
        let interval: Seconds
        private let tellsSpeed: Bool
        private(set) var machine: WatchedMachine
        private var place = (north: 0.0, east: 0.0)
        private var error = (north: 0.0, east: 0.0)
        private var heading = (north: 1.0, east: 0.0)
        private var speed = 0.0
        private var target = 0.0
        private var legEnd: Seconds = 0
        /// Uptime before which there is no fix.
        private var darkUntil: Seconds = 0
        /// Seconds with a fix since the first true one that was held after the last that was not.
        private var late: Seconds?
        private(set) var longest: Seconds = 0
        private(set) var wildFixes = 0
        private(set) var violations: [String] = []

        init(seed: UInt64) {
            random = SeededRandom(seed: seed)
            interval = [0.2, 1, 1, 2, 5].randomElement(using: &random) ?? 1
            tellsSpeed = Bool.random(using: &random)
            machine = WatchedMachine(stillInterval: Bool.random(using: &random) ? 120 : 0)
        }

        mutating func run(_ seconds: Seconds) {
            let end = machine.now.uptime + seconds
            var quiet = 5
            while machine.now.uptime < end {
                quiet -= 1
                if quiet <= 0, machine.now.uptime >= darkUntil, chance(interval / 40) {
                    burst()
                    quiet = 3
                } else {
                    trueFix()
                }
            }
        }

        private mutating func chance(_ share: Double) -> Bool {
            Double.random(in: 0..<1, using: &random) < share
        }

        private mutating func step() {
            let now = machine.now.uptime
            if now >= legEnd {
                target = [0, 0, 5, 14, 25, 40].randomElement(using: &random) ?? 0
                legEnd = now + .random(in: 20...200, using: &random)
                let north = Double.random(in: -1...1, using: &random)
                heading = (north, (1 - north * north).squareRoot())
                if chance(0.2) { darkUntil = now + .random(in: 5...30, using: &random) }
            }
            speed += max(-4, min(3, (target - speed) / interval)) * interval
            speed = max(0, speed)
            place.north += heading.north * speed * interval
            place.east += heading.east * speed * interval
            error.north = error.north * 0.9 + .random(in: -1.5...1.5, using: &random)
            error.east = error.east * 0.9 + .random(in: -1.5...1.5, using: &random)
            machine.pass(interval)
            if let late, machine.now.uptime >= darkUntil { self.late = late + interval }
        }

        private mutating func say(_ north: Double, _ east: Double) -> WatchedMachine.Outcome {
            machine.fix(
                north: place.north + error.north + north, east: place.east + error.east + east,
                accuracy: .random(in: 4...20, using: &random), speed: tellsSpeed ? speed : nil)
        }

        private mutating func trueFix() {
            step()
            guard machine.now.uptime >= darkUntil else { return }
            switch say(0, 0) {
            case .held:
                late = late ?? interval
                longest = max(longest, late ?? 0)
            case .reported, .near: late = nil
            case .skipped(let reason): violations.append("a true fix was \(reason)")
            case .unseen: break
            }
        }

        /// Makes one to three wild fixes in a row, alike or not. The fixes are further away than
        /// the machine can have come since it was last seen. At rest, that was minutes ago.
        private mutating func burst() {
            let length = interval > 1 ? 2 : Int.random(in: 1...3, using: &random)
            let isAlike = Bool.random(using: &random)
            var offset = offset()
            for _ in 0..<length {
                step()
                if !isAlike { offset = self.offset() }
                switch say(offset.north, offset.east) {
                case .held: wildFixes += 1
                case .unseen: break
                case let outcome: violations.append("a wild fix was \(outcome)")
                }
            }
        }

        private mutating func offset() -> (north: Double, east: Double) {
            let north = Double.random(in: 60_000...200_000, using: &random)
            return (
                Bool.random(using: &random) ? north : -north,
                .random(in: -50_000...50_000, using: &random)
            )
        }
    }

    @Test("No wild fix is ever reported, and no journey loses more than 40 s of fixes at a time")
    func journeys() {
        let seed = TestRun.seed()
        let rounds = TestRun.isLong ? 2000 : 100
        print("HOMING_SEED=\(seed): \(rounds) journeys with wild fixes")
        var (wildFixes, longest) = (0, 0.0)
        for round in 0..<rounds {
            var journey = Journey(seed: seed &+ UInt64(round))
            journey.run(1800)
            #expect(journey.violations.isEmpty, "round \(round): \(journey.violations.prefix(3))")
            #expect(journey.longest <= 40, "round \(round): \(journey.longest) s lost")
            wildFixes += journey.wildFixes
            longest = max(longest, journey.longest)
        }
        #expect(wildFixes > rounds)
        print("\(wildFixes) wild fixes held; a true fix was late by \(longest) s at most")
    }
}
