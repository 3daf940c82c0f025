internal import HomingRelayProtocol
internal import HomingRuntime
internal import HomingServer

/// The address that a device that joins is told for Home Assistant.
enum PushAddress {
    /// Makes the address from the configuration; else from the address that the device used.
    @LoopActor static func text(
        _ listen: RelayConfiguration.Listen, _ request: ServerRequest
    ) -> String {
        if let url = listen.publicURL {
            return url.withoutEndingSlashes + RelayPath.push
        }
        let isSecure =
            request.isSecure
            || !request.untrustedForward
                && request.field("X-Forwarded-Proto")?.lowercased() == "https"
        return text(
            host: request.field("Host") ?? "", path: request.path, isSecure: isSecure,
            or: listen.addresses)
    }

    /// - Parameters:
    ///   - host: what the client calls the relay.
    ///   - path: the request's; a proxy may have put something in front of the relay's own path.
    static func text(
        host: String, path: String, isSecure: Bool, or addresses: [ListenAddress]
    ) -> String {
        let own = addresses.first { $0.port != nil }.map { "\($0)" } ?? "localhost"
        let place = host.isEmpty || !isHost(host) ? own : host
        let prefix = path.hasSuffix(RelayPath.join) ? path.dropLast(RelayPath.join.count) : ""
        return "\(isSecure ? "https" : "http")://\(place)\(prefix)\(RelayPath.push)"
    }

    private static func isHost(_ text: String) -> Bool {
        text.isMade(of: ASCII.letters + ASCII.digits + ".-_:[]")
    }
}
