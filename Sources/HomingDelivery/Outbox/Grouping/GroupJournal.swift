internal import Glibc
internal import HomingSQLite

/// The positions of a group that are not on the disk yet, in a file of the runtime folder: what the
/// next process goes on with after `kill -9`.
///
/// A header names the queue on the disk; the records follow. Nothing is ever synced: the folder is
/// in memory (tmpfs). A record that a kill cut off was never accepted.
final class GroupJournal {
    let path: String
    private let descriptor: Int32
    private let header: [UInt8]
    /// Bytes that are in the file.
    private var size: Int

    /// What a file from before holds.
    struct Contents {
        /// The id of the queue on the disk that the positions belong to.
        var databaseID: String
        /// In the order in which they were accepted.
        var entries: [OutboxEntry]
        /// Whether every byte of the file was understood.
        var isWhole: Bool
    }

    /// Bytes that are read of a file; a group has some hundred positions.
    private static let limit = 4 << 20
    private static let mark = Array("homing group 1\n".utf8)
    private static let idLength = 32

    /// Reads the file; `nil` if there is none.
    static func read(_ path: String) -> Contents? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return contents(in: bytes(of: descriptor))
    }

    /// The contents of a file with these bytes.
    static func contents(in bytes: [UInt8]) -> Contents {
        let start = mark.count + idLength
        guard bytes.starts(with: mark), bytes.count >= start,
            let id = String(validating: bytes[mark.count..<start], as: UTF8.self)
        else { return Contents(databaseID: "", entries: [], isWhole: bytes.isEmpty) }
        let (entries, isWhole) = GroupRecord.entries(in: bytes[start...])
        return Contents(databaseID: id, entries: entries, isWhole: isWhole)
    }

    private static func bytes(of descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < limit {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk.prefix(count)
        }
        return bytes
    }

    /// Makes an empty journal in the place of any other. `read` comes first.
    init(_ path: String, databaseID: String) throws(DatabaseError) {
        self.path = path
        header = Self.mark + Array(databaseID.utf8)
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        descriptor = open(path, flags, 0o600)
        size = 0
        guard descriptor >= 0 else { throw Self.failure(path) }
        try write(header)
    }

    deinit { close(descriptor) }

    /// Whether the file is the one that the next process will find.
    var isThere: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }

    /// Adds a position. If that fails, the file is as before.
    func append(_ entry: OutboxEntry) throws(DatabaseError) {
        guard isThere else { throw DatabaseError(.failed, "\(path): the file was removed") }
        try write(GroupRecord.bytes(of: entry))
    }

    /// Forgets all positions: the disk has them.
    func clear() {
        // Positions that stay are known by their numbers.
        if ftruncate(descriptor, off_t(header.count)) == 0 { size = header.count }
    }

    /// Removes the file.
    func remove() { unlink(path) }

    private func write(_ bytes: [UInt8]) throws(DatabaseError) {
        let written = pwrite(descriptor, bytes, bytes.count, off_t(size))
        guard written == bytes.count else {
            let error = written < 0 ? Self.failure(path) : DatabaseError(.full, "\(path): no room")
            ftruncate(descriptor, off_t(size))
            throw error
        }
        size += written
    }

    private static func failure(_ path: String) -> DatabaseError {
        let number = errno
        let isFull = [ENOSPC, EDQUOT].contains(number)
        return DatabaseError(
            isFull ? .full : .failed, "\(path): \(String(cString: strerror(number)))")
    }
}
