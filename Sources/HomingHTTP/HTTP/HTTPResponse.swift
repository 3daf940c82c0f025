public import HomingBase

/// A server's whole answer, whatever its status.
public struct HTTPResponse: Equatable, Sendable {
    /// How the answer came: what decides how far it is to be believed, and what it cost.
    public struct Connection: Equatable, Sendable {
        /// Over TLS, with the server's certificate checked; there is no unchecked TLS.
        public var isVerifiedTLS: Bool
        /// The server's address is this machine's own (127.0.0.0/8 or ::1).
        public var isLoopback: Bool
        /// No new connection was made for it.
        public var isReused: Bool
        /// Bytes of HTTP, headers included, TLS and TCP not.
        public var bytesSent: Int
        /// Bytes of HTTP, headers included, TLS and TCP not.
        public var bytesReceived: Int
    }

    /// HTTP's, such as 200.
    public var status: Int
    /// At most `HTTPClient.bodyLimit` bytes.
    public var body: [UInt8]
    /// `Content-Type`, as the server wrote it.
    public var contentType: String?
    /// Seconds from now until when the server asks to be left alone (`Retry-After`); as it says,
    /// unbounded but not negative.
    public var retryAfter: Seconds?
    /// How it came.
    public var connection: Connection
}
