import HomingBase
import HomingRuntime
import Testing

@testable import HomingSources

@Suite struct ReconnectRhythmTests {
    private let start = Moment(uptime: 1000, unixTime: 0)

    @Test("tries come every 4 s for 2 minutes, then every 60 s")
    func slows() {
        var rhythm = ReconnectRhythm()
        var now = start
        var waits: [Seconds] = []
        for _ in 0..<34 {
            let wait = rhythm.failed(at: now)
            waits.append(wait)
            now = now.advanced(by: wait)
        }
        #expect(waits == Array(repeating: 4, count: 30) + Array(repeating: 60, count: 4))
    }

    @Test("a service that was well is awaited quickly again")
    func settles() {
        var rhythm = ReconnectRhythm()
        _ = rhythm.failed(at: start)
        #expect(rhythm.failed(at: start.advanced(by: 3600)) == 60)
        rhythm.settled()
        #expect(rhythm.failed(at: start.advanced(by: 3660)) == 4)
    }

    @Test("a step of the wall clock changes nothing")
    func ignoresClockSteps() {
        var rhythm = ReconnectRhythm()
        _ = rhythm.failed(at: start)
        let later = Moment(uptime: start.uptime + 10, unixTime: 2_000_000_000)
        #expect(rhythm.failed(at: later) == 4)
    }
}
