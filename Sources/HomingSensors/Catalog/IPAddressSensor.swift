internal import Glibc
internal import HomingRuntime

/// The machine's own addresses on the interface of the default route, as the kernel lists them.
struct IPAddressSensor: MachineSensor {
    static let description = SensorDescription(
        "ip_address", "IP address", isDiagnostic: true, icon: "mdi:ip",
        offBecause: "it shows how your network is laid out",
        summary:
            "Local IPv4 address of the default route's interface; IPv6 addresses are an attribute.")
    static let descriptions = [description]
    static let occasion = SensorOccasion.tick
    static let reads = "`/proc/net/route`, `/proc/net/fib_trie`, `/proc/net/if_inet6`"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        let routes = try machine.files.routes()
        let defaults = routes.filter { $0.destination == 0 && $0.mask == 0 }
        guard let chosen = defaults.min(by: { $0.metric < $1.metric }) else { return [] }
        let neighbours = routes.filter { $0.interface == chosen.interface && $0.mask != 0 }
        let own = machine.files.localAddresses().filter { address in
            neighbours.contains { address & $0.mask == $0.destination }
        }
        let later = try machine.files.addresses6(of: chosen.interface)
        guard let address = own.min() else { return [] }
        return [
            SensorReading(
                Self.description, .text(dotted(address)),
                attributes: later.isEmpty ? [:] : ["ipv6": .text(later.joined(separator: ", "))])
        ]
    }
}

private struct KernelRoute {
    var interface: String
    var destination: UInt32
    var mask: UInt32
    var metric: Int
}

extension HostFiles {
    /// The IPv4 routes: under a line of headings interface, destination, gateway, flags, …, metric
    /// (7th), mask (8th), the numbers in hexadecimal as they lie in memory.
    fileprivate func routes() throws(SensorFailure) -> [KernelRoute] {
        let path = "/proc/net/route"
        var routes: [KernelRoute] = []
        for line in lines(path).dropFirst() {
            let fields = line.split(whereSeparator: { $0 == "\t" || $0 == " " })
            guard fields.count >= 8, let destination = address(fields[1]),
                let mask = address(fields[7]), let metric = Int(fields[6])
            else { throw SensorFailure(path, holds: line) }
            routes.append(
                KernelRoute(
                    interface: String(fields[0]), destination: destination, mask: mask,
                    metric: metric))
        }
        return routes
    }

    /// The machine's IPv4 addresses: each stands in the trie as a leaf, and below it what it is.
    ///
    ///     |-- 192.168.1.57
    ///        /32 host LOCAL
    fileprivate func localAddresses() -> Set<UInt32> {
        let lines = lines("/proc/net/fib_trie")
        let found = zip(lines, lines.dropFirst()).compactMap { leaf, kind -> UInt32? in
            guard kind.hasSuffix("/32 host LOCAL"), let text = leaf.split(separator: " ").last
            else { return nil }
            let bytes = text.split(separator: ".").compactMap { UInt8($0) }
            return bytes.count == 4 ? bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } : nil
        }
        return Set(found)
    }

    /// The global IPv6 addresses of an interface: address, index, prefix length, scope (00 is
    /// global), flags, interface.
    fileprivate func addresses6(of interface: String) throws(SensorFailure) -> [String] {
        let path = "/proc/net/if_inet6"
        var found: [String] = []
        for line in lines(path) {
            let fields = line.split(separator: " ")
            guard fields.count == 6, let text = written(fields[0]) else {
                throw SensorFailure(path, holds: line)
            }
            if fields[5] == interface, fields[3] == "00" { found.append(text) }
        }
        return found.sorted()
    }

    /// Eight hexadecimal digits, the first byte of the address last.
    private func address(_ text: Substring) -> UInt32? {
        text.utf8.count == 8 ? UInt32(text, radix: 16).map { UInt32(littleEndian: $0) } : nil
    }

    /// 32 hexadecimal digits as people write an IPv6 address.
    private func written(_ digits: Substring) -> String? {
        guard digits.utf8.count == 32 else { return nil }
        var bytes: [UInt8] = []
        var rest = digits
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, bytes, &text, socklen_t(text.count)) != nil else { return nil }
        return String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

private func dotted(_ address: UInt32) -> String {
    (0..<4).map { String(address >> ($0 * 8) & 0xFF) }.joined(separator: ".")
}
