/// The parts of a URL that decisions hang on, read without any library: scheme, host, and what kind
/// of host it is.
public struct WebAddress: Equatable, Sendable {
    public let isTLS: Bool
    /// Host in lower case, without brackets and port.
    public let host: String
    /// The port, by default the scheme's; `nil` where the text is no port.
    public let port: UInt16?

    /// `nil` unless it is `http://host…` or `https://host…`.
    public init?(_ url: String) {
        let lower = url.lowercased()
        guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix) else { return nil }
        isTLS = scheme == "https://"
        let rest = lower.dropFirst(scheme.count)
        // Scalars, not characters: a slash with an accent upon it is a slash to everybody else.
        let authority = rest.unicodeScalars.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let hostAndPort =
            authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        let isBracketed = hostAndPort.first == "["
        guard !isBracketed || hostAndPort.contains("]") else { return nil }
        let rawHost =
            isBracketed
            ? hostAndPort.dropFirst().prefix { $0 != "]" } : hostAndPort.prefix { $0 != ":" }
        host = String(rawHost)
        let behind = hostAndPort[rawHost.endIndex...].drop { $0 == "]" }
        port = behind.isEmpty ? (isTLS ? 443 : 80) : UInt16(String(behind.dropFirst()))
        if host.isEmpty { return nil }
    }

    /// Whether a text that should be an address may have a user or a password in front of its host. Such a
    /// text must be neither stored nor shown. A password may have each character that ends a host.
    public static func holdsLogin(_ text: String) -> Bool {
        text.unicodeScalars.contains("@") || text.holds("%40")
    }

    /// Returns what is wrong with a text that is not the address of a Home Assistant. The complaint
    /// repeats no login.
    public static func complaint(about text: String) -> String {
        holdsLogin(text)
            ? "the address has a user or a password in it, which Homing would store"
            : "\"\(text)\" is not the address of a Home Assistant"
    }

    /// This very machine.
    public var isLoopback: Bool {
        host == "localhost" || host == "::1" || octets?.first == 127
    }

    /// A host that is on a local network by its name or address: loopback, RFC 1918, link-local,
    /// unique local, or a local name.
    public var isPrivate: Bool {
        if isLoopback || isLocalName { return true }
        if let octets {
            return octets[0] == 10 || (octets[0] == 192 && octets[1] == 168)
                || (octets[0] == 172 && (16...31).contains(octets[1]))
                || (octets[0] == 169 && octets[1] == 254)
        }
        guard host.contains(":") else { return false }
        return ["fc", "fd", "fe8", "fe9", "fea", "feb"].contains { host.hasPrefix($0) }
    }

    /// Endings of names that no public DNS has, by RFC 6762 with its appendix G, and by RFC 8375.
    private static let localEndings = [
        "local", "home.arpa", "intranet", "internal", "private", "corp", "home", "lan",
    ]

    /// A name with such an ending. A name without a dot may be completed to a public name. libcurl
    /// finds other characters in `%2e`.
    private var isLocalName: Bool {
        let name = host.hasSuffix(".") ? host.dropLast() : host[...]
        return name.isMade(of: ASCII.smallLetters + ASCII.digits + "-_.", 1...Bound.name)
            && Self.localEndings.contains { name.hasSuffix(".\($0)") }
    }

    /// The four numbers of an IPv4 address, if that is what the host is.
    private var octets: [UInt8]? {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        // In the one usual form: "0127" is 87 to libcurl, and "+127" a name.
        let numbers = parts.compactMap { part in UInt8(part).flatMap { "\($0)" == part ? $0 : nil }
        }
        return numbers.count == 4 ? numbers : nil
    }
}
