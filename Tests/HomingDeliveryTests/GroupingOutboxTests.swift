import Glibc
import HomingBase
import HomingLocation
import HomingSQLite
import HomingTestKit
import Testing

@testable import HomingDelivery

@Suite("An outbox that writes positions in groups")
final class GroupingOutboxTests {
    private let folder: TemporaryFolder
    private var notes: [OutboxNote] = []
    private var troubles: [String?] = []

    init() throws { folder = try TemporaryFolder() }

    private var journal: String { folder.file("outbox-group") }

    private func open(
        _ durability: OutboxFile.Durability = .grouped, in other: TemporaryFolder? = nil,
        boot: String = "first", at time: Seconds = 2000
    ) throws -> any PersistentOutbox {
        var file = (other ?? folder).outboxFile(durability)
        file.boot = boot
        return try file.open(
            at: time, tellJournalTrouble: { self.troubles.append($0?.message) },
            tell: { self.notes.append($0) })
    }

    @discardableResult
    private func append(_ store: any PersistentOutbox, _ count: Int, from first: Int = 1) throws
        -> [EntryID]
    {
        try (first..<first + count).map {
            try store.append(position($0), acceptedAt: 1000 + Double($0), expiresAt: nil)
        }
    }

    /// An outbox with one position on the disk and so many that wait.
    private func flowing(_ waiting: Int) throws -> any PersistentOutbox {
        let store = try open()
        store.reserve(16)
        // The first is written by itself, and reserves numbers for the others.
        try append(store, waiting + 1)
        #expect((store as? GroupingOutbox)?.group.count == waiting)
        return store
    }

    private func live(_ store: any PersistentOutbox) throws -> [Int64] {
        ids(try store.entries(.location, freshness: .live, after: 0, limit: 1000))
    }

    /// Whether the disk is written to during the work.
    private func writes(_ store: any PersistentOutbox, _ work: () throws -> Void) throws -> Bool {
        let before = try folder.read("outbox.db-wal")
        try work()
        return try folder.read("outbox.db-wal") != before
    }

    @Test("writes nothing to the disk while positions wait, and all of them in one commit")
    func group() throws {
        let store = try flowing(3)
        #expect(try !writes(store) { try self.append(store, 5, from: 5) })
        #expect(try live(store) == Array(1...9))
        #expect(try store.ledger(.location) == Ledger(accepted: 9, queued: 9))
        #expect(try writes(store) { try store.commit() })
        #expect((store as? GroupingOutbox)?.group.isEmpty == true)
        #expect(try live(store) == Array(1...9))
        #expect(try !writes(store) { try store.commit() }, "nothing waits")
    }

    @Test("writes a position by itself where no number is reserved for it")
    func exhausted() throws {
        let store = try flowing(16)
        #expect(try writes(store) { try self.append(store, 1, from: 18) })
        #expect((store as? GroupingOutbox)?.group.isEmpty == true)
    }

    @Test("writes the positions that wait with a sensor's state or an event")
    func company() throws {
        for (number, message) in [sensor("a"), event()].enumerated() {
            let store = try open()
            store.reserve(16)
            try append(store, 4, from: 10 * number)
            _ = try store.append(message, acceptedAt: 1, expiresAt: nil)
            #expect((store as? GroupingOutbox)?.group.isEmpty == true)
            store.close()
        }
    }

    @Test("only counts positions that are proved before they are written")
    func proved() throws {
        let store = try flowing(5)
        try store.settle((1...4).map { EntryID(.location, $0) }, as: .deliveredLive)
        let ledger = Ledger(accepted: 6, fates: [.deliveredLive: 4], queued: 2)
        #expect(try store.ledger(.location) == ledger)
        #expect(try store.lastDelivered()?.latitude == 52.004)
        let left = try folder.copy()
        let dead = try open(in: left)
        #expect(try live(dead) == [5, 6])
        #expect(try dead.ledger(.location) == ledger)
    }

