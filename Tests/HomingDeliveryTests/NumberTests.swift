import HomingLocation
import HomingTestKit
import Testing

@testable import HomingDelivery
@testable import HomingSQLite

/// Numbers in the file that nobody has counted to.
@Suite("A number that is nonsense")
struct NumberTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// An outbox of five positions, with the script run on its closed file.
    private func opened(
        after script: String, in name: String = "outbox.db",
        durability: OutboxFile.Durability = .powerLoss
    ) throws -> (store: any PersistentOutbox, notes: [OutboxNote]) {
        let file = folder.outboxFile(durability)
        let store = try file.opened(at: 1).store
        for number in 1...5 {
            _ = try store.append(position(number), acceptedAt: 100, expiresAt: nil)
        }
        try store.settle([EntryID(.location, 1)], as: .deliveredLive)
        try store.spill(acceptedBefore: 200)
        store.close()
        let database = try Database(folder.file(name))
        try database.execute(script)
        database.close()
        return try file.opened(at: 2)
    }

    @Test(
        "in the mark of history does not make history of what comes",
        arguments: [Int64.max, 1 << 53, 6, -1, .min] as [Int64])
    func trackThrough(mark: Int64) throws {
        let (store, notes) = try opened(
            after: "REPLACE INTO meta VALUES ('track_through', \(mark))")
        #expect(notes == [.corrected(path: folder.file("outbox.db"), stream: .location)])
        let id = try store.append(position(6), acceptedAt: 100, expiresAt: nil)
        store.close()
        let again = try folder.outboxFile().opened(at: 3)
        #expect(again.notes.isEmpty)
        #expect(
            ids(try again.store.entries(.location, freshness: .live, after: 0, limit: 9)) == [6])
        #expect(id.number == 6)
    }

    @Test(
        "in the mark of the last delivery does not hide later ones",
        arguments: [Int64.max, 6, -9] as [Int64])
    func delivered(mark: Int64) throws {
        let (store, _) = try opened(
            after: "UPDATE meta SET value = \(mark) WHERE name = 'delivered_number'")
        #expect(try store.lastDelivered() == nil)
        try store.settle([EntryID(.location, 3)], as: .deliveredLive)
        #expect(try store.lastDelivered()?.latitude == 52.003)
    }

    @Test("of a spill stops no spill", arguments: [Int64.max, 1 << 60, -1] as [Int64])
    func spillNumber(number: Int64) throws {
        let (store, _) = try opened(
            after: "REPLACE INTO meta VALUES ('spill_number', \(number))", in: "outbox-memory.db",
            durability: .crash)
        for number in 6...9 {
            _ = try store.append(position(number), acceptedAt: 100, expiresAt: nil)
            try store.spill(acceptedBefore: 200)
        }
        store.close()
        let again = try folder.outboxFile(.crash).opened(at: 3).store
        let rows = try again.entries(.location, freshness: .live, after: 0, limit: 99)
        #expect(ids(rows) == Array(2...9))
        #expect(try again.ledger(.location).balances)
    }

    @Test("of the last spill taken loses no row", arguments: [Int64.max, -1] as [Int64])
    func taken(number: Int64) throws {
        let (store, _) = try opened(
            after:
                "UPDATE meta SET value = \(number) WHERE name LIKE 'taken_%' AND name != 'taken_tier'",
            durability: .crash)
        _ = try store.append(position(6), acceptedAt: 100, expiresAt: nil)
        let rows = try store.entries(.location, freshness: .live, after: 0, limit: 99)
        #expect(ids(rows) == Array(2...6))
    }

    @Test(
        "in the ledger is replaced by what can be counted",
        arguments: [Int64.max, 1 << 62, (1 << 52) + 1, -1] as [Int64])
    func counters(count: Int64) throws {
        let (store, notes) = try opened(
            after: """
                PRAGMA ignore_check_constraints = ON;
                UPDATE ledger SET accepted = \(count), delivered_live = \(count) - 4
                WHERE stream = 1
                """)
        #expect(notes == [.corrected(path: folder.file("outbox.db"), stream: .location)])
        let ledger = try store.ledger(.location)
        #expect(ledger.balances && ledger.queued == 4 && ledger.accepted < 100)
        #expect(try store.append(position(6), acceptedAt: 1, expiresAt: nil).number == 6)
    }

    @Test(
        "for the last row is replaced by that row's",
        arguments: [Int64.max, (1 << 52) + 1, 0, -7] as [Int64])
    func lastNumber(number: Int64) throws {
        let (store, notes) = try opened(after: "UPDATE ledger SET last_number = \(number)")
        #expect(notes.count == 3 || number == 0 && notes.count == 1)
        #expect(try store.append(position(6), acceptedAt: 1, expiresAt: nil).number == 6)
        #expect(try store.append(event(1), acceptedAt: 1, expiresAt: nil).number == 1)
    }

    @Test("of a row costs the file", arguments: [Int64.max, (1 << 52) + 1] as [Int64])
    func row(number: Int64) throws {
        let (store, notes) = try opened(after: "UPDATE location SET id = \(number) WHERE id = 5")
        #expect(notes.count == 1 && notes.first?.isReplacement == true)
        #expect(try store.ledger(.location)[.lostWithDatabase] == 4)
        #expect(try store.append(position(6), acceptedAt: 1, expiresAt: nil).number == 6)
    }

    @Test(
        "of a row is no trap while the outbox is in use", arguments: [Int64.max, .min] as [Int64])
    func rowInUse(number: Int64) throws {
        let outbox = try SQLiteOutbox(folder.file("outbox.db"), maxSize: 1 << 20)
        _ = try outbox.append(position(1), acceptedAt: 100, expiresAt: nil)
        try outbox.database.execute("UPDATE location SET id = \(number)")
        _ = try outbox.moveToHistory(acceptedBefore: 500, keepingNewest: true)
        try outbox.supersedeOlderPositions()
        _ = try outbox.append(position(2), acceptedAt: 100, expiresAt: nil)
        #expect(try outbox.ledger(.location).balances)
    }
}
