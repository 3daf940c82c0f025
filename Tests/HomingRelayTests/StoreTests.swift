import HomingBase
import HomingRelayProtocol
import HomingRuntime
import HomingSQLite
import HomingTestKit
import Testing

@testable import HomingRelay

/// Rules of the store, one in each test.
@Suite("Mailboxes, in a file and in an engine")
struct StoreTests {

    @Test(
        "counts notifications up to the maximum, free messages to their own, and refusals apart",
        arguments: StoreKind.allCases)
    func limits(_ kind: StoreKind) async throws {
        let store = try await kind.store { ($0.maximum, $0.commands) = (2, 1) }
        let deposits = Deposits()
        var last: Acceptance?
        for _ in 0..<5 { last = try await store.keep(deposits.next()) }
        for _ in 0..<3 { last = try await store.keep(deposits.next(.push(.free))) }
        let count = try #require(last?.count)
        #expect(last?.isLimited == true)
        #expect([count.notifications, count.errors, count.free, count.freeErrors] == [2, 3, 1, 2])
        #expect(count.maximum == 2 && count.resetsAt == noon + 12 * hour)
        #expect(try await store.waiting().count == 3)
    }

    @Test("has no limit where the maximum is 0", arguments: StoreKind.allCases)
    func unlimited(_ kind: StoreKind) async throws {
        let store = try await kind.store { ($0.maximum, $0.commands, $0.messages) = (0, 0, 1000) }
        let deposits = Deposits()
        for _ in 0..<300 { try #require(try await store.keep(deposits.next()).isStored) }
        for _ in 0..<300 {
            try #require(try await store.keep(deposits.next(.push(.free))).isStored)
        }
        #expect(try await store.waiting().count == 600)
    }

    @Test(
        "counts the days of UTC, also where the clock is set back over midnight",
        arguments: StoreKind.allCases)
    func midnight(_ kind: StoreKind) async throws {
        let store = try await kind.store { $0.maximum = 1 }
        let deposits = Deposits()
        let midnight = noon + 12 * hour
        var outcomes: [Acceptance] = []
        for time in [midnight - 1, midnight - 1, midnight, midnight + 5, midnight - 1] {
            outcomes.append(try await store.keep(deposits.next(at: time), at: time))
        }
        #expect(outcomes.map(\.isStored) == [true, false, true, false, false])
        #expect(
            outcomes.map { $0.count?.resetsAt } == [0, 0, 24, 24, 0].map { midnight + $0 * hour })
        #expect(outcomes.last?.count?.errors == 2)
    }

