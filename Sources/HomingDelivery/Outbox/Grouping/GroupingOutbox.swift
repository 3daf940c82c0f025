internal import HomingBase
internal import HomingSQLite

/// An outbox that writes positions to the disk in groups (`durability = grouped`).
///
/// A position of a group has its number and lies in the journal, a file in memory; so a kill loses
/// nothing. The group goes to the disk in one transaction, with everything else that is written
/// there. Who appends decides when (`GroupPolicy`): this object knows only how many may wait.
///
/// **Numbers.** The disk knows how far numbers may have been given away. A commit that happens anyway
/// reserves them for the next group; what has none reserved goes to the disk by itself. So no number
/// is used twice, and after a power cut the disk knows how many positions may be missing.
///
/// **At the start** the journal shows what the last process had not committed. A row whose number
/// the disk has already is there: the process was killed between the commit and the clearing of the
/// journal. Where there is no journal of this queue, its numbers are counted as lost.
///
/// Sensors and events go to the disk at once.
final class GroupingOutbox {
    let disk: SQLiteOutbox
    /// Accepted and not on the disk, in order.
    private(set) var group: [OutboxEntry] = []
    /// The power cuts, as far as this queue had any.
    let powerCut: PowerCut?
    private let path: String
    private let boot: String
    private let tellTrouble: (DatabaseError?) -> Void
    /// `nil` while the file cannot be written.
    private var journal: GroupJournal?
    /// What the process before has left, while the disk has no room for it.
    private var pending: LeftGroup?
    /// Seconds since 1970 at which making the file was last tried.
    private var triedAt: Seconds
    /// The last number that the disk knows as given away.
    private var reserved: Int64
    /// Numbers that the next commit reserves: so many positions may come before the one after.
    private var block: Int64 = 0

    /// Seconds between two attempts to make the journal.
    private static let patience: Seconds = 60

    /// Takes over what a process before has left, and makes a new journal.
    ///
    /// - Parameters:
    ///   - path: of the journal
    ///   - boot: names this start of the machine
    ///   - time: seconds since 1970
    ///   - tellTrouble: told why the journal cannot be written; `nil` once that works again
    init(
        disk: SQLiteOutbox, journal path: String, boot: String, at time: Seconds,
        tellTrouble: @escaping (DatabaseError?) -> Void
    ) throws(DatabaseError) {
        (self.disk, self.path, self.boot, self.tellTrouble) = (disk, path, boot, tellTrouble)
        let left = try LeftGroup(journal: path, disk: disk, boot: boot, at: time)
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
        if pending == nil { makeJournal() }
    }

    private func makeJournal() {
        do throws(DatabaseError) {
            journal = try GroupJournal(path, databaseID: disk.databaseID, boot: boot)
            tellTrouble(nil)
        } catch {
            journal = nil
            tellTrouble(error)
        }
    }

    private var lastNumber: Int64 { disk.lastNumber(.location) }

    /// From now on so many positions may wait for a commit; with 0 each is committed by itself.
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

    /// Writes the group and a new row, in one transaction.
    func commit(adding row: OutboxEntry) throws(DatabaseError) {
        try write(group + [row], at: row.acceptedAt)
    }

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
        let isNews = max(wanted, last) != max(reserved, last)
        try disk.accept(rows) { () throws(DatabaseError) in
            try pending?.note(boot: boot)
            try work()
            if isNews { try disk.book.reserve(.location, through: wanted, at: time) }
        }
        reserved = wanted
        pending = nil
        group = []
        journal?.clear()
        if journal == nil, block > 0, abs(time - triedAt) >= Self.patience {
            triedAt = time
            makeJournal()
        }
    }

    /// Ends the group for good: the journal goes, and the disk knows of a clean end.
    func finish() throws(DatabaseError) {
        block = 0
        try write(group, at: group.last?.acceptedAt ?? 0) { () throws(DatabaseError) in
            try disk.meta.set(.openBoot, .null)
        }
        journal?.remove()
        journal = nil
    }
}
