public import HomingSQLite

/// Event that the queue tells its owner of.
public enum OutboxEvent: Sendable {
    /// Something happened to the files, or a row was given up as damaged.
    case note(OutboxNote)
    /// Error of what does not work; `nil` once everything that failed has worked again.
    case trouble(DatabaseError?)
    /// Reason why locations cannot wait in memory (`durability = grouped`); `nil` once they can.
    case journalTrouble(DatabaseError?)
}

/// Something that happened to the outbox's files, for the journal.
public enum OutboxNote: Equatable, Sendable, CustomStringConvertible {
    /// Creation of a queue where there was no queue.
    case made(path: String)
    /// The file was there and had nothing in it, as a power cut on some file systems leaves it.
    case wasEmpty(path: String)
    /// The file was damaged: it is kept under another name, and a new one was made. `lost` rows
    /// were queued in it; `nil` if its ledger could not be read, so that all counters begin at 0.
    case setAside(path: String, reason: String, lost: Int?)
    /// Damage was met in use, and not found again when the files were opened again.
    case reopened(reason: String)
    /// The ledger of the stream did not agree with its rows and was corrected.
    case corrected(path: String, stream: Stream)
    /// A row could not be read: it was given up, and counted as lost.
    case lostRow(path: String, id: EntryID)
    /// A memory tier was found that is not in use any more; its rows are on the disk now.
    case emptiedMemoryTier(rows: Int)
    /// The power was cut since the queue was last in use, or, without a start of the machine since,
    /// the journal was removed. Rows that are gone have numbers up to `through`, and all that are
    /// here came before them.
    case powerCut(PowerCut, through: Int64, machineStarted: Bool)
    /// The journal or the log of a group belongs to another queue, or the journal is damaged.
    /// Its positions were taken.
    case foreignJournal(path: String, rows: Int)
    /// The journal of a group ends in something that is no position.
    case cutJournal(path: String)

    /// Whether somebody should know.
    public var isWarning: Bool {
        switch self {
        case .made, .emptiedMemoryTier, .cutJournal: false
        case .powerCut(let cut, _, _): cut.lost > 0
        case .wasEmpty, .setAside, .reopened, .corrected, .lostRow, .foreignJournal: true
        }
    }

    /// Whether another file has taken the place of a damaged one.
    public var isReplacement: Bool {
        if case .setAside = self { true } else { false }
    }

    /// A line for people.
    public var description: String {
        switch self {
        case .made(let path): "created the queue \(path)"
        case .wasEmpty(let path): "\(path) was empty: created a new queue, its counters begin at 0"
        case .setAside(let path, let reason, let lost?):
            "the queue was damaged (\(reason)): kept as \(path), \(lost) queued rows lost"
        case .setAside(let path, let reason, nil):
            "the queue was damaged (\(reason)): kept as \(path), its counters cannot be read and begin "
                + "at 0"
        case .reopened(let reason):
            "the queue seemed damaged (\(reason)); opened again; the next start reads the whole file"
        case .corrected(let path, let stream):
            "\(path): corrected the counters of \(stream.name), which did not match the rows"
        case .lostRow(let path, let id):
            "\(path): row \(id.number) of \(id.stream.name) was damaged and is lost"
        case .emptiedMemoryTier(let rows):
            "took \(rows) rows over from the memory tier, which is not in use any more"
        case .powerCut(let cut, _, true):
            "the power was cut: "
                + (cut.lost > 0 ? "at most \(cut.lost) locations are lost" : "no location is lost")
        case .powerCut(let cut, _, false):
            "the runtime folder was emptied: at most \(cut.lost) locations are lost"
        case .foreignJournal(let path, let rows):
            "\(path) does not belong to this queue: took \(rows) locations from there"
        case .cutJournal(let path):
            "\(path) ends in the middle of a location, which was never accepted"
        }
    }
}
