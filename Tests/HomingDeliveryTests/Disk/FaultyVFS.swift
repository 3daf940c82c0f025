import CSQLite
import Glibc
import HomingRuntime

/// The VFS in front of the real one (https://www.sqlite.org/c3ref/vfs.html): passes on what does
/// not concern a `FaultyDisk`.
enum FaultyVFS {
    typealias File = UnsafeMutablePointer<sqlite3_file>
    private typealias VFS = UnsafeMutablePointer<sqlite3_vfs>

    /// Head that SQLite keeps for each open file of ours; the head of the real VFS follows.
    private struct Head {
        var file: sqlite3_file
        var opened: Unmanaged<OpenFile>
    }

    private final class OpenFile {
        let disk: FaultyDisk
        let path: String

        init(_ disk: FaultyDisk, _ path: String) { (self.disk, self.path) = (disk, path) }
    }

    /// Puts it in front, once per process.
    static func install() { _ = installed }

    private static let installed: Void = {
        let vfs = VFS.allocate(capacity: 1)
        vfs.initialize(to: real.pointee)
        vfs.pointee.zName = UnsafePointer(strdup("homing-faulty"))
        vfs.pointee.szOsFile += Int32(MemoryLayout<Head>.stride)
        vfs.pointee.xOpen = { _, name, file, flags, outFlags in
            FaultyVFS.open(name, file, flags, outFlags)
        }
        vfs.pointee.xDelete = { _, name, syncsFolder in FaultyVFS.delete(name, syncsFolder) }
        vfs.pointee.xAccess = { _, name, flags, result in
            FaultyVFS.answer(name, .access) ?? real.pointee.xAccess(real, name, flags, result)
        }
        precondition(sqlite3_vfs_register(vfs, 1) == SQLITE_OK)
    }()

    /// Never changes once it is there.
    nonisolated(unsafe) private static let real: VFS = {
        guard let found = sqlite3_vfs_find(nil) else { preconditionFailure("SQLite has no VFS") }
        return found
    }()

