internal import Glibc
public import HomingBase
internal import HomingRuntime

/// A database that cannot be used any more: kept for whoever wants to look, and out of the way.
public enum DamagedFile {
    /// Number of damaged databases that are kept.
    static let kept = 3

    private static let suffixes = ["", "-wal", "-shm", "-journal"]

    /// Returns the path at which the database that is to take the place of another is made.
    public static func successor(of path: String) -> String { "\(path).new" }

    /// Puts the successor, closed and whole, in the place of the database, which is kept as
    /// `PATH.damaged-TIME`; returns that path. Whoever dies in the middle of it has
    /// `finishReplacing` to do.
    public static func replace(_ path: String, at time: Seconds) throws(DatabaseError) -> String {
        let kept = try setAside(path, at: time)
        try rename(successor(of: path), to: path)
        AtomicFile.syncFolder(of: path)
        return kept
    }

    /// Ends a replacement that was begun, or takes back what was prepared for one.
    public static func finishReplacing(_ path: String) throws(DatabaseError) {
        let successor = successor(of: path)
        guard isAbsent(path), !isAbsent(successor) else { return delete(successor) }
        // The log of the database that was set aside would damage another one.
        for suffix in suffixes.dropFirst() { unlink(path + suffix) }
        try rename(successor, to: path)
        AtomicFile.syncFolder(of: path)
    }

    /// Deletes a database and what belongs to it.
    public static func delete(_ path: String) {
        for suffix in suffixes { unlink(path + suffix) }
    }

    /// Returns the numbers that the names of the databases set aside end with, the oldest first.
    private static func numbers(of path: String) -> [Int64] {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[..<$0]) } ?? "."
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let prefix = "\(name).damaged-"
        let names = (try? Folders.names(in: folder)) ?? []
        let numbers = names.compactMap { entry in
            entry.hasPrefix(prefix) ? Int64(entry.dropFirst(prefix.count)) : nil
        }
        return numbers.sorted()
    }

    /// Renames the file to `PATH.damaged-TIME`, and what belongs to it too; deletes the oldest
    /// of its kind. Returns the new path.
    ///
    /// The database goes first: should the power fail between two names, SQLite itself deletes a
    /// log that lies beside no database, but would apply one to an older database.
    public static func setAside(_ path: String, at time: Seconds) throws(DatabaseError) -> String {
        var number = Int64(exactly: max(0, time).rounded()) ?? 0
        // The newest has the largest number, also of several in a second: it is the oldest that goes.
        if let last = numbers(of: path).last, last < .max { number = max(number, last + 1) }
        while !isAbsent("\(path).damaged-\(number)") { number += 1 }
        let target = "\(path).damaged-\(number)"
        for suffix in suffixes where suffix.isEmpty || !isAbsent(path + suffix) {
            try rename(path + suffix, to: target + suffix)
        }
        for old in numbers(of: path).dropLast(kept) { delete("\(path).damaged-\(old)") }
        return target
    }

    private static func rename(_ path: String, to target: String) throws(DatabaseError) {
        guard Glibc.rename(path, target) != 0 else { return }
        throw DatabaseError(SystemError("cannot rename \(path)"))
    }

    private static func isAbsent(_ path: String) -> Bool {
        access(path, F_OK) != 0 && errno == ENOENT
    }
}
