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
                try book.settle(expired, of: stream, as: .expired)
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
