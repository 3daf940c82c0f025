internal import Glibc
internal import HomingBase
internal import HomingSQLite

/// The outbox's files: where they are, and how they are opened and corrected.
public struct OutboxFile {
    /// Failure that a row survives once the row is accepted (`[outbox] durability`).
    public enum Durability: Sendable {
        /// A power cut.
        case powerLoss
        /// The death of the process; a power cut costs positions of the last seconds, and the status
        /// tells how many at most.
        case grouped
        /// The death of the process; a power cut costs the rows of the last minute.
        case crash
    }

    /// Holds `outbox.db` and, with `.grouped`, `outbox-log`; must be there.
    public var stateDirectory: String
    /// Holds `outbox-memory.db` with `.crash`, and `outbox-group` with `.grouped`; should be on a
    /// tmpfs that outlives the process. Must be there.
    public var runtimeDirectory: String
    /// `.crash` keeps new rows in the runtime directory.
    public var durability: Durability
    /// Bytes, logs included.
    public var maxSize: Int
    /// Names this start of the machine.
    var boot = OutboxFile.presentBoot

    /// Touches nothing yet.
    public init(
        stateDirectory: String, runtimeDirectory: String, durability: Durability, maxSize: Int
    ) {
        self.stateDirectory = stateDirectory
        self.runtimeDirectory = runtimeDirectory
        self.durability = durability
        self.maxSize = maxSize
    }

    private var diskPath: String { "\(stateDirectory)/outbox.db" }
    private var memoryPath: String { "\(runtimeDirectory)/outbox-memory.db" }
    private var groupPaths: GroupPaths {
        GroupPaths(journal: "\(runtimeDirectory)/outbox-group", log: "\(stateDirectory)/outbox-log")
    }

    /// Name of this start of the machine, from the kernel.
    private static let presentBoot: String = {
        let descriptor = Glibc.open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { Glibc.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = max(0, Glibc.read(descriptor, &bytes, bytes.count))
        return String(decoding: bytes.prefix(count).prefix { $0 > 0x20 }, as: UTF8.self)
    }()

    /// The memory tier holds a minute, not a week.
    private var memorySize: Int { min(4 << 20, maxSize / 4) }

    /// Opens the outbox, making files that are not there.
    ///
    /// A damaged file is set aside and replaced; its queued rows are counted as lost. Throws what
    /// cannot be corrected: `.newerSchema`, `.readOnly`, `.full`, `.failed`. A store opened before
    /// must be closed first.
    ///
    /// - Parameters:
    ///   - time: seconds since 1970, for the name of what is set aside
    ///   - damage: what a store opened from these files said when it threw `.damaged` later on;
    ///     the file it names is set aside unasked, as opening it may not meet the fault again
    ///   - given: the largest number of each stream that somebody may still hold; new rows have
    ///     larger ones
    ///   - isInUse: whether the loop waits: the files are not read as a whole
    ///   - tellJournalTrouble: told why positions cannot wait in memory; `nil` once they can
    ///   - tell: told of what is met, in the order in which it happens, and of each row that is
    ///     found damaged while the outbox is in use
    func open(
        at time: Seconds, after damage: DatabaseError? = nil, given: [Stream: Int64] = [:],
        isInUse: Bool = false, tellJournalTrouble: @escaping (DatabaseError?) -> Void = { _ in },
        tell: @escaping (OutboxNote) -> Void
    ) throws(DatabaseError) -> any PersistentOutbox {
        let opening = Opening(
            time: time, damage: damage, given: given, isInUse: isInUse, tell: tell)
        let hasMemoryTier = access(memoryPath, F_OK) == 0
        let diskSize = durability == .crash ? maxSize - memorySize : maxSize
        let disk = try opening.outbox(diskPath, maxSize: diskSize, synchronous: .full)
        if durability != .grouped, try isGroupLeft(disk) {
            let left = try LeftGroup(at: groupPaths, disk: disk, boot: boot, time: time)
            try left.takeOver(boot: nil)
            left.removeFiles()
        }
        if durability == .crash || hasMemoryTier {
            let memory = try opening.outbox(memoryPath, maxSize: memorySize, synchronous: .off)
            let spilling = try SpillingOutbox(disk: disk, memory: memory)
            if durability == .crash { return spilling }
            tell(.emptiedMemoryTier(rows: try empty(memory, into: spilling)))
        }
        return durability == .grouped ? try grouping(disk, at: time, tellJournalTrouble) : disk
    }

    private func grouping(
        _ disk: SQLiteOutbox, at time: Seconds, _ tellTrouble: @escaping (DatabaseError?) -> Void
    ) throws(DatabaseError) -> GroupingOutbox {
        try GroupingOutbox(
            disk: disk, at: groupPaths, boot: boot, time: time, tellTrouble: tellTrouble)
    }

    /// Whether a run with `.grouped` has left files, or has not ended cleanly.
    private func isGroupLeft(_ disk: SQLiteOutbox) throws(DatabaseError) -> Bool {
        for path in [groupPaths.journal, groupPaths.log] where access(path, F_OK) == 0 {
            return true
        }
        return try disk.meta.text(.openBoot) != nil
    }

    /// A run with another durability has left it: its rows go to the disk for good.
    private func empty(
        _ memory: SQLiteOutbox, into spilling: SpillingOutbox
    ) throws(DatabaseError) -> Int {
        var rows = 0
        for stream in Stream.allCases { rows += try memory.queued(stream) }
        try spilling.spillAll()
        memory.close()
        DamagedFile.delete(memoryPath)
        return rows
    }
}
