import HomingBase
import HomingSQLite
import HomingTestKit
import Testing

@testable import HomingDelivery

/// The power goes at a random change on the disk, and takes with it what was not synced: all of
/// it, some writes, or some sectors of some writes. `HOMING_POWER_CUTS` says how often.
@Suite("An outbox whose power is cut")
struct PowerCutTests {
    @Test(
        "has every row it promised, and a ledger that balances",
        arguments: [OutboxFile.Durability.powerLoss, .grouped, .crash])
    func cuts(durability: OutboxFile.Durability) throws {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): power cuts, \(durability)")
        var kept = 0
        for cut in 0..<TestRun.number("HOMING_POWER_CUTS", 200) {
            var life = try Life(durability, seed: seed &+ UInt64(cut))
            try life.run()
            let found = try life.found()
            let isAllowed = life.expected.contains { $0.allows(found) }
            let repeating = "HOMING_SEED=\(seed &+ UInt64(cut)) HOMING_POWER_CUTS=1"
            #expect(isAllowed, "\(repeating): \(found) where expected: \(life.expected)")
            if !isAllowed { return }
            kept += found.rows.count
        }
        #expect(kept > 0, "nothing was ever at stake")
    }

    @Test("is found wanting by this test if the disk only pretends to sync")
    func plantedLoss() throws {
        var lost = 0
        for seed in UInt64(1)...20 {
            var life = try Life(.powerLoss, seed: seed)
            life.disk.pretendsToSync = true
            try life.run()
            let found = try? life.found()
            let isAllowed = life.expected.contains { state in found.map(state.allows) ?? false }
            if !isAllowed { lost += 1 }
        }
        #expect(lost > 0)
    }
}

/// An outbox from its first opening to the cut, beside a model of what it has promised.
private struct Life {
    /// State that can be told from outside.
    struct State: Equatable, CustomStringConvertible {
        var rows: [OutboxEntry] = []
        /// Those of them that are on the disk for certain.
        var owed: [OutboxEntry] = []
        /// States of sensors on the disk that may outlast the newer ones in memory.
        var lingering: [OutboxEntry] = []
        var ledgers: [Ledger] = []
        /// Rule about how far the counters that are found may differ.
        var booksRule = Books.exact
        /// The last number that was given to a position.
        var lastNumber: Int64 = 0

        enum Books: Equatable {
            case exact
            /// Rows were in memory: they are gone with what became of them.
            case partial
            /// The same, and each is counted as lost; the bound says how many may be.
            case lossCounted(Int)
        }

        /// Whether this may be found. A memory tier that is full spills before its time.
        func allows(_ found: State) -> Bool {
            owed.allSatisfy(found.rows.contains)
                && found.rows.allSatisfy((rows + lingering).contains) && allowsBooks(of: found)
        }

        private func allowsBooks(of found: State) -> Bool {
            switch booksRule {
            case .exact: found.ledgers == ledgers
            case .partial: zip(found.ledgers, ledgers).allSatisfy(Self.isPart)
            case .lossCounted(let most):
                zip(found.ledgers, ledgers).allSatisfy { isCounted($0, $1, atMost: most) }
                    && found.lastNumber >= lastNumber
            }
        }

        /// Whether every row of `whole` is in `found`, is counted as lost there, or both.
        private func isCounted(_ found: Ledger, _ whole: Ledger, atMost most: Int) -> Bool {
            let lost = found[.lostInPowerCut] - whole[.lostInPowerCut]
            var known = found
            known.fates[.lostInPowerCut] = whole.fates[.lostInPowerCut]
            return lost >= 0 && lost <= most && found.accepted >= whole.accepted
                && known.fates == whole.fates && whole.queued - found.queued <= lost
        }

        /// Whether nothing is counted that has not happened, or twice.
        private static func isPart(_ found: Ledger, _ whole: Ledger) -> Bool {
            found.accepted <= whole.accepted && found.fates.allSatisfy { $1 <= whole[$0] }
        }

