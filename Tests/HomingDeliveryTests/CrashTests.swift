import HomingBase
import HomingTestKit
import Testing

@testable import HomingDelivery
@testable import HomingSQLite

/// The process dies at a random moment: whatever is in the files then is what there is.
@Suite("An outbox whose process is killed")
struct CrashTests {
    private struct Cut: Error {}

    @Test("has every row that was accepted", arguments: [OutboxKind.sqlite, .spilling, .grouping])
    func kill(kind: OutboxKind) throws {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): kills, \(kind)")
        var random = SeededRandom(seed: seed)
        let rig = try OutboxRig(kind)
        for round in 0..<60 {
            for number in 0..<Int.random(in: 1...60, using: &random) {
                try rig.append(position(number), at: Double(round))
                if Int.random(in: 0..<4, using: &random) == 0 { try rig.append(event(number)) }
                if Int.random(in: 0..<4, using: &random) == 0 {
                    try rig.append(sensor("s\(number)"))
                }
            }
            let done = try rig.queued(.location).prefix(Int.random(in: 0...50, using: &random))
            try rig.store.settle(done.map(\.id), as: .deliveredLive)
            if let store = rig.store as? any PersistentOutbox {
                try store.spill(acceptedBefore: Double(round) - 2)
            }
            let dead = try OutboxRig(kind, in: rig.folder.copy())
            for stream in HomingDelivery.Stream.allCases {
                #expect(try dead.queued(stream) == rig.queued(stream), "seed \(seed)")
                #expect(try dead.store.ledger(stream) == rig.store.ledger(stream), "seed \(seed)")
            }
        }
    }

    /// Files as a kill between the two commits of a spill leaves them.
    private func cutSpill(_ rig: OutboxRig) throws -> TemporaryFolder {
        let spilling = try #require(rig.store as? SpillingOutbox)
        var left: TemporaryFolder?
        spilling.interruptSpills { () throws(DatabaseError) in
            left = try? rig.folder.copy()
            throw DatabaseError(.failed, "cut")
        }
        #expect(throws: DatabaseError.self) { try spilling.spillAll() }
        spilling.interruptSpills { () throws(DatabaseError) in }
        return try #require(left)
    }

    private func filledRig() throws -> OutboxRig {
        let rig = try OutboxRig(.spilling)
        for number in 1...20 { try rig.append(position(number), at: Double(number)) }
        try rig.append(sensor("a", 1))
        try rig.append(event(1))
        let first = try rig.entries(.location, limit: 3).map(\.id)
        try rig.store.settle(first, as: .deliveredLive)
        _ = try rig.store.moveToHistory(acceptedBefore: 8, keepingNewest: false)
        return rig
    }

    @Test("between the two commits of a spill has every row once")
    func betweenCommits() throws {
        let rig = try filledRig()
        let before = try HomingDelivery.Stream.allCases.map { try rig.queued($0) }
        let ledgers = try HomingDelivery.Stream.allCases.map { try rig.store.ledger($0) }
        let place = try rig.store.lastDelivered()
        let dead = try OutboxRig(.spilling, in: cutSpill(rig))
        // The same process goes on after an error there just as a new one does after a kill.
        for outbox in [dead, rig] {
            #expect(try HomingDelivery.Stream.allCases.map { try outbox.queued($0) } == before)
            #expect(
                try HomingDelivery.Stream.allCases.map { try outbox.store.ledger($0) } == ledgers)
            #expect(try outbox.store.lastDelivered() == place)
            let next = try outbox.append(position(99)).number
            #expect(next == 21)
            try outbox.reopen()
            #expect(try outbox.isSound())
        }
        let disk = try #require(dead.store as? SpillingOutbox).disk
        #expect(try disk.queued(.location) == 17)
    }

    @Test("in the middle of a spill, again and again, has every row once")
    func repeatedCuts() throws {
        var rig = try filledRig()
        var accepted = 20
        for round in 0..<6 {
            rig = try OutboxRig(.spilling, in: cutSpill(rig))
            if round % 2 == 0 {
                try rig.append(position(100 + round))
                accepted += 1
            }
        }
        #expect(try rig.isSound())
        #expect(try rig.store.ledger(.location).accepted == accepted)
        #expect(try rig.queued(.location).count == accepted - 3)
    }

    @Test("and the memory tier lost has the rows on the disk, and no number again")
    func powerCut() throws {
        let rig = try filledRig()
        try #require(rig.store as? SpillingOutbox).spillAll()
        try rig.append(position(50))
        let left = try rig.folder.copy()
        for name in left.names() where name.contains("memory") {
            DamagedFile.delete(left.file(name))
        }
        let after = try OutboxRig(.spilling, in: left)
        #expect(try after.queued(.location).count == 17)
        #expect(try after.store.ledger(.location).accepted == 20)
        #expect(try after.append(position(60)).number == 21)
        #expect(try after.append(event(2)).number == 2)
        #expect(try after.isSound())
        // The fresh tier's spills are numbered from 0 again; none must pass for the old one's.
        try #require(after.store as? SpillingOutbox).spillAll()
        try after.reopen()
        #expect(try after.queued(.location).count == 18)
        #expect(try after.isSound())
    }

    @Test("and the memory tier lost between the two commits has every row once")
    func powerCutBetweenCommits() throws {
        let left = try cutSpill(try filledRig())
        for name in left.names() where name.contains("memory") {
            DamagedFile.delete(left.file(name))
        }
        let after = try OutboxRig(.spilling, in: left)
        #expect(try after.queued(.location).count == 17)
        #expect(try after.store.ledger(.location).accepted == 20)
        #expect(try after.isSound())
    }
}

