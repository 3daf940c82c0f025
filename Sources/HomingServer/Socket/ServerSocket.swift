public import HomingRuntime

/// A server's end of a WebSocket. Whole text messages in and out; pings are answered.
///
/// It ends when nothing has come for the time that the server's limits give, and when the client
/// does not read what is sent. It lives until then, whether anybody holds it or not.
@LoopActor public final class ServerSocket {
    /// Event of the socket: any number of `text` and `heard`, then `ended`.
    public enum Event: Equatable, Sendable {
        /// A message of valid UTF-8, within the limit.
        case text([UInt8])
        /// A ping or a pong: the client lives. Once a turn at the most.
        case heard
        /// End of the socket: no event comes after it.
        case ended(ServerSocketEnd)
    }

    private let channel: SocketChannel

    init(_ channel: SocketChannel) { self.channel = channel }

    /// Time at which something came last, in seconds of uptime.
    public var lastHeard: Seconds { channel.lastHeard }
    /// Bytes that wait until the client reads.
    public var pendingBytes: Int { channel.pendingBytes }

    /// Sends a text message. Does nothing after the end.
    public func send(text: [UInt8]) { channel.send(text) }

    /// Says goodbye with the code of RFC 6455, and ends when the client has read everything. Nothing
    /// is delivered after that.
    public func close(code: UInt16 = 1000) { channel.close(code) }
}
