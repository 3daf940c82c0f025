public import HomingBase
public import HomingSQLite

/// The outbox as a home holds it, from start to stop: it corrects its own files, and reports what it
/// meets.
///
/// When an operation finds damage, the files are opened again, and the operation is done again. The
/// fault may have been in memory, or in one read; if the file is found damaged then, it is replaced
/// (`OutboxFile`). If it opens and still shows the fault, it is replaced nevertheless. The file is
/// not read as a whole: the loop would wait, and other homes with it. Nothing that
/// was read before means another row afterwards: new rows have larger numbers than any that were
/// given away, so settling a row that was lost with its database changes nothing.
///
/// Other failures have the files opened again once a minute, as a disk that went away and came back
/// cannot be reached by the old descriptors. While the files cannot be opened at all, every
/// operation throws the reason, and one a minute tries again.
///
/// Not `Sendable`: it belongs to the loop.
public final class HealingOutbox {
    /// An operation with failures of its own: that a row can be read does not tell that one can be
    /// written, and what costs little may work on a disk too full for the rest.
    enum Use {
        case append, read, settle, moveToHistory, supersede, expire, spill, commit
    }

    /// Seconds between attempts to open the files again, where that is no answer to damage.
    static let patience: Seconds = 60

    private let report: (OutboxEvent) -> Void
    private let file: OutboxFile
    private let clock: () -> Moment
    private var state = State.closed
    /// Uptime at which opening the files was last tried.
    private var openedAt: Seconds = 0
    private var failing: Set<Use> = []
    /// The largest numbers that were given away.
    private var given: [Stream: Int64] = [:]
    /// Notes to report once the files are open, or known not to open; `nil` otherwise.
    private var unreportedNotes: [OutboxNote]?
    private var lastID = ""
    /// Positions that may wait for a commit, in every store that is opened.
    private var reserved = 0

    private enum State {
        case open(any PersistentOutbox)
        case unusable(DatabaseError)
        case closed
    }

    /// Opens the files, making those that are not there; the folders must be there.
    ///
    /// Throws what keeps them from being opened: `.newerSchema`, `.readOnly`, `.full`, `.failed`.
    ///
    /// - Parameter clock: gives the time, now
    public init(
        _ file: OutboxFile, clock: @escaping () -> Moment,
        report: @escaping (OutboxEvent) -> Void
    ) throws(DatabaseError) {
        (self.file, self.clock, self.report) = (file, clock, report)
        _ = try reopen()
    }

    /// The id of the file on disk; another one after the outbox was replaced.
    public var databaseID: String {
        if case .open(let store) = state { lastID = store.databaseID }
        return lastID
    }

    public var powerCut: PowerCut? {
        if case .open(let store) = state { store.powerCut } else { nil }
    }

    public func reserve(_ count: Int) {
        reserved = count
        if case .open(let store) = state { store.reserve(count) }
    }

    /// Checkpoints and lets the files go. Every later call throws `.failed`.
    public func close() {
        if case .open(let store) = state { store.close() }
        state = .closed
    }

    /// Numbers that are out in the world.
    func noteGiven(_ ids: [EntryID]) {
        for id in ids { given[id.stream] = max(given[id.stream] ?? 0, id.number) }
    }

    /// Does it, corrects what must be corrected for it, and keeps account of what fails.
    func useOutbox<Result>(
        _ use: Use, _ body: (any PersistentOutbox) throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> Result {
        let result: Result
        do throws(DatabaseError) {
            result = try heal(body)
        } catch {
            failing.insert(use)
            report(.trouble(error))
            throw error
        }
        if failing.remove(use) != nil, failing.isEmpty { report(.trouble(nil)) }
        return result
    }

    private func heal<Result>(
        _ body: (any PersistentOutbox) throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> Result {
        var store = try usable()
        var damages = 0
        while true {
            do throws(DatabaseError) { return try body(store) } catch {
                if error.kind == .damaged { damages += 1 }
                store = try remedy(error, damages: damages)
            }
        }
    }

    /// Opens the files again where that may help; throws the error where not.
    private func remedy(
        _ error: DatabaseError, damages: Int
    ) throws(DatabaseError) -> any PersistentOutbox {
        switch error.kind {
        case .damaged where damages <= 2:
            return try reopen(after: error, isStubborn: damages == 2)
        case .damaged:
            // Not even a new file can be read: no third one this minute.
            close()
            state = .unusable(error)
            throw error
        case .failed where isPatienceOver: return try reopen()
        case .failed, .full, .readOnly, .newerSchema: throw error
        }
    }

    private var isPatienceOver: Bool { clock().uptime >= openedAt + Self.patience }

    private func usable() throws(DatabaseError) -> any PersistentOutbox {
        switch state {
        case .open(let store): return store
        case .closed: throw DatabaseError(.failed, "\(file.stateDirectory): the queue is closed")
        case .unusable(let error):
            guard isPatienceOver else { throw error }
            return try reopen()
        }
    }

    /// - Parameters:
    ///   - damage: why the files are opened again
    ///   - isStubborn: whether that has not helped
    private func reopen(
        after damage: DatabaseError? = nil, isStubborn: Bool = false
    ) throws(DatabaseError) -> any PersistentOutbox {
        if case .open(let store) = state { store.close() }
        let now = clock()
        openedAt = now.uptime
        unreportedNotes = []
        defer { reportHeldNotes(damage) }
        do throws(DatabaseError) {
            let store = try file.open(
                at: now.unixTime, after: isStubborn ? damage : nil, given: given,
                isInUse: damage != nil,
                tellJournalTrouble: { [weak self] in self?.report(.journalTrouble($0)) },
                tell: { [weak self] in self?.hear($0) })
            store.reserve(reserved)
            state = .open(store)
            return store
        } catch {
            state = .unusable(error)
            throw error
        }
    }

    private func hear(_ note: OutboxNote) {
        if unreportedNotes == nil { report(.note(note)) } else { unreportedNotes?.append(note) }
    }

    private func reportHeldNotes(_ damage: DatabaseError?) {
        var notes = unreportedNotes ?? []
        unreportedNotes = nil
        if let damage, case .open = state, !notes.contains(where: \.isReplacement) {
            notes.append(.reopened(reason: damage.message))
        }
        for note in notes { report(.note(note)) }
    }
}
