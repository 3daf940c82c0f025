internal import CSQLite
internal import Glibc

/// A file beside the databases, written by the file system that SQLite uses (https://www.sqlite.org/c3ref/vfs.html).
/// The tests that break the disk of a database so break the disk of this file too.
final class DiskFile {
    private typealias File = UnsafeMutablePointer<sqlite3_file>

    let path: String
    private let memory: UnsafeMutableRawPointer
    private let name: UnsafeMutablePointer<CChar>

    /// Opens the file, and makes the file, readable by its owner only, where it is not there and may be made.
    init(_ path: String, mayMake: Bool) throws(DatabaseError) {
        let system = try Self.system(for: path)
        guard let name = strdup(path) else { throw DatabaseError(.failed, "\(path): no memory") }
        self.path = path
        self.name = name
        memory = .allocate(byteCount: Int(system.pointee.szOsFile), alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(system.pointee.szOsFile))
        if mayMake { Database.makeFile(path) }
        // A journal's folder is synced with the journal's first sync, so that its name stays.
        let flags =
            SQLITE_OPEN_READWRITE | (mayMake ? SQLITE_OPEN_CREATE : 0) | SQLITE_OPEN_SUPER_JOURNAL
        let code = system.pointee.xOpen(system, name, file, flags, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code: code, on: nil, path: path) }
    }

    deinit {
        if let methods = file.pointee.pMethods { _ = methods.pointee.xClose(file) }
        memory.deallocate()
        free(name)
    }

    private static func system(
        for path: String
    ) throws(DatabaseError) -> UnsafeMutablePointer<sqlite3_vfs> {
        // Finding the file system starts SQLite.
        _ = Database.pagesAreLate
        guard let system = sqlite3_vfs_find(nil) else {
            throw DatabaseError(.failed, "\(path): SQLite has no file system")
        }
        return system
    }

    /// Removes a file, which may be missing. Its name may come back with a power cut.
    static func delete(_ path: String) throws(DatabaseError) {
        let system = try system(for: path)
        let code = system.pointee.xDelete(system, path, 0)
        guard code == SQLITE_OK || code == missing else {
            throw DatabaseError(code: code, on: nil, path: path)
        }
    }

    /// SQLITE_IOERR_DELETE_NOENT, which Swift does not import.
    private static let missing = SQLITE_IOERR | 23 << 8

    private var file: File { memory.assumingMemoryBound(to: sqlite3_file.self) }

    private func callFileMethod(_ work: (sqlite3_io_methods) -> Int32) throws(DatabaseError) {
        let code = work(file.pointee.pMethods.pointee)
        guard code == SQLITE_OK else { throw DatabaseError(code: code, on: nil, path: path) }
    }

    /// Bytes of the file.
    func size() throws(DatabaseError) -> Int {
        var size: sqlite3_int64 = 0
        try callFileMethod { $0.xFileSize(file, &size) }
        return Int(size)
    }

    /// Reads so many bytes, which must be there.
    func read(_ count: Int, at offset: Int) throws(DatabaseError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try callFileMethod { $0.xRead(file, &bytes, Int32(count), sqlite3_int64(offset)) }
        return bytes
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(DatabaseError) {
        try callFileMethod { $0.xWrite(file, bytes, Int32(bytes.count), sqlite3_int64(offset)) }
    }

    /// Has everything that was written survive a power cut.
    func sync() throws(DatabaseError) {
        try callFileMethod { $0.xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY) }
    }
}
