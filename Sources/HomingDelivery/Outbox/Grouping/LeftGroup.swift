internal import Glibc
internal import HomingBase
internal import HomingSQLite

/// The files of a group: the journal in the runtime folder, and the log on the disk.
struct GroupPaths {
    var journal: String
    var log: String
}

/// The group that the process before has left, and the numbers that may be missing.
struct LeftGroup {
    private let disk: SQLiteOutbox
    private let paths: GroupPaths
    /// Positions that are not in the tables.
    let rows: [OutboxEntry]
    /// Count of the reserved numbers that belong to no location, and the last such number.
    private let lost: Int64
    private let lostThrough: Int64
    /// The queue whose journal this is; `nil` for this queue's.
    private let foreignID: String?
    /// The power cuts, with this one if it was one.
    let powerCut: PowerCut?
    private let isNewCut: Bool

    /// Looks at the journal, at the log, and at what the tables know.
    ///
    /// - Parameter time: seconds since 1970.
    init(
        at paths: GroupPaths, disk: SQLiteOutbox, boot: String, time: Seconds
    ) throws(DatabaseError) {
        (self.disk, self.paths) = (disk, paths)
        let journal = try GroupJournal.read(paths.journal)
        let last = try disk.ledgers.lastNumber(.location) ?? 0
        let log = SavedGroup(
            try GroupLog.read(paths.log), of: disk.databaseID, after: last,
            former: try disk.meta.former())
        let reserved = try Self.reserved(log, disk, last: last)
        let isOwn = journal?.databaseID == disk.databaseID
        let isOfThisBoot = journal?.boot == GroupJournal.bootName(boot)
        let foreign = Self.foreign(journal, log, of: disk, isComplete: isOfThisBoot)
        let known = try disk.meta.text(.takenJournal)
        let isTaken = foreign != nil && foreign?.id == known
        foreignID = isTaken || foreign?.entries.isEmpty != false ? nil : foreign?.id
        let own = Self.merged(isOwn ? journal?.entries ?? [] : [], log.entries)
        // Of a journal that outlived the machine, the end may not have reached the disk.
        let isSure = isOwn && isOfThisBoot
        let kept = Self.uncommitted(own, after: last, through: reserved)
        let strange = isTaken ? [] : foreign?.entries ?? []
        let largest = strange.map(\.id.number).filter(LedgerTable.plausible.contains).max() ?? 0
        rows =
            kept
            + Self.renumbered(
                strange,
                after: max(disk.lastNumber(.location), reserved, kept.last?.id.number ?? 0, largest)
            )
        lost = isSure ? 0 : max(0, reserved - last - Int64(kept.count))
        lostThrough = isSure ? 0 : reserved
        let openBoot = try disk.meta.text(.openBoot)
        let machineStarted = openBoot.map { $0 != boot } ?? false
        isNewCut = openBoot != nil && (machineStarted || lost > 0)
        let former = try disk.meta.powerCut()
        let reservedAt = try disk.ledgers.reservedAt(.location)
        powerCut =
            isNewCut
            ? PowerCut(
                count: (former?.count ?? 0) + 1,
                after: lost > 0 ? log.time ?? reservedAt : nil, noticed: time, lost: Int(lost))
            : former
        reportFinding(of: journal, isOwn: isOwn, rows: strange.count, isTaken: isTaken)
        if isNewCut, let powerCut {
            disk.tell(
                .powerCut(powerCut, through: lostThrough, machineStarted: machineStarted))
        }
    }

    /// The last number that may have been given away: by the newest frame, or by the tables where no frame is
    /// newer. Of a log that cannot be read, nobody knows more than the tables hold back. No frame gives away more.
    private static func reserved(
        _ log: SavedGroup, _ disk: SQLiteOutbox, last: Int64
    ) throws(DatabaseError) -> Int64 {
        let byTables = try disk.ledgers.reservedNumber(.location)
        let held = try disk.meta.held()
        guard held > 0 else { return max(last, log.reserved ?? byTables) }
        let most = max(held, byTables)
        return max(last, log.isWhole ? min(log.reserved ?? byTables, most) : most)
    }

    /// The positions of another queue, whose place this queue has taken. Where a power cut took the journal or its
    /// end, the log has what was saved.
    ///
    /// - Parameter isComplete: whether the journal has all positions that the queue had not.
    private static func foreign(
        _ journal: GroupJournal.Contents?, _ log: SavedGroup, of disk: SQLiteOutbox,
        isComplete: Bool
    ) -> (id: String, entries: [OutboxEntry])? {
        let logged = log.foreign.map { (id: $0.name, entries: $0.entries) }
        guard let journal, journal.databaseID != disk.databaseID else { return logged }
        let isSame = logged?.id == GroupLog.name(of: journal.databaseID)
        if isComplete && isSame { return (journal.databaseID, journal.entries) }
        if journal.entries.isEmpty, let logged { return logged }
        return (journal.databaseID, merged(journal.entries, isSame ? logged?.entries ?? [] : []))
    }

    /// - Parameter rows: positions of another queue that were taken.
    private func reportFinding(
        of journal: GroupJournal.Contents?, isOwn: Bool, rows: Int, isTaken: Bool
    ) {
        let isWhole = journal?.isWhole ?? true
        if isOwn {
            if !isWhole { disk.tell(.cutJournal(path: paths.journal)) }
        } else if rows > 0 || !isWhole && !isTaken {
            let isLogged = rows > 0 && journal?.entries.isEmpty != false
            let path = isLogged ? paths.log : paths.journal
            disk.tell(.foreignJournal(path: path, rows: rows))
        }
    }

    /// Merges both in the order of their numbers, each number once.
    private static func merged(_ left: [OutboxEntry], _ right: [OutboxEntry]) -> [OutboxEntry] {
        guard !left.isEmpty, !right.isEmpty else { return left + right }
        let numbers = Set(left.map(\.id.number))
        return (left + right.filter { !numbers.contains($0.id.number) })
            .sorted { $0.id.number < $1.id.number }
    }

    /// The rows that the tables have not, in their order. A number that was never reserved is damage.
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

    /// Brings the positions and the loss to the tables, in one transaction. The files stay as they are.
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
        try disk.ledgers.lose(lost, of: .location, through: lostThrough)
        if isNewCut, let powerCut { try disk.meta.set(powerCut) }
        if let foreignID { try disk.meta.set(.takenJournal, .text(foreignID)) }
        try disk.meta.set(.openBoot, boot.map { .text($0) } ?? .null)
        // None of the numbers that were reserved is given any more.
        try disk.ledgers.reserve(.location, through: 0, at: 0)
        try disk.meta.set(.heldNumber, .null)
    }

    /// Removes the files of a queue that has no groups any more.
    func removeFiles() {
        unlink(paths.journal)
        GroupLog.remove(paths.log)
    }
}
