internal import Glibc

/// A TCP socket that listens on 127.0.0.1, at a port that the system chose. It does not block.
///
/// Its owner closes the descriptor.
public struct LoopbackSocket: Sendable {
    public let descriptor: Int32
    public let port: UInt16

    /// - Parameter backlog: how many connections may wait to be accepted.
    /// - Throws: if the system gives no socket, or no port.
    public init(backlog: Int32) throws(SystemError) {
        let type =
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { throw SystemError("cannot make a socket") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listens = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, backlog) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard listens else {
            let failure = SystemError("cannot listen on 127.0.0.1")
            close(descriptor)
            throw failure
        }
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin_port)
    }
}
