internal import Glibc
internal import HomingBase
internal import HomingSQLite

/// An outbox that writes positions to the disk in groups (`durability = grouped`).
///
/// A position of a group has its number and lies in the journal, a file in memory; so a kill loses
/// nothing. `save` brings the positions to the log, a file on the disk; so no power cut takes them
/// any more. The group goes to the queue's tables in one transaction, with everything else that is
/// written there; a receipt that came first only counts the positions. Who appends decides when
/// (`GroupPolicy`): this object knows only how many may wait.
///
/// **Numbers.** The disk knows how far numbers may have been given away. A commit that happens anyway
/// and each frame of the log reserve them for what comes next; what has none reserved goes to the
/// tables by itself. So no number is used twice, and after a power cut the disk knows how many
/// positions may be missing.
///
/// **At the start** the journal and the log show what the last process had not committed. A row
/// whose number the tables have already is there: the process was killed between the commit and the
/// clearing. What was reserved and is in none of them is counted as lost.
///
/// Sensors and events go to the disk at once.
final class GroupingOutbox {
    let disk: SQLiteOutbox
    /// Accepted and not in the tables, in order.
    private(set) var group: [OutboxEntry] = []
    /// The power cuts, as far as this queue had any.
    let powerCut: PowerCut?
    private let paths: GroupPaths
    private let boot: String
    private let tellTrouble: (DatabaseError?) -> Void
    /// `nil` while the file cannot be written.
    private var journal: GroupJournal?
    /// `nil` while the file cannot be written: then each group goes to the tables.
    private var log: GroupLog?
    /// Positions of the group that are in the log: so many, from the first on.
    private var saved = 0
    /// Group that the process before has left, while the disk has no room for the group.
    private var pending: LeftGroup?
    /// Seconds since 1970 at which making the file was last tried.
    private var triedAt: Seconds
    /// The last number that the disk knows as given away.
    private var reserved: Int64
    /// The last number that the tables reserved, and the last that the log may give away.
    private var tables: (reserved: Int64, held: Int64)
    /// Whether a commit failed that may be on the disk: until another succeeds, nobody knows what the tables have.
    private var isUncertain = false
    /// Numbers that the next commit or frame reserves: so many positions may come before the one after.
    private var block: Int64 = 0

    /// Seconds between two attempts to make the journal and the log.
    private static let patience: Seconds = 60
    /// Positions that the log and the memory may hold. A receipt is asked for long before.
    private static let largestGroup = 512
    /// Numbers beyond the reserved numbers that are never given again if the log cannot be read.
    private static let mostHeld: Int64 = 2048

    /// Takes over what a process before has left, and makes a new journal.
    ///
    /// - Parameters:
    ///   - paths: of the journal and of the log
    ///   - boot: names this start of the machine
    ///   - time: seconds since 1970
    ///   - tellTrouble: told why the journal cannot be written; `nil` once that works again
    init(
        disk: SQLiteOutbox, at paths: GroupPaths, boot: String, time: Seconds,
        tellTrouble: @escaping (DatabaseError?) -> Void
    ) throws(DatabaseError) {
        (self.disk, self.paths, self.boot, self.tellTrouble) = (disk, paths, boot, tellTrouble)
        let left = try LeftGroup(at: paths, disk: disk, boot: boot, time: time)
        powerCut = left.powerCut
        triedAt = time
        do throws(DatabaseError) {
            try left.takeOver(boot: boot)
        } catch {
            // A full disk takes them with the next row, for which others make room.
            guard error.kind == .full else { throw error }
            (pending, group) = (left, left.rows)
        }
        reserved = disk.lastNumber(.location)
        tables = (reserved, 0)
        if pending == nil { makeFiles() }
    }

    private func makeFiles() {
        // Without the log, groups go to the tables: that costs the disk more, and loses nothing.
        log = log ?? (try? GroupLog(paths.log, databaseID: disk.databaseID))
        guard journal == nil else { return }
        do throws(DatabaseError) {
            journal = try GroupJournal(paths.journal, databaseID: disk.databaseID, boot: boot)
            tellTrouble(nil)
        } catch {
            tellTrouble(error)
        }
    }

    private var lastNumber: Int64 { disk.lastNumber(.location) }

    /// Sets how many positions may wait for a write from now on; with 0 each is committed by
    /// itself.
    func reserve(_ count: Int) { block = Int64(count) }

