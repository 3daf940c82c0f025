import HomingBase
import HomingRelayProtocol
import HomingSQLite
import HomingTestKit
import Testing

@testable import HomingRelay

/// Thousands of random operations, each done to a file and to plain arrays.
@Suite("Mailboxes, compared with plain arrays")
struct StoreModelTests {
    @Test(
        "answer as they do, and hold what they hold", arguments: StoreKind.allCases, 0..<4)
    func agreement(kind: StoreKind, round: Int) async throws {
        let seed = TestRun.seed() &+ UInt64(round)
        print("HOMING_SEED=\(seed): mailboxes, \(kind)")
        var history = try await History(seed: seed, kind)
        // Each step of the engine's goes over a socket.
        let enough = kind == .engine ? 1200 : 3000
        var step = 0
        // Where chance has left something out, it gets three times as long again.
        while step < enough || step < 4 * enough && !history.hasSeenAll {
            defer { step += 1 }
            var difference = try await history.step()
            if difference == nil, step % 16 == 0 { difference = try await history.difference() }
            #expect(difference == nil, "seed \(seed), step \(step)")
            if difference != nil { return }
        }
        #expect(history.hasSeenAll, "seed \(seed): hardly anything happened: \(history.seen)")
    }
}

/// A random history, on a clock that is mostly well behaved.
private struct History {
    /// Outcomes that a history without is worth little.
    static let wanted: Set<String> = [
        "stored", "repeated", "limited", "outdated", "revoked", "blocked", "full", "spent",
    ]

    var store: any TestedStore
    var model = ModelMailboxes()
    var random: SeededRandom
    var now = noon
    let deposits = Deposits()
    var seen: Set<String> = []
    private var known: [MessageID] = []

    var hasSeenAll: Bool { seen.isSuperset(of: Self.wanted) }

    init(seed: UInt64, _ kind: StoreKind) async throws {
        random = SeededRandom(seed: seed)
        model.isEngine = kind == .engine
        var limits = StoreLimits()
        limits.maximum = 5
        limits.commands = 3
        limits.messages = 8
        limits.mailboxBytes = 4000
        limits.mailboxes = 5
        model.limits = limits
        store = try await kind.store { [limits] in $0 = limits }
    }

    private mutating func number(_ range: Range<Int>) -> Int { .random(in: range, using: &random) }

    private mutating func chance(_ one: Int) -> Bool { number(0..<one) == 0 }

    private mutating func box() -> MailboxID { mailbox(number(0..<7)) }

    /// Makes one random step, and returns what the file and the arrays do not agree on.
    mutating func step() async throws -> String? {
        now += Int64(number(0..<250_000))
        if chance(60) { now += Int64(number(-30..<90)) * hour }
        if chance(900) { now += Int64(number(50..<500)) * 24 * hour }
        switch number(0..<100) {
        case ..<50: return try await accept()
        case ..<60: return try await acknowledge()
        case ..<68: return try await checkOrOpen()
        case ..<72: return try await load()
        case ..<75: return try await generations()
        case ..<79: return try await blocks()
        case ..<81:
            let id = box()
            return try await same("forget", { try await $0.forget(id) }, { $0.forget(id) })
        case ..<88: return try await invitations()
        case ..<97:
            while try await store.sweep(at: now).isMoreLeft {}
            model.sweep(at: now)
            return nil
        default:
            store = try await store.reopened()
            return nil
        }
    }

    private mutating func same<T: Equatable>(
        _ what: String, _ real: (any TestedStore) async throws -> T,
        _ played: (inout ModelMailboxes) -> T
    ) async throws -> String? {
        let (here, there) = (try await real(store), played(&model))
        seen.insert("\(here)".split(separator: "(").first.map { String($0) } ?? "")
        return here == there ? nil : "\(what): \(here) and \(there)"
    }

    private mutating func accept() async throws -> String? {
        let id = box()
        let content: Deposit.Content =
            switch number(0..<20) {
            case 0: .notice(.limitReached(chance(2) ? .notification : .free))
            case 1...3: .notice(.dropped(number(1..<4)))
            case 4...7: .push(.free)
            default: .push(.notification)
            }
        let generation = model.boxes[id]?.generation ?? 0
        let deposit = deposits.next(
            content, for: id,
            generation: chance(9) ? UInt16(number(0..<3)) : generation, at: now,
            life: Int64(number(1..<50)) * hour / 4, tag: chance(2) ? number(0..<4) : nil,
            confirmation: chance(2) ? number(0..<2) : nil, isClearing: chance(5),
            size: number(20..<1500))
        known.append(deposit.id)
        let now = now
        return try await same(
            "accept", { try await $0.accept(deposit, at: now) }, { $0.accept(deposit, at: now) })
    }

