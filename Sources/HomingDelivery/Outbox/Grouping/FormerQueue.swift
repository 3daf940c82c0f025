internal import HomingSQLite

/// A damaged queue, as the queue in its place knows it.
struct FormerQueue {
    let databaseID: String
    /// The last number that its tables held, or had counted.
    let lastNumber: Int64

    func note(in meta: MetaTable) throws(DatabaseError) {
        try meta.set(.formerID, .text(databaseID))
        try meta.set(.formerNumber, .integer(lastNumber))
    }
}

extension MetaTable {
    /// The damaged queue in whose place this one came; `nil` where there was no such queue.
    func former() throws(DatabaseError) -> FormerQueue? {
        guard let databaseID = try text(.formerID), let lastNumber = try integer(.formerNumber)
        else { return nil }
        return FormerQueue(databaseID: databaseID, lastNumber: lastNumber)
    }

    /// The last number that the log of groups may give away; 0 without a log.
    func held() throws(DatabaseError) -> Int64 {
        let number = try integer(.heldNumber) ?? 0
        return LedgerTable.plausible.contains(number) ? number : 0
    }
}