    /// Never changes once it is there.
    nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        table.initialize(to: FaultyVFS.table())
        return table
    }()

    private static func open(
        _ name: UnsafePointer<CChar>?, _ file: File?, _ flags: Int32,
        _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        let path = name.map { String(cString: $0) } ?? ""
        guard let disk = FaultyDisk.holding(path) else {
            return real.pointee.xOpen(real, name, file, flags, outFlags)
        }
        // SQLite closes what has methods.
        file?.pointee.pMethods = nil
        if let code = answer(disk, .open, path) { return code }
        let content = try? AtomicFile.read(path)
        let code = real.pointee.xOpen(real, name, realFile(file), flags, outFlags)
        guard code == SQLITE_OK else { return code }
        disk.opened(path, content)
        head(file).initialize(
            to: Head(
                file: sqlite3_file(pMethods: methods),
                opened: Unmanaged.passRetained(OpenFile(disk, path))))
        return code
    }

    private static func delete(_ name: UnsafePointer<CChar>?, _ syncsFolder: Int32) -> Int32 {
        if let code = answer(name, .delete) { return code }
        let code = real.pointee.xDelete(real, name, syncsFolder)
        if code == SQLITE_OK, let path = name.map({ String(cString: $0) }) {
            FaultyDisk.holding(path)?.deleted(path, forGood: syncsFolder != 0)
        }
        return code
    }

    private static func answer(_ name: UnsafePointer<CChar>?, _ call: DiskCall) -> Int32? {
        guard let path = name.map({ String(cString: $0) }), let disk = FaultyDisk.holding(path)
        else { return nil }
        return answer(disk, call, path)
    }

    private static func answer(_ disk: FaultyDisk, _ call: DiskCall, _ path: String) -> Int32? {
        guard let code = disk.answer(call, path) else { return nil }
        // The real VFS's xGetLastError gives this to SQLite.
        errno = disk.systemError
        return code
    }

    private static func head(_ file: File?) -> UnsafeMutablePointer<Head> {
        guard let file else { preconditionFailure("SQLite gave no file") }
        return UnsafeMutableRawPointer(file).assumingMemoryBound(to: Head.self)
    }

    private static func opened(_ file: File?) -> OpenFile {
        head(file).pointee.opened.takeUnretainedValue()
    }

    private static func realFile(_ file: File?) -> File {
        (UnsafeMutableRawPointer(head(file)) + MemoryLayout<Head>.stride)
            .assumingMemoryBound(to: sqlite3_file.self)
    }

    /// Calls the real VFS for the file, unless the disk answers in its place.
    private static func callFile(
        _ file: File?, _ call: DiskCall, _ body: (sqlite3_io_methods, File) -> Int32,
        then note: (OpenFile) -> Void = { _ in }
    ) -> Int32 {
        let opened = opened(file)
        if let code = answer(opened.disk, call, opened.path) { return code }
        let code = pass(file, body)
        if code == SQLITE_OK { note(opened) }
        return code
    }

    private static func pass(
        _ file: File?, _ body: (sqlite3_io_methods, File) -> Int32
    ) -> Int32 {
        let real = realFile(file)
        return body(real.pointee.pMethods.pointee, real)
    }

    private static func table() -> sqlite3_io_methods {
        var table = sqlite3_io_methods()
        // Version 2 has the calls for shared memory, and not yet those for mapped files.
        table.iVersion = 2
        fillContent(&table)
        fillRest(&table)
        return table
    }

    private static func fillContent(_ table: inout sqlite3_io_methods) {
        table.xClose = { file in
            let code = FaultyVFS.pass(file) { $0.xClose($1) }
            FaultyVFS.head(file).pointee.opened.release()
            return code
        }
        table.xRead = { file, bytes, count, offset in
            FaultyVFS.callFile(file, .read, { $0.xRead($1, bytes, count, offset) })
        }
        table.xWrite = { file, bytes, count, offset in
            FaultyVFS.callFile(file, .write, { $0.xWrite($1, bytes, count, offset) }) {
                let written = UnsafeRawBufferPointer(start: bytes, count: Int(count))
                $0.disk.wrote(Array(written), at: Int(offset), to: $0.path)
            }
        }
        table.xTruncate = { file, size in
            FaultyVFS.callFile(file, .truncate, { $0.xTruncate($1, size) }) {
                $0.disk.truncated($0.path, to: Int(size))
            }
        }
        // Tests need no power cut of this machine, and the real call is slow.
        table.xSync = { file, _ in
            FaultyVFS.callFile(file, .sync, { _, _ in SQLITE_OK }) { $0.disk.synced($0.path) }
        }
        table.xFileSize = { file, size in
            FaultyVFS.callFile(file, .size, { $0.xFileSize($1, size) })
        }
    }

    private static func fillRest(_ table: inout sqlite3_io_methods) {
        table.xLock = { file, level in FaultyVFS.callFile(file, .lock, { $0.xLock($1, level) }) }
        table.xUnlock = { file, level in FaultyVFS.pass(file) { $0.xUnlock($1, level) } }
        table.xCheckReservedLock = { file, result in
            FaultyVFS.pass(file) { $0.xCheckReservedLock($1, result) }
        }
        table.xFileControl = { file, operation, argument in
            FaultyVFS.pass(file) { $0.xFileControl($1, operation, argument) }
        }
        table.xSectorSize = { file in FaultyVFS.pass(file) { $0.xSectorSize($1) } }
        table.xDeviceCharacteristics = { file in
            FaultyVFS.pass(file) { $0.xDeviceCharacteristics($1) }
        }
        table.xShmMap = { file, page, size, extends, result in
            FaultyVFS.pass(file) { $0.xShmMap($1, page, size, extends, result) }
        }
        table.xShmLock = { file, offset, count, flags in
            FaultyVFS.pass(file) { $0.xShmLock($1, offset, count, flags) }
        }
        table.xShmBarrier = { file in
            _ = FaultyVFS.pass(file) {
                $0.xShmBarrier($1)
                return SQLITE_OK
            }
        }
        table.xShmUnmap = { file, deletes in FaultyVFS.pass(file) { $0.xShmUnmap($1, deletes) } }
    }
}
