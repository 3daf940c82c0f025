internal import HomingBase

/// A service that announces itself on the local network (RFC 6763). Anybody there may announce anything.
public struct DiscoveredService: Equatable, Sendable {
    /// What its owner calls it.
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
    var host: String? {
        address.map { $0.contains(":") ? "[\($0)]:\(port)" : "\($0):\(port)" }
    }

    /// The name and the address for people, within a bound: `NAME, HOST:PORT`; `nil` without an address.
    public var endpoint: String? {
        host.map { Self.visible("\(name), \($0)") }
    }

    /// The text without control characters, within a bound.
    static func visible(_ text: String) -> String {
        String(text.unicodeScalars.filter { $0.properties.generalCategory != .control })
            .bounded(Bound.name)
    }
}
