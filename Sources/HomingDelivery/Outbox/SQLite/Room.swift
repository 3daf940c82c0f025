internal import Glibc

/// Bound on the size of the files.
///
/// The bound covers the database and its write-ahead log. The log holds `logPages` between
/// checkpoints, plus what one transaction adds; the rest is the database's. auto_vacuum is off: it
/// would write pointer pages at every change, while evicted rows only make room for new ones. The
/// file is made small again when it is opened (`SQLiteOutbox.compact`).
struct Room {
    /// Bytes of a page of a new file. Every ten seconds a group of positions changes two or three
    /// pages: small ones are less to write (decision 0058).
    static let pageSize = 1024

    /// Bytes of a page of this file.
    let pageSize: Int
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
    private static let smallFile = 128 << 10
    /// Free bytes that the queue leaves to others.
    static let leastFree = 64 << 10
    /// Bytes of a file that are copied to give the file other pages.
    static let mostCopied = 4 << 20
    /// Bytes of a row of the shorter kind, generously.
    private static let shortRow = 256
    /// Bytes of the leaf and of what splits above the leaf.
    private static let slack = 12 << 10

    /// - Parameters:
    ///   - maxSize: bytes; below 256 KiB it is taken as that.
    ///   - pageSize: bytes of a page of the file.
    ///   - freeSpace: free bytes on the file system of a folder.
    init(
        maxSize: Int, pageSize: Int, path: String, freeSpace: @escaping (_ folder: String) -> Int
    ) {
        (self.pageSize, self.freeSpace) = (pageSize, freeSpace)
        let size = max(maxSize, 256 << 10)
        let log = min(256 << 10, size / 8)
        logPages = log / pageSize
        pages = size / pageSize - logPages - logPages / 8
        reserve = log + Room.leastFree
        folder = Room.folder(of: path)
    }

    /// A little above `pages`, so that SQLite itself refuses what slipped through.
    var hardLimit: Int { pages + logPages / 4 }

    /// Pages that the messages may need at most: their texts in overflow pages, a leaf and what
    /// splits above it.
    func pages(for messages: some Collection<OutboxMessage>) -> Int {
        let texts = messages.lazy.map { message in
            switch message {
            case .location: 0
            case .sensor(let sensor): pages(for: sensor.item)
            case .event(let event): pages(for: event.data)
            }
        }
        return (Room.slack + messages.count * Room.shortRow) / pageSize + texts.reduce(0, +)
    }

    /// A text that does not fit into a leaf begins there, and goes on in pages of its own.
    private func pages(for text: String) -> Int {
        (text.utf8.count + Room.shortRow + pageSize) / (pageSize - 16)
    }

    /// Whether rows must go before `needed` pages can come.
    ///
    /// - Parameters:
    ///   - total: pages in the file
    ///   - free: those of them that hold nothing
    ///   - isFull: SQLite has said that the file cannot grow
    func isShort(of needed: Int, total: Int, free: Int, isFull: Bool) -> Bool {
        if isOverBound(needed, total: total, free: free) { return true }
        guard free < needed, !isSmall(total: total, free: free) else { return false }
        return isFull || freeSpace(folder) < reserve
    }

    /// Whether nothing is gained by evicting rows for the sake of a full disk.
    func isSmall(total: Int, free: Int) -> Bool { (total - free) * pageSize <= Room.smallFile }

    /// Whether `needed` pages more would be more than may be in use.
    func isOverBound(_ needed: Int, total: Int, free: Int) -> Bool {
        total - free + needed > pages
    }

    /// The folder of a file.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
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
