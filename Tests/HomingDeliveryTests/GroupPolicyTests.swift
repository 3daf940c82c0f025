import HomingBase
import HomingTestKit
import Testing

@testable import HomingDelivery

@Suite("When positions that wait are written")
final class GroupPolicyTests {
    private var policy = GroupPolicy()

    private func tellPolicy(_ event: GroupPolicy.Event, at uptime: Seconds)
        -> GroupPolicy.Decision
    {
        policy.handle(event, at: Moment(uptime: uptime, unixTime: uptime))
    }

    /// A position that is handed over at once and answered 50 ms later; whether it was committed.
    @discardableResult
    private func pass(_ uptime: Seconds, urgent: Bool = false) -> Bool {
        let decisions = [
            tellPolicy(.accepted, at: uptime), tellPolicy(.handed(isTrusted: true), at: uptime),
            tellPolicy(.done(urgent: urgent), at: uptime), tellPolicy(.answered, at: uptime + 0.05),
        ]
        return decisions.contains { $0.write != nil }
    }

    /// A drive at 1 Hz that has begun.
    private static func driving(until uptime: Seconds = 105) -> GroupPolicyTests {
        let test = GroupPolicyTests()
        for second in stride(from: 100, to: uptime, by: 1) { test.pass(second) }
        return test
    }

    @Test("Positions that come seldom are written by themselves, and no timer runs for them")
    func seldom() {
        for minute in 0..<5 {
            pass(Seconds(minute) * 60)
            let decision = tellPolicy(.wake, at: Seconds(minute) * 60 + 2)
            #expect(decision == .init(reserve: 0, write: nil, wakeAt: nil))
        }
    }

    @Test("The second of two positions that were answered in time lets the next ones wait")
    func flow() {
        pass(100)
        #expect(tellPolicy(.accepted, at: 101).reserve == 0)
        _ = tellPolicy(.handed(isTrusted: true), at: 101)
        _ = tellPolicy(.done(urgent: false), at: 101)
        #expect(tellPolicy(.answered, at: 101.1).reserve == 16)
    }

    @Test("A group ends with the first position of the last second before a multiple of nine")
    func groupEnd() {
        let test = Self.driving(until: 100)
        let ends = stride(from: 100.2, to: 140, by: 1).filter { test.pass($0) }
        #expect(ends == [107.2, 116.2, 125.2, 134.2])
    }

    @Test("The next group has room for twice as many as the last one had")
    func room() {
        let commits = (0..<1000).count { pass(100 + Seconds($0) * 0.04) }
        #expect(commits == 4)
        #expect(tellPolicy(.wake, at: 140).reserve == 450)
        for tick in 0..<20 { pass(140 + Seconds(tick)) }
        #expect(tellPolicy(.wake, at: 159.5).reserve == 18)
    }

    @Test("A position that is not answered within a second is written")
    func unanswered() {
        let test = Self.driving()
        _ = test.tellPolicy(.accepted, at: 105)
        _ = test.tellPolicy(.handed(isTrusted: true), at: 105)
        #expect(test.tellPolicy(.done(urgent: false), at: 105).wakeAt == 106)
        #expect(test.tellPolicy(.wake, at: 105.9).write == nil)
        let decision = test.tellPolicy(.wake, at: 106)
        #expect(decision.write == .commit && decision.reserve == 0)
    }

    @Test("A position that is not handed over in the same turn is written")
    func held() {
        let test = Self.driving()
        #expect(test.tellPolicy(.accepted, at: 105).write == nil)
        let decision = test.tellPolicy(.done(urgent: false), at: 105)
        #expect(decision.write == .commit && decision.reserve == 0)
    }

    @Test(
        "A position for a connection without a receipt of late is written before it is handed over")
    func untrusted() {
        let test = Self.driving()
        _ = test.tellPolicy(.accepted, at: 105)
        let decision = test.tellPolicy(.handed(isTrusted: false), at: 105)
        #expect(decision.write == .commit && decision.reserve == 0)
    }

    @Test("An urgent position, and any failure, has all of them written")
    func urgentOrFailed() {
        let test = Self.driving()
        #expect(test.pass(105, urgent: true))
        #expect(Self.driving().tellPolicy(.mustBeWritten, at: 105).write == .commit)
    }

    @Test("Ten seconds after the last position all are written and no number stays reserved")
    func silence() {
        let test = Self.driving(until: 105)
        let first = test.tellPolicy(.wake, at: 108)
        #expect(first.write == .save && first.reserve > 0)
        #expect(first.wakeAt == 114)
        let last = test.tellPolicy(.wake, at: 114)
        #expect(last == .init(reserve: 0, write: .commit, wakeAt: nil))
    }

    @Test("What could not be written is tried again ten seconds later")
    func notWritten() {
        let test = Self.driving()
        #expect(test.tellPolicy(.mustBeWritten, at: 105).write == .commit)
        let wait = test.tellPolicy(.notWritten, at: 105).wakeAt
        #expect((105...115).contains(wait ?? 0))
        #expect(test.tellPolicy(.wake, at: wait ?? 0).write == .commit)
        #expect(test.tellPolicy(.wake, at: 130) == .init(reserve: 0, write: nil, wakeAt: nil))
    }

    @Test("No position waits for longer than ten seconds, whatever happens")
    func bound() {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): waiting positions")
        var random = SeededRandom(seed: seed)
        var groups = 0
        for _ in 0..<200 {
            let test = GroupPolicyTests()
            var now: Seconds = 1000
            var oldest: Seconds?
            var wakeAt: Seconds?
            for _ in 0..<400 {
                now += Double.random(in: 0...3, using: &random)
                if let due = wakeAt, due < now { now = due }
                let isDue = wakeAt.map { now >= $0 } ?? false
                let events: [GroupPolicy.Event] = [
                    .handed(isTrusted: true), .answered, .done(urgent: false), .accepted,
                ]
                let event = isDue ? .wake : events.randomElement(using: &random) ?? .wake
                let decision = test.tellPolicy(event, at: now)
                if case .accepted = event, decision.reserve > 0 { oldest = oldest ?? now }
                if decision.write != nil {
                    groups += oldest == nil ? 0 : 1
                    oldest = nil
                }
                wakeAt = decision.wakeAt
                if let oldest { #expect(now - oldest <= GroupPolicy.longestWait) }
            }
        }
        #expect(groups > 100)
    }
}
