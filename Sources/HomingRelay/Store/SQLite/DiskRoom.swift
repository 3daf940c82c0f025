internal import HomingRuntime

/// The room on the disk of the mailboxes. A part of it is never used for what is stored.
///
/// In WAL mode, deleting needs room first. The log grows, and begins again only when its pages are in the
/// file, and the file grows for them. On a disk full of deposits nothing could be deleted.
struct DiskRoom {
    /// The space on the file system of a folder, in bytes; `nil` if unknown.
    typealias Space = (_ folder: String) -> (total: Int, available: Int)?

    /// Pages of the log after which it is copied into the file: few on a small disk.
    let logPages: Int
    /// Bytes of the log.
    private let log: Int
    private let folder: String
    private let space: Space
    /// Bytes that are left on the disk, without those of this transaction.
    private var rest = Int.max

    /// The part of the disk that the log may take.
    private static let share = 16

    /// - Parameter path: of the file with the mailboxes.
    init(beside path: String, space: @escaping Space = DiskRoom.space(of:)) {
        folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        self.space = space
        let total = space(folder)?.total ?? .max
        logPages = max(16, min(1000, total / Self.share / MailboxFile.pageSize))
        log = logPages * MailboxFile.pageSize
        look()
    }

    /// Looks at the disk: a transaction begins.
    mutating func look() { rest = space(folder)?.available ?? .max }

    /// Whether so many bytes more may be stored; if so they count.
    ///
    /// Bytes go into the log, and from there into the file. Where the file has to grow, room for three logs
    /// stays: the log, its pages in the file, and a reserve. Where the file has room, room for a log stays.
    ///
    /// - Parameter free: bytes of the file that hold nothing.
    mutating func takes(_ bytes: Int, free: Int) -> Bool {
        let growth = max(0, bytes - free)
        let left = rest - bytes - growth
        guard left >= (growth > 0 ? 3 : 1) * log else { return false }
        rest = left
        return true
    }

    /// The space as the kernel says.
    static func space(of folder: String) -> (total: Int, available: Int)? {
        HostFiles().space(of: folder).map {
            (Int(exactly: $0.total) ?? .max, Int(exactly: $0.available) ?? .max)
        }
    }
}