    @Test(
        "refuses a token of an older generation, and counts nothing of it",
        arguments: StoreKind.allCases)
    func revoked(_ kind: StoreKind) async throws {
        let store = try await kind.store { $0.maximum = 2 }
        let deposits = Deposits()
        try #require(try await store.keep(deposits.next()).isStored)
        let next = try await store.raise(mailbox(1), above: 0, at: noon).get()
        #expect(next == 1)
        for _ in 0..<9 { #expect(try await store.keep(deposits.next()) == .revoked) }
        #expect(try await store.check(mailbox(1), generation: 0, at: noon) == .revoked)
        let count = try await store.keep(deposits.next(generation: 1)).count
        #expect(count?.notifications == 2 && count?.errors == 0)
        // A token that is newer than what the file knows is one of ours all the same.
        let later = noon + 24 * hour
        try #require(
            try await store.keep(deposits.next(generation: 7, at: later), at: later).isStored)
        #expect(
            try await store.keep(deposits.next(generation: 6, at: later), at: later) == .revoked)
    }

    @Test("has no generation after the last", arguments: StoreKind.allCases)
    func lastGeneration(_ kind: StoreKind) async throws {
        let store = try await kind.store()
        let end = try await store.raise(mailbox(1), above: .max, at: noon)
        #expect(throws: StoreFailure.self) { try end.get() }
    }

    @Test(
        "takes nothing for a blocked mailbox, and makes its tokens worthless",
        arguments: StoreKind.allCases)
    func blocked(_ kind: StoreKind) async throws {
        let store = try await kind.store()
        let deposits = Deposits()
        #expect(try await store.setBlocked(mailbox(1), true) == false)
        try #require(try await store.keep(deposits.next()).isStored)
        #expect(try await store.setBlocked(mailbox(1), true))
        #expect(try await store.keep(deposits.next(generation: 1)) == .blocked)
        #expect(try await store.keep(deposits.next(.notice(.dropped(1)))) == .blocked)
        #expect(
            try await store.open(mailbox(1), generation: 1) == .blocked)
        #expect(try await store.check(mailbox(1), generation: 1, at: noon) == .blocked)
        // Forgetting does not unblock.
        #expect(try await store.forget(mailbox(1)))
        #expect(try await store.keep(deposits.next(generation: 1)) == .blocked)
        #expect(try await store.setBlocked(mailbox(1), false))
        #expect(try await store.keep(deposits.next(generation: 0)) == .revoked)
        try #require(try await store.keep(deposits.next(generation: 1)).isStored)
    }

    @Test(
        "knows a repetition for ten minutes, also of what was acknowledged, and no longer than it lives",
        arguments: StoreKind.allCases
    )
    func repetition(_ kind: StoreKind) async throws {
        let store = try await kind.store()
        let deposits = Deposits()
        let first = deposits.next(confirmation: 1)
        let count = try #require(try await store.keep(first).count)
        _ = try await store.acknowledge(mailbox(1), [first.id])
        let again = try await store.keep(deposits.next(confirmation: 1), at: noon + 599_999)
        #expect(again == .repeated(first.id, count))
        #expect(try await store.waiting().isEmpty)
        let other = deposits.next(for: mailbox(2), confirmation: 1)
        try #require(try await store.keep(other).isStored)
        let late = deposits.next(confirmation: 1)
        try #require(try await store.keep(late, at: noon + 600_000).isStored)
        // One that expired unread is not in the way of a new one.
        let short = deposits.next(life: 5000, confirmation: 2)
        try #require(try await store.keep(short).isStored)
        #expect(
            try await store.keep(deposits.next(confirmation: 2), at: noon + 4999).isStored == false)
        try #require(try await store.keep(deposits.next(confirmation: 2), at: noon + 5000).isStored)
    }

    @Test(
        "lets what waits under a tag give way, to what takes it back too",
        arguments: StoreKind.allCases)
    func tags(_ kind: StoreKind) async throws {
        let store = try await kind.store()
        let deposits = Deposits()
        let (one, other) = (deposits.next(tag: 1), deposits.next(tag: 2))
        let (newer, clear) = (deposits.next(tag: 1), deposits.next(tag: 1, isClearing: true))
        for deposit in [one, other] { try #require(try await store.keep(deposit).isStored) }
        #expect(try await store.waiting() == [one.id, other.id])
        try #require(try await store.keep(newer).isStored)
        #expect(try await store.waiting() == [other.id, newer.id])
        try #require(try await store.keep(clear).isStored)
        #expect(try await store.waiting() == [other.id, clear.id])
        // Without a tag, nothing gives way; what gave way is not lost.
        try #require(try await store.keep(deposits.next()).isStored)
        try #require(try await store.keep(deposits.next()).isStored)
        let loaded = try await store.load(
            mailbox(1), except: [], limit: 9, bytes: 1 << 30, at: noon)
        #expect(loaded.messages.count == 4 && loaded.unreported == 0)
    }

    @Test(
        "drops the oldest beyond the bounds of a mailbox, and counts them",
        arguments: StoreKind.allCases)
    func bounds(_ kind: StoreKind) async throws {
        let store = try await kind.store {
            ($0.maximum, $0.messages, $0.mailboxBytes) = (0, 5, 3000)
        }
        let deposits = Deposits()
        let small = (0..<7).map { _ in deposits.next(size: 100) }
        for deposit in small { try #require(try await store.keep(deposit).isStored) }
        #expect(try await store.waiting() == small[2...].map(\.id))
        let large = deposits.next(size: 2850)
        try #require(try await store.keep(large).isStored)
        #expect(try await store.waiting() == [small[6].id, large.id])
        #expect(
            try await store.load(mailbox(1), except: [], limit: 9, bytes: 1 << 30, at: noon)
                .unreported
                == 6)
    }

    @Test(
        "makes no mailbox beyond their number, and opens the others", arguments: StoreKind.allCases)
    func number(_ kind: StoreKind) async throws {
        let store = try await kind.store { ($0.maximum, $0.mailboxes) = (0, 3) }
        let deposits = Deposits()
        for number in 1...3 {
            try #require(try await store.keep(deposits.next(for: mailbox(number))).isStored)
        }
        #expect(try await store.keep(deposits.next(for: mailbox(4))) == .full(.mailboxes))
        let raised = try await store.raise(mailbox(4), above: 0, at: noon)
        #expect(throws: StoreFailure.self) { try raised.get() }
        guard case .open = try await store.open(mailbox(4)) else { return #expect(Bool(false)) }
        #expect(try await store.statistics().mailboxes == 3)
        // What was refused was not counted, and there is room once a mailbox is gone.
        #expect(try await store.forget(mailbox(2)))
        let count = try #require(try await store.keep(deposits.next(for: mailbox(4))).count)
        #expect(count.notifications == 1)
    }

    @Test(
        "makes a mailbox when its device has proved its key, and not before",
        arguments: StoreKind.allCases)
    func opening(_ kind: StoreKind) async throws {
        let store = try await kind.store()
        _ = try await store.open(mailbox(1), generation: 3, isProven: false, at: noon)
        #expect(try await store.summaries(after: nil, limit: 9, at: noon).isEmpty)
        _ = try await store.open(mailbox(1), generation: 3, isProven: true, at: noon)
        let found = try await store.summaries(after: nil, limit: 9, at: noon)
        #expect(found.map(\.mailbox) == [mailbox(1)] && found[0].generation == 3)
        #expect(try await store.keep(Deposits().next(generation: 2)) == .revoked)
    }

    @Test("lists the mailboxes in pages, in the order of their ids", arguments: StoreKind.allCases)
    func pages(_ kind: StoreKind) async throws {
        let store = try await kind.store()
        let deposits = Deposits()
        let all = (0..<40).map { number in
            MailboxID(bytes: [UInt8(number * 6)] + Array(repeating: UInt8(number), count: 15))
        }.compactMap { $0 }
        for mailbox in all.reversed() {
            try #require(try await store.keep(deposits.next(for: mailbox, size: 50)).isStored)
        }
        var (found, last): ([MailboxID], MailboxID?) = ([], nil)
        while let page = try? await store.summaries(after: last, limit: 7, at: noon), !page.isEmpty
        {
            #expect(page.count == 7 || found.count == 35)
            #expect(page.allSatisfy { $0.waiting == 1 && $0.bytes == 50 })
            found += page.map(\.mailbox)
            last = page.last?.mailbox
        }
        #expect(found == all)
    }

    @Test("sweeps what has expired, and forgets what is long unused", arguments: StoreKind.allCases)
    func sweeping(_ kind: StoreKind) async throws {
        let store = try await kind.store {
            ($0.maximum, $0.messages, $0.mailboxBytes) = (0, 1000, 1 << 30)
        }
        let deposits = Deposits()
        for _ in 0..<450 { try #require(try await store.keep(deposits.next()).isStored) }
        _ = try await store.addInvitation(name(1), expires: noon + 5, uses: 1)
        let tomorrow = noon + 24 * hour
        var swept = 0
        while true {
            let piece = try await store.sweep(at: tomorrow)
            swept += piece.messages
            guard piece.isMoreLeft else { break }
        }
        let statistics = try await store.statistics()
        #expect(swept == 450 && statistics.invitations == 0 && statistics.messages == 0)
        #expect(kind == .sqlite || statistics.bytes == 0)
        guard case .open(let open) = try await store.open(mailbox(1), at: tomorrow) else {
            return #expect(Bool(false))
        }
        let loaded = try await store.load(mailbox(1), except: [], limit: 1, bytes: 1, at: tomorrow)
        #expect(open.waiting == 0 && loaded.unreported == 450)
        // The device is still to be told of its 450.
        try #require(try await store.keep(deposits.next(for: mailbox(2), life: 5)).isStored)
        let third = deposits.next(for: mailbox(3), life: 5)
        try #require(try await store.keep(third).isStored)
        _ = try await store.acknowledge(mailbox(3), [third.id])
        var numbers: [Int] = []
        for days: Int64 in [59, 62, 403] {
            _ = try await store.sweep(at: noon + days * 24 * hour)
            numbers.append(try await store.statistics().mailboxes)
        }
        #expect(numbers == [3, 2, 0])
    }

    @Test(
        "lets an invitation be used so often, and the last device again",
        arguments: StoreKind.allCases)
    func invitations(_ kind: StoreKind) async throws {
        let store = try await kind.store { $0.invitations = 2 }
        _ = try await store.addInvitation(name(1), expires: noon + hour, uses: 2)
        var spent: [Bool] = []
        for (number, now) in [
            (1, noon), (1, noon), (2, noon), (1, noon), (3, noon), (2, noon + hour),
        ] {
            spent.append(try await store.spend(name(1), for: mailbox(number), at: now))
        }
        #expect(spent == [true, true, true, false, false, false])
        var more: [Bool] = []
        for number in 2...3 {
            let added = try await store.addInvitation(name(number), expires: noon, uses: 1)
            more.append((try? added.get()) != nil)
        }
        #expect(more == [true, false])
    }
}
