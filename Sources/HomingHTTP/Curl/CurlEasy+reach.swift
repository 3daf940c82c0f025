internal import CCurl
internal import Glibc

extension CurlEasy {
    /// Opens the socket for a connection to another machine, and none to this one. libcurl asks with
    /// the address that the name led to, so no name leads round it.
    /// CURLOPT_OPENSOCKETFUNCTION(3).
    static let openElsewhere: homing_curl_open_callback = { _, _, address in
        guard let address else { return CURL_SOCKET_BAD }
        let all = address.pointee
        let start = UnsafeRawPointer(address) + (MemoryLayout.offset(of: \curl_sockaddr.addr) ?? 0)
        let bytes = Array(UnsafeRawBufferPointer(start: start, count: Int(all.addrlen)))
        let host =
            switch all.family {
            case AF_INET: bytes.dropFirst(4).prefix(4)
            case AF_INET6: bytes.dropFirst(8).prefix(16)
            default: ArraySlice<UInt8>()
            }
        guard !host.isEmpty, !OwnAddress.contains(Array(host)) else { return CURL_SOCKET_BAD }
        return socket(all.family, all.socktype | Int32(SOCK_CLOEXEC.rawValue), all.protocol)
    }
}

/// The addresses by which a machine reaches itself, or what is on its own link.
enum OwnAddress {
    /// - Parameter host: four bytes of IPv4, or sixteen of IPv6.
    static func contains(_ host: [UInt8]) -> Bool {
        guard host.count == 16 else {
            return host.first == 127 || host.first == 0 || host.starts(with: [169, 254])
        }
        // IPv4 within IPv6 is that address; "::" and "::1" are among these.
        let isMapped = host[..<10].allSatisfy { $0 == 0 } && [0, 0xFF].contains(host[10])
        if isMapped, host[10] == host[11] {
            return host[10] == 0 || contains(Array(host[12...]))
        }
        return host[0] == 0xFE && host[1] & 0xC0 == 0x80
    }
}
