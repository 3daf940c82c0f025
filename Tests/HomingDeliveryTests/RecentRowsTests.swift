import HomingBase
import HomingLocation
import HomingSQLite
import HomingTestKit
import Testing

@testable import HomingDelivery

/// Rows in memory beside a store: the same answers as the store, and hardly a read.
@Suite struct RecentRowsTests {
    /// Counts how often rows are read.
    private final class CountingStore: OutboxStore {
        let store: InMemoryOutbox
        var reads = 0
        var moves = 0

        init(limit: Int) { store = InMemoryOutbox(limit: limit) }

        func append(
            _ message: OutboxMessage, acceptedAt: Seconds, expiresAt: Seconds?
        ) throws(DatabaseError) -> EntryID {
            try store.append(message, acceptedAt: acceptedAt, expiresAt: expiresAt)
        }

        func entries(
            _ stream: Stream, freshness: Freshness, after number: Int64, limit: Int
        ) throws(DatabaseError) -> [OutboxEntry] {
            reads += 1
            return store.entries(stream, freshness: freshness, after: number, limit: limit)
        }

        func settle(_ ids: [EntryID], as fate: Fate) throws(DatabaseError) {
            store.settle(ids, as: fate)
        }

        func moveToHistory(
            acceptedBefore time: Seconds, keepingNewest: Bool
        ) throws(DatabaseError) -> Int {
            moves += 1
            return store.moveToHistory(acceptedBefore: time, keepingNewest: keepingNewest)
        }

        func moveToHistory(through number: Int64) throws(DatabaseError) -> Int {
            store.moveToHistory(through: number)
        }

        func supersedeOlderPositions() throws(DatabaseError) { store.supersedeOlderPositions() }

        func expire(at time: Seconds, acceptedBefore cutoff: Seconds?) throws(DatabaseError) {
            store.expire(at: time, acceptedBefore: cutoff)
        }

        func ledger(_ stream: Stream) throws(DatabaseError) -> Ledger { store.ledger(stream) }

        func newest(_ stream: Stream) throws(DatabaseError) -> Int64? { store.newest(stream) }

        func oldest(_ stream: Stream) throws(DatabaseError) -> Seconds? { store.oldest(stream) }

        func lastDelivered() throws(DatabaseError) -> Coordinate? { store.lastDelivered() }
    }

    private static let load = StoreEffect.load(
        liveAfter: 0, eventsAfter: 0, sensorsAfter: 0, trackLimit: 100)

    @Test("A position that was just written is not read back")
    func noReads() throws {
        let store = CountingStore(limit: .max)
        let rows = RecentRows(store)
        let now = Moment(uptime: 0, unixTime: 1000)
        _ = try rows.performStoreEffect(Self.load, rowsAtOnce: 50, at: now)
        let first = store.reads
        #expect(first > 0)
        for number in 1...100 {
            let id = try rows.append(position(number), acceptedAt: 1000, expiresAt: nil)
            guard
                case .read(.rows(let read)) = try rows.performStoreEffect(
                    Self.load, rowsAtOnce: 50, at: now)
            else { return }
            #expect(read.live.map(\.id) == [id] && read.live[0].message == position(number))
            try rows.settle([id], as: .deliveredLive)
        }
        #expect(store.reads == first)
    }

    @Test(
        "What goes out without a receipt is not read back, nor made history while none of it is old"
    )
    func manyUnproved() throws {
        let store = CountingStore(limit: .max)
        let rows = RecentRows(store)
        let now = Moment(uptime: 0, unixTime: 1000)
        func makeHistory(before time: Seconds) throws {
            _ = try rows.performStoreEffect(
                .moveToHistory(acceptedBefore: time, keepingNewest: false), rowsAtOnce: 50, at: now)
        }
        _ = try rows.performStoreEffect(Self.load, rowsAtOnce: 50, at: now)
        let (reads, moves) = (store.reads, store.moves)
        for number in 1...Courier.maxUnproved {
            let id = try rows.append(position(number), acceptedAt: 1000, expiresAt: nil)
            try makeHistory(before: 700)
            let read = try rows.entries(
                .location, freshness: .live, after: id.number - 1, limit: 50)
            #expect(read.map(\.id) == [id])
        }
        #expect(store.reads == reads && store.moves == moves)
        let recalled = try rows.entries(
            .location, freshness: .live, after: 0, limit: Courier.maxUnproved + 1)
        #expect(recalled.count == Courier.maxUnproved && store.reads == reads)
        try makeHistory(before: 1001)
        #expect(store.moves == moves + 1)
        #expect(try rows.entries(.location, freshness: .live, after: 0, limit: 1).isEmpty)
    }

