import HomingBase
import HomingTestKit
import Testing

@testable import HomingRelay

@Suite("What clients may try how often")
struct ThrottleTests {
    @Test("allows so many of an address in a period, and again when it is over")
    func limit() {
        var throttle = Throttle<Int>()
        var allowed = 0
        for number in 0..<100 {
            let now = 1000 + Double(number) / 10
            guard throttle.allows(.badToken, by: 1, at: now) else { continue }
            throttle.note(.badToken, by: 1, at: now)
            allowed += 1
        }
        let (other, soon, later) = (
            throttle.allows(.badToken, by: 2, at: 1010),
            throttle.allows(.badToken, by: 1, at: 1059),
            throttle.allows(.badToken, by: 1, at: 1125)
        )
        #expect(allowed == 30)
        #expect(other && !soon && later)
    }

    @Test("lets an old burst fade, so that no two periods together have twice as many")
    func fading() {
        var throttle = Throttle<Int>()
        var times: [Seconds] = []
        // As fast as it may, for an hour.
        for number in 0..<36_000 {
            let now = Double(number) / 10
            guard throttle.allows(.badToken, by: 1, at: now) else { continue }
            throttle.note(.badToken, by: 1, at: now)
            times.append(now)
        }
        let most = times.map { start in times.count { (start..<start + 60).contains($0) } }.max()
        #expect(times.count > 30 * 50)
        #expect((most ?? 0) <= 45)
    }

    @Test("counts each kind by itself, and takes back what was not so")
    func kinds() {
        var throttle = Throttle<Int>()
        for _ in 0..<10 { throttle.note(.guess, by: 1, at: 5) }
        let before = throttle.allows(.guess, by: 1, at: 6)
        let join = throttle.allows(.join, by: 1, at: 6)
        throttle.takeBack(.guess, by: 1)
        let after = throttle.allows(.guess, by: 1, at: 6)
        let afterAnHour = throttle.allows(.guess, by: 1, at: 7300)
        #expect(!before && join && after && afterAnHour)
    }

    @Test("remembers a bounded number of addresses, whoever asks")
    func bound() {
        var throttle = Throttle<Int>()
        for address in 0..<100_000 {
            throttle.note(.badToken, by: address, at: Double(address) / 1000)
        }
        #expect(throttle.size <= 2 * Throttle<Int>.capacity)
        #expect(throttle.size > Throttle<Int>.capacity)
        for _ in 0..<40 { throttle.note(.badToken, by: -1, at: 5000) }
        let isAllowed = throttle.allows(.badToken, by: -1, at: 5001)
        #expect(!isAllowed)
    }

    @Test("knows nothing of what was long ago")
    func pause() {
        var counts = RecentCounts<Int>(period: 60, capacity: 10)
        for _ in 0..<5 { counts.add(1, at: 0) }
        let values = [0, 30, 60, 90, 119, 121, 10_000].map { counts.count(1, at: $0) }
        #expect(values[0...2] == [5, 5, 5])
        #expect(values[3] == 2.5)
        #expect(values[4] < 0.1 && values[5] == 0 && values[6] == 0)
    }
}
