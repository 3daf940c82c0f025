import HomingBase
import HomingLocation
import Testing

private let start = Moment(uptime: 0, unixTime: 1_800_000_000)

@Suite struct MotionGateTests {
    private func fix(north: Double, speed: Double? = nil) throws -> Fix {
        let place = try #require(Coordinate(latitude: 52 + north / 111_195, longitude: 4.9))
        return Fix(coordinate: place, accuracy: 5, time: 0, speed: speed)
    }

    /// A gate that has come to rest at uptime 60.
    private func restingGate() throws -> MotionGate {
        var gate = MotionGate(stillInterval: 120, minDistance: 20)
        #expect(gate.fix(try fix(north: 0), at: start).isEmpty)
        #expect(gate.fix(try fix(north: 2), at: start.advanced(by: 30)).isEmpty)
        let effects = gate.fix(try fix(north: 1), at: start.advanced(by: 60))
        #expect(effects == [.rest, .wake(at: 180)])
        return gate
    }

    @Test("A machine that stays in one place for a minute rests its receiver")
    func comesToRest() throws { #expect(try restingGate().isStill) }

    @Test("A machine that moves keeps its receiver on")
    func staysOn() throws {
        var gate = MotionGate(stillInterval: 120, minDistance: 20)
        for second in 0..<300 {
            let fix = try fix(north: Double(second) * 5)
            #expect(gate.fix(fix, at: start.advanced(by: Seconds(second))).isEmpty)
        }
        for second in 300..<500 {
            let crawling = try fix(north: 1495, speed: 1.5)
            #expect(gate.fix(crawling, at: start.advanced(by: Seconds(second))).isEmpty)
        }
    }

    @Test("While still it looks once per interval, for one good fix")
    func peeksForOneFix() throws {
        var gate = try restingGate()
        #expect(gate.timer(at: start.advanced(by: 100)) == [.wake(at: 180)])
        #expect(gate.timer(at: start.advanced(by: 180)) == [.watch, .wake(at: 200)])
        #expect(
            gate.fix(try fix(north: 3), at: start.advanced(by: 183)) == [.rest, .wake(at: 303)])
    }

    @Test("Without a good fix it gives up after 20 seconds")
    func peeksInVain() throws {
        var gate = try restingGate()
        _ = gate.timer(at: start.advanced(by: 180))
        #expect(gate.timer(at: start.advanced(by: 200)) == [.rest, .wake(at: 320)])
    }

    @Test("A look that finds it elsewhere leaves the receiver on")
    func noticesMovement() throws {
        var gate = try restingGate()
        _ = gate.timer(at: start.advanced(by: 180))
        #expect(gate.fix(try fix(north: 100), at: start.advanced(by: 182)).isEmpty)
        #expect(!gate.isStill)
    }

    @Test("A request opens the watch at once")
    func request() throws {
        var gate = try restingGate()
        #expect(gate.wanted(at: start.advanced(by: 70)) == [.watch, .wake(at: 90)])
        #expect(gate.wanted(at: start.advanced(by: 75)) == [.watch, .wake(at: 95)])
    }

    @Test(
        "A doubtful fix keeps it looking for two minutes; a good one ends that, a request does not")
    func doubt() throws {
        var gate = try restingGate()
        _ = gate.timer(at: start.advanced(by: 180))
        #expect(gate.doubted(at: start.advanced(by: 182)) == [.watch, .wake(at: 302)])
        #expect(gate.timer(at: start.advanced(by: 200)) == [.wake(at: 302)])
        #expect(gate.wanted(at: start.advanced(by: 210)) == [.watch, .wake(at: 302)])
        #expect(
            gate.fix(try fix(north: 3), at: start.advanced(by: 211)) == [.rest, .wake(at: 331)])
    }

    @Test("An interval set to 0 while it rests turns the receiver on for good")
    func switchedOff() throws {
        var gate = try restingGate()
        gate.stillInterval = 0
        #expect(gate.timer(at: start.advanced(by: 180)) == [.watch])
        #expect(gate.timer(at: start.advanced(by: 200)).isEmpty)
    }

    @Test("An interval of 0 keeps the receiver on")
    func alwaysOn() throws {
        var gate = MotionGate(stillInterval: 0, minDistance: 20)
        for second in stride(from: 0.0, to: 1000, by: 10) {
            #expect(gate.fix(try fix(north: 0), at: start.advanced(by: second)).isEmpty)
        }
    }
}
