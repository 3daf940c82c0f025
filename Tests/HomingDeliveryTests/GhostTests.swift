import CSQLite
import HomingTestKit
import Testing

@testable import HomingDelivery
@testable import HomingSQLite

/// The disk cannot sync a spill, says so, and has it in its log all the same: whoever opens the
/// file next finds it there.
@Suite("A spill that failed and comes up again")
final class GhostTests {
    /// Whether the file system has no block left.
    private final class Fullness { var isFull = false }

    private let disk: FaultyDisk
    private let fullness = Fullness()
    private let outbox: SpillingOutbox

    init() throws {
        disk = try FaultyDisk()
        outbox = try Self.open(disk.folder, fullness)
        for number in 1...8 { try append(position(number)) }
        try append(sensor("a", 1))
        try append(event(1))
        try outbox.settle([EntryID(.location, 1)], as: .deliveredLive)
    }

    deinit { disk.remove() }

    private static func open(
        _ folder: TemporaryFolder, _ fullness: Fullness = Fullness()
    ) throws -> SpillingOutbox {
        try SpillingOutbox(
            disk: SQLiteOutbox(
                folder.file("outbox.db"), maxSize: 32 << 20,
                freeSpace: { _ in fullness.isFull ? 0 : .max }),
            memory: SQLiteOutbox(
                folder.file("outbox-memory.db"), maxSize: 32 << 20, synchronous: .off))
    }

    private func append(_ message: OutboxMessage) throws {
        _ = try outbox.append(message, acceptedAt: 1000, expiresAt: nil)
    }

    private func settle(_ stream: HomingDelivery.Stream, _ numbers: ClosedRange<Int64>) throws {
        try outbox.settle(numbers.map { EntryID(stream, $0) }, as: .deliveredLive)
    }

    private func failToSpill() {
        disk.fault = { call, _ in call == .sync ? SQLITE_IOERR | 4 << 8 : nil }
        #expect(throws: DatabaseError.self) { try outbox.spillAll() }
    }

    /// Opens the queue that is found after the process was killed now, on a disk that works.
    private func afterKill() throws -> SpillingOutbox { try Self.open(disk.folder.copy()) }

    private func expectAlike(_ found: SpillingOutbox) throws {
        for stream in HomingDelivery.Stream.allCases {
            #expect(try everything(found, stream) == everything(outbox, stream))
            #expect(try found.ledger(stream) == outbox.ledger(stream))
        }
    }

    @Test("is taken at its word if nothing has happened since")
    func taken() throws {
        failToSpill()
        let found = try afterKill()
        #expect(try found.disk.queued(.location) == 7, "there was no ghost")
        try expectAlike(found)
    }

    @Test("is given back if the rows in memory have gone their way")
    func givenBack() throws {
        failToSpill()
        try settle(.location, 2...3)
        try settle(.events, 1...1)
        try append(position(9))
        try append(sensor("a", 2))
        let found = try afterKill()
        #expect(try found.disk.queued(.location) == 0)
        try expectAlike(found)
        try found.spillAll()
        try expectAlike(found)
    }

    @Test("is gone for good once another spill was written over it")
    func overwritten() throws {
        failToSpill()
        try settle(.location, 2...2)
        disk.fault = { _, _ in nil }
        try outbox.spillAll()
        try append(position(9))
        try expectAlike(afterKill())
    }

    @Test("is given back once, though that failed and comes up again too")
    func givenBackOnce() throws {
        failToSpill()
        try settle(.location, 2...2)
        let second = try FaultyDisk()
        defer { second.remove() }
        for name in disk.folder.names() {
            try second.folder.write(disk.folder.read(name), to: name)
        }
        second.fault = disk.fault
        #expect(throws: DatabaseError.self) { try Self.open(second.folder) }
        try expectAlike(Self.open(second.folder.copy()))
    }

    @Test("leaves no row evicted that had to make room in it")
    func madeRoom() throws {
        fullness.isFull = true
        let text = String(repeating: "x", count: 9000)
        for _ in 1...40 {
            try append(.event(EventMessage(type: "large", data: "{\"x\":\"\(text)\"}")))
        }
        failToSpill()
        try settle(.events, 1...2)
        let ghost = try disk.folder.copy()
        for name in ghost.names() where name.contains("memory") {
            DamagedFile.delete(ghost.file(name))
        }
        #expect(try Self.open(ghost).ledger(.events)[.evicted] > 0, "none had to make room")
        let found = try afterKill()
        try expectAlike(found)
        #expect(try found.ledger(.events)[.evicted] == 0)
    }
}