    private mutating func acknowledge() async throws -> String? {
        let id = box()
        var ids = model.boxes[id]?.messages.map(\.deposit.id) ?? []
        ids = ids.filter { _ in chance(2) } + known.suffix(number(0..<3))
        return try await same(
            "acknowledge", { try await $0.acknowledge(id, ids) }, { $0.acknowledge(id, ids) })
    }

    private mutating func checkOrOpen() async throws -> String? {
        let (id, now, generation) = (box(), now, UInt16(number(0..<4)))
        if chance(2) {
            return try await same(
                "check", { try await $0.check(id, generation: generation, at: now) },
                { $0.check(id, generation: generation, at: now) })
        }
        let isProven = chance(3)
        return try await same(
            "open",
            { try await $0.open(id, generation: generation, isProven: isProven, at: now) },
            { $0.open(id, generation: generation, isProven: isProven, at: now) })
    }

    private mutating func load() async throws -> String? {
        let (id, now, limit, bytes) = (box(), now, number(0..<10), number(0..<5000))
        let some = Set(known.suffix(60).filter { _ in chance(2) })
        return try await same(
            "load", { try await $0.load(id, except: some, limit: limit, bytes: bytes, at: now) },
            { $0.load(id, except: some, limit: limit, bytes: bytes, at: now) })
    }

    private mutating func generations() async throws -> String? {
        let (id, now) = (box(), now)
        let generation = chance(20) ? UInt16.max : UInt16(number(0..<3))
        guard generation < .max || chance(4) else { return nil }
        return try await same(
            "raise",
            { try? await $0.raise(id, above: generation, at: now).get() },
            { $0.raise(id, above: generation, at: now) })
    }

    private mutating func blocks() async throws -> String? {
        let (id, isBlocked) = (box(), chance(3))
        return try await same(
            "block", { try await $0.setBlocked(id, isBlocked) }, { $0.setBlocked(id, isBlocked) })
    }

    private mutating func invitations() async throws -> String? {
        let (hash, id, now) = (name(number(0..<4)), box(), now)
        guard chance(3) else {
            let difference = try await same(
                "spend", { try await $0.spend(hash, for: id, at: now) },
                { $0.spend(hash, for: id, at: now) })
            if model.invitations[hash]?.spender == id { seen.insert("spent") }
            return difference
        }
        let (expires, uses) = (now + Int64(number(0..<40)) * hour, number(1..<3))
        _ = try await store.addInvitation(hash, expires: expires, uses: uses)
        model.invitations[hash] = ModelMailboxes.Invitation(expires: expires, uses: uses)
        return nil
    }

    /// Returns the first difference between the file and the arrays.
    func difference() async throws -> String? {
        var expected: [MailboxSummary] = []
        for (id, box) in model.boxes.sorted(by: { $0.key < $1.key }) {
            let waiting = box.messages.filter { $0.deposit.expires > now }
            expected.append(
                MailboxSummary(
                    mailbox: id, generation: box.generation, isBlocked: box.isBlocked,
                    waiting: waiting.count,
                    bytes: waiting.reduce(0) { $0 + $1.deposit.parcel.count },
                    dropped: box.dropped + waiting.reduce(0) { $0 + $1.tells }, used: box.used))
            let (here, there) = (
                try await store.load(id, except: [], limit: 9999, bytes: 1 << 30, at: now),
                model.load(id, except: [], limit: .max, bytes: .max, at: now)
            )
            if here != there { return "\(id): \(here) and \(there)" }
        }
        let found = try await store.summaries(after: nil, limit: 100, at: now)
        if found != expected { return "\(found) and \(expected)" }
        let statistics = try await store.statistics()
        let messages = model.boxes.values.reduce(0) { $0 + $1.messages.count }
        return statistics.mailboxes == model.boxes.count && statistics.messages == messages
            && statistics.invitations == model.invitations.count ? nil : "\(statistics)"
    }
}
