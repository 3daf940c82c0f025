import Glibc
import HomingLocation
import HomingTestKit
import Testing

@testable import HomingDelivery
@testable import HomingSQLite

@Suite("Opening the outbox's files")
struct OutboxFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ durability: OutboxFile.Durability = .powerLoss) -> OutboxFile {
        folder.outboxFile(durability, maxSize: 4 << 20)
    }

    /// Makes an outbox with 5 positions, 2 of them delivered; returns its id.
    private func fill() throws -> String {
        let store = try file().opened(at: 1).store
        for number in 1...5 {
            _ = try store.append(position(number), acceptedAt: 1, expiresAt: nil)
        }
        try store.settle([EntryID(.location, 1), EntryID(.location, 2)], as: .deliveredLive)
        store.close()
        return store.databaseID
    }

    private func execute(_ sql: String) throws {
        let database = try Database(folder.file("outbox.db"))
        try database.execute(sql)
        database.close()
    }

    @Test("makes a new one with an id of its own, private to its owner")
    func new() throws {
        let opened = try file().opened(at: 1)
        #expect(opened.notes == [.made(path: folder.file("outbox.db"))])
        #expect(opened.store.databaseID.count == 32)
        _ = try opened.store.append(event(), acceptedAt: 1, expiresAt: nil)
        for name in folder.names() {
            var status = stat()
            #expect(stat(folder.file(name), &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(name)")
        }
        opened.store.close()
        let again = try file().opened(at: 2)
        #expect(again.notes.isEmpty)
        #expect(again.store.databaseID == opened.store.databaseID)
        #expect(try again.store.ledger(.events).queued == 1)
    }

    @Test("sets a damaged file aside and closes its ledger")
    func damaged() throws {
        let id = try fill()
        var content = try folder.read("outbox.db")
        let page = try pageOfTable("location")
        for offset in 0..<64 { content[(page - 1) * Room.pageSize + offset] = 0xA5 }
        try folder.write(content, to: "outbox.db")
        let opened = try file().opened(at: 1700)
        let kept = folder.file("outbox.db.damaged-1700")
        guard case .setAside(kept, _, 3) = opened.notes.first else {
            Issue.record("\(opened.notes)")
            return
        }
        #expect(opened.notes.first?.description.contains("\n") == false)
        #expect(try folder.read("outbox.db.damaged-1700") == content)
        #expect(opened.store.databaseID != id)
        let fates: [Fate: Int] = [.deliveredLive: 2, .lostWithDatabase: 3]
        #expect(try opened.store.ledger(.location) == Ledger(accepted: 5, fates: fates))
        let next = try opened.store.append(position(), acceptedAt: 1, expiresAt: nil)
        #expect(next.number == 6)
    }

    @Test("reads the ledger of a damaged file whose log was not written back")
    func damagedAfterKill() throws {
        let live = try file().opened(at: 1).store
        for number in 1...2000 {
            _ = try live.append(position(number), acceptedAt: 1, expiresAt: nil)
        }
        let dead = try folder.copy()
        var content = try dead.read("outbox.db")
        for offset in 0..<Room.pageSize { content[20 * Room.pageSize + offset] = 0xA5 }
        try dead.write(content, to: "outbox.db")
        let opened = try dead.outboxFile(maxSize: 4 << 20).opened(at: 1700)
        let fates: [Fate: Int] = [.lostWithDatabase: 2000]
        #expect(try opened.store.ledger(.location) == Ledger(accepted: 2000, fates: fates))
        #expect(dead.names().contains("outbox.db.damaged-1700"))
    }

    private func pageOfTable(_ name: String) throws -> Int {
        let database = try Database(folder.file("outbox.db"))
        let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?1"
        return Int(try #require(try database.integer(sql, .text(name))))
    }

    @Test("begins anew where there is no database any more", arguments: [20, 40_000])
    func garbage(size: Int) throws {
        _ = try fill()
        try folder.write(Array(repeating: 0x41, count: size), to: "outbox.db")
        let opened = try file().opened(at: 1700)
        guard case .setAside(_, _, nil) = opened.notes.first else {
            Issue.record("\(opened.notes)")
            return
        }
        #expect(try opened.store.ledger(.location) == Ledger())
        // Whoever still holds a number of the old file must not hold a row of the new one.
        let next = try opened.store.append(position(), acceptedAt: 1, expiresAt: nil)
        #expect(next.number > 1_000_000)
    }

    @Test("says that a file was empty", arguments: [0, 1])
    func empty(size: Int) throws {
        _ = try fill()
        try folder.write(Array(repeating: 0, count: size), to: "outbox.db")
        let opened = try file().opened(at: 1700)
        #expect(opened.notes == [.wasEmpty(path: folder.file("outbox.db"))])
        #expect(try opened.store.ledger(.location) == Ledger())
    }

    @Test("leaves another program's database as it was, under another name")
    func foreign() throws {
        try execute("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)")
        let content = try folder.read("outbox.db")
        let opened = try file().opened(at: 1700)
        #expect(opened.notes.count == 1)
        #expect(try folder.read("outbox.db.damaged-1700") == content)
        _ = try opened.store.append(event(), acceptedAt: 1, expiresAt: nil)
    }

    @Test("does the same with a wrong application_id")
    func wrongApplication() throws {
        _ = try fill()
        try execute("PRAGMA application_id = 7")
        #expect(try file().opened(at: 1700).notes.count == 1)
        #expect(folder.names().contains("outbox.db.damaged-1700"))
    }

    @Test("refuses a newer schema and touches nothing")
    func newerSchema() throws {
        _ = try fill()
        try execute("PRAGMA user_version = 99")
        let content = try folder.read("outbox.db")
        let error = try thrown(DatabaseError.self) { try file().opened(at: 1700) }
        #expect(error?.kind == .newerSchema)
        #expect(folder.names() == ["outbox.db"])
        #expect(try folder.read("outbox.db") == content)
    }

    @Test("sets a file aside that was found damaged in use, though it opens")
    func damagedInUse() throws {
        let store = try file().opened(at: 1).store
        for number in 1...5000 {
            _ = try store.append(position(number), acceptedAt: 1, expiresAt: nil)
        }
        store.close()
        let content = try folder.read("outbox.db")
        let again = try file().opened(at: 1).store
        truncate(folder.file("outbox.db"), 16 * 4096)
        let error = try thrown(DatabaseError.self) {
            try again.entries(.location, freshness: .live, after: 0, limit: 5000)
        }
        #expect(error?.kind == .damaged)
        again.close()
        try folder.write(content, to: "outbox.db")
        let opened = try file().opened(at: 1700, after: error)
        #expect(opened.notes.count == 1)
        _ = try opened.store.append(event(), acceptedAt: 1, expiresAt: nil)
        #expect(try opened.store.ledger(.location)[.lostWithDatabase] == 5000)
    }

    @Test("sets a file aside whose schema is not the one it should be")
    func schema() throws {
        _ = try fill()
        try execute("ALTER TABLE event DROP COLUMN data")
        let notes = try file().opened(at: 1700).notes
        #expect(notes.first?.description.contains("schema") == true)
    }

    @Test("corrects a ledger that does not agree with its rows")
    func corrected() throws {
        _ = try fill()
        try execute("DELETE FROM location WHERE id = 3; UPDATE ledger SET last_number = 1")
        let opened = try file().opened(at: 1700)
        #expect(opened.notes == [.corrected(path: folder.file("outbox.db"), stream: .location)])
        let fates: [Fate: Int] = [.deliveredLive: 2, .lostWithDatabase: 1]
        #expect(try opened.store.ledger(.location) == Ledger(accepted: 5, fates: fates, queued: 2))
        #expect(try opened.store.append(position(), acceptedAt: 1, expiresAt: nil).number == 6)
    }

    @Test("ends what a process began that died while it replaced a file")
    func halfReplaced() throws {
        _ = try fill()
        let dead = try TemporaryFolder()
        try dead.write(try folder.read("outbox.db"), to: "outbox.db.new")
        try dead.write(Array(repeating: 7, count: 5000), to: "outbox.db-wal")
        let opened = try dead.outboxFile().opened(at: 1700)
        #expect(opened.notes.isEmpty)
        #expect(try opened.store.ledger(.location).queued == 3)
        #expect(!dead.names().contains("outbox.db.new"))
    }

    @Test("takes back what was prepared for a replacement that did not come")
    func unusedSuccessor() throws {
        let id = try fill()
        try folder.write([1, 2, 3], to: "outbox.db.new")
        try folder.write([4], to: "outbox.db.new-wal")
        let opened = try file().opened(at: 1700)
        #expect(opened.notes.isEmpty && opened.store.databaseID == id)
        #expect(folder.names().filter { $0.contains("new") }.isEmpty)
    }

    @Test("carries the place last delivered over from a damaged file")
    func lastDelivered() throws {
        _ = try fill()
        var content = try folder.read("outbox.db")
        let page = try pageOfTable("location")
        for offset in 0..<64 { content[(page - 1) * Room.pageSize + offset] = 0xA5 }
        try folder.write(content, to: "outbox.db")
        #expect(try file().opened(at: 1700).store.lastDelivered()?.latitude == 52.002)
    }

    @Test("keeps three files that were set aside, the newest")
    func pruning() throws {
        for time in [100, 900, 1000, 1000, 20] {
            try folder.write(Array("garbage garbage garbage".utf8), to: "outbox.db")
            try file().opened(at: Double(time)).store.close()
        }
        let kept = folder.names().filter { $0.contains("damaged") }
        // The last one came under a clock that had been set back.
        #expect(
            kept == ["outbox.db.damaged-1000", "outbox.db.damaged-1001", "outbox.db.damaged-1002"])
    }

    @Test("refuses a folder it may not write to, in words")
    func unusableFolder() throws {
        try folder.write([1], to: "file")
        let file = OutboxFile(
            stateDirectory: folder.file("file/state"), runtimeDirectory: folder.path,
            durability: .powerLoss, maxSize: 1 << 20)
        let error = try thrown(DatabaseError.self) { try file.opened(at: 1) }
        #expect(error?.kind == .readOnly)
        #expect(error?.message.contains(folder.path) == true)
    }

    @Test("takes over what another durability left behind")
    func switching() throws {
        _ = try fill()
        let spilling = try file(.crash).opened(at: 2)
        #expect(try spilling.store.ledger(.location).queued == 3)
        for number in 6...9 {
            _ = try spilling.store.append(position(number), acceptedAt: 1, expiresAt: nil)
        }
        try spilling.store.settle([EntryID(.location, 3)], as: .rejected)
        spilling.store.close()
        let opened = try file(.powerLoss).opened(at: 3)
        #expect(opened.notes == [.emptiedMemoryTier(rows: 4)])
        #expect(folder.names().filter { $0.contains("memory") }.isEmpty)
        let rows = try opened.store.entries(.location, freshness: .live, after: 0, limit: 99)
        #expect(ids(rows) == [4, 5, 6, 7, 8, 9])
        let fates: [Fate: Int] = [.deliveredLive: 2, .rejected: 1]
        #expect(try opened.store.ledger(.location) == Ledger(accepted: 9, fates: fates, queued: 6))
        #expect(try opened.store.append(position(), acceptedAt: 1, expiresAt: nil).number == 10)
    }
}
