import HomingBase
import HomingTestKit
import Testing

@testable import HomingServer

/// Connections that are late.
@Suite struct PatrolTests {
    private static let limits: ServerLimits = {
        var limits = ServerLimits()
        (limits.headTime, limits.idle, limits.answerTime) = (10, 75, 2)
        return limits
    }()

    @Test("Who entered first is late first, and each stage has its time")
    func order() {
        var patrol = Patrol(limits: Self.limits)
        let (one, two, three) = (patrol.add(), patrol.add(), patrol.add())
        #expect(patrol.next == nil)
        patrol.enter(one, .idle, at: 100)
        patrol.enter(two, .head, at: 120)
        patrol.enter(three, .head, at: 121)
        #expect(patrol.next == 130)
        let nobody = patrol.late(at: 129.9)
        #expect(nobody == nil)
        var late: [Int] = []
        while let next = patrol.late(at: 175) { late.append(next.number) }
        #expect(late == [two, three, one])
        #expect(patrol.next == nil && patrol.stage(of: one) == nil)
    }

    @Test("Entering anew begins the time anew; leaving ends it; a number is used again")
    func again() {
        var patrol = Patrol(limits: Self.limits)
        let (one, two) = (patrol.add(), patrol.add())
        patrol.enter(one, .answer, at: 0)
        patrol.enter(two, .answer, at: 1)
        patrol.enter(one, .answer, at: 1.5)
        #expect(patrol.next == 3)
        patrol.leave(two)
        #expect(patrol.next == 3.5)
        patrol.remove(one)
        #expect(patrol.next == nil)
        let three = patrol.add()
        #expect(three == one && patrol.stage(of: three) == nil)
    }

    @Test("Random comings and goings are told as a list would tell them")
    func random() {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed)")
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            var patrol = Patrol(limits: Self.limits)
            let numbers = (0..<8).map { _ in patrol.add() }
            var list: [(number: Int, stage: ServerStage, since: Seconds)] = []
            var now: Seconds = 0
            for _ in 0..<100 {
                now += Double(Int.random(in: 0...20, using: &random))
                while let late = patrol.late(at: now) {
                    let index = list.firstIndex {
                        $0.number == late.number && $0.stage == late.stage
                    }
                    #expect(index != nil, "HOMING_SEED=\(seed)")
                    if let index {
                        let entry = list.remove(at: index)
                        #expect(entry.since + Self.limits.time(of: entry.stage) <= now)
                    }
                }
                let dues = list.map { $0.since + Self.limits.time(of: $0.stage) }
                #expect(dues.allSatisfy { $0 > now } && patrol.next == dues.min())
                let number = numbers.randomElement(using: &random) ?? 0
                list.removeAll { $0.number == number }
                if Int.random(in: 0..<4, using: &random) == 0 {
                    patrol.leave(number)
                } else {
                    let stage = ServerStage.allCases.randomElement(using: &random) ?? .head
                    patrol.enter(number, stage, at: now)
                    list.append((number, stage, now))
                }
            }
        }
    }
}
