internal import HomingSQLite

/// An outbox for machines on SD cards (`durability = crash`): new rows live in a file in memory
/// (tmpfs), and only what could not be delivered for a while is written to the disk.
///
/// Both tiers are whole `SQLiteOutbox`es with ledgers that balance; the outbox's ledger is their sum.
/// Numbers come from one increasing sequence, and rows move to the disk from the front only, so in
/// every stream all rows on the disk are older than all in memory.
///
/// **A spill** moves the first rows of each stream, and all counters of rows that have their fate,
/// from memory to disk, though no transaction can span the two files:
/// 1. The disk, in one transaction, takes the rows and adds the counters. With them it notes the
///    memory tier's id, the number of the spill, and what it brought (`Spill`).
/// 2. The memory tier, in one transaction, deletes those rows, takes the counters off its ledgers and
///    completes the number.
///
/// Killed before 1 has committed, nothing has happened. Killed between 1 and 2, the disk's note
/// names the spill the memory tier still thinks is next: 2 is done then, before anything else
/// (`finishSpill`). The memory tier cannot have changed in between, as every operation begins with
/// that check. Killed after 2, the number is completed and the note means nothing.
///
/// **A spill that fails** at 1 has two ends. A disk that could not sync has the whole transaction in
/// its log. The next process that opens the file sees the transaction, unless another transaction
/// was written over it. So the memory tier gives the number up before it does anything else, and
/// goes on. A note that comes up with a number given up is a ghost: the disk gives back what it took.
///
/// The tier's id keeps a fresh tier, whose spills are numbered from 0 again, from being taken for
/// one that a power cut has wiped. After a power cut the disk alone is the truth; the new memory
/// tier goes on above the largest number the disk has ever seen.
///
/// A sensor's newer state supersedes the one on the disk in a transaction of its own, after it was
/// accepted in memory: killed in between, both are queued, and the older is sent first.
final class SpillingOutbox {
    let disk: SQLiteOutbox
    let memory: SQLiteOutbox
    #if HOMING_FAILPOINTS
        private var afterDiskHasTaken: () throws(DatabaseError) -> Void = {
            () throws(DatabaseError) in
        }
    #endif
    /// Whether the disk may have taken what the memory tier still holds.
    private var isSpillInDoubt = true

    /// Number of rows of a stream that move in one transaction.
    private static let batch = 256

    /// Joins the two, and finishes what a crash may have left between them.
    init(disk: SQLiteOutbox, memory: SQLiteOutbox) throws(DatabaseError) {
        self.disk = disk
        self.memory = memory
        try finishSpill()
        for stream in Stream.allCases {
            memory.raiseLastNumber(stream, to: disk.lastNumber(stream))
        }
    }

    /// Brings the two files to one mind about a spill that was cut short or failed.
    func finishSpill() throws(DatabaseError) {
        guard isSpillInDoubt else { return }
        let (completed, next) = try memory.spillNumbers()
        let taken = try disk.takenSpill(of: memory.databaseID)
        if let taken, taken.number == next {
            try memory.release(taken)
        } else {
            if let taken, taken.number > completed, taken.number < next {
                try disk.giveBack(taken)
            }
            try memory.abandonSpill()
        }
        isSpillInDoubt = false
    }

    /// Moves the rows up to `cut` in batches; with `wholeLedger` the counters too if there is no row.
    func spill(upTo cut: SpillCut, wholeLedger: Bool = false) throws(DatabaseError) {
        try finishSpill()
        var isLedgerDue = wholeLedger
        while true {
            let rows = try nextBatch(upTo: cut)
            guard isLedgerDue || !rows.isEmpty else { return }
            let spill = try memory.nextSpill(of: rows)
            isSpillInDoubt = true
            try disk.takeOverRows(rows, as: spill, from: memory)
            #if HOMING_FAILPOINTS
                try afterDiskHasTaken()
            #endif
            try memory.release(spill)
            isSpillInDoubt = false
            isLedgerDue = false
        }
    }

    #if HOMING_FAILPOINTS
        /// Calls this between two commits, once the disk has taken a spill; what it throws stops the
        /// spill there, as a power cut does. Not in what is shipped.
        func interruptSpills(_ interrupt: @escaping () throws(DatabaseError) -> Void) {
            afterDiskHasTaken = interrupt
        }
    #endif

    private func nextBatch(upTo cut: SpillCut) throws(DatabaseError) -> [OutboxEntry] {
        var rows: [OutboxEntry] = []
        for stream in Stream.allCases {
            let (entries, damaged) = try memory.readRows(
                stream, after: 0, through: cut[stream] ?? 0, limit: SpillingOutbox.batch)
            // Before the spill is drawn up: what is below its last row has been taken.
            if !damaged.isEmpty { try memory.giveUp(damaged) }
            rows += entries
        }
        return rows
    }
}
