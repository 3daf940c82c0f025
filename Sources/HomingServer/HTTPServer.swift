public import HomingRuntime

/// A server of HTTP/1.1 and of WebSockets on the loop, for the open internet.
///
/// The server hands out a request when the body is complete, and answers invalid HTTP itself. It
/// serves until `end()`, also without a reference.
@LoopActor public final class HTTPServer {
    /// The counts of a server.
    public struct Counts: Equatable, Sendable {
        /// Connections of HTTP that are open.
        public var connections = 0
        /// WebSockets that are open.
        public var sockets = 0
        /// Requests that were handed out.
        public var requests = 0
        /// Requests that the server has answered itself.
        public var refusals = 0
        /// Connections and WebSockets that were not let in.
        public var turnedAway = 0
        /// Bytes of the bodies under way.
        public var buffered = 0

        public init() {}
    }

    /// Addresses where the server listens, with the ports that the system chose.
    public nonisolated let addresses: [ListenAddress]
    /// Addresses where the server speaks TLS.
    public nonisolated let secureAddresses: [ListenAddress]
    private let hall: ServerHall

    /// The counts since the start, and of now.
    public var counts: Counts { hall.door.counts }

    /// Listens at once.
    ///
    /// - Parameters:
    ///   - addresses: at least one.
    ///   - secured: addresses where TLS is spoken, with `identity`.
    ///   - proxies: whose `X-Forwarded-For` is believed, and who may have any number of connections.
    ///   - refusal: makes the answer where the server answers by itself.
    ///   - take: gets each request, and answers it now or later.
    /// - Throws: if an address cannot be listened on.
    public init(
        on addresses: [ListenAddress], secured: [ListenAddress] = [],
        identity: TLSIdentity? = nil, limits: ServerLimits = ServerLimits(),
        trusts proxies: [AddressRange] = [], clock: any Clockwork = SystemClock(),
        refusal: @escaping @LoopActor (ServerRefusal) -> ServerAnswer = { $0.answer },
        take: @escaping @LoopActor (ServerRequest) -> Void
    ) throws(ServerFailure) {
        let all = addresses + secured
        guard !all.isEmpty else {
            throw ServerFailure("cannot serve: there is no address to listen on")
        }
        let hall = try ServerHall(
            limits: limits, proxies: proxies, clock: clock, refusal: refusal, take: take)
        hall.show(identity)
        var bound: [ListenAddress] = []
        for (index, address) in all.enumerated() {
            do throws(ServerFailure) {
                let onlySix = Self.hasOwnFour(address, all)
                bound.append(
                    try hall.listen(
                        on: address, isSecure: index >= addresses.count, onlySix: onlySix))
            } catch {
                hall.stop()
                throw error
            }
        }
        (self.hall, self.addresses) = (hall, Array(bound.prefix(addresses.count)))
        secureAddresses = Array(bound.dropFirst(addresses.count))
    }

    /// Whether an IPv6 address leaves IPv4 alone: always, but for `::` where no other address of the
    /// same port is IPv4.
    private static func hasOwnFour(_ address: ListenAddress, _ all: [ListenAddress]) -> Bool {
        guard case .tcp(let host, let port) = address, host == "::" else { return true }
        return all.contains { other in
            guard case .tcp(let host, port: port) = other else { return false }
            return !host.contains(":")
        }
    }

    /// Shows this to clients of TLS that come from now on.
    public func replaceIdentity(_ identity: TLSIdentity) { hall.show(identity) }

    /// Takes no more connections and requests, says goodbye to the WebSockets with code 1001, lets
    /// the program answer what waits, and ends when all is sent, after 10 s at the latest.
    public func end() async { await hall.end() }
}
