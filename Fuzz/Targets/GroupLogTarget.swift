internal import HomingBase
internal import HomingRuntime

@testable internal import HomingDelivery
@testable internal import HomingSQLite

/// The log of groups with any frames and any bytes, after a kill or a power cut.
///
/// The queue takes no position that no frame held, and all positions of a single whole frame. It gives
/// no number twice, and stays a queue.
final class GroupLogTarget: FuzzTarget {
    static let name = "group-log"
    static let longest = 1000
    /// The last number that the tables hold back.
    private static let held: Int64 = 1 + 2048
    private static let start = BlockLog.block
    private let queue: KilledQueue
    private let checks: OutboxChecks
    private let otherLog: [UInt8]

    init() throws {
        queue = try KilledQueue()
        checks = try OutboxChecks()
        let path = "\(queue.folder.path)/outbox-log"
        _ = try BlockLog(path, owner: "another queue")
        otherLog = try AtomicFile.read(path)
    }

    /// The input is a recipe: whether the journal is there and whose log it is, then frames and
    /// changed bytes.
    func run(_ input: [UInt8]) throws {
        var reader = ByteReader(input)
        let flags = reader.byte()
        let isOwn = flags & 2 == 0
        var recipe = LogRecipe(isOwn ? queue.log : otherLog, from: Self.start)
        while !reader.isAtEnd { recipe.takeStep(from: &reader) }
        try queue.putTables()
        if flags & 1 == 0 { try queue.putJournal(queue.journal) }
        try queue.putLog(recipe.bytes)
        let store = try queue.file.open(at: 6) { _ in }
        try check(store, after: recipe, isOwn: isOwn, isPowerCut: flags & 1 == 1)
        try checks.exercise(store)
        store.close()
        var notes: [OutboxNote] = []
        let last = try queue.file.open(at: 7) { notes.append($0) }
        require(notes.isEmpty, "the queue is not whole afterwards: \(notes)")
        last.close()
    }

    private func check(
        _ store: any PersistentOutbox, after recipe: LogRecipe, isOwn: Bool, isPowerCut: Bool
    ) throws(DatabaseError) {
        let rows = try store.entries(.location, freshness: .live, after: 0, limit: 10_000)
        let numbers = rows.map(\.id.number).filter { $0 != 1 }
        let ledger = try store.ledger(.location)
        require(ledger.queued == KilledQueue.written + numbers.count, "\(ledger.queued) queued")
        require(!faultIsPlanted || numbers.isEmpty, "planted")
        let next = try store.append(Samples.position, acceptedAt: 1000, expiresAt: nil).number
        require(next > numbers.max() ?? 1, "\(next) is given twice")
        guard isOwn else {
            require(numbers.count <= recipe.numbers.count, "\(numbers.count) of another queue")
            let most = Int(Self.held) + numbers.count
            return require(ledger.accepted <= most, "\(ledger.accepted) accepted")
        }
        let strange = numbers.filter { !recipe.numbers.contains($0) }
        require(strange.isEmpty, "in no frame: \(strange)")
        // The tables hold back some numbers, and no more may be missing.
        require(ledger.accepted <= Int(Self.held), "\(ledger.accepted) accepted")
        if let only = recipe.only {
            let known = only.known(through: Self.held)
            require(numbers == known, "\(numbers) in place of \(known)")
            // A frame without a later position was taken before: the tables reserve by themselves.
            require(
                !isPowerCut || !only.isLive || next > min(only.reserved, Self.held),
                "\(next) was reserved")
        }
    }
}

/// A whole frame that lies at the beginning, where the log has nothing else.
private struct OnlyFrame {
    let numbers: [Int64]
    let reserved: Int64

    /// Whether the frame has a position that the tables, which have 1, do not know.
    var isLive: Bool { (numbers.last ?? 0) > 1 }

    /// The numbers that the tables take from the frame.
    func known(through held: Int64) -> [Int64] {
        guard isLive else { return [] }
        var known: [Int64] = []
        for number in numbers where number > (known.last ?? 1) && number <= min(reserved, held) {
            known.append(number)
        }
        return known
    }
}

/// A log that an input describes.
private struct LogRecipe {
    private(set) var bytes: [UInt8]
    /// `nil` unless the recipe is one frame of the right form.
    private(set) var only: OnlyFrame?
    private var steps = 0
    /// Number of every location that some frame holds.
    private(set) var numbers: [Int64] = []
    private var end: Int

    init(_ bytes: [UInt8], from start: Int) { (self.bytes, end) = (bytes, start) }

    /// Takes a step of the recipe.
    mutating func takeStep(from reader: inout ByteReader) {
        steps += 1
        only = nil
        switch reader.byte() % 4 {
        case 0: bytes[reader.index(below: bytes.count)] = reader.byte()
        case 1: end = BlockLog.block + reader.index(below: bytes.count - BlockLog.block)
        case 2: addPositions(&reader)
        default: addFrame(&reader, reader.bytes())
        }
    }

    /// Positions whose numbers follow each other, or leave some out.
    private mutating func addPositions(_ reader: inout ByteReader) {
        let first = Int64(reader.index(below: 4096))
        let step = Int64(reader.byte() % 4)
        let rows = (0..<reader.byte() % 16).map { index in
            OutboxEntry(
                id: EntryID(.location, first + Int64(index) * step), message: Samples.position,
                acceptedAt: 1000)
        }
        addFrame(&reader, rows.flatMap(GroupRecord.bytes))
    }

    /// A frame with the checksum that belongs to it, where the last one ended.
    private mutating func addFrame(_ reader: inout ByteReader, _ rows: [UInt8]) {
        let generation = UInt64(reader.byte())
        let index = UInt32(reader.byte())
        let reserved = reader.byte()
        let number = reserved == 0 ? Int64(bitPattern: reader.integer()) : 16 * Int64(reserved)
        var string: [UInt8] = []
        withUnsafeBytes(of: number) { string += $0 }
        withUnsafeBytes(of: 1000.0) { string += $0 }
        string += rows
        let frame = BlockFrame.bytes(of: string, generation: generation, index: index)
        let place = BlockFrame.place(of: frame.count, from: end)
        guard place + frame.count <= bytes.count else { return }
        bytes.replaceSubrange(place..<place + frame.count, with: frame)
        end = place + frame.count
        let (entries, isWhole) = GroupRecord.entries(in: rows[...])
        numbers += entries.map(\.id.number)
        let isFirst = steps == 1 && index == 0 && generation > 0
        if isFirst, isWhole, LedgerTable.plausible.contains(number) {
            only = OnlyFrame(numbers: entries.map(\.id.number), reserved: number)
        }
    }
}
