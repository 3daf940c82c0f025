import CSQLite
import HomingBase
import HomingSQLite
import HomingTestKit
import Testing

@testable import HomingDelivery

/// Size of the pages of a file.
@Suite("The pages of an outbox") struct OutboxPagesTests {
    private static let older = 4096

    /// A file as it was made before, with so many positions and an event.
    private func olderFile(_ count: Int, maxSize: Int = 4 << 20) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let database = try Database(folder.file("outbox.db"))
        try database.execute("PRAGMA page_size = \(Self.older); PRAGMA journal_mode = WAL")
        try OutboxSchema.migrations.apply(to: database)
        database.close()
        let outbox = try open(folder, maxSize: maxSize, hasRoomForCopy: false)
        for number in 1...count {
            _ = try outbox.append(position(number), acceptedAt: 1, expiresAt: nil)
        }
        _ = try outbox.append(event(), acceptedAt: 2, expiresAt: 300)
        try outbox.settle([EntryID(.location, 1)], as: .deliveredLive)
        outbox.close()
        return folder
    }

    private func open(
        _ folder: TemporaryFolder, maxSize: Int = 4 << 20,
        _ synchronous: SQLiteOutbox.Synchronous = .off, hasRoomForCopy: Bool = true
    ) throws -> SQLiteOutbox {
        // The first question is the one before a copy.
        var isCopying = true
        return try SQLiteOutbox(
            folder.file("outbox.db"), maxSize: maxSize, synchronous: synchronous,
            freeSpace: { _ in
                defer { isCopying = false }
                return isCopying && !hasRoomForCopy ? 0 : .max
            })
    }

    private func pageSize(_ folder: TemporaryFolder) throws -> Int {
        let database = try Database(folder.file("outbox.db"), readOnly: true)
        defer { database.close() }
        return Int(try #require(try database.integer("PRAGMA page_size")))
    }

    /// Whether the file holds what `olderFile` has put there, and goes on from there.
    private func expectWhole(_ outbox: SQLiteOutbox, _ count: Int) throws {
        let rows = try outbox.entries(.location, freshness: .live, after: 0, limit: .max)
        #expect(ids(rows) == Array(2...Int64(count)))
        #expect(try outbox.entries(.events, freshness: .live, after: 0, limit: 9).count == 1)
        let fates: [Fate: Int] = [.deliveredLive: 1]
        let ledger = Ledger(accepted: count, fates: fates, queued: count - 1)
        #expect(try outbox.ledger(.location) == ledger)
        #expect(outbox.lastNumber(.location) == Int64(count))
    }

    @Test("are small in a new file")
    func new() throws {
        let folder = try TemporaryFolder()
        try open(folder).close()
        #expect(try pageSize(folder) == Room.pageSize)
    }

    @Test("become small when an older file is opened, and nothing of the file is lost")
    func fitted() throws {
        let folder = try olderFile(3000)
        #expect(try pageSize(folder) == Self.older)
        let outbox = try open(folder)
        try expectWhole(outbox, 3000)
        #expect(try outbox.database.first("PRAGMA journal_mode") { $0.text(0) } == "wal")
        #expect(outbox.room.pageSize == Room.pageSize)
        outbox.close()
        #expect(try pageSize(folder) == Room.pageSize)
        #expect(folder.names() == ["outbox.db"])
    }

    @Test("stay large where the disk has no room for a copy, within the same bound")
    func unfitted() throws {
        let folder = try olderFile(100)
        let outbox = try open(folder, maxSize: 1 << 20, hasRoomForCopy: false)
        try expectWhole(outbox, 100)
        #expect(outbox.room.pageSize == Self.older)
        for number in 101...20_000 {
            _ = try outbox.append(position(number), acceptedAt: 1, expiresAt: nil)
        }
        #expect(folder.size() <= 1 << 20)
        #expect(try outbox.ledger(.location)[.evicted] > 0)
        outbox.close()
        #expect(try pageSize(folder) == Self.older)
    }

    @Test("may be half changed when the power is cut: nothing of the file is lost")
    func powerCut() throws {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): power cuts while pages change")
        var random = SeededRandom(seed: seed)
        let content = try olderFile(300).read("outbox.db")
        var (cut, cuts, isOver) = (0, 0, false)
        while !isOver {
            cut += Int.random(in: 1...3, using: &random)
            let disk = try FaultyDisk()
            try disk.folder.write(content, to: "outbox.db")
            disk.changesUntilPowerCut = cut
            let outbox = try? open(disk.folder, .full)
            isOver = !disk.isOff
            disk.remove()
            outbox?.close()
            let remains = try disk.remains(using: &random)
            let found = try open(remains)
            try expectWhole(found, 300)
            #expect(found.room.pageSize == Room.pageSize)
            found.close()
            cuts += 1
        }
        #expect(cuts > 10, "the power was cut \(cuts) times")
    }

    @Test("stay large in a file that holds much, and become small once the file holds little")
    func much() throws {
        let folder = try olderFile(60_000, maxSize: 32 << 20)
        var outbox = try open(folder, maxSize: 32 << 20)
        #expect(outbox.room.pageSize == Self.older)
        try expectWhole(outbox, 60_000)
        try outbox.settle((2...59_000).map { EntryID(.location, $0) }, as: .deliveredTrack)
        outbox.close()
        outbox = try open(folder, maxSize: 32 << 20)
        #expect(outbox.room.pageSize == Room.pageSize)
        #expect(try outbox.ledger(.location).queued == 1000)
    }

    @Test("may be half changed when the disk is full: nothing of the file is lost")
    func full() throws {
        let content = try olderFile(300).read("outbox.db")
        var sizes: Set<Int> = []
        for writes in 0..<20 {
            let disk = try FaultyDisk()
            defer { disk.remove() }
            try disk.folder.write(content, to: "outbox.db")
            var left = writes * 3
            disk.fault = { call, _ in
                guard call == .write else { return nil }
                left -= 1
                return left < 0 ? SQLITE_FULL : nil
            }
            let outbox = try? open(disk.folder)
            disk.fault = { _, _ in nil }
            outbox?.close()
            if left < 0 { sizes.insert(try pageSize(disk.folder)) }
            let again = try open(disk.folder)
            try expectWhole(again, 300)
            again.close()
        }
        #expect(sizes.contains(Self.older), "no fault came before the copy was whole")
    }

    @Test("are counted generously: an event that does not fit a page finds room on a full disk")
    func eventOnFullDisk() throws {
        for size in stride(from: 700, through: 2200, by: 60) {
            let folder = try TemporaryFolder()
            let outbox = try open(folder)
            for number in 1...3000 {
                _ = try outbox.append(position(number), acceptedAt: 1, expiresAt: nil)
            }
            let (pages, _) = try outbox.pageCounts()
            try outbox.database.execute("PRAGMA max_page_count = \(pages)")
            let text = String(repeating: "x", count: size)
            for _ in 0..<20 {
                let message = OutboxMessage.event(
                    EventMessage(type: "t", data: "{\"x\":\"\(text)\"}"))
                _ = try outbox.append(message, acceptedAt: 1, expiresAt: nil)
            }
            #expect(try outbox.ledger(.events).queued == 20, "\(size) bytes")
        }
    }
}
