internal import Glibc

/// How large the files may become.
///
/// The bound covers the database and its write-ahead log. The log holds `logPages` between
/// checkpoints, plus what one transaction adds; the rest is the database's. auto_vacuum is off: it
/// would write pointer pages at every change, while evicted rows only make room for new ones. The
/// file is made small again when it is opened (`SQLiteOutbox.compact`).
struct Room {
    static let pageSize = 4096

    /// Pages of the database that may be in use.
    let pages: Int
    /// Pages of the log at which SQLite checkpoints.
    let logPages: Int
    /// Free bytes on the file system below which the database stops growing: as long as the log can
    /// still be written and emptied, an outbox on a full disk goes on, newest rows first.
    let reserve: Int
    private let folder: String
    private let freeSpace: (_ folder: String) -> Int

    /// An outbox this small gains nothing by evicting for the sake of a full disk.
    private static let smallFile = 32

    /// - Parameters:
    ///   - maxSize: bytes; below 256 KiB it is taken as that.
    ///   - freeSpace: free bytes on the file system of a folder.
    init(maxSize: Int, path: String, freeSpace: @escaping (_ folder: String) -> Int) {
        self.freeSpace = freeSpace
        let total = max(maxSize, 256 * 1024) / Room.pageSize
        logPages = max(8, min(64, total / 8))
        pages = total - logPages - logPages / 8
        reserve = (logPages + 16) * Room.pageSize
        folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }

    /// A little above `pages`, so that SQLite itself refuses what slipped through.
    var hardLimit: Int { pages + logPages / 4 }

    /// Pages that the messages may need at most: their texts in overflow pages, a leaf and what
    /// splits above it.
    static func pages(for messages: some Collection<OutboxMessage>) -> Int {
        let texts = messages.lazy.map { message in
            switch message {
            case .location: 0
            case .sensor(let sensor): sensor.item.utf8.count / (pageSize - 16)
            case .event(let event): event.data.utf8.count / (pageSize - 16)
            }
        }
        // Some thirty rows of the shorter kind fill a leaf.
        return 3 + (messages.count - 1) / 16 + texts.reduce(0, +)
    }

    /// Whether rows must go before `needed` pages can come.
    ///
    /// - Parameters:
    ///   - total: pages in the file
    ///   - free: those of them that hold nothing
    ///   - isFull: SQLite has said that the file cannot grow
    func isShort(of needed: Int, total: Int, free: Int, isFull: Bool) -> Bool {
        if isOverBound(needed, total: total, free: free) { return true }
        guard free < needed, total - free > Room.smallFile else { return false }
        return isFull || freeSpace(folder) < reserve
    }

    /// Whether `needed` pages more would be more than may be in use.
    func isOverBound(_ needed: Int, total: Int, free: Int) -> Bool {
        total - free + needed > pages
    }

    /// Free bytes on the file system of a folder, as the kernel says.
    static func freeSpace(_ folder: String) -> Int {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return .max }
        let (bytes, isMore) = UInt64(status.f_bavail).multipliedReportingOverflow(
            by: UInt64(status.f_frsize))
        return isMore ? .max : Int(clamping: bytes)
    }
}
