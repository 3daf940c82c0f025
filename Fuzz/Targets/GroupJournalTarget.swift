internal import HomingDelivery
internal import HomingRuntime
import HomingSQLite

@testable internal import HomingDelivery

/// The journal of a group with any bytes behind its header: the queue takes positions that can be
/// told, under numbers that were reserved, and stays an outbox.
final class GroupJournalTarget: FuzzTarget {
    static let name = "group-journal"
    static let longest = 4000
    private let queue: KilledQueue
    private let checks: OutboxChecks

    init() throws {
        queue = try KilledQueue()
        checks = try OutboxChecks()
    }

    func run(_ input: [UInt8]) throws {
        try queue.putTables()
        try queue.putJournal(queue.journal + input)
        let store = try queue.file.open(at: 6) { _ in }
        let queued = try store.ledger(.location).queued
        let (written, reserved) = (KilledQueue.written, KilledQueue.reserved)
        require(written...written + reserved ~= queued, "\(queued) queued")
        require(!faultIsPlanted || queued == written, "planted")
        try checks.exercise(store)
        store.close()
        var notes: [OutboxNote] = []
        let last = try queue.file.open(at: 7) { notes.append($0) }
        require(notes.isEmpty, "what was left is not taken over: \(notes)")
        last.close()
    }
}
