import Glibc
import HomingSQLite
import HomingTestKit
import Testing

@testable import HomingDelivery

/// The bound on size, and disks that are full or not to be written to.
@Suite("An outbox and its room")
struct BoundTests {
    private func outbox(
        _ folder: TemporaryFolder, maxSize: Int,
        freeSpace: @escaping (String) -> Int = Room.freeSpace
    ) throws -> SQLiteOutbox {
        try SQLiteOutbox(
            folder.file("outbox.db"), maxSize: maxSize, synchronous: .off, freeSpace: freeSpace)
    }

    @Test(
        "stays within its bound, log included, and evicts the oldest",
        arguments: [1 << 20, 3 << 20])
    func bound(maxSize: Int) throws {
        let folder = try TemporaryFolder()
        let outbox = try outbox(folder, maxSize: maxSize)
        let count = maxSize / 80
        var largest = 0
        for number in 1...count {
            _ = try outbox.append(position(number), acceptedAt: 1, expiresAt: nil)
            if number % 97 == 0 { largest = max(largest, folder.size()) }
        }
        #expect(largest <= maxSize)
        #expect(largest > maxSize / 2)
        let ledger = try outbox.ledger(.location)
        #expect(ledger.balances && ledger.accepted == count && ledger[.evicted] > 0)
        #expect(ledger.queued > maxSize / 200)
        let rows = try outbox.entries(.location, freshness: .live, after: 0, limit: .max)
        #expect(ids(rows) == Array(Int64(count - rows.count + 1)...Int64(count)))
    }

