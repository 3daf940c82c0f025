internal import CGLib
internal import HomingRuntime

/// The key of a WebSocket's upgrade, and its answer. RFC 6455, section 4.
public enum WebSocketKey {
    private static let identity = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// What a server answers to this key; `nil` only if GLib knows no SHA-1.
    public static func answer(to key: String) -> String? {
        guard let sum = g_checksum_new(G_CHECKSUM_SHA1) else { return nil }
        defer { g_checksum_free(sum) }
        let text = Array((key + identity).utf8)
        g_checksum_update(sum, text, gssize(text.count))
        var digest = [UInt8](repeating: 0, count: 20)
        var size = gsize(digest.count)
        g_checksum_get_digest(sum, &digest, &size)
        return Base64.text(of: digest)
    }

    /// Whether the text is the Base64 of 16 bytes, as a key has to be.
    public static func isValid(_ key: String) -> Bool { Base64.bytes(of: key)?.count == 16 }
}
