import CSQLite
import Glibc
import HomingBase
import HomingSQLite
import HomingTestKit
import Testing

@testable import HomingDelivery

/// A disk that fails while the outbox is in use.
@Suite("An outbox that mends itself")
struct HealingOutboxTests {
    /// Owner of the queue, with all that it sees and does.
    private final class Owner {
        let disk: FaultyDisk
        var now = Moment(uptime: 1000, unixTime: 1700)
        var notes: [OutboxNote] = []
        /// The message of what does not work, `nil` where it was told that all works again.
        var troubles: [String?] = []
        /// Reasons why locations could not wait in memory.
        var journalTroubles: [String?] = []
        var onClock: () -> Void = {}
        var onNote: (OutboxNote) -> Void = { _ in }

        init() throws { disk = try FaultyDisk() }

        deinit { disk.remove() }

        func open(_ durability: OutboxFile.Durability = .powerLoss) throws -> HealingOutbox {
            let outbox = try HealingOutbox(
                disk.folder.outboxFile(durability, maxSize: 4 << 20),
                clock: { [unowned self] in
                    onClock()
                    return now
                }, report: { [unowned self] in report($0) })
            return outbox
        }

        private func report(_ event: OutboxEvent) {
            switch event {
            case .note(let note):
                notes.append(note)
                onNote(note)
            case .trouble(let error): troubles.append(error?.message)
            case .journalTrouble(let error): journalTroubles.append(error?.message)
            }
        }

        var path: String { disk.folder.file("outbox.db") }
    }

    private let owner: Owner

    init() throws { owner = try Owner() }

    /// More rows than SQLite keeps pages of, so that reading them asks the disk.
    private func fill(_ outbox: HealingOutbox) throws {
        for number in 1...5000 {
            _ = try outbox.append(position(number), acceptedAt: 1, expiresAt: nil)
        }
        owner.notes = []
    }

    private func all(_ outbox: HealingOutbox) throws -> [OutboxEntry] {
        try outbox.entries(.location, freshness: .live, after: 0, limit: 9999)
    }

    @Test("replaces a file that is found damaged in use, and settles nothing of it in the new one")
    func replacement() throws {
        let outbox = try owner.open()
        try fill(outbox)
        let before = outbox.databaseID
        let old = (1...5000).map { EntryID(.location, Int64($0)) }
        try outbox.settle(Array(old[..<10]), as: .deliveredLive)
        outbox.close()
        let again = try owner.open()
        truncate(owner.path, 16 * 4096)
        #expect(try all(again).isEmpty)
        guard case .setAside("\(owner.path).damaged-1700", _, 4990) = owner.notes.last else {
            Issue.record("\(owner.notes)")
            return
        }
        #expect(again.databaseID != before)
        let next = try again.append(position(1), acceptedAt: 2, expiresAt: nil)
        #expect(next.number == 5001)
        try again.settle(old, as: .rejected)
        let fates: [Fate: Int] = [.deliveredLive: 10, .lostWithDatabase: 4990]
        #expect(try again.ledger(.location) == Ledger(accepted: 5001, fates: fates, queued: 1))
        #expect(owner.troubles.isEmpty)
    }

    @Test("keeps a file that was read wrongly once")
    func passingDamage() throws {
        let outbox = try owner.open()
        try fill(outbox)
        var isBroken = true
        owner.disk.fault = { call, _ in
            guard call == .read, isBroken else { return nil }
            isBroken = false
            return SQLITE_CORRUPT
        }
        #expect(try all(outbox).count == 5000)
        guard case .reopened = owner.notes.first, owner.notes.count == 1 else {
            Issue.record("\(owner.notes)")
            return
        }
        #expect(try outbox.ledger(.location) == Ledger(accepted: 5000, queued: 5000))
    }

    @Test("keeps a file that was read wrongly while it was opened")
    func passingDamageAtOpening() throws {
        let outbox = try owner.open()
        try fill(outbox)
        outbox.close()
        for number in 1...200 {
            var left = number
            owner.disk.fault = { call, _ in
                guard call == .read else { return nil }
                left -= 1
                return left == 0 ? SQLITE_IOERR | 33 << 8 : nil
            }
            let again = try owner.open()
            #expect(try again.ledger(.location).queued == 5000, "read \(number)")
            again.close()
        }
        let replacements = owner.notes.filter(\.isReplacement)
        #expect(replacements.isEmpty)
    }

    @Test("replaces a file that opens whole and shows the same damage again")
    func stubbornDamage() throws {
        let outbox = try owner.open()
        try fill(outbox)
        let damage: (DiskCall, String) -> Int32? = { call, path in
            call == .read && path.hasSuffix("outbox.db") ? SQLITE_CORRUPT : nil
        }
        owner.onNote = { [owner] in
            if case .reopened = $0 { owner.disk.fault = damage }
        }
        owner.onClock = { [owner] in owner.disk.fault = { _, _ in nil } }
        owner.disk.fault = damage
        #expect(try all(outbox).isEmpty)
        #expect(owner.notes.count == 2 && owner.notes.last?.isReplacement == true)
        #expect(try outbox.ledger(.location)[.lostWithDatabase] == 5000)
    }

