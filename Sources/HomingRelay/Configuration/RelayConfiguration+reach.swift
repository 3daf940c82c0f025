internal import HomingBase
internal import HomingServer

extension RelayConfiguration {
    /// Reasons why clients may not reach `public_url`, for people; each with advice.
    ///
    /// A proxy, or a router that passes a port on, may stand before the relay: so none of them is an
    /// error. They are about plain HTTP alone, as TLS is usually a proxy's.
    public var warnings: [String] {
        guard let url = listen.publicURL.flatMap({ WebAddress($0) }), !url.isTLS, !url.isLoopback,
            let port = url.port
        else { return [] }
        let ports = listen.addresses.map { $0.port ?? 0 }
        // The system chooses port 0, and a Unix socket is for a proxy.
        guard let first = ports.first, !ports.contains(0) else { return [] }
        var warnings: [String] = []
        if listen.addresses.allSatisfy(\.isLoopback) {
            let host = url.host.contains(":") ? "[::]" : "0.0.0.0"
            warnings.append(
                "public_url is plain HTTP, and the relay listens on this machine alone"
                    + " (\(listen.addressText)). Unless a proxy stands before it, set"
                    + " address = \(host):\(first) under [listen]")
        }
        if !ports.contains(port) {
            warnings.append(
                "public_url means port \(port), and the relay listens on \(listen.addressText)."
                    + " Unless a proxy or a router passes the port on, name the relay's own port"
                    + " in public_url")
        }
        return warnings
    }
}

extension ListenAddress {
    /// Whether only this machine can connect there.
    fileprivate var isLoopback: Bool {
        guard case .tcp(let host, _) = self else { return true }
        return ClientAddress(host)?.isLoopback == true
    }
}
