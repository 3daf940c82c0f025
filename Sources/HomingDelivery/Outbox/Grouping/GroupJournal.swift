internal import Glibc
internal import HomingSQLite

/// The positions of a group that are not in the tables yet, in a file of the runtime folder: what the
/// next process goes on with after `kill -9`.
///
/// A header names the queue on the disk and the start of the machine; the records follow. Nothing is
/// ever synced: the folder is in memory (tmpfs). A record that a kill cut off was never accepted.
final class GroupJournal {
    let path: String
    private let descriptor: Int32
    private let header: [UInt8]
    /// Bytes that are in the file.
    private var size: Int
    /// The file's device and number.
    private var file: (device: dev_t, number: ino_t) = (0, 0)

    /// Content of a file from before.
    struct Contents {
        /// The id of the queue on the disk that the positions belong to.
        var databaseID: String
        /// The start of the machine in which they were accepted.
        var boot: String
        /// Entries in the order in which they were accepted.
        var entries: [OutboxEntry]
        /// Whether every byte of the file was understood.
        var isWhole: Bool

        /// Content of a file that is something else.
        static let noJournal = Contents(databaseID: "", boot: "", entries: [], isWhole: false)
        static let empty = Contents(databaseID: "", boot: "", entries: [], isWhole: true)
    }

    /// Bytes that are read of a file; a group has some hundred positions.
    private static let limit = 4 << 20
    private static let mark = Array("homing group 1\n".utf8)
    private static let idLength = 32
    /// Bytes of the kernel's name for a start of the machine; spaces fill up a shorter name.
    private static let bootLength = 36
    /// Bytes before the first record.
    static let headerSize = mark.count + idLength + bootLength

    /// Reads the file; `nil` without a file. Throws for a file that cannot be read, as that file may
    /// hold positions.
    static func read(_ path: String) throws(DatabaseError) -> Contents? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if [ENOENT, ENOTDIR].contains(errno) { return nil }
            if errno == ELOOP { return .noJournal }
            throw failure(path)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .noJournal
        }
        return contents(in: try bytes(of: descriptor, path))
    }

    /// The contents of a file with these bytes.
    static func contents(in bytes: [UInt8]) -> Contents {
        let names = bytes.dropFirst(mark.count)
        guard bytes.starts(with: mark), bytes.count >= headerSize,
            let id = String(validating: names.prefix(idLength), as: UTF8.self),
            let boot = String(
                validating: names.dropFirst(idLength).prefix(bootLength), as: UTF8.self)
        else { return bytes.isEmpty ? .empty : .noJournal }
        let (entries, isWhole) = GroupRecord.entries(in: bytes[headerSize...])
        return Contents(databaseID: id, boot: boot, entries: entries, isWhole: isWhole)
    }

    private static func bytes(
        of descriptor: Int32, _ path: String
    ) throws(DatabaseError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < limit {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count >= 0 else { throw failure(path) }
            guard count > 0 else { break }
            bytes += chunk.prefix(count)
        }
        return bytes
    }

    /// Makes an empty journal in the place of any other. `read` comes first.
    init(_ path: String, databaseID: String, boot: String) throws(DatabaseError) {
        self.path = path
        header =
            Self.mark + Self.fitted(databaseID, Self.idLength) + Self.fitted(boot, Self.bootLength)
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        descriptor = open(path, flags, 0o600)
        size = 0
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw Self.failure(path) }
        file = (status.st_dev, status.st_ino)
        try write(header)
    }

    /// The name as the header has it.
    static func bootName(_ boot: String) -> String {
        String(decoding: fitted(boot, bootLength), as: UTF8.self)
    }

    private static func fitted(_ text: String, _ length: Int) -> [UInt8] {
        let bytes = text.utf8.prefix(length)
        return bytes + Array(repeating: UInt8(ascii: " "), count: length - bytes.count)
    }

    deinit { close(descriptor) }

    /// Whether the file is the one that the next process will find.
    var isThere: Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_dev == file.device
            && status.st_ino == file.number
    }

    /// Adds a position. If that fails, the file is as before.
    func append(_ entry: OutboxEntry) throws(DatabaseError) {
        guard isThere else { throw DatabaseError(.failed, "\(path): the file was removed") }
        try write(GroupRecord.bytes(of: entry))
    }

    /// Forgets all positions: the tables have them, or have counted them.
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
