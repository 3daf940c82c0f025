internal import CSodium

/// Bytes as text that a URL, a header and JSON take as it is: Base64 of RFC 4648, section 5, without
/// padding.
public enum URLBase64 {
    /// Four characters for three bytes.
    public static func text(of bytes: [UInt8]) -> String {
        Sodium.base64(bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING)
    }

    /// The bytes; `nil` unless the text is exactly what `text(of:)` gives for them.
    public static func bytes(of text: String) -> [UInt8]? {
        Sodium.bytes(ofBase64: text, sodium_base64_VARIANT_URLSAFE_NO_PADDING)
    }
}
