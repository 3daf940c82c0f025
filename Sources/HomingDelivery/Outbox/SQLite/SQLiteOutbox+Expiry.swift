internal import HomingBase
internal import HomingSQLite

/// Before which times no row of a stream can expire. It spares a walk through the table at every
/// tick, and the table an index, which a damaged row would be at odds with.
struct Due {
    /// No row expires by itself before this.
    var expiresAt: Seconds
    /// No row was accepted before this.
    var acceptedAt: Seconds

    mutating func include(_ entry: OutboxEntry) {
        expiresAt = min(expiresAt, entry.expiresAt ?? .infinity)
        acceptedAt = min(acceptedAt, entry.acceptedAt)
    }
}

extension SQLiteOutbox {
    func expire(at time: Seconds, acceptedBefore cutoff: Seconds?) throws(DatabaseError) {
        let cutoff = cutoff ?? -.infinity
        for stream in Stream.allCases {
            if let due = due[stream], due.expiresAt >= time, due.acceptedAt >= cutoff { continue }
            due[stream] = try database.transaction { () throws(DatabaseError) in
                let expired = try database.run(
                    "DELETE FROM \(stream.table) WHERE expires_at < ?1 OR accepted_at < ?2",
                    .real(time), .real(cutoff))
                try book.settle(expired, of: stream, as: .expired)
                return try earliest(stream)
            }
        }
    }

    private func earliest(_ stream: Stream) throws(DatabaseError) -> Due? {
        let sql = "SELECT min(expires_at), min(accepted_at) FROM \(stream.table)"
        return try database.first(sql) {
            Due(expiresAt: $0.real(0) ?? .infinity, acceptedAt: $0.real(1) ?? .infinity)
        }
    }
}