    /// Keeps a position in the journal; `false` if it belongs on the disk.
    func keep(_ entry: OutboxEntry) -> Bool {
        guard entry.id.number <= reserved, block > 0, let journal else { return false }
        do throws(DatabaseError) {
            try journal.append(entry)
        } catch {
            self.journal = nil
            triedAt = entry.acceptedAt
            tellTrouble(error)
            return false
        }
        group.append(entry)
        disk.raiseLastNumber(.location, to: entry.id.number)
        return true
    }

    /// Brings the positions of the group to the disk: no power cut takes them any more.
    ///
    /// - Parameter time: seconds since 1970.
    func save(at time: Seconds) throws(DatabaseError) {
        guard group.count > saved, let log, group.count < Self.largestGroup, !isUncertain else {
            return try commit()
        }
        let most = journal == nil ? 0 : block
        let frame = GroupLog.Frame(
            reserved: max(lastNumber, min(lastNumber + most, tables.held)), time: time,
            rows: Array(unsaved))
        guard tables.held >= frame.reserved else { return try commit() }
        var fits = false
        do throws(DatabaseError) { fits = try log.append(frame) } catch {
            // Its frames count until the tables have the group, and perhaps this frame does.
            reserved = min(reserved, frame.reserved)
            self.log = nil
            triedAt = time
        }
        guard fits else { return try commit() }
        saved = group.count
        reserved = frame.reserved
    }

    /// Writes the group and a new row, in one transaction.
    func commit(adding row: OutboxEntry) throws(DatabaseError) {
        try write(group + [row], at: row.acceptedAt)
    }

    /// The positions of the group that a power cut would take.
    var unsaved: ArraySlice<OutboxEntry> { group[saved...] }

    /// Whether there is something to write: positions, or that numbers are reserved for nothing.
    var isCommitDue: Bool { !group.isEmpty || block == 0 && reserved > lastNumber }

    /// Writes these rows of the group, counts the others, and does what else belongs to that.
    func write(
        _ rows: [OutboxEntry], at time: Seconds,
        and work: () throws(DatabaseError) -> Void = { () throws(DatabaseError) in }
    ) throws(DatabaseError) {
        let last = max(lastNumber, rows.last { $0.id.stream == .location }?.id.number ?? 0)
        let wanted = last + (journal == nil ? 0 : block)
        // What the disk knows means nothing once a row has a larger number.
        let isNews = max(wanted, last) != max(tables.reserved, last)
        let hold = heldNumber(after: last)
        do throws(DatabaseError) {
            try acceptRows(
                rows, last: last, wanted: wanted, hold: hold, isNews: isNews, at: time, work)
        } catch {
            // The commit may be on the disk: numbers that were reserved before may not be reserved any more.
            if error.kind != .full {
                reserved = min(reserved, lastNumber)
                isUncertain = true
            }
            throw error
        }
        isUncertain = false
        reserved = wanted
        tables = (wanted, hold)
        pending = nil
        (group, saved) = ([], 0)
        journal?.clear()
        log?.clear()
        if journal == nil || log == nil, block > 0, abs(time - triedAt) >= Self.patience {
            triedAt = time
            makeFiles()
        }
    }

    private func acceptRows(
        _ rows: [OutboxEntry], last: Int64, wanted: Int64, hold: Int64, isNews: Bool,
        at time: Seconds, _ work: () throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        try disk.accept(rows) { () throws(DatabaseError) in
            try pending?.note(boot: boot)
            try work()
            if isNews { try disk.ledgers.reserve(.location, through: wanted, at: time) }
            if hold != tables.held {
                try disk.meta.set(.heldNumber, hold == 0 ? .null : .integer(hold))
            }
        }
    }

    /// The last number that the log may give away. It moves in large steps: the tables write it with a page of
    /// its own. 0 where the log is not in use.
    private func heldNumber(after last: Int64) -> Int64 {
        if log == nil || block == 0 { return 0 }
        return tables.held - last >= Self.mostHeld / 2 ? tables.held : last + Self.mostHeld
    }

    /// Ends the group for good: the journal goes, and the disk knows of a clean end.
    func finish() throws(DatabaseError) {
        block = 0
        try write(group, at: group.last?.acceptedAt ?? 0) { () throws(DatabaseError) in
            try disk.meta.set(.openBoot, .null)
        }
        journal?.remove()
        journal = nil
        // A log that broke still has its frames.
        if let log { log.wipe() } else { GroupLog.remove(paths.log) }
        log = nil
    }
}
