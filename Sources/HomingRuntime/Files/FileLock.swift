internal import Glibc

/// A lock that one process at a time holds (flock(2)). The lock ends with this value or with the process;
/// its file stays.
public final class FileLock {
    private let descriptor: Int32

    /// Makes the file if needed, readable for its owner alone: who can open a file can lock the file.
    ///
    /// - Returns: `nil` while another process holds the lock.
    public init?(_ path: String) throws(SystemError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemError("cannot open \(path)") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        guard errno == EWOULDBLOCK else { throw SystemError("cannot lock \(path)") }
        return nil
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
