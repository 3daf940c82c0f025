/// The reason of a WebSocket's end.
public enum ServerSocketEnd: Equatable, Sendable {
    /// The client closed it, with this code if it gave one.
    case closed(UInt16?)
    /// The connection ended without a word.
    case dropped
    /// The client did what the protocol forbids, or sent too large a message; the code told to it.
    case violation(UInt16)
    /// The client does not read what is sent.
    case stalled
    /// Silence of the client for too long.
    case silent
    /// The server ends.
    case ending
}
