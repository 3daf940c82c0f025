internal import Glibc
internal import HomingCore
internal import HomingRuntime

/// A database that cannot be used any more: kept for whoever wants to look, and out of the way.
enum DamagedFile {
    /// How many are kept.
    static let kept = 3

    /// Renames the file to `PATH.damaged-TIME`, and what belongs to it likewise; deletes the oldest
    /// of its kind. Returns the new path.
    ///
    /// The database goes first: should the power fail between two names, SQLite itself deletes a
    /// log that lies beside no database, but would apply one to an older database.
    static func setAside(_ path: String, at time: Seconds) throws(OutboxError) -> String {
        var number = Int64(exactly: max(0, time).rounded()) ?? 0
        while access("\(path).damaged-\(number)", F_OK) == 0 { number += 1 }
        let target = "\(path).damaged-\(number)"
        for suffix in suffixes where rename(path + suffix, target + suffix) != 0 {
            guard errno != ENOENT else { continue }
            let failure = SystemError("cannot rename \(path)\(suffix)")
            throw OutboxError(failure.number == ENOSPC ? .full : .readOnly, "\(failure)")
        }
        prune(path)
        return target
    }

    private static let suffixes = ["", "-wal", "-shm", "-journal"]

    /// Deletes a database and what belongs to it.
    static func delete(_ path: String) {
        for suffix in suffixes { unlink(path + suffix) }
    }

    /// Those set aside, oldest first.
    static func all(of path: String) -> [String] {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[..<$0]) } ?? "."
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let prefix = "\(name).damaged-"
        let numbers = names(in: folder).compactMap { entry in
            entry.hasPrefix(prefix) ? Int64(entry.dropFirst(prefix.count)) : nil
        }
        return numbers.sorted().map { "\(path).damaged-\($0)" }
    }

    private static func prune(_ path: String) {
        for old in all(of: path).dropLast(kept) { delete(old) }
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }
}
