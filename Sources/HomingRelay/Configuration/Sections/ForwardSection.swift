internal import HomingBase
internal import HomingSettings

extension RelayConfiguration {
    /// `[forward]`: the far relay, if this relay is a front.
    public struct Forward: Equatable, Sendable {
        /// The far relay's address without a trailing slash; `nil` if this relay is no front.
        public var url: String?
        /// An absolute path; certificates to trust beside the system's own.
        public var caFile: String?

        /// All defaults.
        public init() {}
    }

    static let forwardSection = Section<RelayConfiguration>(
        "forward",
        """
        A front runs beside Home Assistant. The front encrypts each notification, and a far relay, \
        which machines reach everywhere, passes the notification on without reading it.
        """,
        [
            Key(
                "url", \.forward.url, .farRelay,
                """
                The address of the far relay, such as https://relay.example.org. With this key the \
                relay is a front, and machines that join it also join the far relay. Nothing: the \
                relay delivers to the machines itself.
                """),
            Key(
                "ca_file", \.forward.caFile, .absolutePath,
                "Certificates in PEM that the far relay's may be signed by, beside those of the system."
            ),
        ])
}

extension Kind where Value == String? {
    /// The address of a relay: by TLS, or on this machine.
    fileprivate static let farRelay = Kind(optional: "https://HOST, with port and path if needed") {
        (text) throws(Refusal) in
        guard let address = WebAddress(text), address.port != nil, text.isVisibleASCII,
            !text.contains(where: { "?#@\\".contains($0) })
        else { throw Refusal("is no address of a relay; write https://HOST") }
        guard address.isTLS || address.isLoopback else {
            throw Refusal("is not confidential; write https://HOST")
        }
        let url = text.withoutEndingSlashes
        guard !url.hasSuffix("/v1"), !url.holds("/v1/") else {
            throw Refusal("names a path of the relay; leave out /v1 and what follows")
        }
        return url
    }
}
