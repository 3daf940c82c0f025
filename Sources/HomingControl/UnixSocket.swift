internal import Glibc
internal import HomingRuntime

/// Unix stream sockets by path.
enum UnixSocket {
    /// Lends the path as a socket address. Throws if it is longer than the 107 bytes one holds.
    static func withAddress<T>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> T
    ) throws(SystemError) -> T {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SystemError("cannot use the socket \(path)", number: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// A new socket; `flags` such as SOCK_NONBLOCK.
    static func make(flags: Int32 = 0) throws(SystemError) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | flags
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw SystemError("cannot make a socket") }
        return descriptor
    }

    /// A connected socket.
    static func connect(to path: String) throws(SystemError) -> Int32 {
        let descriptor = try make()
        let result = try withAddress(path) { Glibc.connect(descriptor, $0, $1) }
        guard result == 0 else {
            let failure = SystemError("cannot connect to \(path)")
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    /// A listening socket that anybody may connect to; who it is decides what they may do. A socket
    /// left by a daemon that was killed is replaced, one with a living daemon behind it is not.
    static func listen(on path: String) throws(SystemError) -> Int32 {
        if let living = try? connect(to: path) {
            close(living)
            throw SystemError("another daemon listens on \(path)", number: EADDRINUSE)
        }
        unlink(path)
        let descriptor = try make(flags: Int32(SOCK_NONBLOCK.rawValue))
        let bound = try withAddress(path) { bind(descriptor, $0, $1) }
        guard bound == 0, chmod(path, 0o666) == 0, Glibc.listen(descriptor, 16) == 0 else {
            let failure = SystemError("cannot listen on \(path)")
            close(descriptor)
            throw failure
        }
        return descriptor
    }
}
