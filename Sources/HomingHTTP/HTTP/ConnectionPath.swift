/// The two ends of a connection.
public struct ConnectionPath: Equatable, Sendable {
    /// This machine's IP address.
    public var local: String
    /// The server's IP address, or the proxy's.
    public var peer: String

    public init(local: String, peer: String) {
        self.local = local
        self.peer = peer
    }
}
