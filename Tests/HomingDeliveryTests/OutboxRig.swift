import HomingBase
import HomingLocation
import HomingTestKit
import Testing

@testable import HomingDelivery

/// The kinds of outbox that must behave alike.
enum OutboxKind: CaseIterable {
    case inMemory
    case sqlite
    case spilling
    /// Spilling with most rows on the disk.
    case spilled
    /// Writing positions in groups of sixteen.
    case grouping
}

/// Queue of one kind, with its files.
final class OutboxRig {
    let kind: OutboxKind
    let folder: TemporaryFolder
    private(set) var store: any OutboxStore
    private let model = InMemoryOutbox()

    init(_ kind: OutboxKind, in folder: TemporaryFolder? = nil) throws {
        self.kind = kind
        self.folder = try folder ?? TemporaryFolder()
        store = model
        try open()
    }

    private func open() throws {
        func file(_ name: String) throws -> SQLiteOutbox {
            try SQLiteOutbox(folder.file(name), maxSize: 32 << 20, synchronous: .off)
        }
        switch kind {
        case .inMemory: store = model
        case .sqlite: store = try file("outbox.db")
        case .spilling, .spilled:
            store = try SpillingOutbox(disk: file("outbox.db"), memory: file("outbox-memory.db"))
        case .grouping:
            store = try GroupingOutbox(
                disk: file("outbox.db"),
                at: GroupPaths(
                    journal: folder.file("outbox-group"), log: folder.file("outbox-log")),
                boot: "1", time: 1000,
                tellTrouble: { _ in })
            store.reserve(16)
        }
    }

    /// Stops and starts again.
    func reopen() throws {
        (store as? any PersistentOutbox)?.close()
        store = model
        try open()
    }

    /// Appends; in the kind `spilled` everything goes to the disk but the last.
    @discardableResult
    func append(
        _ message: OutboxMessage, at time: Seconds = 1000, expires: Seconds? = nil
    ) throws -> EntryID {
        if kind == .spilled { try (store as? any PersistentOutbox)?.spillAll() }
        return try store.append(message, acceptedAt: time, expiresAt: expires)
    }

    func entries(
        _ stream: HomingDelivery.Stream, _ freshness: Freshness = .live, after: Int64 = 0,
        limit: Int = 1000
    ) throws -> [OutboxEntry] {
        try store.entries(stream, freshness: freshness, after: after, limit: limit)
    }

    /// All queued rows of the stream, in both routes.
    func queued(_ stream: HomingDelivery.Stream) throws -> [OutboxEntry] {
        guard stream == .location else { return try entries(stream, limit: .max) }
        return try entries(stream, .history, limit: .max) + entries(stream, .live, limit: .max)
    }

    /// Whether each stream's ledger balances and agrees with the rows that can be read.
    func isSound() throws -> Bool {
        for stream in HomingDelivery.Stream.allCases {
            let ledger = try store.ledger(stream)
            let rows = try queued(stream)
            let ids = rows.map(\.id)
            guard ledger.balances, ledger.queued == rows.count, ids == ids.sorted() else {
                return false
            }
        }
        return true
    }
}

/// A position that differs by its number (below 30 000).
func position(_ number: Int = 1, battery: Double? = 80) -> OutboxMessage {
    guard let place = Coordinate(latitude: 52 + Double(number % 30_000) / 1000, longitude: 4.5)
    else {
        preconditionFailure("no place")
    }
    let fix = Fix(
        coordinate: place, accuracy: 4.25, time: 999.5 + Double(number), mode: .threeDimensional,
        altitude: -3.5, verticalAccuracy: nil, speed: 0, course: 359.9, source: .gpsd)
    return .location(LocationMessage(place: .fix(fix), battery: battery))
}

func zone(_ name: String) -> OutboxMessage {
    .location(LocationMessage(place: .zone(name: name, time: 12)))
}

func sensor(_ id: String, _ state: Int = 1) -> OutboxMessage {
    let name = id.replacing("\0", with: "\\u0000")
    return .sensor(
        SensorMessage(uniqueID: id, item: "{\"unique_id\":\"\(name)\",\"state\":\(state)}"))
}

func event(_ number: Int = 1) -> OutboxMessage {
    .event(EventMessage(type: "homing_test", data: "{\"n\":\(number)}"))
}

func ids(_ entries: [OutboxEntry]) -> [Int64] { entries.map(\.id.number) }