    @Test("Rows that a receipt leaves are read once: a queue that is never empty is known too")
    func rest() throws {
        let store = CountingStore(limit: .max)
        let rows = RecentRows(store)
        var ids: [EntryID] = []
        for number in 1...3 {
            ids.append(try rows.append(position(number), acceptedAt: 1000, expiresAt: nil))
        }
        try rows.settle([ids[0]], as: .deliveredLive)
        #expect(store.reads == 1)
        for number in 4...50 {
            ids.append(try rows.append(position(number), acceptedAt: 1000, expiresAt: nil))
            let left = try rows.entries(.location, freshness: .live, after: 0, limit: 60)
            #expect(left.map(\.id) == ids.suffix(3))
            try rows.settle([ids[number - 3]], as: .deliveredLive)
        }
        #expect(store.reads == 1)
    }

    @Test("A random history reads as the store does", arguments: [Int.max, 12])
    func agreement(limit: Int) throws {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): recent rows, at most \(limit)")
        var random = SeededRandom(seed: seed)
        let store = CountingStore(limit: limit)
        let rows = RecentRows(store)
        var (now, answered) = (1000.0, 0)
        for step in 0..<20_000 {
            now += Double.random(in: -20...40, using: &random)
            try Self.change(rows, step, at: now, &random)
            if Int.random(in: 0..<5000, using: &random) == 0 { rows.forget() }
            for stream in Stream.allCases {
                for freshness in [Freshness.live, .history]
                where stream == .location || freshness == .live {
                    let after =
                        Int64.random(in: -1...3, using: &random)
                        + (store.store.entries(stream, freshness: freshness, after: 0, limit: 1)
                            .first?.id
                            .number ?? 0)
                    let (count, before) = (Int.random(in: 1...20, using: &random), store.reads)
                    let read = try rows.entries(
                        stream, freshness: freshness, after: after, limit: count)
                    answered += store.reads == before ? 1 : 0
                    let held = store.store.entries(
                        stream, freshness: freshness, after: after, limit: count)
                    #expect(read == held, "seed \(seed), step \(step), \(stream), \(freshness)")
                    if read != held { return }
                }
            }
        }
        #expect(answered > 10_000, "seed \(seed): answered without a read")
    }

    private static func change(
        _ rows: RecentRows, _ step: Int, at now: Seconds, _ random: inout SeededRandom
    ) throws {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<45:
            let message =
                switch step % 4 {
                case 0: event(step)
                case 1: sensor("sensor\(step % 3)", step)
                default: position(step)
                }
            let life = Double.random(in: -50...300, using: &random)
            _ = try? rows.append(
                message, acceptedAt: now, expiresAt: step % 5 == 0 ? now + life : nil)
        case ..<90:
            let stream = Stream.allCases.randomElement(using: &random) ?? .location
            let queued =
                try rows.entries(stream, freshness: .live, after: 0, limit: 20)
                + (stream == .location
                    ? rows.entries(stream, freshness: .history, after: 0, limit: 20) : [])
            try rows.settle(
                queued.filter { _ in Bool.random(using: &random) }.map(\.id), as: .rejected)
        case ..<93:
            _ = try rows.moveToHistory(
                acceptedBefore: now - 60, keepingNewest: Bool.random(using: &random))
        case ..<95:
            let newest = try rows.entries(.location, freshness: .live, after: 0, limit: 3).last
            _ = try rows.moveToHistory(through: newest?.id.number ?? 0)
        case ..<97: try rows.supersedeOlderPositions()
        default: try rows.expire(at: now, acceptedBefore: now - 200)
        }
    }
}
