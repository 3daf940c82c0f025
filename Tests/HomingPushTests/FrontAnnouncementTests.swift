import HomingBase
import HomingTestKit
import Testing

@testable import HomingPush

/// Times at which a front is told the token to which it forwards.
@Suite struct FrontAnnouncementTests {
    /// A telling whose machine was started in the second 1 800 000 000.
    private final class Bench {
        private var telling: FrontAnnouncement

        init(toldAt: Seconds?) { telling = FrontAnnouncement(toldAt: toldAt) }

        /// Bench that told the front at the uptime 0.
        static var told: Bench { Bench(toldAt: 1_800_000_000) }

        var nextWake: Seconds? { telling.nextWake }

        @discardableResult
        func handle(_ event: FrontAnnouncement.Event, at uptime: Seconds) -> Bool {
            telling.handle(
                event, at: Moment(uptime: uptime, unixTime: 1_800_000_000 + uptime))
        }
    }

    @Test("A front that does not know the token is told at once, and then no more")
    func atOnce() {
        let telling = Bench(toldAt: nil)
        #expect(telling.handle(.occasion, at: 1000))
        #expect(!telling.handle(.networkChanged, at: 1001), "a try is under way")
        #expect(telling.nextWake == nil)
        #expect(!telling.handle(.answered(.told), at: 1002))
        #expect(telling.nextWake == nil)
        #expect(!telling.handle(.occasion, at: 80_000))
    }

