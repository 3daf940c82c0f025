internal import HomingBase
internal import HomingSQLite

extension SQLiteOutbox {
    func expire(at time: Seconds, acceptedBefore cutoff: Seconds?) throws(DatabaseError) {
        let cutoff = cutoff ?? -.infinity
        for stream in Stream.allCases {
            guard expiry.mayHaveExpired(stream, at: time, acceptedBefore: cutoff) else { continue }
            let times = try database.transaction { () throws(DatabaseError) in
                let expired = try database.run(
                    "DELETE FROM \(stream.table) WHERE expires_at < ?1 OR accepted_at < ?2",
                    .real(time), .real(cutoff))
                try ledgers.settle(expired, of: stream, as: .expired)
                return try earliest(stream)
            }
            expiry.note(times, of: stream)
        }
    }

    private func earliest(_ stream: Stream) throws(DatabaseError) -> ExpiryTimes.Earliest? {
        let sql = "SELECT min(expires_at), min(accepted_at) FROM \(stream.table)"
        return try database.first(sql) {
            ExpiryTimes.Earliest(
                expiresAt: $0.real(0) ?? .infinity, acceptedAt: $0.real(1) ?? .infinity)
        }
    }
}

/// Times at which the next row of each stream can expire. The times spare a walk through the table
/// at every tick. They also spare the table an index, which a damaged row would be at odds with.
final class ExpiryTimes {
    /// Before these times no row of a stream can expire.
    struct Earliest {
        /// Time before which no row expires by itself.
        var expiresAt: Seconds
        /// Time before which no row was accepted.
        var acceptedAt: Seconds
    }

    /// Absent while unknown.
    private var earliest: [Stream: Earliest] = [:]

    /// Whether a row of the stream may have expired.
    func mayHaveExpired(
        _ stream: Stream, at time: Seconds, acceptedBefore cutoff: Seconds
    ) -> Bool {
        guard let earliest = earliest[stream] else { return true }
        return earliest.expiresAt < time || earliest.acceptedAt < cutoff
    }

    /// Notes the times that the table of the stream tells; `nil` if the table does not tell them.
    func note(_ times: Earliest?, of stream: Stream) { earliest[stream] = times }

    /// A row is added.
    func include(_ entry: OutboxEntry) {
        guard var times = earliest[entry.id.stream] else { return }
        times.expiresAt = min(times.expiresAt, entry.expiresAt ?? .infinity)
        times.acceptedAt = min(times.acceptedAt, entry.acceptedAt)
        earliest[entry.id.stream] = times
    }
}
