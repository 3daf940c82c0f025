import Glibc
import HomingRuntime
import HomingSQLite
import HomingTestKit
import Testing

@testable import HomingDelivery

/// Costs of operations. Run alone, in release:
/// `HOMING_MEASURE=1 swift test -c release -Xswiftc -enable-testing --filter Measurements`.
@Suite("Measurements", .serialized, .enabled(if: getenv("HOMING_MEASURE") != nil))
struct Measurements {
    private func measure(_ what: String, per count: Int = 1, _ body: () throws -> Void) rethrows {
        let start = SystemClock.now().uptime
        try body()
        let micros = (SystemClock.now().uptime - start) * 1e6
        print("\(what): \(Int(micros / 1000)) ms, \(Int(micros * 10) / count) tenths of µs each")
    }

    private func fill(_ outbox: any OutboxStore, _ count: Int) throws {
        for number in 1...count {
            _ = try outbox.append(position(number), acceptedAt: Double(number), expiresAt: nil)
        }
    }

    @Test("of rows", arguments: [SQLiteOutbox.Synchronous.full, .off])
    func rows(synchronous: SQLiteOutbox.Synchronous) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("outbox.db")
        let outbox = try SQLiteOutbox(path, maxSize: 32 << 20, synchronous: synchronous)
        try measure("\(synchronous): append and settle", per: 5000) {
            for number in 1...5000 {
                let id = try outbox.append(position(number), acceptedAt: 1, expiresAt: nil)
                try outbox.settle([id], as: .deliveredLive)
            }
        }
        try measure("\(synchronous): append 10 000", per: 10_000) { try fill(outbox, 10_000) }
        let ids = try outbox.entries(.location, freshness: .live, after: 0, limit: .max).map(\.id)
        try measure("\(synchronous): settle 10 000 at once", per: 10_000) {
            try outbox.settle(ids, as: .deliveredTrack)
        }
    }

    @Test("of a full outbox")
    func large() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("outbox.db")
        var outbox = try SQLiteOutbox(path, maxSize: 32 << 20, synchronous: .off)
        let empty = folder.size()
        try fill(outbox, 80_000)
        outbox.close()
        print("80 000 rows: \(Double(folder.size() - empty) / 80_000) bytes each")
        try measure("open with 80 000") { outbox = try SQLiteOutbox(path, maxSize: 32 << 20) }
        try measure("quick_check") { try outbox.database.execute("PRAGMA quick_check") }
        try measure("ledger", per: 1000) { for _ in 0..<1000 { _ = try outbox.ledger(.location) } }
        try measure("first 100 live", per: 100) {
            for _ in 0..<100 {
                _ = try outbox.entries(.location, freshness: .live, after: 0, limit: 100)
            }
        }
        try measure("expire, nothing due", per: 1000) {
            for _ in 0..<1000 { try outbox.expire(at: 1, acceptedBefore: nil) }
        }
        try measure("expire by age, first") { try outbox.expire(at: 1, acceptedBefore: 0.5) }
        try measure("expire by age, next") { try outbox.expire(at: 1, acceptedBefore: 0.6) }
        try measure("make history of 40 000") {
            _ = try outbox.moveToHistory(acceptedBefore: 40_000, keepingNewest: false)
        }
        outbox.close()
        outbox = try SQLiteOutbox(path, maxSize: 32 << 20, synchronous: .off)
        try measure("fill up to the bound", per: 300_000) { try fill(outbox, 300_000) }
        print(
            "queued at the bound: \(try outbox.ledger(.location).queued), \(folder.size()) bytes")
        outbox.close()
        try measure("open at the bound") { outbox = try SQLiteOutbox(path, maxSize: 32 << 20) }
    }

    @Test("of a spill")
    func spill() throws {
        let rig = try OutboxRig(.spilling)
        try fill(rig.store, 100)
        let store = try #require(rig.store as? SpillingOutbox)
        try measure("spill 100") { try store.spillAll() }
    }
}
