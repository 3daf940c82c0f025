internal import Glibc
public import HomingRuntime

/// Unix stream sockets by path.
public enum UnixSocket {
    /// A connected socket.
    ///
    /// - Parameter patience: seconds to wait if the listener's queue is full; then the error is EAGAIN.
    public static func connect(
        to path: String, patience: Int = 10
    ) throws(SystemError) -> Int32 {
        let descriptor = try connect(to: path, flags: 0, patience: patience)
        boundWaits(of: descriptor, [SO_SNDTIMEO], seconds: 0)
        return descriptor
    }

    /// A connected socket that never waits. If the listener's queue is full, the error is EAGAIN.
    public static func connectAtOnce(to path: String) throws(SystemError) -> Int32 {
        try connect(to: path, flags: Int32(SOCK_NONBLOCK.rawValue), patience: 0)
    }

    private static func connect(
        to path: String, flags: Int32, patience: Int
    ) throws(SystemError) -> Int32 {
        let address = try Address(path)
        let descriptor = try make(flags: flags)
        boundWaits(of: descriptor, [SO_SNDTIMEO], seconds: patience)
        while address.lend({ Glibc.connect(descriptor, $0, $1) }) != 0 {
            // A program that was stopped goes on waiting.
            if errno == EINTR { continue }
            let failure = SystemError("cannot connect to \(path)")
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    /// Bounds each wait of a socket.
    ///
    /// - Parameters:
    ///   - kinds: SO_SNDTIMEO to send and to connect, SO_RCVTIMEO to receive.
    ///   - seconds: 0 for no bound.
    static func boundWaits(of descriptor: Int32, _ kinds: [Int32], seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        for kind in kinds {
            setsockopt(
                descriptor, SOL_SOCKET, kind, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Connections that may wait to be taken. A user of this machine who opens many at once must not
    /// keep others from theirs.
    private static let backlog: Int32 = 128

    /// A listening socket that anybody may connect to; who it is decides what they may do. A socket
    /// left by a program that was killed is replaced, one with a living program behind it is not.
    static func listen(on path: String) throws(SystemError) -> Int32 {
        let address = try Address(path)
        if hasListener(path) {
            throw SystemError("another program listens on \(path)", number: EADDRINUSE)
        }
        try SocketFile.removeLeftover(path)
        let descriptor = try make(flags: Int32(SOCK_NONBLOCK.rawValue))
        guard address.lend({ bind(descriptor, $0, $1) }) == 0, chmod(path, 0o666) == 0,
            Glibc.listen(descriptor, Self.backlog) == 0
        else {
            let failure = SystemError("cannot listen on \(path)")
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    /// Whether somebody listens there, busy or not: a full queue is one, too.
    private static func hasListener(_ path: String) -> Bool {
        do throws(SystemError) {
            close(try connectAtOnce(to: path))
            return true
        } catch {
            return error.number == EAGAIN
        }
    }

    /// The user whose program listens there; `nil` where no program listens. While the program takes no
    /// connections, this is the user who made the socket. Returns at once.
    public static func owner(of path: String) -> UInt32? {
        do throws(SystemError) {
            let descriptor = try connectAtOnce(to: path)
            defer { close(descriptor) }
            return Peer(of: descriptor)?.user
        } catch {
            var file = stat()
            guard error.number == EAGAIN, stat(path, &file) == 0 else { return nil }
            return file.st_uid
        }
    }

    private static func make(flags: Int32) throws(SystemError) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | flags
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw SystemError("cannot make a socket") }
        return descriptor
    }

    /// A path as a socket address.
    private struct Address {
        private var value = sockaddr_un()

        /// Throws if the path is longer than the 107 bytes that an address holds.
        init(_ path: String) throws(SystemError) {
            value.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array(path.utf8)
            guard bytes.count < MemoryLayout.size(ofValue: value.sun_path) else {
                throw SystemError("cannot use the socket \(path)", number: ENAMETOOLONG)
            }
            withUnsafeMutableBytes(of: &value.sun_path) { $0.copyBytes(from: bytes) }
        }

        func lend<T>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> T) -> T {
            withUnsafePointer(to: value) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
    }
}
