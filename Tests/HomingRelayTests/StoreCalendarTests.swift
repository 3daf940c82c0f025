import HomingBase
import HomingRelayProtocol
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingRelay

/// The date by which a store forgets.
@Suite("The calendar of a store")
struct StoreCalendarTests {
    private static let day: Seconds = 86400
    private static let start: Seconds = 1_800_014_400

    private func date(last: Seconds?, start: Seconds, after elapsed: Seconds = 0) -> Seconds {
        let opened = Moment(uptime: 50, unixTime: start)
        var calendar = StoreCalendar(last: last.map { Int64($0 * 1000) }, at: opened)
        return Seconds(calendar.date(at: opened.advanced(by: elapsed))) / 1000
    }

    @Test("is the clock's at the first start, and where the clock is not ahead")
    func clock() {
        #expect(date(last: nil, start: Self.start) == Self.start)
        #expect(date(last: Self.start - 3600, start: Self.start) == Self.start)
        let earlier = Self.start - 9 * Self.day
        #expect(date(last: Self.start, start: earlier) == earlier)
        let month = 30 * Self.day
        #expect(date(last: Self.start, start: Self.start, after: month) == Self.start + month)
    }

    @Test("goes a day forward at a start with a clock that is years ahead")
    func leap() {
        #expect(date(last: Self.start, start: Self.start + 463 * Self.day) == Self.start + Self.day)
    }

    @Test("follows the clock after a long rest, a day for each hour")
    func rest() {
        let start = Self.start + 10 * Self.day
        #expect(date(last: Self.start, start: start, after: 3600) == Self.start + 2 * Self.day)
        #expect(date(last: Self.start, start: start, after: 12 * 3600) == start + 12 * 3600)
    }

    @Test("goes a day forward for each hour where the clock leaps while the relay runs")
    func leapLater() {
        var now = Moment(uptime: 50, unixTime: Self.start)
        var calendar = StoreCalendar(last: nil, at: now)
        for _ in 0..<30 * 24 {
            now = now.advanced(by: 3600)
            #expect(Seconds(calendar.date(at: now)) / 1000 == now.unixTime)
        }
        let before = now.unixTime
        now.unixTime += 463 * Self.day
        now = now.advanced(by: 3600)
        #expect(Seconds(calendar.date(at: now)) / 1000 == before + Self.day)
        now = now.advanced(by: 3600)
        #expect(Seconds(calendar.date(at: now)) / 1000 == before + 2 * Self.day)
        now.unixTime = before
        #expect(Seconds(calendar.date(at: now)) / 1000 == before)
    }

    @Test("begins anew where the last date is of a clock that was not set")
    func unset() {
        #expect(date(last: 86400, start: Self.start) == Self.start)
    }

    @Test("keeps revoked tokens and the day's counts through a start with a wrong clock")
    @LoopActor func revoked() async throws {
        let folder = try TemporaryFolder()
        let deposits = Deposits()
        func run(
            at time: Seconds, _ body: @LoopActor (SQLiteMailboxes) async throws -> Void
        ) async throws {
            let clock = VirtualClock(unixTime: time)
            let store = try await SQLiteMailboxes.open(
                folder.file("relay.db"), limits: StoreLimits(), clock: clock)
            try await body(store)
            _ = try await store.answer { store.sweep($0) }
            await store.close()
        }
        let present = Seconds(noon) / 1000
        try await run(at: present) { store in
            let next = try await store.answer {
                store.raiseGeneration(mailbox(1), above: 0, $0)
            }
            #expect(next == 1)
            let deposit = deposits.next(generation: 1)
            #expect(try await store.answer { store.accept(deposit, $0) }.isStored)
        }
        try await run(at: present + 463 * Self.day) { _ in }
        try await run(at: present + 60) { store in
            let old = try await store.answer { store.check(mailbox(1), generation: 0, $0) }
            #expect(old == .revoked)
            let check = try await store.answer { store.check(mailbox(1), generation: 1, $0) }
            guard case .good(let count) = check else { return #expect(Bool(false)) }
            #expect(count.notifications == 1)
        }
    }
}
