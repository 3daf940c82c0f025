internal import Glibc
internal import HomingDelivery
internal import HomingRuntime
import HomingSQLite

@testable internal import HomingDelivery

/// outbox.db and its log with any bytes anywhere: always an outbox again, with books that balance.
final class OutboxFileTarget: FuzzTarget {
    static let name = "outbox-file"
    static let longest = 200
    private let folder: Workplace
    private let file: OutboxFile
    private let checks: OutboxChecks
    private let database: [UInt8]
    private let log: [UInt8]
    /// Places where the database is not empty, and so worth a change.
    private let used: [Int]

    init() throws {
        folder = try Workplace()
        file = OutboxFile(
            stateDirectory: folder.path, runtimeDirectory: folder.path, durability: .powerLoss,
            maxSize: 1 << 20)
        checks = try OutboxChecks()
        (database, log) = try Self.template(file, folder)
        used = database.indices.filter { [database] in database[$0] != 0 }
    }

    /// The input is a recipe: whether there is a log, then changes: kind, place, value.
    func run(_ input: [UInt8]) throws {
        var reader = ByteReader(input)
        var (database, log) = (database, reader.byte() & 1 == 0 ? [] : log)
        while !reader.isAtEnd { change(&database, &log, &reader) }
        folder.clear()
        try folder.put(database, at: "\(folder.path)/outbox.db")
        if !log.isEmpty { try folder.put(log, at: "\(folder.path)/outbox.db-wal") }
        do throws(DatabaseError) { try use() } catch {
            require(error.kind == .newerSchema, "cannot be mended: \(error)")
        }
    }

    private func change(
        _ database: inout [UInt8], _ log: inout [UInt8], _ reader: inout ByteReader
    ) {
        let kind = reader.byte()
        let offset = reader.index(below: 1 << 24)
        let value = reader.byte()
        switch kind % 4 {
        case 0: if let place = place(offset), place < database.count { database[place] = value }
        case 1: if !database.isEmpty { database[offset % database.count] = value }
        case 2: if !log.isEmpty { log[offset % log.count] = value }
        default: database.removeLast(min(database.count, offset % (self.database.count + 1)))
        }
    }

    private func place(_ offset: Int) -> Int? { used.isEmpty ? nil : used[offset % used.count] }

    /// Opens the file as an agent does, works with the file, and opens the file again if it
    /// turns out to be damaged.
    private func use() throws(DatabaseError) {
        var notes: [OutboxNote] = []
        let first: any PersistentOutbox =
            try faultIsPlanted
            ? SQLiteOutbox("\(folder.path)/outbox.db", maxSize: 1 << 20)
            : file.open(at: 5) { notes.append($0) }
        defer { first.close() }
        do {
            try checks.exercise(first)
            if notes.isEmpty { return }
        } catch let error as DatabaseError where error.kind == .damaged {
            first.close()
            let second = try file.open(at: 6, after: error) { _ in }
            attempt { try checks.exercise(second) }
            second.close()
        } catch {
            require(false, "\(error)")
        }
        first.close()
        notes = []
        let last = try file.open(at: 7) { notes.append($0) }
        require(notes.isEmpty, "what was mended is not: \(notes)")
        last.close()
    }

    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch { require(false, "\(error)") }
    }

    /// The bytes of an outbox in use, and of its log before the rows in it were checkpointed.
    private static func template(
        _ file: OutboxFile, _ folder: Workplace
    ) throws -> (database: [UInt8], log: [UInt8]) {
        let path = "\(folder.path)/outbox.db"
        let outbox = try SQLiteOutbox(path, maxSize: 1 << 20)
        try outbox.meta.set(.databaseID, .text(String(repeating: "0", count: 32)))
        try fill(outbox, rows: 1...5)
        outbox.close()
        let database = try AtomicFile.read(path)
        let other = try SQLiteOutbox(path, maxSize: 1 << 20)
        try fill(other, rows: 6...7)
        let log = try AtomicFile.read("\(path)-wal")
        other.close()
        return (database, log)
    }

    private static func fill(_ outbox: SQLiteOutbox, rows: ClosedRange<Int>) throws {
        for number in rows {
            let data = "{\"n\":\(number)}"
            let messages: [OutboxMessage] = [
                Samples.position, .event(EventMessage(type: "homing_test", data: data)),
                .sensor(SensorMessage(uniqueID: "s\(number % 5)", item: data)),
                .location(LocationMessage(place: .zone(name: "Work", time: Double(number)))),
            ]
            for message in messages {
                _ = try outbox.append(message, acceptedAt: Double(number * 10), expiresAt: 9e9)
            }
        }
        try outbox.settle([EntryID(.location, 3)], as: .deliveredLive)
        _ = try outbox.moveToHistory(acceptedBefore: 50, keepingNewest: false)
    }
}