    @Test("has after a kill every position that was accepted, wherever the journal was cut")
    func torn() throws {
        let store = try flowing(4)
        let whole = try folder.read("outbox-group")
        let header = GroupJournal.headerSize
        let record = (whole.count - header) / 4
        for length in 0...whole.count {
            let left = try folder.copy()
            try left.write(Array(whole.prefix(length)), to: "outbox-group")
            notes = []
            let dead = try open(in: left)
            let kept = max(0, length - header) / record
            if length >= header {
                #expect(try live(dead) == Array(1...Int64(1 + kept)), "cut at \(length)")
                #expect(notes.isEmpty == ((length - header) % record == 0))
                #expect(dead.powerCut == nil)
            } else {
                #expect(try live(dead) == [1])
                #expect(try dead.ledger(.location)[.lostInPowerCut] == 16)
            }
            dead.close()
        }
        withExtendedLifetime(store) {}
    }

    @Test("has a position once if a kill came between the commit and the clearing of the journal")
    func uncleared() throws {
        let store = try flowing(4)
        let journal = try folder.read("outbox-group")
        try store.commit()
        let left = try folder.copy()
        try left.write(journal, to: "outbox-group")
        let dead = try open(in: left)
        #expect(try live(dead) == Array(1...5))
        #expect(try dead.ledger(.location) == Ledger(accepted: 5, queued: 5))
    }

    @Test("counts after a power cut what may be lost, tells when, and gives no number again")
    func powerCut() throws {
        let store = try flowing(4)
        let left = try folder.copy()
        unlink(left.file("outbox-group"))
        let after = try open(in: left, boot: "second", at: 5000)
        #expect(try live(after) == [1])
        let fates: [Fate: Int] = [.lostInPowerCut: 16]
        #expect(try after.ledger(.location) == Ledger(accepted: 17, fates: fates, queued: 1))
        let cut = PowerCut(count: 1, after: 1001, noticed: 5000, lost: 16)
        #expect(after.powerCut == cut)
        #expect(notes.contains(.powerCut(cut, through: 17, machineStarted: true)))
        #expect(try append(after, 1).map(\.number) == [18])
        after.close()
        // A clean end counts no power cut, and the last power cut is still known.
        #expect(try open(in: left, boot: "third").powerCut == cut)
        withExtendedLifetime(store) {}
    }

    @Test("lets accepted never fall where the file is damaged as well")
    func damageAndPowerCut() throws {
        let store = try flowing(4)
        let left = try folder.copy()
        unlink(left.file("outbox-group"))
        let database = try Database(left.file("outbox.db"))
        try database.execute("CREATE TABLE stray (x)")
        database.close()
        let after = try open(in: left, boot: "second")
        let fates: [Fate: Int] = [.lostWithDatabase: 17]
        #expect(try after.ledger(.location) == Ledger(accepted: 17, fates: fates))
        // Its log may have given away more numbers, and had no position.
        #expect(try append(after, 1).allSatisfy { $0.number > 17 })
        withExtendedLifetime(store) {}
    }

    @Test("notices a power cut that took nothing")
    func harmlessPowerCut() throws {
        let store = try flowing(4)
        store.reserve(0)
        try store.commit()
        let left = try folder.copy()
        unlink(left.file("outbox-group"))
        let after = try open(in: left, boot: "second", at: 5000)
        #expect(after.powerCut == PowerCut(count: 1, after: nil, noticed: 5000, lost: 0))
        #expect(try live(after) == Array(1...5))
        withExtendedLifetime(store) {}
    }

    @Test("takes a kill for no power cut")
    func kill() throws {
        let store = try flowing(4)
        let dead = try open(in: folder.copy())
        #expect(dead.powerCut == nil && notes.count == 1)
        withExtendedLifetime(store) {}
    }

    @Test("leaves no journal and no number reserved after a clean end")
    func cleanEnd() throws {
        let store = try flowing(4)
        store.close()
        #expect(!folder.names().contains("outbox-group"))
        let again = try open(boot: "second")
        #expect(again.powerCut == nil)
        #expect(try again.ledger(.location) == Ledger(accepted: 5, queued: 5))
        #expect(try append(again, 1).map(\.number) == [6])
    }

