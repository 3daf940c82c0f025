internal import HomingDelivery
internal import HomingRuntime

@testable internal import HomingDelivery

/// The files that a kill leaves of a queue with one position, which writes positions in groups.
@LoopActor struct KilledQueue {
    /// Positions in the tables, and numbers that the tables reserved for more.
    static let (written, reserved) = (1, 16)

    let folder: Workplace
    let file: OutboxFile
    /// The journal, with its header alone.
    let journal: [UInt8]
    /// The log of groups, without a frame.
    let log: [UInt8]
    private let tables: [(name: String, content: [UInt8])]

    init() throws {
        folder = try Workplace()
        file = OutboxFile(
            stateDirectory: folder.path, runtimeDirectory: folder.path, durability: .grouped,
            maxSize: 1 << 20)
        let store = try file.open(at: 5) { _ in }
        store.reserve(Self.reserved)
        _ = try store.append(Samples.position, acceptedAt: 1000, expiresAt: nil)
        tables = try ["outbox.db", "outbox.db-wal"].map { [folder] name in
            (name, try AtomicFile.read("\(folder.path)/\(name)"))
        }
        journal = try AtomicFile.read("\(folder.path)/outbox-group")
        log = try AtomicFile.read("\(folder.path)/outbox-log")
        store.close()
    }

    /// Puts the tables into the folder, and removes everything else.
    func putTables() throws {
        folder.clear()
        for (name, content) in tables { try folder.put(content, at: "\(folder.path)/\(name)") }
    }

    func putJournal(_ content: [UInt8]) throws {
        try folder.put(content, at: "\(folder.path)/outbox-group")
    }

    func putLog(_ content: [UInt8]) throws {
        try folder.put(content, at: "\(folder.path)/outbox-log")
    }
}
