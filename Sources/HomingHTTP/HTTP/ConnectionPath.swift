/// The two ends of a connection.
public struct ConnectionPath: Equatable, Sendable {
    /// This machine's IP address.
    public var local: String
    /// The IP address of the server, or of a reverse proxy before the server.
    public var peer: String

    public init(local: String, peer: String) {
        self.local = local
        self.peer = peer
    }
}