    @Test("gives what waits to the disk where another durability is set", arguments: [true, false])
    func otherDurability(isCrash: Bool) throws {
        let store = try flowing(4)
        let left = try folder.copy()
        let other = try open(isCrash ? .crash : .powerLoss, in: left)
        #expect(try live(other) == Array(1...5))
        #expect(!left.names().contains("outbox-group"))
        other.close()
        #expect(try live(open(in: left)) == Array(1...5))
        withExtendedLifetime(store) {}
    }

    @Test("takes the positions of a queue that was replaced, under numbers that nobody holds")
    func replacedQueue() throws {
        let store = try flowing(4)
        let left = try folder.copy()
        for name in left.names() where name.hasPrefix("outbox.db") { unlink(left.file(name)) }
        let after = try open(in: left)
        #expect(try live(after).count == 4)
        #expect(notes.contains(.foreignJournal(path: left.file("outbox-group"), rows: 4)))
        withExtendedLifetime(store) {}
    }

    @Test("takes the positions of a queue that was replaced once, though the journal stays")
    func replacedQueueTwice() throws {
        let store = try flowing(4)
        let left = try folder.copy()
        for name in left.names() where name.hasPrefix("outbox.db") { unlink(left.file(name)) }
        let journal = try left.read("outbox-group")
        try open(in: left).close()
        try left.write(journal, to: "outbox-group")
        #expect(try open(in: left).ledger(.location) == Ledger(accepted: 4, queued: 4))
        withExtendedLifetime(store) {}
    }

    @Test("counts what a journal on a disk may have lost with the power")
    func journalOnDisk() throws {
        let store = try flowing(4)
        let left = try folder.copy()
        let whole = try left.read("outbox-group")
        let record = (whole.count - GroupJournal.headerSize) / 4
        try left.write(Array(whole.dropLast(2 * record)), to: "outbox-group")
        let after = try open(in: left, boot: "second")
        #expect(try live(after) == [1, 2, 3])
        let fates: [Fate: Int] = [.lostInPowerCut: 14]
        #expect(try after.ledger(.location) == Ledger(accepted: 17, fates: fates, queued: 3))
        #expect(try append(after, 1).map(\.number) == [18])
        withExtendedLifetime(store) {}
    }

