extension WebSocket {
    /// Event of a WebSocket, in this order: `opened`, any number of `text` and `heard`, `ended`.
    public enum Event: Equatable, Sendable {
        case opened
        /// A message, valid UTF-8, of `messageLimit` bytes at the most.
        case text([UInt8])
        /// A ping or a pong: the server lives.
        case heard
        /// End of the WebSocket: no event comes after it.
        case ended(WebSocketEnd)
    }
}
