internal import Glibc
internal import HomingCore

/// One go at opening the files of an outbox, and what was met.
struct Opening {
    let time: Seconds
    let damage: OutboxError?
    let warn: (String) -> Void
    var notes: [OutboxNote] = []

    init(time: Seconds, damage: OutboxError?, warn: @escaping (String) -> Void) {
        self.time = time
        self.damage = damage
        self.warn = warn
    }

    /// The file's outbox; a new one in its place if it is damaged.
    mutating func outbox(
        _ path: String, maxSize: Int, synchronous: SQLiteOutbox.Synchronous
    ) throws(OutboxError) -> SQLiteOutbox {
        let size = fileSize(path)
        do throws(OutboxError) {
            // Each file says its own path in its errors; the other one is not to blame.
            if let damage, size != nil, damage.message.hasPrefix("\(path):") { throw damage }
            let outbox = try SQLiteOutbox(
                path, maxSize: maxSize, synchronous: synchronous, warn: warn)
            if size == nil { notes.append(.made(path: path)) }
            if let size, size < smallestDatabase { notes.append(.wasEmpty(path: path)) }
            notes += outbox.correctedStreams.map { .corrected(path: path, stream: $0) }
            return outbox
        } catch {
            guard error.kind == .damaged else { throw error }
            return try replace(path, maxSize, synchronous, reason: error.message)
        }
    }

    private mutating func replace(
        _ path: String, _ maxSize: Int, _ synchronous: SQLiteOutbox.Synchronous, reason: String
    ) throws(OutboxError) -> SQLiteOutbox {
        let kept = try DamagedFile.setAside(path, at: time)
        let salvaged = SalvagedBook(path: kept)
        let outbox = try SQLiteOutbox(path, maxSize: maxSize, synchronous: synchronous, warn: warn)
        try (salvaged ?? SalvagedBook(beginningAt: time)).write(to: outbox)
        notes.append(.setAside(path: kept, reason: reason, lost: salvaged?.lost))
        return outbox
    }

    /// Bytes; SQLite takes less for a database yet to be made.
    private let smallestDatabase = 512

    private func fileSize(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
