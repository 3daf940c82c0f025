public import HomingRuntime
internal import HomingWebSocket

/// A request whose body is whole, and which waits for its answer. It does not print itself.
@LoopActor public final class ServerRequest {
    /// The word of the method, such as `POST`.
    public nonisolated let method: String
    /// The path as it came, without the query.
    public nonisolated let path: String
    public nonisolated let body: [UInt8]
    /// The client's address: behind a trusted proxy, the address that the proxy tells.
    public nonisolated let client: ClientAddress
    /// Whether there is an `X-Forwarded-For` of somebody who is not trusted; it is ignored.
    public nonisolated let untrustedForward: Bool
    /// Whether it came by the server's own TLS.
    public nonisolated let isSecure: Bool

    private let version: String
    /// `nil` once it is answered.
    private var exchange: Exchange?

    init(
        line: RequestLine, body: [UInt8], origin: Forwarding, isSecure: Bool, exchange: Exchange
    ) {
        self.isSecure = isSecure
        (method, path, version) = (line.method, line.path, line.version)
        (client, untrustedForward) = (origin.client, origin.isUntrusted)
        (self.body, self.exchange) = (body, exchange)
    }

    /// The first field of this name, whatever its case; `nil` if there is none, and once the request
    /// is answered.
    public func field(_ name: String) -> String? { exchange?.field(name) }

    /// Answers. Does nothing if the request is answered already, by the server too.
    public func answer(_ answer: ServerAnswer) { exchange?.settle(.answer(answer)) }

    /// Makes a WebSocket of the request's connection.
    ///
    /// - Parameters:
    ///   - limit: bytes of a message; a larger one ends the socket.
    ///   - deliver: gets the socket's events, the first not before the loop's next turn.
    /// - Returns: `nil` if the request asks for no WebSocket, or the client has too many: then it
    ///   is answered.
    public func upgrade(
        limit: Int = 64 << 10, deliver: @escaping @LoopActor (ServerSocket.Event) -> Void
    ) -> ServerSocket? {
        guard let exchange else { return nil }
        do throws(ServerRefusal) {
            let key = try upgradeHead(exchange).key(isKey: WebSocketKey.isValid)
            let channel = try exchange.channel(for: client, limit: limit, deliver: deliver)
            let accept = WebSocketKey.answer(to: key)
            exchange.settle(.upgrade(channel, accept: accept))
            return ServerSocket(channel)
        } catch {
            exchange.settle(.refusal(error))
            return nil
        }
    }

    private func upgradeHead(_ exchange: Exchange) -> UpgradeHead {
        UpgradeHead(
            method: method, version: version, hasBody: !body.isEmpty,
            upgrades: exchange.fields("Upgrade"), connections: exchange.fields("Connection"),
            versions: exchange.fields("Sec-WebSocket-Version"),
            keys: exchange.fields("Sec-WebSocket-Key"))
    }

    /// Forgets the exchange: the request is answered, or its connection has ended.
    func isOver() { exchange = nil }
}

extension ServerRequest: CustomStringConvertible, CustomReflectable {
    public nonisolated var description: String { "a request of \(body.count) bytes" }
    public nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}
