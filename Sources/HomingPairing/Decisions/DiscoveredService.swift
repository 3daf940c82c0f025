internal import HomingBase

/// A service that announces itself on the local network (RFC 6763). Anybody there may announce anything.
public struct DiscoveredService: Equatable, Sendable {
    /// Receivers that are listed.
    private static let listed = 8

    /// The name that its owner gave it.
    let name: String
    /// The TXT record, `key=value` each.
    let texts: [String]
    /// An IP address, or the name of a host.
    let address: String?
    let port: UInt16

    public init(name: String, texts: [String], address: String?, port: UInt16) {
        self.name = name
        self.texts = texts
        self.address = address
        self.port = port
    }

    /// `HOST:PORT`; `nil` without an address.
    var endpoint: String? {
        address.map { $0.contains(":") ? "[\($0)]:\(port)" : "\($0):\(port)" }
    }

    /// A line for each receiver, at most eight and the number of the others. A receiver announces itself on
    /// each interface, over IPv4 and IPv6: its IPv4 address is taken, and no address of one link.
    public static func receivers(_ found: [DiscoveredService]) -> [String] {
        var best: [String: (name: String, endpoint: String, isIPv4: Bool)] = [:]
        for service in found {
            guard let address = service.address, let endpoint = service.endpoint,
                !address.isOfLink
            else { continue }
            let isIPv4 = !address.contains(":")
            let key = "\(service.port) \(service.name)"
            if best[key].map({ isIPv4 && !$0.isIPv4 }) ?? true {
                best[key] = (service.name, endpoint, isIPv4)
            }
        }
        let lines = best.values.map { service in
            SafeText.line(service.endpoint, limit: Bound.name)
                + " announces itself as the receiver "
                + quoted(SafeText.line(service.name))
        }.sorted()
        let more = lines.count - listed
        return lines.prefix(listed) + (more > 0 ? ["and \(more) more"] : [])
    }
}

extension String {
    /// Whether the IPv6 address means something on one link alone (RFC 4291 2.5.6).
    fileprivate var isOfLink: Bool { lowercased().hasPrefix("fe80:") }
}
