public import HomingBase

/// The limits for a server's clients. Numbers are bytes or counts, times are seconds.
public struct ServerLimits: Equatable, Sendable {
    /// Bytes of a request's line and fields.
    public var head = 8 << 10
    /// Bytes of a request's body.
    public var body = 64 << 10
    /// Bytes of a body for paths that end so. A proxy may put something in front of a path.
    public var largeBodies: [String: Int] = [:]
    /// Seconds from a head's first byte to its last.
    public var headTime: Seconds = 10
    /// Seconds from the end of the head to the last byte of the body.
    public var bodyTime: Seconds = 10
    /// Until the program must have answered; then the server does, with 503.
    public var answerTime: Seconds = 2
    /// Until the client must have read an answer.
    public var sendTime: Seconds = 10
    /// A connection between two requests.
    public var idle: Seconds = 75
    /// A WebSocket from which nothing comes.
    public var silence: Seconds = 900
    /// Until the client of a WebSocket that was closed must have closed it too.
    public var goodbyeTime: Seconds = 5
    /// Connections in all, with WebSockets.
    public var connections = 100_000
    /// Connections of one address, or of one IPv6 network of 64 bits. Trusted proxies are exempt.
    public var perAddress = 64
    /// Bytes of all bodies that have come and are not answered; more bodies are answered with 503.
    public var buffered = 64 << 20
    /// Bytes that wait for the client of a WebSocket that does not read; then it is ended.
    public var backlog = 1 << 20

    public init() {}

    /// Bytes of a body for that path.
    func body(for path: String) -> Int {
        largeBodies.first { path.hasSuffix($0.key) }?.value ?? body
    }
}
