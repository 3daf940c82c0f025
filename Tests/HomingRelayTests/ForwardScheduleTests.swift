import HomingBase
import HomingRelayProtocol
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingRelay

/// Times at which a front forwards, and the mailbox from which it forwards.
@Suite("A front's schedule")
struct ForwardScheduleTests {
    private var schedule = ForwardSchedule(limit: 100, seed: 1)

    private func now(_ uptime: Seconds) -> Moment { Moment(uptime: uptime, unixTime: 1e9 + uptime) }

    private func turn(_ number: Int, isFreeOnly: Bool = false) -> ForwardSchedule.Turn {
        ForwardSchedule.Turn(mailbox: mailbox(number), isFreeOnly: isFreeOnly)
    }

    @Test("sends a single message of a mailbox at a time, and four mailboxes at once")
    mutating func order() {
        for number in 1...6 { schedule.add(mailbox(number)) }
        schedule.add(mailbox(1))
        #expect(schedule.begin(at: 0) == (1...4).map { turn($0) })
        schedule.add(mailbox(1))
        #expect(schedule.begin(at: 0).isEmpty)
        schedule.end(turn(2), .empty, at: now(0))
        #expect(schedule.begin(at: 0) == [turn(5)])
        // A message came while the mailbox was on its turn.
        schedule.end(turn(1), .empty, at: now(0))
        schedule.end(turn(3), .taken, at: now(0))
        #expect(schedule.begin(at: 0) == [turn(6), turn(1)])
        for number in [4, 5, 6, 1] { schedule.end(turn(number), .empty, at: now(0)) }
        #expect(schedule.begin(at: 0) == [turn(3)])
        schedule.end(turn(3), .empty, at: now(0))
        #expect(schedule.begin(at: 0).isEmpty && schedule.nextWake == nil)
    }

