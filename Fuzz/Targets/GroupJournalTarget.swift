internal import HomingDelivery
internal import HomingRuntime
import HomingSQLite

@testable internal import HomingDelivery

/// The journal of a group with any bytes behind its header: the queue takes positions that can be
/// told, under numbers that were reserved, and stays an outbox.
final class GroupJournalTarget: FuzzTarget {
    static let name = "group-journal"
    static let longest = 4000
    /// Positions on the disk, and numbers that are reserved for more.
    private static let (written, reserved) = (1, 16)
    private let folder: Workplace
    private let file: OutboxFile
    private let checks: OutboxChecks
    private let left: [(name: String, content: [UInt8])]
    private let header: [UInt8]

    init() throws {
        folder = try Workplace()
        file = OutboxFile(
            stateDirectory: folder.path, runtimeDirectory: folder.path, durability: .grouped,
            maxSize: 1 << 20)
        checks = try OutboxChecks()
        let store = try file.open(at: 5) { _ in }
        store.reserve(Self.reserved)
        _ = try store.append(Samples.position, acceptedAt: 1000, expiresAt: nil)
        // As a kill leaves the files.
        left = try ["outbox.db", "outbox.db-wal"].map { [folder] name in
            (name, try AtomicFile.read("\(folder.path)/\(name)"))
        }
        header = try AtomicFile.read("\(folder.path)/outbox-group")
        store.close()
    }

    func run(_ input: [UInt8]) throws {
        folder.clear()
        for (name, content) in left { try folder.put(content, at: "\(folder.path)/\(name)") }
        try folder.put(header + input, at: "\(folder.path)/outbox-group")
        let store = try file.open(at: 6) { _ in }
        let queued = try store.ledger(.location).queued
        require(Self.written...Self.written + Self.reserved ~= queued, "\(queued) queued")
        require(!faultIsPlanted || queued == Self.written, "planted")
        try checks.exercise(store)
        store.close()
        var notes: [OutboxNote] = []
        let last = try file.open(at: 7) { notes.append($0) }
        require(notes.isEmpty, "what was left is not taken over: \(notes)")
        last.close()
    }
}