        var description: String {
            let words = rows.map { "\($0.id.stream.name) \($0.id.number) \($0.freshness)" }
            return "\(words) \(ledgers)"
        }
    }

    let disk: FaultyDisk
    /// The states that may be found: as before the operation that was cut, or as after it.
    private(set) var expected: [State] = []
    private let durability: OutboxFile.Durability
    private let runtime: TemporaryFolder
    private let model = InMemoryOutbox()
    /// The last row of each stream that is on the disk.
    private var spilled: [HomingDelivery.Stream: Int64] = [:]
    /// Positions that wait for a commit, with `grouped`.
    private var waiting: Set<EntryID> = []
    /// Positions that may wait for the next commit.
    private var reserve = 0
    /// Superseded by what the present step appends.
    private var superseded: [OutboxEntry] = []
    private var random: SeededRandom
    /// Whether positions flow as on a drive, and little else happens.
    private let isDrive: Bool
    private var now: Seconds = 1000
    private var number = 0

    init(_ durability: OutboxFile.Durability, seed: UInt64) throws {
        self.durability = durability
        random = SeededRandom(seed: seed)
        isDrive = durability == .grouped && Bool.random(using: &random)
        disk = try FaultyDisk()
        runtime = try TemporaryFolder()
        disk.changesUntilPowerCut = Int.random(in: 1...500, using: &random)
    }

    private func file(
        _ folder: TemporaryFolder, _ runtime: TemporaryFolder, boot: String = "first"
    ) -> OutboxFile {
        var file = OutboxFile(
            stateDirectory: folder.path, runtimeDirectory: runtime.path, durability: durability,
            maxSize: 1 << 18)
        file.boot = boot
        return file
    }

    /// Until the power goes.
    mutating func run() throws {
        defer { disk.remove() }
        var store = try? file(disk.folder, runtime).opened(at: now).store
        while !disk.isOff, let open = store {
            now += Double.random(in: 0...20, using: &random)
            if Int.random(in: 0..<40, using: &random) == 0 {
                expected = [state()]
                open.close()
                store = try? file(disk.folder, runtime).opened(at: now).store
                store?.reserve(reserve)
                noteGroup(of: store)
                if !disk.isOff { expected = [state()] }
            } else {
                superseded = []
                let step = step()
                expected = [state()]
                let isDone = (try? step(open)) != nil
                if !isDone && !disk.isOff { throw DatabaseError(.failed, "without a power cut") }
                try apply(step)
                if isDone { noteGroup(of: store) }
                // What was answered is promised.
                if isDone { expected = [] }
                expected.append(state())
            }
        }
        store?.close()
        if expected.isEmpty { expected = [state()] }
    }

    private mutating func noteGroup(of store: (any PersistentOutbox)?) {
        guard let store = store as? GroupingOutbox else { return }
        waiting = Set(store.unsaved.map(\.id))
        if Int.random(in: 0..<10, using: &random) == 0 {
            reserve = (isDrive ? [16, 40] : [0, 16, 40]).randomElement(using: &random) ?? 0
            store.reserve(reserve)
        }
    }

    private typealias Step = (any OutboxStore) throws -> Void

    private mutating func step() -> Step {
        let now = now
        if isDrive, Int.random(in: 0..<60, using: &random) > 0 {
            guard Int.random(in: 0..<10, using: &random) > 0 else { return { try $0.save() } }
            number += 1
            let message = position(number)
            return { _ = try $0.append(message, acceptedAt: now, expiresAt: nil) }
        }
        switch Int.random(in: 0..<20, using: &random) {
        case ..<10:
            let (message, expires) = message()
            return { _ = try $0.append(message, acceptedAt: now, expiresAt: expires) }
        case ..<14:
            let stream = HomingDelivery.Stream.allCases.randomElement(using: &random) ?? .location
            let count = Int.random(in: 1...5, using: &random)
            let ids = model.entries(stream, freshness: .live, after: 0, limit: count).map(\.id)
            return { try $0.settle(ids, as: .deliveredLive) }
        case 14:
            return { _ = try $0.moveToHistory(acceptedBefore: now - 100, keepingNewest: false) }
        case 15:
            let ids = model.entries(.location, freshness: .history, after: 0, limit: 20).map(\.id)
            return { try $0.settle(ids, as: .deliveredTrack) }
        case 16: return { try $0.expire(at: now, acceptedBefore: nil) }
        case 17 where number % 5 == 0: return { try $0.supersedeOlderPositions() }
        case 18 where number % 7 == 0: return Self.spill(before: .infinity)
        case 18 where number % 2 == 0, 19 where number % 2 == 0: return { try $0.save() }
        default: return Self.spill(before: now - 60)
        }
    }

