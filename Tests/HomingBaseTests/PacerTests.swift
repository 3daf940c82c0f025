import HomingBase
import HomingTestKit
import Testing

@Suite struct PacerTests {
    private let start = Moment(uptime: 1000, unixTime: 0)

    @Test(
        "a wait doubles with each failure up to the longest, and is the first one after a success")
    func doubles() {
        var pacer = Pacer(.doubling(first: 60, longest: 900))
        #expect(pacer.isDue(at: start))
        #expect((0..<6).map { _ in pacer.failed(at: start) } == [60, 120, 240, 480, 900, 900])
        #expect(!pacer.isDue(at: start.advanced(by: 899)))
        #expect(pacer.isDue(at: start.advanced(by: 900)) && pacer.notBefore == 1900)
        for _ in 0..<100 { #expect(pacer.failed(at: start) == 900) }
        pacer.succeeded()
        #expect(pacer.isDue(at: start) && pacer.failed(at: start) == 60)
        pacer.slowDown()
        #expect(pacer.failed(at: start) == 900)
    }

    @Test("steps come in turn, and then a time by chance; only after a step it is stepping")
    func steps() {
        var pacer = Pacer(.steps([2, 6], then: 300...400), seed: 7)
        #expect(!pacer.isStepping)
        #expect(pacer.failed(at: start) == 2 && pacer.isStepping)
        #expect(pacer.failed(at: start) == 6 && pacer.isStepping)
        for _ in 0..<100 {
            #expect((300...400).contains(pacer.failed(at: start)) && !pacer.isStepping)
        }
    }

    @Test("in an outage it waits at least a second, and at most half of the outage or the longest")
    func outage() {
        var pacer = Pacer(.outage(longest: 300), seed: TestRun.seed())
        for _ in 0..<100 { #expect(pacer.failed(at: start) == 1) }
        var waits: [Seconds] = []
        for age in stride(from: 3.0, to: 3600, by: 3) {
            let wait = pacer.failed(at: start.advanced(by: age))
            #expect((1...max(1, min(300, age / 2))).contains(wait))
            waits.append(wait)
        }
        #expect(waits.max() ?? 0 > 250 && waits.min() ?? 9 < 2)
    }

    @Test("a pause of its own counts until then, whatever failed before")
    func pause() {
        var pacer = Pacer(.doubling(first: 60, longest: 900))
        pacer.failed(at: start)
        pacer.pause(for: 10, at: start)
        #expect(pacer.isDue(at: start.advanced(by: 10)))
        pacer.pause(for: .infinity, at: start)
        #expect(!pacer.isDue(at: start.advanced(by: 1e9)))
    }

    @Test("tries come every 4 s for 2 minutes, then every 60 s")
    func slows() {
        var pacer = Pacer(.reconnecting)
        var now = start
        var waits: [Seconds] = []
        for _ in 0..<34 {
            let wait = pacer.failed(at: now)
            waits.append(wait)
            now = now.advanced(by: wait)
        }
        #expect(waits == Array(repeating: 4, count: 30) + Array(repeating: 60, count: 4))
    }

    @Test("a service that was well is awaited quickly again")
    func settles() {
        var pacer = Pacer(.reconnecting)
        _ = pacer.failed(at: start)
        #expect(pacer.failed(at: start.advanced(by: 3600)) == 60)
        pacer.succeeded()
        #expect(pacer.failed(at: start.advanced(by: 3660)) == 4)
    }

    @Test("a step of the wall clock changes nothing")
    func ignoresClockSteps() {
        var pacer = Pacer(.reconnecting)
        _ = pacer.failed(at: start)
        let later = Moment(uptime: start.uptime + 10, unixTime: 2_000_000_000)
        #expect(pacer.failed(at: later) == 4)
    }
}
