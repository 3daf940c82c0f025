import Glibc
import HomingRuntime

/// Sockets on 127.0.0.1.
enum Loopback {
    /// Traffic of a socket, in the kernel's numbers. Swift 6.0 does not find C's names for the
    /// numbers beside gpsd's library.
    enum Kind: Int32 {
        case stream = 1
        case datagram = 2
    }

    /// Makes a socket that no child inherits; -1 if there can be none.
    static func open(_ family: Int32, _ kind: Kind) -> Int32 {
        socket(family, kind.rawValue | O_CLOEXEC, 0)
    }

    /// Makes a socket, bound to a port; with 0 to a free one.
    static func bound(_ kind: Kind, port: UInt16 = 0) throws -> Int32 {
        let descriptor = open(AF_INET, kind)
        guard descriptor >= 0 else { throw SystemError("socket") }
        let error = withAddress(port) { bind(descriptor, $0, $1) }
        guard error == 0 else { throw SystemError("bind") }
        return descriptor
    }

    /// The port of a bound socket.
    static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutableBytes(of: &address) { bytes in
            let address = bytes.assumingMemoryBound(to: sockaddr.self)
            _ = getsockname(descriptor, address.baseAddress, &length)
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// A port that nobody uses at the moment and that no other test is given. It lies below the range from which the kernel
    /// takes ports by itself, as a program that is killed and started again must find its port free.
    @LoopActor static func freePort(_ kind: Kind = .stream) throws -> UInt16 {
        for _ in 0..<1000 {
            lastHandedOut = lastHandedOut < 31999 ? lastHandedOut + 1 : 15000
            if let descriptor = try? bound(kind, port: lastHandedOut) {
                close(descriptor)
                return lastHandedOut
            }
        }
        throw SystemError("no free port")
    }

    @LoopActor private static var lastHandedOut = UInt16.random(in: 15000..<32000)

    /// Lends the address of a port.
    static func withAddress<T>(
        _ port: UInt16, _ body: (UnsafePointer<sockaddr>?, socklen_t) -> T
    ) -> T {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        return withUnsafeBytes(of: &address) { bytes in
            body(
                bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
    }
}
