public import HomingBase

/// A server's whole answer, whatever its status.
public struct HTTPResponse: Equatable, Sendable {
    /// HTTP's, such as 200.
    public var status: Int
    /// At most `HTTPClient.bodyLimit` bytes.
    public var body: [UInt8]
    /// Seconds from now until when the server asks to be left alone (`Retry-After`); as it says,
    /// unbounded but not negative.
    public var retryAfter: Seconds?
    /// Whether an earlier connection was used.
    public var isReused: Bool
    /// The ends of its connection; `nil` where libcurl does not tell.
    public var path: ConnectionPath?
}
