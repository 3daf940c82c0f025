internal import Glibc

/// Standard input, output and error of this process.
public enum StandardFiles {
    /// Opens each of the three that the caller closed: another file or a socket would take the
    /// number, and output would go there. Input ends at once, and output fails with EBADF. Called
    /// before other threads run.
    public static func openClosed() {
        for number: Int32 in 0...2 where fcntl(number, F_GETFD) == -1 && errno == EBADF {
            // The lowest free number is this number: the numbers before are open.
            _ = open("/dev/null", O_RDONLY)
        }
    }
}
