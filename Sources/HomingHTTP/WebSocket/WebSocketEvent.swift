extension WebSocket {
    /// What happens to it, in this order: `opened`, any number of `text` and `heard`, `ended`.
    public enum Event: Equatable, Sendable {
        case opened
        /// A message, valid UTF-8, of `messageLimit` bytes at the most.
        case text([UInt8])
        /// A ping or a pong: the server lives.
        case heard
        /// Nothing comes after it.
        case ended(WebSocketEnd)
    }
}
