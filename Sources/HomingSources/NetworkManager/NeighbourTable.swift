internal import HomingRuntime

/// The kernel's table of hardware addresses beside this machine: `/proc/net/arp`, proc_net(5). Netlink
/// would tell as much, but the service may not use netlink.
struct NeighbourTable {
    private static let path = "/proc/net/arp"
    /// ATF_COM of <linux/if_arp.h>: the entry is complete.
    private static let isComplete = 0x2
    private static let nobody = "00:00:00:00:00:00"

    private var entries: [Neighbour: String] = [:]

    private struct Neighbour: Hashable {
        let address: Substring
        let interface: Substring
    }

    /// Reads the table; a machine without the table has no neighbours.
    init(_ files: HostFiles) {
        for line in files.lines(Self.path).dropFirst() {
            let columns = line.split(separator: " ")
            guard columns.count == 6, columns[2].hasPrefix("0x"),
                let flags = Int(columns[2].dropFirst(2), radix: 16), flags & Self.isComplete != 0,
                columns[3] != Self.nobody
            else { continue }
            entries[Neighbour(address: columns[0], interface: columns[5])] = columns[3].uppercased()
        }
    }

    /// The hardware address behind an IPv4 address, upper-case hexadecimal with colons.
    func hardwareAddress(of address: String, on interface: String) -> String? {
        entries[Neighbour(address: address[...], interface: interface[...])]
    }
}