    @Test("takes over nothing but positions, whatever the journal holds")
    func garbage() throws {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): damaged journals")
        var random = SeededRandom(seed: seed)
        let store = try flowing(6)
        let whole = try folder.read("outbox-group")
        let record = (whole.count - GroupJournal.headerSize) / 6
        let sound = GroupJournal.contents(in: whole).entries
        #expect(sound.count == 6)
        for _ in 0..<2000 {
            let place = Int.random(in: GroupJournal.headerSize..<whole.count, using: &random)
            var bytes = whole
            bytes[place] = UInt8.random(in: .min ... .max, using: &random)
            let before = (place - GroupJournal.headerSize) / record
            let found = GroupJournal.contents(in: bytes).entries
            #expect(found.prefix(before) == sound.prefix(before), "byte \(place)")
            #expect(found.count <= 6)
        }
        withExtendedLifetime(store) {}
    }

    @Test("takes no number from a journal that was not reserved, and none twice")
    func strangeNumbers() throws {
        let store = try flowing(4)
        let left = try folder.copy()
        let header = Array(try folder.read("outbox-group").prefix(GroupJournal.headerSize))
        let numbers: [Int64] = [-5, 0, 1, 2, 4, 3, 4, 17, 18, .max]
        let records = numbers.flatMap { number in
            GroupRecord.bytes(
                of: OutboxEntry(
                    id: EntryID(.location, number), message: position(1), acceptedAt: 1))
        }
        try left.write(header + records, to: "outbox-group")
        let after = try open(in: left)
        #expect(try live(after) == [1, 2, 4, 17])
        #expect(try append(after, 1).map(\.number) == [18])
        withExtendedLifetime(store) {}
    }

    @Test("takes nothing else for a journal, and does not wait for it")
    func noJournalThere() throws {
        let path = folder.file("outbox-group")
        let make: [() -> Void] = [
            { mkfifo(path, 0o600) }, { mkdir(path, 0o700) }, { symlink("/dev/zero", path) },
        ]
        for make in make {
            make()
            let store = try open()
            store.reserve(16)
            try append(store, 2, from: 10)
            #expect((store as? GroupingOutbox)?.group.isEmpty == true)
            #expect(troubles.last != .some(nil))
            store.close()
            unlink(path)
            rmdir(path)
        }
    }

    @Test("writes each position at once while the journal cannot be written, and says so")
    func noJournal() throws {
        let store = try flowing(2)
        unlink(journal)
        troubles = []
        #expect(try writes(store) { try self.append(store, 1, from: 10) })
        #expect(troubles.count == 1 && troubles[0] != nil)
        #expect((store as? GroupingOutbox)?.group.isEmpty == true)
        #expect(try writes(store) { try self.append(store, 1, from: 11) })
        #expect(try live(open(.powerLoss, in: folder.copy())) == Array(1...5))
        // A minute later another one is made.
        try append(store, 2, from: 90)
        #expect(troubles.last == .some(nil))
        #expect(try !writes(store) { try self.append(store, 1, from: 100) })
    }

    @Test("is opened without a journal where the runtime folder is missing")
    func noFolder() throws {
        var file = folder.outboxFile(.grouped)
        file.runtimeDirectory = folder.file("none")
        let store = try file.open(
            at: 1000, tellJournalTrouble: { self.troubles.append($0?.message) },
            tell: { _ in })
        store.reserve(16)
        try append(store, 3)
        #expect(troubles.count == 1 && troubles[0] != nil)
        #expect(try live(open(.powerLoss, in: folder.copy())) == [1, 2, 3])
    }

    @Test("carries the ledger of an earlier version on")
    func migration() throws {
        let store = try open(.powerLoss)
        try append(store, 5)
        try store.settle([EntryID(.location, 1)], as: .deliveredLive)
        store.close()
        let database = try Database(folder.file("outbox.db"))
        try database.execute(Self.firstSchema)
        database.close()
        let after = try open()
        let ledger = Ledger(accepted: 5, fates: [.deliveredLive: 1], queued: 4)
        #expect(try after.ledger(.location) == ledger)
        #expect(try append(after, 1).map(\.number) == [6])
        #expect(notes.allSatisfy { if case .corrected = $0 { false } else { true } })
    }

    /// Makes the ledger that of the first schema.
    private static let firstSchema = """
        CREATE TABLE now AS SELECT * FROM ledger;
        DROP TABLE ledger;
        CREATE TABLE ledger (
            stream INTEGER PRIMARY KEY,
            accepted INTEGER NOT NULL DEFAULT 0,
            queued INTEGER NOT NULL DEFAULT 0,
            delivered_live INTEGER NOT NULL DEFAULT 0,
            delivered_track INTEGER NOT NULL DEFAULT 0,
            superseded INTEGER NOT NULL DEFAULT 0,
            expired INTEGER NOT NULL DEFAULT 0,
            evicted INTEGER NOT NULL DEFAULT 0,
            rejected INTEGER NOT NULL DEFAULT 0,
            lost_with_database INTEGER NOT NULL DEFAULT 0,
            last_number INTEGER NOT NULL DEFAULT 0,
            CHECK (accepted = queued + delivered_live + delivered_track + superseded + expired
                + evicted + rejected + lost_with_database)
        );
        INSERT INTO ledger SELECT stream, accepted, queued, delivered_live, delivered_track,
            superseded, expired, evicted, rejected, lost_with_database, last_number FROM now;
        DROP TABLE now;
        PRAGMA user_version = 1;
        """
}
