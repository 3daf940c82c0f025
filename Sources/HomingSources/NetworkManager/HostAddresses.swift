internal import Glibc

/// The addresses of this machine, as the kernel has them.
enum HostAddresses {
    /// Whether an interface that is connected has an address by which others can be reached: no
    /// loopback address, and no IPv6 address of the link alone, which every interface has.
    static var reachOut: Bool {
        var list: UnsafeMutablePointer<ifaddrs>?
        // What cannot be asked is taken for there.
        guard getifaddrs(&list) == 0 else { return true }
        defer { freeifaddrs(list) }
        return sequence(first: list, next: { $0?.pointee.ifa_next }).contains { entry in
            entry.map { reachesOut($0.pointee) } ?? false
        }
    }

    private static func reachesOut(_ entry: ifaddrs) -> Bool {
        let flags = Int32(bitPattern: entry.ifa_flags)
        guard flags & Int32(IFF_RUNNING) != 0, flags & Int32(IFF_LOOPBACK) == 0,
            let address = entry.ifa_addr
        else { return false }
        switch Int32(address.pointee.sa_family) {
        case AF_INET: return true
        case AF_INET6:
            return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { $0[0] != 0xfe || $0[1] & 0xc0 != 0x80 }
            }
        default: return false
        }
    }
}
