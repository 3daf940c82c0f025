import HomingBase
import HomingLocation
import Testing

/// True journeys that look like jumps.
@Suite struct HeldFixJourneyTests {
    /// A machine that has stood on its place for three minutes, and was looked at a moment ago.
    private func parked() -> WatchedMachine {
        var machine = WatchedMachine()
        for _ in 0..<185 {
            _ = machine.fix(north: 0, speed: 0)
            machine.pass(1)
        }
        return machine
    }

    /// Seconds until a position is reported, with a fix every second at that place.
    private func delay(
        _ machine: inout WatchedMachine, north: Double, speed: Double?
    ) -> Seconds? {
        let start = machine.now.uptime
        while machine.now.uptime - start < 60 {
            if machine.fix(north: north, speed: speed) == .reported {
                return machine.now.uptime - start
            }
            machine.pass(1)
        }
        return nil
    }

    @Test("40 km after an hour without a fix are reported at once", arguments: [true, false])
    func ferry(isAtRest: Bool) {
        var machine = WatchedMachine(stillInterval: isAtRest ? 120 : 0)
        for _ in 0..<180 {
            _ = machine.fix(north: 0, speed: 0)
            machine.pass(1)
        }
        machine.pass(3600)
        while !machine.isWatched { machine.pass(1) }
        #expect(delay(&machine, north: 40_000, speed: 0) == 0)
        #expect(machine.held.total == 0)
    }

    @Test("400 km after a sleep are reported within ten seconds", arguments: [1.0, 3, 8])
    func sleep(hours: Double) throws {
        for speed: Double? in [0, 30, nil] {
            var machine = parked()
            machine.sleep(hours * 3600)
            let delay = try #require(delay(&machine, north: 400_000, speed: speed))
            #expect(delay <= 6, "\(delay) s")
        }
    }

    @Test(
        "A tunnel right after a departure does not put the receiver to rest",
        arguments: [25.0, 60, 110])
    func tunnelAtDeparture(length: Seconds) throws {
        var machine = parked()
        while !machine.isWatched { machine.pass(1) }
        #expect(machine.fix(north: 300, speed: nil) == .held)
        machine.pass(length)
        let delay = try #require(delay(&machine, north: 300 + 10 * length, speed: nil))
        #expect(delay <= 6, "\(delay) s")
    }

    @Test(
        "A tunnel costs no fix at its end", arguments: [20.0, 90, 600, 3600], [0.0, 8, 36])
    func tunnel(length: Seconds, speedAtEnd: Double) {
        var machine = WatchedMachine()
        var north = 0.0
        for _ in 0..<60 {
            _ = machine.fix(north: north, speed: 25)
            machine.pass(1)
            north += 25
        }
        machine.pass(length)
        north += 25 * length
        #expect(machine.fix(north: north, speed: speedAtEnd) == .reported)
        #expect(machine.held.total == 0)
    }

    /// Vehicles that start fast: metres a second per second, and the greatest speed.
    static let starts: [(acceleration: Double, speed: Double)] = [
        (1.2, 90), (3, 85), (4, 260), (10, 60),
    ]

    @Test("A train, an aeroplane and a racing car start without losing a fix", arguments: starts)
    func start(of vehicle: (acceleration: Double, speed: Double)) {
        for isSpeedKnown in [true, false] {
            for interval in [0.2, 1.0] {
                var machine = WatchedMachine(stillInterval: 0)
                var (north, speed) = (0.0, 0.0)
                for _ in 0..<Int(300 / interval) {
                    let outcome = machine.fix(north: north, speed: isSpeedKnown ? speed : nil)
                    #expect(outcome != .held)
                    machine.pass(interval)
                    speed = min(vehicle.speed, speed + vehicle.acceleration * interval)
                    north += speed * interval
                }
                #expect(machine.held.total == 0)
            }
        }
    }

    @Test("A departure that a look at rest finds is reported at once, or after five seconds")
    func departure() {
        for (metres, speed, limit) in [(800.0, 13.0, 0.0), (3000, 13, 5), (800, 0, 5)] {
            var machine = parked()
            machine.pass(60)
            while !machine.isWatched { machine.pass(1) }
            let delay = delay(&machine, north: metres, speed: speed)
            #expect(delay == limit, "\(metres) m at \(speed) m/s: \(delay ?? -1) s")
        }
    }

    @Test("A receiver that always says speed 0 loses half a minute at most")
    func lyingReceiver() {
        var machine = WatchedMachine(stillInterval: 0)
        var (north, held, longest) = (0.0, 0.0, 0.0)
        for _ in 0..<120 {
            held = machine.fix(north: north, speed: 0) == .held ? held + 5 : 0
            longest = max(longest, held)
            machine.pass(5)
            north += 150
        }
        #expect(longest <= 35, "\(longest) s")
    }
}
