import Glibc
import Testing

/// A port of this machine that takes connections and never answers.
final class SilentServer: Sendable {
    let port: Int
    let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                let bound = bind(descriptor, pointer, size)
                return bound == 0 && listen(descriptor, 16) == 0
                    ? getsockname(descriptor, pointer, &size) : -1
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        try #require(code == 0, "no port to listen on")
    }

    var url: String { "http://127.0.0.1:\(port)" }

    deinit { close(descriptor) }
}
