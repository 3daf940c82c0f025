internal import HomingRuntime

/// The key of a WebSocket's upgrade, and its answer. RFC 6455, section 4.
public enum WebSocketKey {
    private static let identity = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// Returns the answer of a server to this key.
    public static func answer(to key: String) -> String {
        Base64.text(of: Digest.sha1(Array((key + identity).utf8)))
    }

    /// Whether the text is the Base64 of 16 bytes, as a key has to be.
    public static func isValid(_ key: String) -> Bool { Base64.bytes(of: key)?.count == 16 }
}
