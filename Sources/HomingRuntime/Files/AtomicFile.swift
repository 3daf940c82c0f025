public import Glibc

/// A system call that failed, in the system's words.
public struct SystemError: Error, Equatable, CustomStringConvertible, Sendable {
    public let number: Int32
    /// Action that was tried, with the path.
    public let action: String

    /// - Parameter number: the error's number; by default that of the call just made (`errno`).
    public init(_ action: String, number: Int32? = nil) {
        self.number = number ?? errno
        self.action = action
    }

    /// Whether the file or folder was not there.
    public var isNotFound: Bool { number == ENOENT }

    /// Whether the same may work later by itself; not so where rights, a read-only file system or
    /// the kind of file stand in the way.
    public var mayPass: Bool { !Self.lasting.contains(number) }

    private static let lasting: Set<Int32> = [
        EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG, EFBIG,
    ]

    /// The system's words, without what was tried.
    public var reason: String { String(cString: strerror(number)) }

    public var description: String { "\(action): \(reason)" }
}

/// Small files that are whole or absent, whatever happens.
public enum AtomicFile {
    /// The whole file.
    public static func read(_ path: String, limit: Int = 1 << 20) throws(SystemError) -> [UInt8] {
        // A pipe in the place of a file must not make the loop wait.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError("cannot read \(path)") }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16384)
        while content.count < limit {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw SystemError("cannot read \(path)") }
            if count == 0 { return content }
            content += chunk[..<count]
        }
        throw SystemError("cannot read \(path)", number: EFBIG)
    }

    /// Replaces the file: written beside it, synced, renamed, and the folder synced, so that a
    /// power cut leaves the old content or the new. The mode is that of the new file; with `owner`
    /// the file is given to that user.
    public static func write(
        _ content: [UInt8], to path: String, mode: mode_t = 0o600,
        owner: (user: uid_t, group: gid_t)? = nil
    ) throws(SystemError) {
        let temporary = "\(path).new"
        unlink(temporary)
        try writeWhole(content, to: temporary, mode, owner)
        guard rename(temporary, path) == 0 else {
            let failure = SystemError("cannot replace \(path)")
            unlink(temporary)
            throw failure
        }
        syncFolder(of: path)
    }

    /// Makes the file as `write` does, unless a file of that name is there. Of several programs that
    /// make the file at the same moment, one does.
    ///
    /// - Returns: whether this call made the file.
    public static func create(
        _ content: [UInt8], at path: String, mode: mode_t = 0o600,
        owner: (user: uid_t, group: gid_t)? = nil
    ) throws(SystemError) -> Bool {
        let temporary = "\(path).\(getpid()).new"
        unlink(temporary)
        try writeWhole(content, to: temporary, mode, owner)
        defer { unlink(temporary) }
        guard link(temporary, path) == 0 else {
            if errno == EEXIST { return false }
            throw SystemError("cannot make \(path)")
        }
        syncFolder(of: path)
        return true
    }

    /// Writes a new file, and brings it to the disk; leaves no file if that fails.
    private static func writeWhole(
        _ content: [UInt8], to temporary: String, _ mode: mode_t,
        _ owner: (user: uid_t, group: gid_t)?
    ) throws(SystemError) {
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw SystemError("cannot write \(temporary)") }
        do throws(SystemError) {
            try writeAll(content, to: descriptor, path: temporary)
            if let owner, fchown(descriptor, owner.user, owner.group) != 0 {
                throw SystemError("cannot give \(temporary) its owner")
            }
            guard fsync(descriptor) == 0 else { throw SystemError("cannot sync \(temporary)") }
        } catch {
            close(descriptor)
            unlink(temporary)
            throw error
        }
        close(descriptor)
    }

    static func writeAll(
        _ content: [UInt8], to descriptor: Int32, path: String
    ) throws(SystemError) {
        var written = 0
        while written < content.count {
            let count = content[written...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw SystemError("cannot write \(path)") }
            written += count
        }
    }

    /// Brings the names in the file's folder to the disk: a rename itself reaches it with them. A
    /// file system that cannot sync a folder leaves no more to be done.
    public static func syncFolder(of path: String) {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        let prefix = path.hasPrefix("/") ? "/" : "./"
        let descriptor = open(prefix + folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
