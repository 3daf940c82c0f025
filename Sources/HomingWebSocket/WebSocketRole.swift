/// An end of a WebSocket: a client masks its frames, a server does not. RFC 6455, section 5.1.
public enum WebSocketRole: Sendable {
    case client
    case server
}