    @Test("evicts events only when no positions are left, and sensors never")
    func order() throws {
        let folder = try TemporaryFolder()
        let outbox = try outbox(folder, maxSize: 1 << 20)
        let large = String(repeating: "x", count: 30_000)
        _ = try outbox.append(sensor("a"), acceptedAt: 1, expiresAt: nil)
        for number in 1...300 {
            _ = try outbox.append(position(number), acceptedAt: 1, expiresAt: nil)
        }
        var eventsGone = 0
        for _ in 1...60 {
            let message = OutboxMessage.event(EventMessage(type: "large", data: large))
            _ = try outbox.append(message, acceptedAt: 1, expiresAt: nil)
            eventsGone = try outbox.ledger(.events)[.evicted]
            if eventsGone > 0 { #expect(try outbox.ledger(.location).queued == 0) }
        }
        #expect(eventsGone > 0)
        #expect(try outbox.ledger(.location)[.evicted] == 300)
        #expect(try outbox.ledger(.sensors).queued == 1)
        #expect(try outbox.ledger(.events).balances)
    }

    @Test("refuses what is larger than the whole outbox and goes on")
    func tooLarge() throws {
        let folder = try TemporaryFolder()
        let outbox = try outbox(folder, maxSize: 1 << 20)
        let message = OutboxMessage.event(
            EventMessage(type: "huge", data: String(repeating: "x", count: 2 << 20)))
        _ = try outbox.append(position(1), acceptedAt: 1, expiresAt: nil)
        let error = try thrown(DatabaseError.self) {
            try outbox.append(message, acceptedAt: 1, expiresAt: nil)
        }
        #expect(error?.kind == .full)
        #expect(try outbox.ledger(.location).queued == 1)
        #expect(try outbox.ledger(.events) == Ledger())
        _ = try outbox.append(event(), acceptedAt: 1, expiresAt: nil)
        #expect(try outbox.ledger(.events).queued == 1)
    }

    @Test("evicts and tries again when SQLite itself says that the file is full")
    func pageLimit() throws {
        let folder = try TemporaryFolder()
        let outbox = try outbox(folder, maxSize: 32 << 20)
        for number in 1...2000 {
            _ = try outbox.append(position(number), acceptedAt: 1, expiresAt: nil)
        }
        let (pages, _) = try outbox.pageCounts()
        try outbox.database.execute("PRAGMA max_page_count = \(pages)")
        for number in 1...2000 {
            _ = try outbox.append(position(number), acceptedAt: 1, expiresAt: nil)
        }
        let ledger = try outbox.ledger(.location)
        #expect(ledger.balances && ledger.accepted == 4000 && ledger[.evicted] > 0)
        #expect(try outbox.pageCounts().total == pages)
    }

    @Test("stops growing when the disk has no more to give, but not for a few rows")
    func shortOfDisk() throws {
        let folder = try TemporaryFolder()
        let outbox = try outbox(folder, maxSize: 32 << 20) { _ in 0 }
        for number in 1...20_000 {
            _ = try outbox.append(position(number), acceptedAt: 1, expiresAt: nil)
            if number == 500 { #expect(try outbox.ledger(.location)[.evicted] == 0) }
        }
        #expect(folder.size() < 600 << 10)
        #expect(try outbox.ledger(.location).balances)
    }

    @Test("becomes small again when opened after an outage, and fits a smaller bound")
    func compaction() throws {
        let folder = try TemporaryFolder()
        var outbox = try outbox(folder, maxSize: 8 << 20)
        for number in 1...30_000 {
            _ = try outbox.append(position(number), acceptedAt: 1, expiresAt: nil)
        }
        outbox.close()
        outbox = try self.outbox(folder, maxSize: 1 << 20)
        #expect(try outbox.ledger(.location).balances)
        #expect(try outbox.ledger(.location)[.evicted] > 10_000)
        outbox.close()
        #expect(folder.size() <= 1 << 20)
        outbox = try self.outbox(folder, maxSize: 8 << 20)
        let rows = try outbox.entries(.location, freshness: .live, after: 0, limit: .max)
        #expect(rows.last?.id.number == 30_000)
        for number in 1...20_000 {
            _ = try outbox.append(position(number), acceptedAt: 1, expiresAt: nil)
        }
        let all = try outbox.entries(.location, freshness: .live, after: 0, limit: .max)
        try outbox.settle(all.map(\.id), as: .deliveredLive)
        outbox.close()
        #expect(folder.size() > 1 << 20)
        outbox = try self.outbox(folder, maxSize: 8 << 20)
        outbox.close()
        #expect(folder.size() < 100_000)
    }

    @Test("refuses to be opened twice")
    func exclusive() throws {
        let folder = try TemporaryFolder()
        let first = try outbox(folder, maxSize: 1 << 20)
        let error = try thrown(DatabaseError.self) { try outbox(folder, maxSize: 1 << 20) }
        #expect(error?.kind == .failed)
        #expect(error?.message.contains("another process") == true)
        _ = try first.append(event(), acceptedAt: 1, expiresAt: nil)
    }
}

/// A real file system of 1 MB, as only root can make one.
@Suite("An outbox on a full disk", .enabled(if: geteuid() == 0), .serialized)
struct FullDiskTests {
    /// `nil` where mounting is not allowed (a container).
    private func withSmallDisk(_ body: (TemporaryFolder) throws -> Void) throws {
        let folder = try TemporaryFolder()
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=1m") == 0 else { return }
        defer { umount2(folder.path, Int32(MNT_DETACH)) }
        try body(folder)
    }

    @Test("evicts the oldest rows instead of failing when it fills the disk itself")
    func ownFault() throws {
        try withSmallDisk { folder in
            let outbox = try SQLiteOutbox(folder.file("outbox.db"), maxSize: 32 << 20)
            for number in 1...20_000 {
                _ = try outbox.append(position(number), acceptedAt: 1, expiresAt: nil)
            }
            let ledger = try outbox.ledger(.location)
            #expect(ledger.balances && ledger[.evicted] > 0 && ledger.queued > 3000)
            let rows = try outbox.entries(.location, freshness: .live, after: 0, limit: .max)
            #expect(rows.last?.id.number == 20_000)
        }
    }

    @Test("throws when others fill the disk, loses nothing, and recovers when there is room")
    func othersFault() throws {
        try withSmallDisk { folder in
            let outbox = try SQLiteOutbox(folder.file("outbox.db"), maxSize: 32 << 20)
            _ = try outbox.append(position(1), acceptedAt: 1, expiresAt: nil)
            _ = try? folder.write(Array(repeating: 1, count: 1 << 19), to: "a")
            let filler = open(folder.file("filler"), O_WRONLY | O_CREAT, 0o600)
            let block = [UInt8](repeating: 0, count: 4096)
            while write(filler, block, block.count) > 0 {}
            close(filler)
            let error = try thrown(DatabaseError.self) {
                for number in 2...1000 {
                    _ = try outbox.append(position(number), acceptedAt: 1, expiresAt: nil)
                }
            }
            #expect(error?.kind == .full)
            let accepted = try outbox.ledger(.location).accepted
            #expect(try outbox.ledger(.location).balances)
            unlink(folder.file("filler"))
            _ = try outbox.append(position(2), acceptedAt: 1, expiresAt: nil)
            #expect(try outbox.ledger(.location).accepted == accepted + 1)
            #expect(try outbox.ledger(.location).balances)
            #expect(try outbox.database.integer("SELECT count(*) FROM pragma_integrity_check") == 1)
        }
    }

    @Test("throws where it may not write, and goes on when it may")
    func readOnly() throws {
        try withSmallDisk { folder in
            let outbox = try SQLiteOutbox(folder.file("outbox.db"), maxSize: 1 << 20)
            _ = try outbox.append(position(1), acceptedAt: 1, expiresAt: nil)
            outbox.close()
            let readOnly = UInt(MS_REMOUNT | MS_RDONLY)
            try #require(mount("tmpfs", folder.path, "tmpfs", readOnly, nil) == 0)
            let error = try thrown(DatabaseError.self) {
                try SQLiteOutbox(folder.file("outbox.db"), maxSize: 1 << 20)
            }
            #expect(error?.kind == .readOnly)
            try #require(mount("tmpfs", folder.path, "tmpfs", UInt(MS_REMOUNT), nil) == 0)
            let again = try SQLiteOutbox(folder.file("outbox.db"), maxSize: 1 << 20)
            _ = try again.append(position(2), acceptedAt: 1, expiresAt: nil)
            #expect(try again.ledger(.location).queued == 2)
            again.close()
        }
    }
}
