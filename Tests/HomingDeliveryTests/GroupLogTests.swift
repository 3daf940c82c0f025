import CSQLite
import Glibc
import HomingBase
import HomingLocation
import HomingSQLite
import HomingTestKit
import Testing

@testable import HomingDelivery

/// Positions that are in the log of groups, and not in the tables.
@Suite("The log of groups")
final class GroupLogTests {
    private let folder: TemporaryFolder
    private var notes: [OutboxNote] = []

    init() throws { folder = try TemporaryFolder() }

    private func open(
        _ durability: OutboxFile.Durability = .grouped, in other: TemporaryFolder? = nil,
        boot: String = "first", at time: Seconds = 2000
    ) throws -> any PersistentOutbox {
        var file = (other ?? folder).outboxFile(durability)
        file.boot = boot
        return try file.open(at: time, tell: { self.notes.append($0) })
    }

    private func append(_ store: any PersistentOutbox, _ numbers: ClosedRange<Int>) throws {
        for number in numbers {
            _ = try store.append(
                position(number), acceptedAt: 1000 + Double(number), expiresAt: nil)
        }
    }

    /// An outbox with the position 1 in the tables, and these in the log.
    private func saved(
        _ numbers: ClosedRange<Int> = 2...5, reserving count: Int = 16
    ) throws -> any PersistentOutbox {
        let store = try open()
        store.reserve(count)
        try append(store, 1...1)
        try append(store, numbers)
        try store.save()
        return store
    }

    /// The files as a power cut leaves them.
    private func afterPowerCut() throws -> TemporaryFolder {
        let left = try folder.copy()
        unlink(left.file("outbox-group"))
        return left
    }

    private func live(_ store: any PersistentOutbox) throws -> [Int64] {
        ids(try store.entries(.location, freshness: .live, after: 0, limit: 1000))
    }

    @Test("No power cut takes a position that was saved, and what may be lost is counted")
    func saves() throws {
        let store = try saved()
        try append(store, 6...7)
        let after = try open(in: afterPowerCut(), boot: "second", at: 5000)
        #expect(try live(after) == Array(1...5))
        // Numbers up to 21 may have been given away: 16 from the last saved position on.
        #expect(after.powerCut == PowerCut(count: 1, after: 1005, noticed: 5000, lost: 16))
        let ledger = try after.ledger(.location)
        #expect(ledger == Ledger(accepted: 21, fates: [.lostInPowerCut: 16], queued: 5))
        try append(after, 1...1)
        #expect(try live(after).last == 22)
        withExtendedLifetime(store) {}
    }

    @Test("Saving leaves the tables and their log as they are, and changes one block of its file")
    func cost() throws {
        let store = try saved()
        let before = try (folder.read("outbox.db-wal"), folder.read("outbox-log"))
        try append(store, 6...12)
        try store.save()
        let after = try (folder.read("outbox.db-wal"), folder.read("outbox-log"))
        #expect(before.0 == after.0)
        let blocks = stride(from: 0, to: after.1.count, by: 4096).filter {
            before.1[$0..<$0 + 4096] != after.1[$0..<$0 + 4096]
        }
        #expect(blocks == [4096])
        withExtendedLifetime(store) {}
    }

    @Test("A receipt settles saved positions without a row of theirs in the tables")
    func settled() throws {
        let store = try saved(2...40, reserving: 64)
        #expect((store as? GroupingOutbox)?.group.count == 39)
        try store.settle((1...40).map { EntryID(.location, $0) }, as: .deliveredLive)
        let ledger = Ledger(accepted: 40, fates: [.deliveredLive: 40])
        #expect(try store.ledger(.location) == ledger)
        let after = try open(in: afterPowerCut(), boot: "second", at: 5000)
        let lost = try after.ledger(.location)[.lostInPowerCut]
        #expect(lost == 64, "numbers that the receipt's commit reserved")
        #expect(try live(after) == [])
        #expect(try after.ledger(.location)[.deliveredLive] == 40)
        withExtendedLifetime(store) {}
    }

