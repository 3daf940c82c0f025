import HomingBase
import HomingTestKit
import Testing

@testable import HomingDelivery

/// Thousands of random operations, each done to the real outbox and to the reference model.
@Suite("A real outbox, compared with plain arrays")
struct OutboxModelTests {
    @Test(
        "agrees with them after every operation",
        arguments: [OutboxKind.sqlite, .spilling, .spilled, .grouping])
    func agreement(kind: OutboxKind) throws {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): comparison, \(kind)")
        var history = try History(kind, seed: seed)
        for step in 0..<4000 {
            try history.step()
            guard step % 8 == 0 else { continue }
            let difference = try history.difference()
            #expect(difference == nil, "seed \(seed), step \(step)")
            if difference != nil { return }
        }
        #expect(history.settled > 100, "seed \(seed): hardly anything happened")
    }
}

/// History of random steps, on a clock that is mostly well behaved.
private struct History {
    let real: OutboxRig
    let model: OutboxRig
    var random: SeededRandom
    var now: Seconds = 1_000_000
    var settled = 0

    init(_ kind: OutboxKind, seed: UInt64) throws {
        real = try OutboxRig(kind)
        model = try OutboxRig(.inMemory)
        random = SeededRandom(seed: seed)
    }

    mutating func step() throws {
        now += Double.random(in: 0...3, using: &random)
        if chance(300) { now += Double.random(in: -5000...5000, using: &random) }
        switch Int.random(in: 0..<100, using: &random) {
        case ..<55: try append()
        case ..<75: try settle()
        case ..<82:
            try both { [now] in
                _ = try $0.moveToHistory(acceptedBefore: now - 60, keepingNewest: false)
            }
        case ..<83:
            let number = try model.entries(.location, .live).randomElement(using: &random)?.id
                .number
            try both { _ = try $0.moveToHistory(through: number ?? 0) }
        case ..<84: try both { try $0.supersedeOlderPositions() }
        case ..<90: try expire()
        case ..<95: try spill()
        case ..<97: try both { try $0.save() }
        default: try real.reopen()
        }
    }

    private mutating func chance(_ one: Int) -> Bool {
        Int.random(in: 0..<one, using: &random) == 0
    }

    private func both(_ operation: (any OutboxStore) throws -> Void) throws {
        try operation(real.store)
        try operation(model.store)
    }

    private mutating func append() throws {
        let number = Int.random(in: 0..<30_000, using: &random)
        let message =
            switch number % 7 {
            case 0: zone("zone \(number)")
            case 1: event(number)
            case 2: sensor("sensor\(number % 11)", number)
            default: position(number, battery: number % 2 == 0 ? nil : 55)
            }
        let expires = chance(9) ? now + Double.random(in: 0...200, using: &random) : nil
        let id = try real.append(message, at: now, expires: expires)
        #expect(try model.append(message, at: now, expires: expires) == id)
    }

    private mutating func settle() throws {
        guard let stream = HomingDelivery.Stream.allCases.randomElement(using: &random),
            let fate = [Fate.deliveredLive, .deliveredTrack, .rejected].randomElement(
                using: &random)
        else { return }
        let count = Int.random(in: 1...12, using: &random)
        var ids = try model.queued(stream).prefix(count).map(\.id)
        if chance(5) { ids.append(EntryID(stream, Int64.random(in: 0...5000, using: &random))) }
        ids.shuffle(using: &random)
        settled += ids.count
        try both { try $0.settle(ids, as: fate) }
    }

    private mutating func expire() throws {
        let cutoff = chance(3) ? now - Double.random(in: 100...1000, using: &random) : nil
        try both { [now] in try $0.expire(at: now, acceptedBefore: cutoff) }
    }

    private mutating func spill() throws {
        guard let real = real.store as? any PersistentOutbox else { return }
        if chance(5) { try real.spillAll() } else { try real.spill(acceptedBefore: now - 60) }
    }

    /// Returns the first difference between the two queues.
    func difference() throws -> String? {
        for stream in HomingDelivery.Stream.allCases {
            let (here, there) = (try real.queued(stream), try model.queued(stream))
            if here != there { return "\(stream.name): \(ids(here)) and \(ids(there))" }
            let (ledger, reference) = (
                try real.store.ledger(stream), try model.store.ledger(stream)
            )
            if ledger != reference { return "\(stream.name): \(ledger) and \(reference)" }
            guard try real.store.oldest(stream) == model.store.oldest(stream) else {
                return "\(stream.name): oldest"
            }
        }
        guard try real.store.lastDelivered() == model.store.lastDelivered() else {
            return "last delivered"
        }
        return try real.isSound() ? nil : "not sound"
    }
}
