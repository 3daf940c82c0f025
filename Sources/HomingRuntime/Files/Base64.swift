internal import CGLib

/// Base64 (RFC 4648, section 4), for bytes inside a text.
public enum Base64 {
    /// The bytes as text, padded, on one line.
    public static func text(of bytes: [UInt8]) -> String {
        guard !bytes.isEmpty, let text = g_base64_encode(bytes, gsize(bytes.count)) else {
            return ""
        }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// The bytes; `nil` if the text is not what `text(of:)` gives for any.
    public static func bytes(of text: String) -> [UInt8]? {
        var count: gsize = 0
        guard let decoded = g_base64_decode(text, &count) else { return nil }
        defer { g_free(decoded) }
        let bytes = Array(UnsafeBufferPointer(start: decoded, count: Int(count)))
        // GLib skips what it does not know.
        return Self.text(of: bytes) == text ? bytes : nil
    }
}