/// The rules of the two tiers while nothing goes wrong.
@Suite("A spilling outbox")
struct SpillingTests {
    @Test("writes nothing to the disk until rows are old")
    func quiet() throws {
        let rig = try OutboxRig(.spilling)
        let spilling = try #require(rig.store as? SpillingOutbox)
        let before = try rig.folder.read("outbox.db-wal")
        for number in 1...50 {
            let id = try rig.append(position(number), at: Double(number))
            try rig.append(sensor("a", number), at: Double(number))
            if number < 45 { try rig.store.settle([id], as: .deliveredLive) }
            try spilling.spill(acceptedBefore: Double(number) - 60)
        }
        #expect(try rig.folder.read("outbox.db-wal") == before)
        try spilling.spill(acceptedBefore: 48)
        #expect(try spilling.disk.queued(.location) == 3)
        #expect(try spilling.memory.queued(.location) == 3)
        #expect(try rig.isSound())
    }

    @Test("takes the whole ledger to the disk at the end")
    func wholeLedger() throws {
        let rig = try OutboxRig(.spilling)
        let id = try rig.append(event())
        try rig.store.settle([id], as: .deliveredLive)
        let spilling = try #require(rig.store as? SpillingOutbox)
        try spilling.spillAll()
        #expect(
            try spilling.disk.ledger(.events) == Ledger(accepted: 1, fates: [.deliveredLive: 1]))
        #expect(try spilling.memory.ledger(.events) == Ledger())
    }

    @Test("supersedes a sensor's state on the disk by one in memory")
    func sensors() throws {
        let rig = try OutboxRig(.spilling)
        let spilling = try #require(rig.store as? SpillingOutbox)
        try rig.append(sensor("a", 1))
        try spilling.spillAll()
        try rig.append(sensor("a", 2))
        #expect(try rig.queued(.sensors).map(\.message) == [sensor("a", 2)])
        #expect(try spilling.disk.queued(.sensors) == 0)
    }

    @Test("moves thousands of rows in batches")
    func batches() throws {
        let rig = try OutboxRig(.spilling)
        for number in 1...1000 { try rig.append(position(number)) }
        let spilling = try #require(rig.store as? SpillingOutbox)
        try spilling.spillAll()
        #expect(try spilling.disk.queued(.location) == 1000)
        #expect(try rig.isSound())
    }

    @Test("writes to the disk before it evicts from memory")
    func memoryBound() throws {
        let folder = try TemporaryFolder()
        let disk = try SQLiteOutbox(folder.file("outbox.db"), maxSize: 4 << 20, synchronous: .off)
        let memory = try SQLiteOutbox(
            folder.file("outbox-memory.db"), maxSize: 256 << 10, synchronous: .off)
        let outbox = try SpillingOutbox(disk: disk, memory: memory)
        for number in 1...10_000 {
            _ = try outbox.append(position(number), acceptedAt: 1, expiresAt: nil)
        }
        #expect(try outbox.ledger(.location) == Ledger(accepted: 10_000, queued: 10_000))
        for number in 1...90_000 {
            _ = try outbox.append(position(number), acceptedAt: 1, expiresAt: nil)
        }
        let ledger = try outbox.ledger(.location)
        #expect(ledger.balances && ledger.accepted == 100_000 && ledger[.evicted] > 10_000)
        let rows = try outbox.entries(.location, freshness: .live, after: 0, limit: .max)
        #expect(ids(rows) == Array(Int64(100_000 - rows.count + 1)...100_000))
        #expect(folder.size() <= 4 << 20 + 256 << 10)
    }
}
