internal import HomingBase

/// A relay's address, as people type it: `relay.example`, or a URL with a port and a path. The paths of
/// the protocol are left out.
public struct RelayAddress: Equatable, Sendable {
    /// `http` or `https`, without a trailing slash.
    public let url: String
    public let host: String
    /// Whether what is sent there is safe from others on the way: by TLS, or on this very machine.
    public let isConfidential: Bool
    private let isThisMachine: Bool

    /// Paths that people may have copied behind the address.
    private static let endings = ["/v1/push", "/v1/mailbox", "/v1/join", "/v1"]

    /// `nil` if it is no address of `http` or `https`, or holds a user's name, a query or a fragment.
    public init?(_ text: String) {
        guard text.utf8.count <= Bound.address, text.isVisibleASCII,
            !text.contains(where: { "?#@\\".contains($0) })
        else { return nil }
        var rest = (text.holds("://") ? text : "https://\(text)").withoutEndingSlashes
        let ending = Self.endings.first { rest.hasSuffix($0) }
        if let ending { rest = String(rest.dropLast(ending.count)).withoutEndingSlashes }
        guard let address = WebAddress(rest), address.port != nil,
            let start = rest.firstPlace(of: "://")?.upperBound
        else { return nil }
        // Scheme and host in lower case; a path is as it is.
        let end = rest[start...].firstIndex(of: "/") ?? rest.endIndex
        url = rest[..<end].lowercased() + rest[end...]
        host = address.host
        isConfidential = address.isTLS || address.isLoopback
        isThisMachine = address.isLoopback
    }

    /// Whether a relay at this address may have Home Assistant post to that URL without a word to a person:
    /// by TLS to another machine, or to the very machine that the relay is reached on. A relay elsewhere
    /// could have Home Assistant post to itself, by an address that is trusted there.
    public func mayReceive(at pushURL: RelayAddress) -> Bool {
        pushURL.isConfidential && (isThisMachine || !pushURL.isThisMachine)
    }
}
