internal import HomingBase
public import HomingServer
internal import HomingSettings

extension RelayConfiguration {
    /// `[listen]`: where the relay is reached.
    public struct Listen: Equatable, Sendable {
        /// Never empty.
        public var addresses: [ListenAddress] = [.tcp("127.0.0.1", port: 8765)]
        /// Addresses at which the relay speaks TLS itself; empty where the relay does not.
        public var tlsAddresses: [ListenAddress] = []
        /// Absolute paths of PEM files.
        public var tlsCertificate: String?
        public var tlsKey: String?
        /// Addresses at which monitoring reads; empty for no address.
        public var metrics: [ListenAddress] = []
        /// Texts that `AddressRange` reads.
        public var trustedProxies: [String] = []
        /// The URL without the path of a request; `nil` for the address of a device's request.
        public var publicURL: String?

        /// All defaults.
        public init() {}

        /// `addresses` as the file has them.
        public var addressText: String { Kind<[ListenAddress]>.written(addresses) }

        var proxies: [AddressRange] { trustedProxies.compactMap { AddressRange($0) } }
    }

    static let listenSection = Section<RelayConfiguration>(
        "listen",
        """
        Where the relay is reached. TLS is a proxy's in front of it, for which the documents have \
        examples, or the relay's own.
        """,
        [
            Key(
                "address", \.listen.addresses, .addresses,
                """
                Where the relay listens, as HOST:PORT or unix:/PATH. HOST is an address, in brackets \
                if it is IPv6: 0.0.0.0:8765 takes whoever comes over IPv4, [::]:8765 over both.
                """),
            Key(
                "tls_address", \.listen.tlsAddresses, .optionalAddresses,
                """
                Where the relay speaks TLS itself, as HOST:PORT. It needs tls_certificate and tls_key.
                """),
            Key(
                "tls_certificate", \.listen.tlsCertificate, .readableFile,
                """
                The PEM file of the certificate and of those that vouch for it, such as certbot's \
                fullchain.pem. A file that changes is read again within a minute, and at SIGHUP.
                """),
            Key(
                "tls_key", \.listen.tlsKey, .secretFile,
                "The PEM file of the certificate's key, which other users must not be able to read."
            ),
            Key(
                "metrics", \.listen.metrics, .optionalAddresses,
                """
                Where monitoring reads /health, /ready and /metrics, such as 127.0.0.1:8766. The \
                pages tell everybody who reaches that address the numbers of machines and messages, but \
                nothing else about them. Nothing: nowhere.
                """),
            Key(
                "trusted_proxies", \.listen.trustedProxies, .proxies,
                """
                Proxies whose X-Forwarded-For is trusted, as addresses or ranges (10.0.0.0/8), or \
                unix for all clients of a Unix socket. Without this all clients of a proxy count \
                as one client, and share its limits.
                """),
            Key(
                "public_url", \.listen.publicURL, .url,
                """
                The address by which Home Assistant and machines reach the relay, such as \
                https://relay.example.org. Machines get this address when they join. Nothing: the \
                address of the machine's own request.
                """),
        ])
}

extension Kind where Value == [ListenAddress] {
    private static var form: String { "HOST:PORT or unix:/PATH, separated by \";\"" }

    /// Addresses to listen on, at least a single address.
    fileprivate static let addresses = Kind(
        form,
        read: { (raw) throws(Refusal) in
            let addresses = try listed(try raw.list())
            guard !addresses.isEmpty else { throw Refusal("has no value; allowed is \(form)") }
            return addresses
        }, write: written)

    /// Addresses to listen on, or nothing.
    fileprivate static let optionalAddresses = Kind(
        "\(form), or nothing",
        read: { (raw) throws(Refusal) in try listed(try raw.list()) }, write: written)

    private static func listed(_ items: [String]) throws(Refusal) -> [ListenAddress] {
        var addresses: [ListenAddress] = []
        for item in items {
            let text = item.hasPrefix("unix:") ? String(item.dropFirst(5)) : item
            guard let address = ListenAddress(text) else {
                throw Refusal("\(quoted(item)) is not an address; allowed is \(form)")
            }
            guard !addresses.contains(address) else {
                throw Refusal("\(quoted(item)) stands there twice")
            }
            addresses.append(address)
        }
        return addresses
    }

    @Sendable fileprivate static func written(_ addresses: [ListenAddress]) -> String {
        addresses.map { $0.port == nil ? "unix:\($0)" : "\($0)" }.joined(separator: ";")
    }
}

extension Kind where Value == [String] {
    /// Any number of ranges, as they are written.
    fileprivate static let proxies = list("addresses, ranges or unix, separated by \";\"") {
        (text) throws(Refusal) in
        guard let range = AddressRange(text) else {
            throw Refusal(
                "\(quoted(text)) is neither an address, nor a range such as 10.0.0.0/8, nor unix")
        }
        guard !range.isWhole else {
            throw Refusal("\(quoted(text)) trusts everybody; list the proxies alone")
        }
        return text
    }
}
