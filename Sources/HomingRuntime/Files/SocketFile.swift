internal import Glibc

/// The name of a Unix socket in the file system.
public enum SocketFile {
    /// Deletes the socket that an ended program has left; does nothing without a file.
    ///
    /// - Throws: if another kind of file is there, which is left as it is.
    public static func removeLeftover(_ path: String) throws(SystemError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SystemError("cannot listen on \(path), which is no socket", number: EEXIST)
        }
        unlink(path)
    }
}
