internal import Glibc
internal import HomingBase
internal import HomingSQLite

/// Attempt to open the files of a queue.
struct Opening {
    /// Seconds since 1970, for the name of what is set aside.
    let time: Seconds
    /// Sets the file that it names aside, though it may open without a fault.
    let damage: DatabaseError?
    /// Numbers that somebody may still hold: none of them must come to mean another row.
    let given: [Stream: Int64]
    /// Whether the files were open before, and the loop waits for them.
    let isInUse: Bool
    let tell: (OutboxNote) -> Void

    /// The file's outbox; a new one in its place if it is damaged.
    func outbox(
        _ path: String, maxSize: Int, synchronous: SQLiteOutbox.Synchronous
    ) throws(DatabaseError) -> SQLiteOutbox {
        try DamagedFile.finishReplacing(path)
        let outbox = try sound(path, maxSize, synchronous)
        for (stream, number) in given { outbox.raiseLastNumber(stream, to: number) }
        return outbox
    }

    private func sound(
        _ path: String, _ maxSize: Int, _ synchronous: SQLiteOutbox.Synchronous
    ) throws(DatabaseError) -> SQLiteOutbox {
        let size = fileSize(path)
        let open = { () throws(DatabaseError) in
            try SQLiteOutbox(
                path, maxSize: maxSize, synchronous: synchronous, isInUse: isInUse, tell: tell)
        }
        let outbox: SQLiteOutbox
        do throws(DatabaseError) {
            // Each file says its own path in its errors; the other one is not to blame.
            if let damage, size != nil, damage.message.hasPrefix("\(path):") { throw damage }
            outbox = try twice(open)
        } catch {
            guard error.kind == .damaged else { throw error }
            try replace(path, reason: error.message)
            return try open()
        }
        if size == nil { tell(.made(path: path)) }
        if let size, size < smallestDatabase { tell(.wasEmpty(path: path)) }
        for stream in outbox.correctedStreams { tell(.corrected(path: path, stream: stream)) }
        return outbox
    }

    /// A read that failed once looks like damage, too; a queue is not given up for that. In use the
    /// operation that met the damage was the first read.
    private func twice(
        _ open: () throws(DatabaseError) -> SQLiteOutbox
    ) throws(DatabaseError) -> SQLiteOutbox {
        do throws(DatabaseError) { return try open() } catch {
            guard error.kind == .damaged, !isInUse else { throw error }
            return try open()
        }
    }

    /// The successor is made and has its ledger before the damaged file moves: nothing has happened
    /// if there is no room for it, and no crash can leave an outbox whose ledger begins at 0.
    private func replace(_ path: String, reason: String) throws(DatabaseError) {
        let salvaged = SalvagedCounters(path: path)
        let successor = DamagedFile.successor(of: path)
        let outbox = try SQLiteOutbox(successor, maxSize: 0)
        do throws(DatabaseError) {
            try (salvaged ?? SalvagedCounters(beginningAt: time)).write(to: outbox)
        } catch {
            outbox.close()
            throw error
        }
        outbox.close()
        guard fileSize("\(successor)-wal") == nil else {
            throw DatabaseError(.failed, "\(successor): its log could not be written back")
        }
        let kept = try DamagedFile.replace(path, at: time)
        tell(.setAside(path: kept, reason: reason, lost: salvaged?.lost))
    }

    /// Bytes; SQLite takes less for a database yet to be made.
    private let smallestDatabase = 512

    private func fileSize(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