    @Test("A front that is away is tried less and less often, down to once an hour")
    func away() {
        let telling = Bench(toldAt: nil)
        var (tries, now) = ([Seconds](), 0.0)
        var isDue = telling.handle(.occasion, at: now)
        while tries.count < 9 {
            #expect(isDue)
            tries.append(now)
            isDue = telling.handle(.answered(.unreachable), at: now)
            #expect(!telling.handle(.occasion, at: now + 59))
            now = telling.nextWake ?? .infinity
            isDue = telling.handle(.wake, at: now)
        }
        #expect(
            zip(tries, tries.dropFirst()).map { $1 - $0 }
                == [60, 120, 240, 480, 960, 1920, 3600, 3600])
    }

    @Test("A front is told when a person asks, unless it must not be told or is being told")
    func asked() {
        let telling = Bench.told
        #expect(telling.handle(.asked, at: 10))
        #expect(!telling.handle(.asked, at: 11), "a try is under way")
        telling.handle(.answered(.refused), at: 12)
        #expect(telling.handle(.asked, at: 13), "whatever the pace")
        telling.handle(.answered(.told), at: 14)
        telling.handle(.permitted(false), at: 15)
        #expect(!telling.handle(.asked, at: 16))
        telling.handle(.permitted(true), at: 17)
        telling.handle(.sleep, at: 18)
        #expect(!telling.handle(.asked, at: 19))
    }

    @Test("Another network makes the next try due, a minute after the last one")
    func network() {
        let telling = Bench(toldAt: nil)
        telling.handle(.occasion, at: 0)
        for now in [0.0, 100, 300] { telling.handle(.answered(.unreachable), at: now) }
        #expect(!telling.handle(.wake, at: 350))
        #expect(telling.handle(.networkChanged, at: 351))
        telling.handle(.answered(.unreachable), at: 352)
        #expect(!telling.handle(.networkChanged, at: 353))
        #expect(telling.nextWake == 411)
        #expect(telling.handle(.wake, at: 411))
    }

    @Test("A refusal is repeated once an hour at most, whatever the occasions")
    func refused() {
        let telling = Bench(toldAt: nil)
        #expect(telling.handle(.occasion, at: 0))
        telling.handle(.answered(.refused), at: 1)
        #expect(telling.nextWake == 3601)
        #expect(!telling.handle(.occasion, at: 3600))
        #expect(telling.handle(.occasion, at: 3601))
    }

    @Test(
        "A front that knows the token is told again once a day, at an occasion; nothing wakes for that"
    )
    func daily() {
        let telling = Bench.told
        #expect(!telling.handle(.occasion, at: 86_399) && telling.nextWake == nil)
        #expect(telling.handle(.occasion, at: 86_400))
        telling.handle(.answered(.unreachable), at: 86_401)
        #expect(telling.nextWake == nil)
        #expect(!telling.handle(.occasion, at: 86_430))
        #expect(telling.handle(.occasion, at: 86_500))
        telling.handle(.answered(.told), at: 86_501)
        #expect(!telling.handle(.occasion, at: 172_900))
        #expect(telling.handle(.occasion, at: 172_901))
    }

    @Test("A clock that was set does not end the telling")
    func clock() {
        let telling = Bench(toldAt: 4_000_000_000)
        #expect(telling.handle(.occasion, at: 1000))
        telling.handle(.answered(.told), at: 1001)
        #expect(!telling.handle(.occasion, at: 2000))
    }

    @Test("Another token is told at once, and a token that changed meanwhile a minute later")
    func changed() {
        let telling = Bench.told
        #expect(telling.handle(.changed, at: 10))
        #expect(!telling.handle(.changed, at: 11))
        #expect(!telling.handle(.answered(.outdated), at: 12))
        #expect(telling.nextWake == 70)
        #expect(telling.handle(.wake, at: 70))
        telling.handle(.answered(.told), at: 71)
        #expect(telling.nextWake == nil)
    }

    @Test("Nothing is tried asleep, and it is tried at once after waking")
    func sleep() {
        let telling = Bench(toldAt: nil)
        #expect(!telling.handle(.sleep, at: 0) && telling.nextWake == nil)
        #expect(!telling.handle(.networkChanged, at: 1))
        #expect(telling.handle(.woke, at: 30_000))
    }

    @Test("Where the tokens may not travel nothing is tried, and where they may again, it is due")
    func permission() {
        let telling = Bench(toldAt: nil)
        telling.handle(.occasion, at: 0)
        telling.handle(.answered(.unreachable), at: 1)
        telling.handle(.permitted(false), at: 100)
        #expect(telling.nextWake == nil)
        for event in [FrontAnnouncement.Event.networkChanged, .occasion, .wake, .woke, .changed] {
            #expect(!telling.handle(event, at: 20_000), "\(event)")
        }
        #expect(telling.handle(.permitted(true), at: 20_001))
    }

    @Test("In any history two tries are a minute apart, and a front that can be reached is told")
    func histories() {
        for round in 0..<2000 {
            var random = SeededRandom(seed: TestRun.seed() &+ UInt64(round))
            let telling = Bench(toldAt: nil)
            var now = 0.0
            var (lastTry, isUnderWay, isTold) = (-60.0, false, false)
            func note(_ isDue: Bool) {
                guard isDue else { return }
                #expect(now - lastTry >= 60 && !isUnderWay, "round \(round) at \(now)")
                (lastTry, isUnderWay) = (now, true)
            }
            for _ in 0..<60 {
                now += Double(Int.random(in: 0...200, using: &random))
                let events: [FrontAnnouncement.Event] = [
                    .changed, .networkChanged, .occasion, .wake, .sleep, .woke,
                ]
                note(telling.handle(events.randomElement(using: &random) ?? .wake, at: now))
                guard isUnderWay, Bool.random(using: &random) else { continue }
                isUnderWay = false
                let outcomes: [FrontAnnouncement.Outcome] = [.outdated, .unreachable, .refused]
                let outcome = outcomes.randomElement(using: &random) ?? .refused
                note(telling.handle(.answered(outcome), at: now))
            }
            // The machine is awake, and the front is there from now on.
            if !isUnderWay { note(telling.handle(.woke, at: now)) }
            for _ in 0..<3 where !isTold {
                if !isUnderWay, let wake = telling.nextWake {
                    now = max(now, wake)
                    note(telling.handle(.wake, at: now))
                }
                guard isUnderWay else { continue }
                isUnderWay = false
                isTold = true
                note(telling.handle(.answered(.told), at: now))
            }
            #expect(isTold, "round \(round)")
        }
    }
}
