internal import Glibc
internal import HomingRuntime

/// An address as the system wants it.
struct SocketAddress {
    private let address: ListenAddress
    private let family: Int32
    private var storage = sockaddr_storage()
    private let size: socklen_t

    /// - Throws: if the path is longer than the 107 bytes that an address holds, or the host is no
    ///   address.
    init(_ address: ListenAddress) throws(SystemError) {
        self.address = address
        switch address {
        case .unix(let path):
            var unix = sockaddr_un()
            unix.sun_family = sa_family_t(AF_UNIX)
            let room = MemoryLayout.size(ofValue: unix.sun_path)
            guard path.utf8.count < room, !path.utf8.contains(0) else {
                throw SystemError("cannot listen on \(path)", number: ENAMETOOLONG)
            }
            withUnsafeMutableBytes(of: &unix.sun_path) { $0.copyBytes(from: path.utf8) }
            family = AF_UNIX
            size = Self.copy(unix, to: &storage)
        case .tcp(let host, let port):
            var (four, six) = (sockaddr_in(), sockaddr_in6())
            if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
                four.sin_family = sa_family_t(AF_INET)
                four.sin_port = port.bigEndian
                family = AF_INET
                size = Self.copy(four, to: &storage)
            } else if inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
                six.sin6_family = sa_family_t(AF_INET6)
                six.sin6_port = port.bigEndian
                family = AF_INET6
                size = Self.copy(six, to: &storage)
            } else {
                throw SystemError("cannot listen on \(address)", number: EADDRNOTAVAIL)
            }
        }
    }

    private static func copy<T>(_ value: T, to storage: inout sockaddr_storage) -> socklen_t {
        withUnsafeMutableBytes(of: &storage) { target in
            withUnsafeBytes(of: value) { target.copyMemory(from: $0) }
        }
        return socklen_t(MemoryLayout<T>.size)
    }

    /// A socket that listens there and does not block. A Unix socket that nobody listens on any more
    /// is replaced.
    ///
    /// - Parameter onlySix: whether an IPv6 socket takes no IPv4.
    func listen(backlog: Int32, onlySix: Bool) throws(SystemError) -> Int32 {
        let type =
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, type, 0)
        guard descriptor >= 0 else { throw SystemError("cannot make a socket for \(address)") }
        if case .unix(let path) = address {
            if connect(descriptor) == 0 || errno == EAGAIN {
                Glibc.close(descriptor)
                throw SystemError("another program listens on \(path)", number: EADDRINUSE)
            }
            do throws(SystemError) { try SocketFile.removeLeftover(path) } catch {
                Glibc.close(descriptor)
                throw error
            }
        } else {
            Socket(descriptor).set(SOL_SOCKET, SO_REUSEADDR, 1)
            if family == AF_INET6 {
                Socket(descriptor).set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, onlySix ? 1 : 0)
            }
        }
        guard lend({ bind(descriptor, $0, $1) }) == 0, mayBeReached,
            Glibc.listen(descriptor, backlog) == 0
        else {
            let failure = SystemError("cannot listen on \(address)")
            Glibc.close(descriptor)
            throw failure
        }
        return descriptor
    }

    private func connect(_ descriptor: Int32) -> Int32 {
        lend { Glibc.connect(descriptor, $0, $1) }
    }

    /// A Unix socket is for everybody who may enter its folder.
    private var mayBeReached: Bool {
        if case .unix(let path) = address { chmod(path, 0o666) == 0 } else { true }
    }

    private func lend<T>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> T) -> T {
        withUnsafePointer(to: storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
        }
    }

    /// The address of a listening socket, with the port that it has.
    static func bound(_ descriptor: Int32, as address: ListenAddress) -> ListenAddress {
        guard case .tcp(let host, _) = address else { return address }
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let port = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(descriptor, $0, &size)
            }
            // Both families have it in the same place.
            return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt16(bigEndian: $0.pointee.sin_port)
            }
        }
        return .tcp(host, port: port)
    }

    /// Whom a connection is from.
    static func client(of storage: sockaddr_storage) -> ClientAddress {
        withUnsafeBytes(of: storage) { bytes in
            switch Int32(storage.ss_family) {
            case AF_INET: ClientAddress(bytes.load(as: sockaddr_in.self).sin_addr)
            case AF_INET6: ClientAddress(bytes.load(as: sockaddr_in6.self).sin6_addr)
            default: .unix
            }
        }
    }
}
