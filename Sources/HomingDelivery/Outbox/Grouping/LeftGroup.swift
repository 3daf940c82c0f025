internal import Glibc
internal import HomingBase
internal import HomingSQLite

/// What the process before has left of its group, and what may be missing.
struct LeftGroup {
    private let disk: SQLiteOutbox
    private let path: String
    /// Positions that are not on the disk.
    let rows: [OutboxEntry]
    /// How many reserved numbers belong to no position, and the last of them.
    private let lost: Int64
    private let lostThrough: Int64
    /// The queue whose journal this is; `nil` for this queue's.
    private let foreignID: String?
    /// The power cuts, with this one if it was one.
    let powerCut: PowerCut?
    private let isNewCut: Bool

    /// Looks at the journal and at what the disk knows.
    init(
        journal path: String, disk: SQLiteOutbox, boot: String, at time: Seconds
    ) throws(DatabaseError) {
        (self.disk, self.path) = (disk, path)
        let contents = try GroupJournal.read(path)
        let last = try disk.book.lastNumber(.location) ?? 0
        let reserved = max(last, try disk.book.reservedNumber(.location))
        let isOwn = contents?.databaseID == disk.databaseID
        let foreign = isOwn ? nil : contents?.databaseID
        let known = try disk.meta.text(.takenJournal)
        let isTaken = foreign != nil && foreign == known
        let entries = isTaken ? [] : contents?.entries ?? []
        foreignID = entries.isEmpty ? nil : foreign
        rows =
            isOwn
            ? Self.uncommitted(entries, after: last, through: reserved)
            : Self.renumbered(
                entries,
                after: max(
                    disk.lastNumber(.location), reserved,
                    entries.map(\.id.number).filter(LedgerTable.plausible.contains).max() ?? 0))
        // Of a journal that outlived the machine, the end may not have reached the disk.
        let isSure = isOwn && contents?.boot == GroupJournal.bootName(boot)
        let kept = isOwn ? rows.last?.id.number ?? last : last
        lost = isSure ? 0 : reserved - kept
        lostThrough = isSure ? 0 : reserved
        let openBoot = try disk.meta.text(.openBoot)
        let machineStarted = openBoot.map { $0 != boot } ?? false
        isNewCut = openBoot != nil && (machineStarted || lost > 0)
        let former = try disk.meta.powerCut()
        powerCut =
            isNewCut
            ? PowerCut(
                count: (former?.count ?? 0) + 1,
                after: lost > 0 ? try disk.book.reservedAt(.location) : nil, noticed: time,
                lost: Int(lost))
            : former
        if let contents { tell(of: contents, isOwn: isOwn, count: entries.count, isTaken: isTaken) }
        if isNewCut, let powerCut {
            disk.tell(
                .powerCut(powerCut, through: lostThrough, machineStarted: machineStarted))
        }
    }

    private func tell(of contents: GroupJournal.Contents, isOwn: Bool, count: Int, isTaken: Bool) {
        if isOwn {
            if !contents.isWhole { disk.tell(.cutJournal(path: path)) }
        } else if count > 0 || !contents.isWhole && !isTaken {
            disk.tell(.foreignJournal(path: path, rows: count))
        }
    }

    /// The rows that the disk has not, in their order. A number that was never reserved is damage.
    private static func uncommitted(
        _ entries: [OutboxEntry], after last: Int64, through reserved: Int64
    ) -> [OutboxEntry] {
        var next = last + 1
        return entries.filter { entry in
            guard next <= reserved, next...reserved ~= entry.id.number else { return false }
            next = entry.id.number + 1
            return true
        }
    }

    /// The queue on the disk has taken the place of the one that these positions belong to: they get
    /// numbers that nobody holds.
    private static func renumbered(_ entries: [OutboxEntry], after last: Int64) -> [OutboxEntry] {
        entries.enumerated().map { index, entry in
            OutboxEntry(
                id: EntryID(.location, last + 1 + Int64(index)), message: entry.message,
                acceptedAt: entry.acceptedAt, expiresAt: entry.expiresAt)
        }
    }

    /// Brings the positions and the loss to the disk, in one transaction. The journal stays as it is.
    ///
    /// - Parameter boot: in which the queue is in use from now on; `nil` where there are no groups.
    func takeOver(boot: String?) throws(DatabaseError) {
        holdNumbers()
        try disk.accept(rows) { () throws(DatabaseError) in
            try note(boot: boot)
        }
    }

    /// Keeps the numbers that were given away from being given again.
    private func holdNumbers() {
        disk.raiseLastNumber(.location, to: max(lostThrough, rows.last?.id.number ?? 0))
    }

    /// Notes what became of the group before; inside a transaction.
    func note(boot: String?) throws(DatabaseError) {
        try disk.book.lose(lost, of: .location, through: lostThrough)
        if isNewCut, let powerCut { try disk.meta.set(powerCut) }
        if let foreignID { try disk.meta.set(.takenJournal, .text(foreignID)) }
        try disk.meta.set(.openBoot, boot.map { .text($0) } ?? .null)
        // None of the numbers that were reserved is given any more.
        try disk.book.reserve(.location, through: 0, at: 0)
    }

    /// Removes the journal of a queue that has no groups any more.
    func removeJournal() { unlink(path) }
}
