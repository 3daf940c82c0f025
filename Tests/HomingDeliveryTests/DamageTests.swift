import Glibc
import HomingBase
import HomingTestKit
import Testing

@testable import HomingDelivery
@testable import HomingSQLite

/// Files in which anything may be anywhere: always an outbox again, never a crash.
@Suite("Damage")
struct DamageTests {
    private let original: [UInt8]
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let store = try folder.outboxFile().opened(at: 1).store
        for number in 1...200 {
            _ = try store.append(position(number), acceptedAt: Double(number), expiresAt: 9e9)
            _ = try store.append(event(number), acceptedAt: 1, expiresAt: nil)
        }
        for number in 1...9 {
            _ = try store.append(sensor("s\(number)"), acceptedAt: 1, expiresAt: nil)
        }
        try store.settle([EntryID(.location, 3)], as: .deliveredLive)
        _ = try store.moveToHistory(acceptedBefore: 50, keepingNewest: false)
        store.close()
        original = try folder.read("outbox.db")
    }

    /// Everything an agent does.
    private func use(_ content: [UInt8], _ comment: Comment) throws {
        for name in folder.names() { unlink(folder.file(name)) }
        try folder.write(content, to: "outbox.db")
        let store = try HealingOutbox(
            folder.outboxFile(), clock: { Moment(uptime: 0, unixTime: 5) }, report: { _ in })
        try exercise(store, comment)
        store.close()
    }

    private func exercise(_ store: any PersistentOutbox, _ comment: Comment) throws {
        for message in [position(1), event(1), sensor("s1"), sensor("new")] {
            _ = try store.append(message, acceptedAt: 1000, expiresAt: nil)
        }
        _ = try store.moveToHistory(acceptedBefore: 100, keepingNewest: false)
        try store.expire(at: 10, acceptedBefore: 0)
        for stream in HomingDelivery.Stream.allCases {
            let rows =
                try store.entries(stream, freshness: .history, after: 0, limit: 1000)
                + store.entries(stream, freshness: .live, after: 0, limit: 1000)
            let queued = try store.ledger(stream).queued
            #expect(Set(rows.map(\.id)).count == queued, comment)
            try store.settle(rows.map(\.id), as: .deliveredLive)
            let ledger = try store.ledger(stream)
            #expect(ledger.balances && ledger.queued == 0, comment)
            _ = try store.oldest(stream)
        }
        _ = try store.lastDelivered()
    }

    @Test("of any byte leaves a working outbox")
    func flips() throws {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): flipped bytes")
        var random = SeededRandom(seed: seed)
        for _ in 0..<1000 {
            var content = original
            let offset = Int.random(in: 0..<content.count, using: &random)
            let value = UInt8.random(in: 0...255, using: &random)
            content[offset] = value
            // A number there says that the file is from the future, whatever else it says.
            if (60..<64).contains(offset) { continue }
            try use(content, "seed \(seed): byte \(offset) to \(value)")
        }
    }

    @Test("of the file's version, which makes it read-only to SQLite, leaves a working outbox")
    func headerVersions() throws {
        for offset in 18...19 {
            for value in [0, 3, 255] as [UInt8] {
                var content = original
                content[offset] = value
                try use(content, "byte \(offset) to \(value)")
            }
        }
    }

    @Test("of the schema's number leaves a working outbox")
    func schemaNumber() throws {
        var content = original
        content.replaceSubrange(60..<64, with: [0, 0, 0, 0])
        try use(content, "schema 0")
        content.replaceSubrange(60..<64, with: [255, 255, 255, 255])
        try use(content, "schema -1")
    }

    @Test("of a counter is corrected, and rows come to their end again")
    func damagedCounter() throws {
        let column = "delivered_live INTEGER NOT NULL DEFAULT 0"
        func alterSchema(_ change: String) throws {
            let database = try Database(folder.file("outbox.db"))
            try database.execute(
                "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = \(change)")
            database.close()
        }
        try alterSchema("replace(sql, '\(column)', 'delivered_live INTEGER /* */')")
        let database = try Database(folder.file("outbox.db"))
        try database.execute("UPDATE ledger SET delivered_live = NULL WHERE stream = 3")
        database.close()
        try alterSchema("replace(sql, 'delivered_live INTEGER /* */', '\(column)')")
        try use(try folder.read("outbox.db"), "a counter that is NULL")
    }

    /// The first seed makes a row that claims to be larger than SQLite allows.
    @Test("of whole stretches leaves a working outbox")
    func stretches() throws {
        for seed in [2_798_932_292_024_411_877, TestRun.seed()] {
            print("HOMING_SEED=\(seed): stretches")
            var random = SeededRandom(seed: seed)
            for _ in 0..<200 {
                var content = original
                let start = Int.random(in: 100..<content.count, using: &random)
                for offset in start..<min(start + 512, content.count) {
                    content[offset] = UInt8.random(in: 0...255, using: &random)
                }
                try use(content, "seed \(seed): from byte \(start)")
            }
        }
    }

    @Test("by truncation leaves a working outbox")
    func truncations() throws {
        for length in stride(from: 0, through: original.count, by: 1024) {
            try use(Array(original[..<length]), "\(length) bytes")
        }
    }

    @Test("of a row costs that row, is counted and said")
    func damagedRows() throws {
        var notes: [OutboxNote] = []
        let outbox = try SQLiteOutbox(
            folder.file("outbox.db"), maxSize: 1 << 20, tell: { notes.append($0) })
        let faults = [
            "mode = 77", "latitude = NULL", "latitude = 1e999", "longitude = 'east'",
            "accuracy = -1", "source = x'00'", "accepted_at = NULL", "expires_at = 'never'",
            "zone = x'ff'", "time = 'noon'", "battery = x'01'", "speed = 1e999",
            "latitude = 0, longitude = 0", "longitude = -1e999", "zone = CAST(x'fffe' AS TEXT)",
            "latitude = 91",
        ]
        for (index, fault) in faults.enumerated() {
            try outbox.database.execute("UPDATE location SET \(fault) WHERE id = \(100 + index)")
        }
        let events = ["NULL", "'[1]'", "'{\"n\":}'", "CAST(x'7b7d007d' AS TEXT)", "x'7b7d'"]
        for (index, data) in events.enumerated() {
            try outbox.database.execute("UPDATE event SET data = \(data) WHERE id = \(5 + index)")
        }
        try outbox.database.execute("UPDATE sensor SET item = '{' WHERE id = 2")
        let rows = try outbox.entries(.location, freshness: .live, after: 90, limit: 20)
        let sound = (91...99).map(Int64.init) + (116...126).map(Int64.init)
        #expect(ids(rows) == sound)
        #expect(try outbox.ledger(.location)[.lostWithDatabase] == faults.count)
        #expect(try outbox.ledger(.location).balances)
        #expect(try outbox.entries(.events, freshness: .live, after: 0, limit: 999).count == 195)
        #expect(try outbox.entries(.sensors, freshness: .live, after: 0, limit: 999).count == 8)
        #expect(notes.count == faults.count + events.count + 1)
        #expect(notes.first == .lostRow(path: outbox.database.path, id: EntryID(.location, 100)))
    }

    @Test("to a log that is another's leaves a working outbox")
    func strayLog() throws {
        let other = try TemporaryFolder()
        let outbox = try SQLiteOutbox(other.file("outbox.db"), maxSize: 1 << 20)
        for number in 1...40 { _ = try outbox.append(event(number), acceptedAt: 1, expiresAt: nil) }
        let log = try other.read("outbox.db-wal")
        for (content, log) in [
            (original, log), ([], log), (original, Array(repeating: 7, count: 9000)),
        ] {
            for name in folder.names() { unlink(folder.file(name)) }
            try folder.write(content, to: "outbox.db")
            try folder.write(log, to: "outbox.db-wal")
            try folder.write(Array(repeating: 1, count: 32_768), to: "outbox.db-shm")
            let opened = try folder.outboxFile().opened(at: 5)
            try exercise(opened.store, "\(opened.notes)")
            opened.store.close()
        }
    }

    @Test("A ledger that does not balance cannot be written")
    func equation() throws {
        let outbox = try SQLiteOutbox(folder.file("ledger.db"), maxSize: 1 << 20)
        #expect(throws: DatabaseError.self) {
            try outbox.database.run("UPDATE ledger SET evicted = 1 WHERE stream = 1")
        }
        #expect(try outbox.ledger(.location) == Ledger())
    }
}
