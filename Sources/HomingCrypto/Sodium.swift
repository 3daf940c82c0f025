internal import CSodium

/// libsodium as a whole.
enum Sodium {
    /// Whether the library could be started: chooses the implementations for this processor and
    /// opens the system's random source, once. sodium_init(3).
    static let isReady = sodium_init() >= 0

    /// Lowercase hexadecimal, two characters a byte.
    static func hexadecimal(_ bytes: [UInt8]) -> String {
        // sodium_bin2hex writes a NUL of its own at the end.
        let length = bytes.count * 2
        return String(unsafeUninitializedCapacity: length + 1) { text in
            text.withMemoryRebound(to: CChar.self) { text in
                _ = text.baseAddress.map { sodium_bin2hex($0, length + 1, bytes, bytes.count) }
            }
            return length
        }
    }

    /// Base64 of that variant, `sodium_base64_VARIANT_…`.
    static func base64(_ bytes: [UInt8], _ variant: Int32) -> String {
        _ = isReady
        // The length counts the NUL that sodium_bin2base64 writes at the end.
        let length = sodium_base64_encoded_len(bytes.count, variant)
        return String(unsafeUninitializedCapacity: length) { text in
            text.withMemoryRebound(to: CChar.self) { text in
                _ = text.baseAddress.map {
                    sodium_bin2base64($0, length, bytes, bytes.count, variant)
                }
            }
            return length - 1
        }
    }
}
