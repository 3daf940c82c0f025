import CSQLite
import HomingBase
import HomingTestKit
import Synchronization

/// Call of SQLite to the file system.
enum DiskCall: CaseIterable {
    case open, read, write, truncate, sync, size, lock, delete, access

    /// Whether it changes what is on the disk.
    var changes: Bool {
        switch self {
        case .write, .truncate, .sync, .delete: true
        case .open, .read, .size, .lock, .access: false
        }
    }
}

/// A folder whose disk fails when a test says so, and forgets what was not synced when the power is
/// cut.
///
/// SQLite reaches it through a VFS (https://www.sqlite.org/vfs.html) that is put in front of the
/// real one for the whole process, and leaves alone what is not in such a folder. The files are
/// real; what they would hold after a power cut is kept beside them.
final class FaultyDisk: @unchecked Sendable {
    let folder: TemporaryFolder
    /// Asked before each call on a file: the result code that SQLite is given in place of an answer.
    var fault: (DiskCall, _ path: String) -> Int32? = { _, _ in nil }
    /// The system's error number, should SQLite ask for it after a fault.
    var systemError: Int32 = 0
    /// Number of changes until the power is cut; afterwards nothing works.
    var changesUntilPowerCut = Int.max
    /// Whether it says that it has synced, and has not.
    var pretendsToSync = false
    private(set) var isOff = false
    private(set) var calls: [DiskCall: Int] = [:]
    private var files: [String: UnsyncedFile] = [:]
    /// Deleted, but not for good.
    private var graves: [String: [UInt8]] = [:]

    private static let disks = Mutex<[String: FaultyDisk]>([:])

    init() throws {
        folder = try TemporaryFolder()
        FaultyVFS.install()
        Self.disks.withLock { $0[folder.path] = self }
    }

    /// Ends what began with `init`: a disk does not go by itself.
    func remove() { _ = Self.disks.withLock { $0.removeValue(forKey: folder.path) } }

    /// The disk that holds the file, if it is one of these.
    static func holding(_ path: String) -> FaultyDisk? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        return disks.withLock { $0[String(path[..<slash])] }
    }

    /// Returns the result in place of the real disk; `nil` to ask the real disk.
    func answer(_ call: DiskCall, _ path: String) -> Int32? {
        calls[call, default: 0] += 1
        if call.changes {
            changesUntilPowerCut -= 1
            if changesUntilPowerCut < 0 { isOff = true }
        }
        return isOff ? SQLITE_IOERR : fault(call, path)
    }

    /// - Parameter content: what it holds, if it was there before
    func opened(_ path: String, _ content: [UInt8]?) {
        if files[path] == nil { files[path] = UnsyncedFile(durable: content) }
    }

    func wrote(_ bytes: [UInt8], at offset: Int, to path: String) {
        files[path]?.changes.append(.write(offset, bytes))
    }

    func truncated(_ path: String, to size: Int) { files[path]?.changes.append(.truncate(size)) }

    func synced(_ path: String) {
        guard !pretendsToSync else { return }
        // With a log's first sync the real VFS syncs the folder's names, too.
        if files[path]?.durable == nil { graves = [:] }
        files[path]?.sync()
    }

    func deleted(_ path: String, forGood: Bool) {
        graves[path] = forGood ? nil : files[path]?.durable
        files[path] = nil
    }

    /// Returns the files that are found when the power is back. They hold all that was synced, and
    /// of the rest what chance has brought to the disk.
    func remains(using random: inout SeededRandom) throws -> TemporaryFolder {
        let survival = UnsyncedFile.Survival.allCases.randomElement(using: &random) ?? .nothing
        let folder = try TemporaryFolder()
        // In an order that does not change from run to run.
        for (path, content) in graves.sorted(by: { $0.key < $1.key }) {
            let name = String(path.split(separator: "/").last ?? "")
            if Bool.random(using: &random) { try folder.write(content, to: name) }
        }
        for (path, file) in files.sorted(by: { $0.key < $1.key }) {
            let name = String(path.split(separator: "/").last ?? "")
            let content = file.remains(survival, using: &random)
            if let content { try folder.write(content, to: name) }
        }
        return folder
    }
}

/// A file, and what was done to it since it was last synced.
struct UnsyncedFile {
    enum Change {
        case write(Int, [UInt8])
        case truncate(Int)
    }

    /// Fate of changes that were not synced.
    enum Survival: CaseIterable {
        case nothing, everything, someChanges, someSectors
    }

    /// Content that no power cut takes away; `nil` if not even its name was synced.
    private(set) var durable: [UInt8]?
    var changes: [Change] = []

    init(durable: [UInt8]?) { self.durable = durable }

    private static let sector = 512

    mutating func sync() {
        var content = durable ?? []
        for change in changes { Self.apply(change, to: &content) }
        (durable, changes) = (content, [])
    }

    /// The content after a power cut; `nil` if there is no such file.
    func remains(_ survival: Survival, using random: inout SeededRandom) -> [UInt8]? {
        if durable == nil, survival == .nothing || Bool.random(using: &random) { return nil }
        var content = durable ?? []
        for change in changes {
            switch survival {
            case .nothing: break
            case .everything: Self.apply(change, to: &content)
            case .someChanges:
                if Bool.random(using: &random) { Self.apply(change, to: &content) }
            case .someSectors:
                for part in Self.sectors(of: change) where Bool.random(using: &random) {
                    Self.apply(part, to: &content)
                }
            }
        }
        return content
    }

    private static func apply(_ change: Change, to content: inout [UInt8]) {
        switch change {
        case .write(let offset, let bytes):
            let end = offset + bytes.count
            if content.count < end {
                content += Array(repeating: 0, count: end - content.count)
            }
            content.replaceSubrange(offset..<end, with: bytes)
        case .truncate(let size): content.removeLast(max(0, content.count - size))
        }
    }

    /// A disk writes sectors whole, but in any order.
    private static func sectors(of change: Change) -> [Change] {
        guard case .write(let offset, let bytes) = change else { return [change] }
        var parts: [Change] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + sector - (offset + start) % sector)
            parts.append(.write(offset + start, Array(bytes[start..<end])))
            start = end
        }
        return parts
    }
}
