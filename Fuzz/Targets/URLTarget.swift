internal import HomingBase
internal import HomingHTTP
internal import HomingTestKit

/// Addresses: what we think of a URL must be true of the server that libcurl would go to, and what
/// libcurl reads as a secret is never shown.
final class URLTarget: FuzzTarget {
    static let name = "url"

    func run(_ input: [UInt8]) throws {
        // libcurl is given a C string.
        let url = String(decoding: input.prefix { $0 != 0 }, as: UTF8.self)
        let parts = URLParts(url)
        _ = parts.redacted(url)
        let text = "the answer of \(url) was odd"
        require(parts.redacted(text).contains("://") == false, "a URL is shown")
        guard let address = WebAddress(url), parts.server != "the server" else { return }
        require(!address.host.isEmpty, "a host without a name")
        let isNear = faultIsPlanted ? url.contains("127.0.0.1") : address.isLoopback
        let host = Host(parts.server)
        if isNear { require(host.isLoopback, "\(url): \(parts.server) is not this machine") }
        if address.isPrivate { require(host.isPrivate, "\(url): \(parts.server) is not local") }
        let scheme = url.prefix(8).lowercased()
        require(address.isTLS == (scheme == "https://"), "\(url): wrong about TLS")
    }
}

/// libcurl's host, in our own words of what is near.
private struct Host {
    let isLoopback: Bool
    let isPrivate: Bool

    private static func octet(_ text: Substring) -> UInt8? {
        UInt8(text).flatMap { "\($0)" == text ? $0 : nil }
    }

    /// - Parameter server: host and port.
    init(_ server: String) {
        let isAddress6 = server.hasPrefix("[")
        let name =
            isAddress6
            ? String(server.dropFirst().prefix { $0 != "]" })
            : String(server.prefix { $0 != ":" })
        let host = name.lowercased()
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        let octets = numbers.count == 4 ? numbers.compactMap { Self.octet($0) } : []
        isLoopback =
            host == "localhost" || (isAddress6 && host == "::1")
            || (octets.count == 4 && octets[0] == 127)
        let isLocal4 =
            octets.count == 4
            && (octets[0] == 10 || octets.starts(with: [192, 168])
                || octets.starts(with: [169, 254])
                || (octets[0] == 172 && 16...31 ~= octets[1]))
        let isLocal6 =
            isAddress6
            && ["fc", "fd", "fe8", "fe9", "fea", "feb"]
                .contains { host.hasPrefix($0) }
        let labels = Array(
            (numbers.last == "" ? numbers.dropLast() : numbers[...]).map(String.init))
        let isPlain = host.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "%") }
        let endsLocally =
            labels.count > 1
            && (labels.suffix(2) == ["home", "arpa"]
                || ["local", "lan", "home", "internal", "intranet", "private", "corp"]
                    .contains(labels.last))
        let isLocalName = !isAddress6 && isPlain && endsLocally
        isPrivate = isLoopback || isLocal4 || isLocal6 || isLocalName
    }
}
