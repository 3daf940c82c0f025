internal import HomingBase

/// Address where a node of the engine listens.
public struct EngineAddress: Hashable, Sendable, Comparable, CustomStringConvertible {
    public let host: String
    public let port: Int
    /// Whether TLS is spoken there.
    public let isSecure: Bool

    public init(host: String, port: Int, isSecure: Bool = false) {
        self.host = host
        self.port = port
        self.isSecure = isSecure
    }

    /// Reads `redis://HOST:PORT` or `rediss://HOST:PORT`; the port is 6379 where the text names none.
    public init?(url text: String) {
        let isSecure = text.hasPrefix("rediss://")
        guard isSecure || text.hasPrefix("redis://") else { return nil }
        let rest = text.dropFirst(isSecure ? 9 : 8)
        self.init(place: rest.hasSuffix("/") ? String(rest.dropLast()) : String(rest), isSecure)
    }

    /// Reads `HOST:PORT`, or a host alone; IPv6 in brackets.
    private init?(place: String, _ isSecure: Bool) {
        var (host, port) = (place, 6379)
        if let colon = place.lastIndex(of: ":"), !place.hasSuffix("]") {
            guard let number = Int(place[place.index(after: colon)...]) else { return nil }
            (host, port) = (String(place[..<colon]), number)
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            return nil
        }
        self.init(checked: host, port, isSecure)
    }

    private init?(checked host: String, _ port: Int, _ isSecure: Bool) {
        guard !host.isEmpty, host.utf8.count <= 255, (1...65_535).contains(port),
            host.isMade(of: ASCII.letters + ASCII.digits + ".-_:")
        else { return nil }
        self.init(host: host, port: port, isSecure: isSecure)
    }

    /// Reads an address in an answer of `node`: `HOST:PORT`, IPv6 without brackets. An empty host
    /// means the host of `node`.
    init?(told text: Substring, by node: EngineAddress) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...])
        else { return nil }
        self.init(host: String(text[..<colon]), port: port, toldBy: node)
    }

    init?(host: String, port: Int, toldBy node: EngineAddress) {
        self.init(checked: host.isEmpty || host == "?" ? node.host : host, port, node.isSecure)
    }

    /// `HOST:PORT`, as libcurl takes it in a URL.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    public static func < (one: EngineAddress, other: EngineAddress) -> Bool {
        (one.host, one.port) < (other.host, other.port)
    }
}