    @Test("What was saved before a commit is in the tables once")
    func committed() throws {
        let store = try saved()
        let log = try folder.read("outbox-log")
        try store.commit()
        let left = try afterPowerCut()
        #expect(try left.read("outbox-log") == log, "a commit writes nothing to the log")
        let after = try open(in: left, boot: "second")
        #expect(try live(after) == Array(1...5))
        #expect(try after.ledger(.location).queued == 5)
        withExtendedLifetime(store) {}
    }

    @Test("A kill finds each position once, in the journal and in the log")
    func killed() throws {
        let store = try saved()
        try append(store, 6...8)
        let dead = try open(in: folder.copy())
        #expect(try live(dead) == Array(1...8) && dead.powerCut == nil)
        #expect(try dead.ledger(.location) == Ledger(accepted: 8, queued: 8))
        withExtendedLifetime(store) {}
    }

    @Test("A power cut while a frame is written leaves the frames before it")
    func torn() throws {
        let store = try saved()
        let before = try folder.read("outbox-log")
        try append(store, 6...8)
        try store.save()
        let after = try folder.read("outbox-log")
        let changed = after.indices.filter { before[$0] != after[$0] }
        let (first, last) = (try #require(changed.first), try #require(changed.last))
        for cut in Array(stride(from: first, through: last, by: 7)) + [last, last + 1] {
            let left = try afterPowerCut()
            try left.write(Array(after[..<cut] + before[cut...]), to: "outbox-log")
            let store = try open(in: left, boot: "second")
            #expect(try live(store) == Array(1...(cut > last ? 8 : 5)), "cut at \(cut)")
            #expect(try store.ledger(.location)[.lostInPowerCut] == 16)
            store.close()
        }
        withExtendedLifetime(store) {}
    }

    @Test("No number is given twice where the log is gone, and the loss is counted")
    func logGone() throws {
        let store = try saved()
        for _ in 0..<20 {
            try append(store, 1...10)
            try store.save()
        }
        let left = try afterPowerCut()
        unlink(left.file("outbox-log"))
        let after = try open(in: left, boot: "second")
        #expect(try live(after) == [1])
        let lost = try after.ledger(.location)[.lostInPowerCut]
        #expect(lost >= 204 && lost == after.powerCut?.lost)
        try append(after, 1...1)
        #expect(try #require(live(after).last) > 205)
        withExtendedLifetime(store) {}
    }

    @Test("Damage anywhere in the log takes no number twice and invents no position")
    func damaged() throws {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): damaged logs")
        var random = SeededRandom(seed: seed)
        let store = try saved()
        for _ in 0..<6 {
            try append(store, 1...10)
            try store.save()
        }
        let given: Int64 = 65
        let whole = try folder.read("outbox-log")
        for _ in 0..<60 {
            var bytes = whole
            let place = Int.random(in: 0..<20_000, using: &random)
            bytes[place] ^= UInt8.random(in: 1 ... .max, using: &random)
            let left = try afterPowerCut()
            try left.write(bytes, to: "outbox-log")
            let after = try open(in: left, boot: "second")
            let found = try live(after)
            let missing = (1...given).filter { !found.contains($0) }
            // A byte reaches one frame of ten, or the header of all.
            let isOneFrame = missing.isEmpty || Int(missing[missing.count - 1] - missing[0]) < 10
            #expect(isOneFrame || missing == Array(2...given), "byte \(place): \(missing)")
            #expect(
                found == found.sorted() && found.allSatisfy { 1...given ~= $0 }, "byte \(place)")
            let ledger = try after.ledger(.location)
            #expect(ledger.balances && ledger.queued == found.count)
            #expect(ledger.accepted >= given, "byte \(place): \(ledger)")
            try append(after, 1...1)
            #expect(try #require(live(after).last) > given)
            after.close()
        }
        withExtendedLifetime(store) {}
    }

    @Test(
        "A block that the disk cannot read costs its own frame, and what may be missing is counted")
    func unreadableBlock() throws {
        let store = try open()
        store.reserve(64)
        try append(store, 1...1)
        // A frame to a block.
        for first in [2, 22, 42] {
            try append(store, first...(first + 19))
            try store.save()
        }
        let disk = try FaultyDisk()
        defer { disk.remove() }
        let left = try afterPowerCut()
        for name in left.names() { try disk.folder.write(left.read(name), to: name) }
        var blocks = 0
        disk.fault = { call, path in
            guard call == .read, path.hasSuffix("outbox-log") else { return nil }
            blocks += 1
            return blocks == 3 ? SQLITE_IOERR | 33 << 8 : nil
        }
        let after = try open(in: disk.folder, boot: "second", at: 5000)
        #expect(try live(after) == Array(1...21) + Array(42...61))
        let ledger = try after.ledger(.location)
        #expect(
            ledger.balances && ledger[.lostInPowerCut] == 2049 - 41, "the tables held back 2049")
        withExtendedLifetime(store) {}
    }

    @Test("A frame gives away no more numbers than the tables hold back")
    func strangeFrame() throws {
        let store = try saved()
        let left = try afterPowerCut()
        let log = try GroupLog(left.file("outbox-log"), databaseID: store.databaseID)
        let row = OutboxEntry(id: EntryID(.location, 2), message: position(2), acceptedAt: 1002)
        #expect(try log.append(GroupLog.Frame(reserved: 1 << 50, time: 1002, rows: [row])))
        let after = try open(in: left, boot: "second")
        #expect(try live(after) == [1, 2])
        #expect(try after.ledger(.location).accepted == 2049)
        withExtendedLifetime(store) {}
    }

    @Test("A flow that changes its pace loses nothing in a kill, and gives no number twice")
    func changingFlow() throws {
        let store = try open()
        store.reserve(90)
        try append(store, 1...10)
        store.reserve(16)
        try store.save()
        try append(store, 11...50)
        let dead = try open(in: folder.copy())
        #expect(try live(dead) == Array(1...50))
        let after = try open(in: afterPowerCut(), boot: "second")
        try append(after, 1...1)
        #expect(try #require(live(after).last) > 50)
        withExtendedLifetime(store) {}
    }

    @Test("What an earlier cycle left in the log counts for nothing, where the next frame is torn")
    func earlierCycle() throws {
        let store = try saved()
        for _ in 0..<12 {
            try append(store, 1...10)
            try store.save()
        }
        try store.commit()
        let before = try folder.read("outbox-log")
        try append(store, 1...5)
        try store.save()
        let after = try folder.read("outbox-log")
        let changed = after.indices.filter { before[$0] != after[$0] }
        for cut in stride(from: changed[0], through: changed[changed.count - 1], by: 11) {
            let left = try afterPowerCut()
            try left.write(Array(after[..<cut] + before[cut...]), to: "outbox-log")
            let found = try open(in: left, boot: "second")
            #expect(try live(found) == Array(1...125), "cut at \(cut)")
            #expect(try found.ledger(.location)[.lostInPowerCut] == 16, "cut at \(cut)")
            found.close()
        }
        withExtendedLifetime(store) {}
    }

    @Test("A log without room has the group committed")
    func full() throws {
        let store = try open()
        store.reserve(512)
        try append(store, 1...1)
        var isCommitted = false
        for group in 0..<70 where !isCommitted {
            try append(store, (2 + 8 * group)...(9 + 8 * group))
            try store.save()
            isCommitted = (store as? GroupingOutbox)?.group.isEmpty == true
        }
        #expect(isCommitted)
        let after = try open(in: afterPowerCut(), boot: "second")
        #expect(try (300..<512).contains(live(after).count), "committed for want of room")
        withExtendedLifetime(store) {}
    }

    @Test("A log that cannot be made costs the disk more and loses nothing")
    func noLog() throws {
        mkdir(folder.file("outbox-log"), 0o700)
        let store = try saved()
        #expect((store as? GroupingOutbox)?.group.isEmpty == true)
        #expect(try live(store) == Array(1...5))
        store.close()
        rmdir(folder.file("outbox-log"))
        #expect(try live(open(boot: "second")) == Array(1...5))
    }

    @Test("Another durability takes what was saved, and removes the log")
    func otherDurability() throws {
        let store = try saved()
        let left = try afterPowerCut()
        let other = try open(.powerLoss, in: left, boot: "second")
        #expect(try live(other) == Array(1...5))
        #expect(!left.names().contains("outbox-log"))
        withExtendedLifetime(store) {}
    }

    @Test("A clean end leaves no position in the log")
    func wiped() throws {
        try saved().close()
        let bytes = try folder.read("outbox-log")
        #expect(bytes.dropFirst(4096).allSatisfy { $0 == 0 })
        let again = try open(boot: "second")
        #expect(again.powerCut == nil)
        #expect(try live(again) == Array(1...5))
    }

    @Test("The positions of a queue whose file is gone are taken from the log, once")
    func replacedQueue() throws {
        let store = try saved()
        let left = try afterPowerCut()
        for name in left.names() where name.hasPrefix("outbox.db") { unlink(left.file(name)) }
        let log = try left.read("outbox-log")
        let after = try open(in: left, boot: "second")
        #expect(try live(after).count == 4)
        #expect(notes.contains(.foreignJournal(path: left.file("outbox-log"), rows: 4)))
        after.close()
        try left.write(log, to: "outbox-log")
        #expect(try open(in: left, boot: "third").ledger(.location).accepted == 4)
        withExtendedLifetime(store) {}
    }

    /// The files with a queue that is damaged, so that another takes its place.
    private func damage(_ left: TemporaryFolder) throws {
        let database = try Database(left.file("outbox.db"))
        try database.execute("CREATE TABLE stray (x)")
        database.close()
    }

    @Test(
        "A queue that replaces a damaged one takes nothing that was settled, after a kill and a power cut",
        arguments: [false, true])
    func replacedAfterReceipt(isPowerCut: Bool) throws {
        let store = try saved(2...40, reserving: 64)
        try store.settle((1...40).map { EntryID(.location, $0) }, as: .deliveredLive)
        try append(store, 41...42)
        let left = try isPowerCut ? afterPowerCut() : folder.copy()
        try damage(left)
        let after = try open(in: left, boot: isPowerCut ? "second" : "first")
        #expect(try live(after).count == (isPowerCut ? 0 : 2))
        withExtendedLifetime(store) {}
    }

    @Test(
        "A queue that replaces a damaged one takes what was saved, after a kill and a power cut",
        arguments: [false, true])
    func replacedBeforeReceipt(isPowerCut: Bool) throws {
        let store = try saved(2...40, reserving: 64)
        try append(store, 41...42)
        let left = try isPowerCut ? afterPowerCut() : folder.copy()
        try damage(left)
        let after = try open(in: left, boot: isPowerCut ? "second" : "first")
        #expect(try live(after).count == (isPowerCut ? 39 : 41))
        #expect(try live(after).allSatisfy { $0 > 104 }, "no number is given again")
        withExtendedLifetime(store) {}
    }

    @Test(
        "After a commit that failed and may be on the disk, nothing is saved before another commit")
    func uncertainCommit() throws {
        let disk = try FaultyDisk()
        defer { disk.remove() }
        var file = disk.folder.outboxFile(.grouped)
        file.boot = "first"
        let store = try file.open(at: 2000, tell: { _ in })
        store.reserve(16)
        try append(store, 1...2)
        // The rows reach the disk, and the answer says that they have not.
        disk.fault = { call, path in
            call == .sync && path.hasSuffix("-wal") ? SQLITE_IOERR | 4 << 8 : nil
        }
        #expect(throws: DatabaseError.self) { try store.commit() }
        disk.fault = { _, _ in nil }
        store.reserve(16)
        try store.save()
        #expect((store as? GroupingOutbox)?.group.isEmpty == true, "committed, not saved")
        try append(store, 3...3)
        let dead = try open(in: disk.folder.copy())
        #expect(try live(dead) == [1, 2, 3])
        withExtendedLifetime(store) {}
    }

    @Test("After a frame that failed, no number is given that the frame did not reserve")
    func brokenLog() throws {
        let disk = try FaultyDisk()
        defer { disk.remove() }
        var file = disk.folder.outboxFile(.grouped)
        file.boot = "first"
        let store = try file.open(at: 2000, tell: { _ in })
        store.reserve(90)
        try append(store, 1...10)
        store.reserve(16)
        disk.fault = { call, path in
            if call == .sync, path.hasSuffix("outbox-log") { return SQLITE_IOERR | 4 << 8 }
            return call == .write && path.hasSuffix("-wal") ? SQLITE_FULL : nil
        }
        #expect(throws: DatabaseError.self) { try store.save() }
        try append(store, 11...26)
        #expect(throws: DatabaseError.self) { try self.append(store, 27...27) }
    }
}
