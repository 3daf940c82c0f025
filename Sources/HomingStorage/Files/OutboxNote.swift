public import HomingCore

/// Something that happened while the outbox was opened, for the journal.
public enum OutboxNote: Equatable, Sendable, CustomStringConvertible {
    /// There was no outbox; there is one now.
    case made(path: String)
    /// The file was there and had nothing in it, as a power cut on some file systems leaves it.
    case wasEmpty(path: String)
    /// The file was damaged: it is kept under another name, and a new one was made. `lost` rows
    /// were queued in it; `nil` if its book could not be read, so that all counters begin at 0.
    case setAside(path: String, reason: String, lost: Int?)
    /// The book of the stream did not agree with its rows and was corrected.
    case corrected(path: String, stream: Stream)
    /// A memory tier was found that is not in use any more; its rows are on the disk now.
    case emptiedMemoryTier(rows: Int)

    /// Whether somebody should know.
    public var isWarning: Bool {
        switch self {
        case .made, .emptiedMemoryTier: false
        case .wasEmpty, .setAside, .corrected: true
        }
    }

    /// A line for people.
    public var description: String {
        switch self {
        case .made(let path): "made a new outbox, \(path)"
        case .wasEmpty(let path): "\(path) was empty: made a new outbox, its counters begin at 0"
        case .setAside(let path, let reason, let lost?):
            "outbox damaged (\(reason)): kept as \(path), \(lost) queued rows lost with it"
        case .setAside(let path, let reason, nil):
            "outbox damaged (\(reason)): kept as \(path), its counters could not be read and begin "
                + "at 0"
        case .corrected(let path, let stream):
            "\(path): the counters of \(stream.name) did not agree with its rows and were corrected"
        case .emptiedMemoryTier(let rows):
            "took \(rows) rows over from the memory tier, which is not in use any more"
        }
    }
}
