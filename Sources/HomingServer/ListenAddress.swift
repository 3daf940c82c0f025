/// Address where a server listens.
public enum ListenAddress: Equatable, Sendable, CustomStringConvertible {
    /// An IPv4 or IPv6 address without brackets, and a port; the system chooses port 0.
    ///
    /// `::` takes IPv4 as well; any other IPv6 address takes IPv6 alone.
    case tcp(String, port: UInt16)
    /// A Unix socket, which everybody who reaches its folder may connect to.
    case unix(String)

    /// Reads `127.0.0.1:8126`, `[::]:8126` or a path that begins with `/`.
    public init?(_ text: String) {
        if text.hasPrefix("/") {
            self = .unix(text)
            return
        }
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        guard ClientAddress(host) != nil else { return nil }
        self = .tcp(host, port: port)
    }

    /// The port; `nil` for a Unix socket.
    public var port: UInt16? {
        if case .tcp(_, let port) = self { port } else { nil }
    }

    /// The form that `init(_:)` reads.
    public var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): path
        }
    }
}
