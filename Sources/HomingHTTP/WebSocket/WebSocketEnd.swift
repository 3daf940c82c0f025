/// Reason why a WebSocket is no more, or never was.
public struct WebSocketEnd: Equatable, CustomStringConvertible, Sendable {
    /// Kind of end, for programs.
    public enum Kind: Equatable, Sendable {
        /// Failure to connect.
        case connection(HTTPFailure.Kind)
        /// The server answered the upgrade with another status of HTTP.
        case status(Int)
        /// Answer from a server that speaks no WebSocket.
        case notWebSocket
        /// The server closed it, with this code if it gave one.
        case closed(UInt16?)
        /// The connection ended without a word.
        case dropped
        /// The server did what the protocol forbids, or sent too large a message.
        case violation(UInt16)
        /// The server does not read what is sent.
        case stalled
    }

    /// Kind of end, for programs.
    public let kind: Kind
    /// A sentence for people, without the URL's path.
    public let description: String
}