    @Test("asks a far relay that is away by a single mailbox, each five minutes at least")
    mutating func outage() throws {
        for number in 1...6 { schedule.add(mailbox(number)) }
        for turn in schedule.begin(at: 0) { schedule.end(turn, .away(nil), at: now(0)) }
        var (time, waits): (Seconds, [Seconds]) = (0, [])
        for _ in 0..<300 {
            let wake = try #require(schedule.nextWake)
            #expect(schedule.begin(at: wake - 0.01).isEmpty)
            let turns = schedule.begin(at: wake)
            #expect(turns.count == 1 && schedule.nextWake == nil)
            waits.append(wake - time)
            time = wake
            schedule.end(turns[0], .away(nil), at: now(time))
        }
        #expect(waits.allSatisfy { $0 >= 1 && $0 <= 300 } && waits.max() ?? 0 > 200)
        #expect(schedule.awaySince == 0)
        let turns = schedule.begin(at: try #require(schedule.nextWake))
        schedule.end(turns[0], .taken, at: now(time + 300))
        #expect(schedule.awaySince == nil && schedule.begin(at: time + 300).count == 4)
    }

    @Test("goes on waiting for a far relay that is away, whatever other mailboxes hold")
    mutating func outageOfOne() throws {
        for number in 1...3 { schedule.add(mailbox(number)) }
        for turn in schedule.begin(at: 0) { schedule.end(turn, .away(nil), at: now(0)) }
        for ending in [ForwardSchedule.Ending.empty, .noToken, .storeFailed] {
            let wake = try #require(schedule.nextWake)
            let turn = try #require(schedule.begin(at: wake).first)
            schedule.end(turn, ending, at: now(wake))
            #expect(schedule.awaySince == 0, "\(ending)")
        }
    }

    @Test("waits as long as the far relay asks, five minutes at most")
    mutating func retryAfter() {
        for (asked, wake) in [(60.0, 60.0), (1e9, 300)] {
            var schedule = ForwardSchedule(limit: 10, seed: 1)
            schedule.add(mailbox(1))
            for turn in schedule.begin(at: 0) { schedule.end(turn, .away(asked), at: now(0)) }
            #expect(schedule.nextWake == wake)
        }
    }

    @Test("holds a mailbox whose token is refused or unknown, until the device tells a token")
    mutating func tokens() {
        for ending in [ForwardSchedule.Ending.refused, .noToken, .limited(.free)] {
            schedule.add(mailbox(1))
            #expect(schedule.begin(at: 0) == [turn(1)])
            schedule.end(turn(1), ending, at: now(0))
            schedule.add(mailbox(1))
            #expect(schedule.begin(at: 3599).isEmpty && schedule.nextWake == 3600)
            schedule.tokenTold(mailbox(1))
            #expect(schedule.begin(at: 10) == [turn(1)])
            schedule.end(turn(1), ending, at: now(10))
            #expect(schedule.begin(at: 3610) == [turn(1)])
            schedule.end(turn(1), .empty, at: now(3610))
        }
    }

    @Test("gives a mailbox its turn at once where the refusal was of a former token")
    mutating func retold() {
        for ending in [ForwardSchedule.Ending.refused, .noToken, .limited(.notification)] {
            schedule.add(mailbox(1))
            #expect(schedule.begin(at: 0) == [turn(1)])
            schedule.tokenTold(mailbox(1))
            schedule.end(turn(1), ending, at: now(0))
            #expect(schedule.begin(at: 0) == [turn(1)] && schedule.heldCount == 0)
            schedule.end(turn(1), .empty, at: now(0))
        }
    }

    @Test("lets commands pass while the far relay's limit of notifications is reached")
    mutating func limits() {
        schedule.add(mailbox(1))
        #expect(schedule.begin(at: 0) == [turn(1)])
        schedule.end(turn(1), .limited(.notification), at: now(0))
        #expect(schedule.begin(at: 0) == [turn(1, isFreeOnly: true)])
        schedule.end(turn(1, isFreeOnly: true), .empty, at: now(0))
        schedule.add(mailbox(1))
        #expect(schedule.begin(at: 1) == [turn(1, isFreeOnly: true)])
        schedule.end(turn(1, isFreeOnly: true), .taken, at: now(1))
        #expect(schedule.begin(at: 1) == [turn(1, isFreeOnly: true)])
        schedule.end(turn(1, isFreeOnly: true), .empty, at: now(1))
        #expect(schedule.begin(at: 3599).isEmpty && schedule.nextWake == 3600)
        #expect(schedule.begin(at: 3600) == [turn(1)])
        // Another far token may have another limit.
        schedule.end(turn(1), .limited(.notification), at: now(3600))
        schedule.tokenTold(mailbox(1))
        #expect(schedule.begin(at: 3601) == [turn(1)])
    }

    @Test("gives a mailbox peace for a second to a minute, and its own store five seconds")
    mutating func peace() {
        for (asked, wake) in [(0.0, 1.0), (7, 7), (900, 60)] {
            var schedule = ForwardSchedule(limit: 10, seed: 1)
            schedule.add(mailbox(1))
            _ = schedule.begin(at: 0)
            schedule.end(turn(1), .tooFast(asked), at: now(0))
            #expect(schedule.begin(at: wake - 0.1).isEmpty && schedule.begin(at: wake).count == 1)
        }
        schedule.add(mailbox(1))
        _ = schedule.begin(at: 0)
        schedule.end(turn(1), .storeFailed, at: now(0))
        #expect(schedule.begin(at: 4.9).isEmpty && schedule.begin(at: 5).count == 1)
    }

    @Test("forgets nothing and stays within its bound, whatever happens")
    func anyHistory() {
        let seed = TestRun.seed()
        var random = SeededRandom(seed: seed)
        let endings: [ForwardSchedule.Ending] = [
            .taken, .empty, .noToken, .refused, .limited(.free), .limited(.notification),
            .tooFast(3), .away(nil), .away(40), .storeFailed,
        ]
        for round in 0..<200 {
            var schedule = ForwardSchedule(limit: 20, seed: UInt64(round))
            var (time, busy): (Seconds, [ForwardSchedule.Turn]) = (0, [])
            for _ in 0..<200 {
                switch Int.random(in: 0...3, using: &random) {
                case 0: schedule.add(mailbox(Int.random(in: 0...40, using: &random)))
                case 1: schedule.tokenTold(mailbox(Int.random(in: 0...40, using: &random)))
                case 2:
                    guard let turn = busy.popLast() else { continue }
                    let ending = endings.randomElement(using: &random) ?? .taken
                    schedule.end(turn, ending, at: now(time))
                default: time += Seconds.random(in: 0...900, using: &random)
                }
                busy += schedule.begin(at: time)
                let mailboxes = busy.map(\.mailbox)
                #expect(Set(mailboxes).count == mailboxes.count, "HOMING_SEED=\(seed)")
                #expect(busy.count <= ForwardSchedule.turns && schedule.heldCount <= 40)
            }
            // At the end each mailbox that was added has its turn.
            for turn in busy { schedule.end(turn, .empty, at: now(time)) }
            var served: Set<MailboxID> = []
            for _ in 0..<200 {
                // A look finds what had no room before.
                schedule.add(mailbox(99))
                time = max(time, schedule.nextWake ?? time)
                for turn in schedule.begin(at: time) {
                    served.insert(turn.mailbox)
                    schedule.end(turn, .empty, at: now(time))
                }
            }
            #expect(served.contains(mailbox(99)), "round \(round), HOMING_SEED=\(seed)")
        }
    }
}

/// Meaning of a far relay's answer.
@Suite("A far relay's answer")
struct FarAnswerTests {
    private func answer(
        _ answer: RelayAnswer, _ kind: PushRequest.Kind = .notification
    ) -> FarAnswer {
        FarAnswer(
            status: answer.status, body: answer.body,
            retryAfter: answer.retryAfter.map { Seconds($0) }, kind: kind)
    }