    /// Returns a step that spills rows; the step means nothing to the model.
    private static func spill(before time: Seconds) -> Step {
        { store in
            guard let store = store as? any PersistentOutbox else {
                throw Spill(before: time)
            }
            if time.isFinite { try store.spill(acceptedBefore: time) } else { try store.spillAll() }
        }
    }

    private struct Spill: Error {
        let before: Seconds
    }

    private mutating func apply(_ step: Step) throws {
        do { try step(model) } catch let spill as Spill {
            for stream in HomingDelivery.Stream.allCases {
                let old = try everything(model, stream).last { $0.acceptedAt < spill.before }
                spilled[stream] = max(spilled[stream] ?? 0, old?.id.number ?? 0)
            }
        }
    }

    private mutating func message() -> (OutboxMessage, Seconds?) {
        number += 1
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            let text = String(repeating: "x", count: Int.random(in: 1...9000, using: &random))
            return (.event(EventMessage(type: "t", data: "{\"x\":\"\(text)\"}")), now + 200)
        case 1:
            let id = "s\(number % 4)"
            superseded = model.entries(.sensors, freshness: .live, after: 0, limit: .max)
                .filter {
                    if case .sensor(let sensor) = $0.message {
                        sensor.uniqueID == id
                    } else {
                        false
                    }
                }
            return (sensor(id, number), nil)
        default: return (position(number), nil)
        }
    }

    /// Returns the state of the model now.
    private func state() -> State {
        let streams = HomingDelivery.Stream.allCases
        let rows = streams.flatMap { (try? everything(model, $0)) ?? [] }
        let ledgers = streams.map(model.ledger)
        switch durability {
        case .powerLoss: return State(rows: rows, owed: rows, ledgers: ledgers)
        case .crash:
            return State(
                rows: rows, owed: rows.filter { $0.id.number <= spilled[$0.id.stream] ?? 0 },
                lingering: superseded, ledgers: ledgers, booksRule: .partial)
        case .grouped:
            return State(
                rows: rows, owed: rows.filter { !waiting.contains($0.id) }, ledgers: ledgers,
                booksRule: .lossCounted(40), lastNumber: model.lastNumber(.location))
        }
    }

    /// Returns the state that is there when the power is back, and the memory tier is not.
    mutating func found() throws -> State {
        let folder = try disk.remains(using: &random)
        let runtime = try TemporaryFolder()
        let (store, notes) = try file(folder, runtime, boot: "second").opened(at: now)
        defer { withExtendedLifetime((folder, runtime)) { store.close() } }
        for case .setAside in notes { throw DatabaseError(.damaged, "\(notes)") }
        let streams = HomingDelivery.Stream.allCases
        let rows = try streams.flatMap { try everything(store, $0) }
        let ledgers = try streams.map { try store.ledger($0) }
        let isSound =
            ledgers.allSatisfy(\.balances) && ledgers.map(\.queued).reduce(0, +) == rows.count
        guard isSound else { throw DatabaseError(.damaged, "\(ledgers)") }
        let lost = ledgers[0][.lostInPowerCut]
        guard lost == store.powerCut?.lost ?? 0 else {
            throw DatabaseError(
                .failed, "\(lost) counted, told \(String(describing: store.powerCut))")
        }
        let next = try store.append(position(1), acceptedAt: now, expiresAt: nil)
        return State(rows: rows, ledgers: ledgers, lastNumber: next.number - 1)
    }
}
