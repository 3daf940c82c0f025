internal import HomingBase
internal import HomingSQLite

/// What the process before has left of its group, and what may be missing.
struct LeftGroup {
    private let disk: SQLiteOutbox
    /// Positions that are not on the disk.
    private let rows: [OutboxEntry]
    /// The number up to which all is counted as lost; 0 if nothing is.
    private let lostThrough: Int64
    /// The power cuts, with this one if it was one.
    let powerCut: PowerCut?
    private let isNewCut: Bool

    /// Looks at the journal and at what the disk knows.
    init(
        journal path: String, disk: SQLiteOutbox, boot: String, at time: Seconds
    ) throws(DatabaseError) {
        self.disk = disk
        let contents = GroupJournal.read(path)
        let last = try disk.book.lastNumber(.location) ?? 0
        let reserved = try disk.book.reservedNumber(.location)
        let isOwn = contents?.databaseID == disk.databaseID
        let entries = contents?.entries ?? []
        lostThrough = isOwn ? 0 : max(last, reserved)
        rows =
            isOwn
            ? entries.filter { $0.id.number > last }
            : Self.renumbered(entries, after: max(disk.lastNumber(.location), lostThrough))
        let lost = max(0, lostThrough - last)
        let openBoot = try disk.meta.text(.openBoot)
        isNewCut = openBoot.map { $0 != boot || lost > 0 } ?? false
        let known = try disk.meta.powerCut()
        powerCut =
            isNewCut
            ? PowerCut(
                count: (known?.count ?? 0) + 1,
                after: lost > 0 ? try disk.book.reservedAt(.location) : nil, noticed: time,
                lost: Int(lost))
            : known
        if !isOwn, let contents, !contents.isWhole || !entries.isEmpty {
            disk.tell(.foreignJournal(path: path, rows: entries.count))
        } else if let contents, !contents.isWhole {
            disk.tell(.cutJournal(path: path))
        }
        if isNewCut, let powerCut { disk.tell(.powerCut(powerCut, through: lostThrough)) }
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

    /// Brings the positions and the loss to the disk, and notes that the queue is in use. The journal
    /// stays as it is: a kill in between changes nothing.
    func takeOver(boot: String) throws(DatabaseError) {
        try disk.accept([]) { () throws(DatabaseError) in
            _ = try disk.book.loseNumbers(.location, through: lostThrough)
            if isNewCut, let powerCut { try disk.meta.set(powerCut) }
            try disk.meta.set(.openBoot, .text(boot))
        }
        disk.raiseLastNumber(.location, to: lostThrough)
        try disk.accept(rows) { () throws(DatabaseError) in
            try disk.book.reserve(.location, through: 0, at: 0)
        }
    }
}
