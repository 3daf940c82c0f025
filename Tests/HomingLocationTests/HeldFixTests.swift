import Testing

@testable import HomingLocation

/// Fixes that the machine cannot have reached.
@Suite struct HeldFixTests {
    /// Motion of the machine before the wild fixes, and whether it tells its speed.
    enum Motion: CaseIterable {
        case atRest
        case driving
        case drivingWithoutSpeed

        var pace: Double { self == .atRest ? 0 : 12 }
        var speed: Double? { self == .drivingWithoutSpeed ? nil : pace }
    }

    /// A machine that has moved so for 30 s, and how far it has come.
    private func moving(_ motion: Motion) -> (machine: WatchedMachine, north: Double) {
        var machine = WatchedMachine()
        var north = 0.0
        for _ in 0..<30 {
            _ = machine.fix(north: north, speed: motion.speed)
            machine.pass(1)
            north += motion.pace
        }
        return (machine, north)
    }

    @Test(
        "A burst of one to three wild fixes is never reported, and the next true one is",
        arguments: Motion.allCases, 1...3)
    func burst(motion: Motion, length: Int) {
        // All elsewhere; two that agree; all that agree.
        for places in [[5000, -8000, 20_000.0], [5000, 5010, -8000], [5000, 5012, 5024]] {
            var (machine, north) = moving(motion)
            for place in places.prefix(length) {
                #expect(machine.fix(north: north + place, speed: motion.speed) == .held)
                #expect(machine.held.waiting > 0)
                machine.pass(1)
                north += motion.pace
            }
            let next = machine.fix(north: north, speed: motion.speed)
            #expect(next == (motion == .atRest ? .near : .reported))
            #expect(machine.held == .init(believed: 0, dropped: length))
        }
    }

    @Test("A fix that repeats an epoch does not count twice")
    func epoch() {
        var (machine, north) = moving(.atRest)
        #expect(machine.fix(north: north + 5000, speed: 0) == .held)
        #expect(machine.fix(north: north + 5000, speed: 0) == .skipped(.duplicate))
        #expect(machine.held.waiting == 1)
    }

    @Test("Three fixes over five seconds that agree with each other are believed")
    func believed() {
        var (machine, north) = moving(.atRest)
        for _ in 0..<5 {
            #expect(machine.fix(north: north + 5000, speed: 0) == .held)
            machine.pass(1)
        }
        #expect(machine.fix(north: north + 5000, speed: 0) == .reported)
        #expect(machine.held == .init(believed: 5, dropped: 0))
        #expect(machine.positions.skipped[.held] == 5)
    }

    @Test("Two fixes are too few, and fixes that do not agree are none")
    func notBelieved() {
        var (two, north) = moving(.atRest)
        #expect(two.fix(north: north + 5000, speed: 0) == .held)
        two.pass(10)
        #expect(two.fix(north: north + 5000, speed: 0) == .held)
        var (scattered, start) = moving(.driving)
        for second in 0..<20 {
            let place = Double(second + 1) * (second.isMultiple(of: 2) ? 5000 : -5000)
            #expect(scattered.fix(north: start + place, speed: 12) == .held)
            scattered.pass(1)
        }
        #expect(scattered.fix(north: start + 240, speed: 12) == .reported)
    }

    @Test("One fix at the old place ends the belief in the others")
    func oldPlace() {
        var (machine, north) = moving(.atRest)
        for second in 0..<60 {
            let isWild = !second.isMultiple(of: 4)
            let outcome = machine.fix(north: north + (isWild ? 5000 : 0), speed: 0)
            #expect(outcome == .held || outcome == .unseen || !isWild)
            machine.pass(1)
        }
        #expect(machine.held.believed == 0)
    }

    @Test("A held fix opens the watch until there is another, and it rests again after")
    func watch() {
        var (machine, north) = moving(.atRest)
        for _ in 0..<40 {
            _ = machine.fix(north: north, speed: 0)
            machine.pass(1)
        }
        #expect(!machine.isWatched)
        machine.pass(110)
        #expect(machine.isWatched, "it is looked at every 120 s")
        #expect(machine.fix(north: north + 5000, speed: 0) == .held)
        machine.pass(19)
        #expect(machine.isWatched)
        #expect(machine.fix(north: north, speed: 0) == .near)
        #expect(!machine.isWatched && machine.held.dropped == 1)
    }

    @Test("At rest a near fix that no speed explains is held, and an ordinary error is not")
    func restingErrors() {
        var (machine, north) = moving(.atRest)
        for _ in 0..<40 {
            _ = machine.fix(north: north, speed: 0)
            machine.pass(1)
        }
        machine.pass(110)
        #expect(machine.fix(north: north + 400, speed: nil) == .held)
        #expect(machine.fix(north: north + 45, speed: nil) != .held)
    }

    @Test("A claimed speed counts only as far as it can have grown")
    func claimedSpeed() {
        var (machine, north) = moving(.driving)
        // gpsd derives it from the place where the receiver does not tell it.
        #expect(machine.fix(north: north + 5000, speed: 5000) == .held)
        machine.pass(1)
        north += 12
        #expect(machine.fix(north: north, speed: 5000) == .reported)
    }

    @Test("Wild fixes that agree by chance do not outweigh the true ones between them")
    func chance() {
        var machine = WatchedMachine(stillInterval: 0)
        _ = machine.fix(north: 0, speed: nil)
        for north in [90_000.0, 1000, 1200, 1400, 1600, 1800, 96_000, 96_000] {
            machine.pass(5)
            #expect(machine.fix(north: north, speed: nil) == .held)
        }
        machine.pass(5)
        #expect(machine.fix(north: 2400, speed: nil) == .reported)
    }

    @Test("Wild fixes of two bursts that only an aeroplane could join are not believed")
    func twoBursts() {
        var machine = WatchedMachine(stillInterval: 0)
        _ = machine.fix(north: 0, speed: nil)
        // The machine drives faster after a tunnel, so that its fixes are held too.
        let fixes: [(wait: Double, north: Double)] = [
            (5, 155_000), (5, 75_000), (10, 1000), (5, 1125), (5, 80_000), (5, 80_000),
        ]
        for (wait, north) in fixes {
            machine.pass(wait)
            #expect(machine.fix(north: north, speed: nil) == .held)
        }
        machine.pass(5)
        #expect(machine.fix(north: 1500, speed: nil) == .reported)
    }
}
