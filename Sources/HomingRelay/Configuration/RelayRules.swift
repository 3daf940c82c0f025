internal import HomingBase
internal import HomingServer
internal import HomingSettings

extension Rule<RelayConfiguration> {
    static let all = [
        socketHasClients, urlIsAPlace, storeHoldsAMailbox, addressFits, tlsIsWhole, placesDiffer,
        engineHasAPlace, engineHasNoFile, engineIsOfOneKind, frontHasAFile,
    ]

    /// Refuses the trusted proxy `unix` without a Unix socket to listen on.
    private static let socketHasClients = Rule(
        keys: ["listen.trusted_proxies", "listen.address"]
    ) { configuration, _ in
        let listen = configuration.listen
        guard listen.trustedProxies.contains("unix"),
            listen.addresses.allSatisfy({ $0.port != nil })
        else { return nil }
        return (
            "listen.trusted_proxies",
            "names unix, and the relay listens on no Unix socket: add unix:/PATH to address"
        )
    }

    /// An address, a certificate and a key belong together.
    private static let tlsIsWhole = Rule(
        keys: ["listen.tls_address", "listen.tls_certificate", "listen.tls_key"]
    ) { configuration, _ in
        let listen = configuration.listen
        let parts = [
            ("listen.tls_address", !listen.tlsAddresses.isEmpty),
            ("listen.tls_certificate", listen.tlsCertificate != nil),
            ("listen.tls_key", listen.tlsKey != nil),
        ]
        guard let there = parts.first(where: { $0.1 }),
            let missing = parts.first(where: { !$0.1 })
        else { return nil }
        return (there.0, "needs \(missing.0.dropFirst("listen.".count)) too: set it, or neither")
    }

    /// Refuses an address that is listened on in two ways.
    private static let placesDiffer = Rule(
        keys: ["listen.metrics", "listen.tls_address", "listen.address"]
    ) { configuration, _ in
        let listen = configuration.listen
        func isFree(_ address: ListenAddress, of others: [ListenAddress]) -> Bool {
            address.port == 0 || !others.contains(address)
        }
        if !listen.tlsAddresses.allSatisfy({ isFree($0, of: listen.addresses) }) {
            return ("listen.tls_address", "is in address too: give each its own port")
        }
        if !listen.metrics.allSatisfy({ isFree($0, of: listen.addresses + listen.tlsAddresses) }) {
            return ("listen.metrics", "is taken by the relay itself: give it another port")
        }
        return nil
    }

    /// Refuses a public URL with a query or with a path of the relay, as the relay adds its paths.
    private static let urlIsAPlace = Rule(keys: ["listen.public_url"]) { configuration, _ in
        guard let url = configuration.listen.publicURL else { return nil }
        if url.contains("?") {
            return ("listen.public_url", "has a query: leave out \"?\" and what follows")
        }
        // Scheme, nothing, host, path.
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let path = parts.count > 3 ? "/\(parts[3])/" : "/"
        if path.holds("/push/") || path.holds("/v1/") {
            return (
                "listen.public_url",
                "is the address of the relay as a whole: leave out /v1 and what follows"
            )
        }
        return nil
    }

    private static let engineHasAPlace = Rule(keys: ["store.engine", "store.url"]) {
        configuration, _ in
        switch (configuration.store.engine, configuration.store.urls.isEmpty) {
        case (.valkey, true):
            ("store.engine", "is valkey, and url names no node: add url = redis://HOST:PORT")
        case (.sqlite, false):
            ("store.url", "names an engine, which is not used: add engine = valkey")
        default: nil
        }
    }

    private static let engineHasNoFile = Rule(keys: ["store.path", "store.engine"]) {
        configuration, _ in
        guard configuration.store.engine == .valkey, configuration.store.path != nil else {
            return nil
        }
        return ("store.path", "is the file of engine = sqlite: leave path out")
    }

    /// Nodes of one cluster tell each other's addresses without their kind.
    private static let engineIsOfOneKind = Rule(keys: ["store.url"]) { configuration, _ in
        let kinds = Set(configuration.store.urls.map { $0.hasPrefix("rediss://") })
        return kinds.count > 1
            ? ("store.url", "has nodes with TLS and nodes without: write all of them alike") : nil
    }

    /// A front keeps what the far relay has not taken yet: one machine does so, beside Home Assistant.
    private static let frontHasAFile = Rule(keys: ["forward.url", "store.engine"]) {
        configuration, _ in
        guard configuration.forward.url != nil, configuration.store.engine == .valkey else {
            return nil
        }
        return ("forward.url", "needs a file: leave out engine = valkey")
    }

    private static let storeHoldsAMailbox = Rule(
        keys: ["limits.mailbox_kib", "store.max_size"]
    ) { configuration, _ in
        let (mailbox, all) = (configuration.limits.mailboxKiB, configuration.store.maxSize)
        guard mailbox > all << 10 else { return nil }
        return (
            "limits.mailbox_kib", "\(mailbox) KiB is more than all of [store] max_size, \(all) MiB"
        )
    }

    private static let addressFits = Rule(
        keys: ["limits.per_address", "limits.connections"]
    ) { configuration, _ in
        let limits = configuration.limits
        guard limits.perAddress > limits.connections else { return nil }
        return (
            "limits.per_address",
            "\(limits.perAddress) is more than connections, which is \(limits.connections)"
        )
    }
}
