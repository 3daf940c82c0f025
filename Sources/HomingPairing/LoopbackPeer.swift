internal import Glibc
internal import HomingRuntime

/// The account at the other end of a connection within this machine, from the kernel's tables of
/// sockets (proc(5), /proc/net/tcp).
enum LoopbackPeer {
    /// The second table has the sockets of programs that speak IPv4 through IPv6.
    private static let tables = ["/proc/net/tcp", "/proc/net/tcp6"]
    /// Bytes of a table that are read: 100 000 sockets.
    private static let limit = 16 << 20
    private static let fieldCount = 10

    /// The number of the account; `nil` if the other end is closed or not in a table.
    static func user(at descriptor: Int32) -> UInt32? {
        guard let own = name(of: descriptor, getsockname),
            let other = name(of: descriptor, getpeername)
        else { return nil }
        for table in tables {
            guard let content = try? AtomicFile.read(table, limit: limit) else { continue }
            let text = String(decoding: content, as: UTF8.self)
            if let user = user(in: text, from: other, to: own) { return user }
        }
        return nil
    }

    /// Reads a table.
    ///
    /// - Parameters:
    ///   - client: address and port as the table writes an IPv4 address: `0100007F:1F90`.
    ///   - server: the same, of the port that the client is connected to.
    static func user(in table: String, from client: String, to server: String) -> UInt32? {
        for line in table.split(separator: "\n").dropFirst() {
            let fields = line.split(separator: " ")
            guard fields.count >= fieldCount, fields[1].hasSuffix(client),
                fields[2].hasSuffix(server)
            else { continue }
            // A socket that its program has closed belongs to root, and has no inode.
            return fields[9] == "0" ? nil : UInt32(fields[7])
        }
        return nil
    }

    private static func name(
        of descriptor: Int32,
        _ ask: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> String? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask(descriptor, $0, &size) }
        }
        guard code == 0, Int32(address.sin_family) == AF_INET else { return nil }
        let port = hexadecimal(UInt32(UInt16(bigEndian: address.sin_port)), digits: 4)
        return "\(hexadecimal(address.sin_addr.s_addr, digits: 8)):\(port)"
    }

    private static func hexadecimal(_ number: UInt32, digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: digits - text.count) + text
    }
}

/// The accounts whose browser may end a login of this process.
enum LoginAccounts {
    /// Our own account, and the account of the person who became us by `sudo`, `pkexec` or `su`.
    static func current(
        environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }
    ) -> Set<UInt32> {
        let before = ["SUDO_UID", "PKEXEC_UID"].compactMap(environment).compactMap { UInt32($0) }
        var numbers = Set(before + [geteuid()])
        // The kernel's note of the login: all ones for a process without a login.
        if let content = try? AtomicFile.read("/proc/self/loginuid", limit: 32),
            let number = UInt32(String(decoding: content, as: UTF8.self)), number != .max
        {
            numbers.insert(number)
        }
        return numbers
    }
}