    @Test("tells a token that is refused from a limit, a wrong message and a relay that fails")
    func meanings() throws {
        let count = DayCount(
            notifications: 1, free: 0, errors: 0, freeErrors: 0, maximum: 1, resetsAt: noon)
        let id = try #require(MessageID(text: "AaE7hgB7AAUAAQIDBAUGBw"))
        #expect(answer(.accepted(id, count)) == .taken && answer(.checked(count)) == .taken)
        #expect(answer(.limited(count)) == .limited(.notification))
        #expect(answer(.refused(.tooManyOrders, count), .free) == .limited(.free))
        for refusal in [RelayRefusal.badToken, .revoked, .blocked, .isFront, .tooManyBadTokens] {
            #expect(answer(.refused(refusal)) == .tokenRefused, "\(refusal)")
        }
        #expect(answer(.refused(.tooFast)) == .tooFast(1))
        for refusal in [RelayRefusal.wrongBox, .tooLarge, .malformed] {
            let status = "it answers with status \(refusal.status)"
            #expect(answer(.refused(refusal)) == .messageRefused(status), "\(refusal)")
        }
        for refusal in [
            RelayRefusal.storeFailed, .overloaded, .ending, .failed, .notFound, .wrongType,
            .tooManySockets,
        ] {
            guard case .away(_, let seconds) = answer(.refused(refusal)) else {
                Issue.record("\(refusal)")
                continue
            }
            #expect(seconds == refusal.retryAfter.map { Seconds($0) }, "\(refusal)")
        }
    }

    @Test("of something else than a relay means that the far relay is away")
    func strangers() {
        for status in [0, 301, 403, 404, 502] {
            let page = FarAnswer(
                status: status, body: Array("<html>".utf8), retryAfter: nil, kind: .free)
            #expect(page == .away("it answers with status \(status)", nil))
        }
        let proxy = FarAnswer(status: 413, body: [], retryAfter: nil, kind: .free)
        #expect(proxy == .messageRefused("it answers with status 413"))
        for body in ["<html>", "{}", #"{"id":5}"#, #"{"id":"x"}"#] {
            let page = FarAnswer(status: 200, body: Array(body.utf8), retryAfter: nil, kind: .free)
            #expect(page == .away("no Homing relay answers there", nil), "\(body)")
        }
        let large =
            Array(#"{"errorType":"WrongBox","x":""#.utf8)
            + [UInt8](repeating: 0x61, count: 100_000) + Array(#""}"#.utf8)
        let answer = FarAnswer(status: 400, body: large, retryAfter: nil, kind: .free)
        #expect(answer == .away("it answers with status 400", nil))
    }
}
