internal import HomingRuntime

/// The addresses of this machine, by files of the kernel's: the service may not use netlink, by which
/// `getifaddrs` asks.
struct HostAddresses {
    private let files: HostFiles

    init(_ files: HostFiles) { self.files = files }

    /// Whether a connected interface has an address by which others can be reached: no loopback
    /// address, and no IPv6 address of the link alone, which every interface has. Where the files
    /// cannot be read, such an address is taken for there.
    var areReachable: Bool {
        // Without a route the file has not even its heading.
        guard let routes = files.text("/proc/net/route") else { return true }
        let hasIPv4 = routes.split(separator: "\n").dropFirst().contains { line in
            line.split(separator: "\t").first.map { isConnected(String($0)) } ?? false
        }
        return hasIPv4 || files.lines("/proc/net/if_inet6").contains { isReachable(sixth: $0) }
    }

    /// A line of `/proc/net/if_inet6`: address, index, length of the prefix, scope, flags, name.
    private func isReachable(sixth line: Substring) -> Bool {
        let columns = line.split(separator: " ")
        return columns.count == 6 && columns[3] == "00" && isConnected(String(columns[5]))
    }

    /// Whether the interface has a carrier, as far as the kernel says.
    private func isConnected(_ interface: String) -> Bool {
        guard interface != "lo", !interface.contains("/") else { return false }
        return files.lines("/sys/class/net/\(interface)/carrier").first != "0"
    }
}