    @Test("gives out no number twice, though the ledger cannot be read and the clock was set back")
    func numbers() throws {
        let outbox = try owner.open()
        owner.now.unixTime = 1
        try fill(outbox)
        let file = open(owner.path, O_WRONLY)
        let garbage = [UInt8](repeating: 0xA5, count: 4096)
        for page in 0..<64 { _ = pwrite(file, garbage, garbage.count, page * 4096) }
        close(file)
        #expect(try all(outbox).isEmpty)
        #expect(owner.notes.last?.isReplacement == true)
        #expect(try outbox.append(position(1), acceptedAt: 2, expiresAt: nil).number == 5001)
    }

    @Test("tries once a minute to open files that cannot be opened, and goes on with their rows")
    func absence() throws {
        let outbox = try owner.open()
        try fill(outbox)
        owner.now.uptime += 100
        owner.disk.fault = { call, _ in
            switch call {
            case .open: SQLITE_CANTOPEN
            case .read, .write: SQLITE_IOERR_READ_CODE
            default: nil
            }
        }
        owner.disk.systemError = EIO
        let error = try thrown(DatabaseError.self) { try all(outbox) }
        #expect(error?.kind == .failed)
        let tries = owner.disk.calls[.open]
        owner.now.uptime += 59
        #expect(throws: DatabaseError.self) { try all(outbox) }
        #expect(throws: DatabaseError.self) {
            try outbox.append(position(1), acceptedAt: 1, expiresAt: nil)
        }
        #expect(owner.disk.calls[.open] == tries)
        owner.disk.fault = { _, _ in nil }
        #expect(throws: DatabaseError.self) { try all(outbox) }
        owner.now.uptime += 1
        #expect(try all(outbox).count == 5000)
        #expect(owner.troubles.last??.isEmpty == false)
        _ = try outbox.append(position(1), acceptedAt: 1, expiresAt: nil)
        #expect(owner.troubles.last == .some(nil))
        #expect(owner.notes.isEmpty)
    }

    @Test("tells of trouble until what failed works again, not until something else does")
    func trouble() throws {
        let outbox = try owner.open()
        let id = try outbox.append(event(1), acceptedAt: 1, expiresAt: nil)
        owner.disk.fault = { call, _ in call == .write ? SQLITE_FULL : nil }
        let error = try thrown(DatabaseError.self) { try outbox.settle([id], as: .deliveredLive) }
        #expect(error?.kind == .full)
        owner.disk.fault = { _, _ in nil }
        _ = try outbox.append(event(2), acceptedAt: 1, expiresAt: nil)
        _ = try outbox.ledger(.events)
        try outbox.expire(at: 0, acceptedBefore: nil)
        #expect(owner.troubles == [error?.message])
        try outbox.settle([id], as: .deliveredLive)
        #expect(owner.troubles == [error?.message, nil])
    }

    @Test("moves nothing when there is no room for a new file")
    func noRoom() throws {
        let outbox = try owner.open()
        try fill(outbox)
        outbox.close()
        truncate(owner.path, 16 * 4096)
        let before = try owner.disk.folder.read("outbox.db")
        owner.disk.fault = { call, path in
            call == .write && path.contains(".new") ? SQLITE_FULL : nil
        }
        let error = try thrown(DatabaseError.self) { try owner.open() }
        #expect(error?.kind == .full)
        #expect(try owner.disk.folder.read("outbox.db") == before)
        #expect(owner.notes.isEmpty)
        owner.disk.fault = { _, _ in nil }
        #expect(try owner.open().ledger(.location)[.lostWithDatabase] == 5000)
        #expect(!owner.disk.folder.names().contains { $0.contains(".new") })
    }

    @Test("fails after it was closed, and opens nothing")
    func closed() throws {
        let outbox = try owner.open()
        outbox.close()
        owner.now.uptime += 1000
        let tries = owner.disk.calls[.open]
        let error = try thrown(DatabaseError.self) { try outbox.ledger(.events) }
        #expect(error?.kind == .failed)
        #expect(owner.disk.calls[.open] == tries)
    }

    @Test("mends the memory tier and the disk each for itself")
    func tiers() throws {
        let outbox = try owner.open(.crash)
        try fill(outbox)
        try outbox.spill(acceptedBefore: 2)
        for number in 5001...5010 {
            _ = try outbox.append(position(number), acceptedAt: 100, expiresAt: nil)
        }
        truncate(owner.path, 16 * 4096)
        #expect(ids(try all(outbox)) == Array(5001...5010))
        let ledger = try outbox.ledger(.location)
        #expect(ledger == Ledger(accepted: 5010, fates: [.lostWithDatabase: 5000], queued: 10))
    }
}

/// SQLITE_IOERR_READ, which Swift does not import.
private let SQLITE_IOERR_READ_CODE = SQLITE_IOERR | 1 << 8
