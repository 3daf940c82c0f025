internal import CGLib
internal import CSodium

/// libsodium as a whole.
enum Sodium {
    /// Whether the library could be started: chooses the implementations for this processor and
    /// opens the system's random source, once. sodium_init(3).
    static let isReady = sodium_init() >= 0

    /// Lowercase hexadecimal, two characters a byte.
    static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBufferPointer { hexadecimal($0.baseAddress, $0.count) }
    }

    /// Lowercase hexadecimal of `count` bytes.
    static func hexadecimal(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> String {
        guard let bytes else { return "" }
        // sodium_bin2hex writes a NUL of its own at the end.
        let length = count * 2
        return String(unsafeUninitializedCapacity: length + 1) { text in
            text.withMemoryRebound(to: CChar.self) { text in
                _ = text.baseAddress.map { sodium_bin2hex($0, length + 1, bytes, count) }
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

    /// Appends padded Base64 of the standard alphabet, for bytes that are no secret.
    ///
    /// GLib's encoder looks characters up in a table. libsodium's encoder takes the same time for
    /// all bytes, which a ciphertext does not need. It takes five times as many instructions.
    static func appendBase64(_ bytes: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) {
        let length = sodium_base64_encoded_len(bytes.count, sodium_base64_VARIANT_ORIGINAL)
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: length) { encoded in
            guard let start = encoded.baseAddress else { return }
            var (state, rest): (gint, gint) = (0, 0)
            var count = g_base64_encode_step(
                bytes.baseAddress, gsize(bytes.count), 0, start, &state, &rest)
            count += g_base64_encode_close(0, start + Int(count), &state, &rest)
            text += UnsafeRawBufferPointer(start: start, count: Int(count))
        }
    }

    /// Decodes Base64 of that variant; `nil` if the text holds any other character.
    static func bytes(ofBase64 text: String, _ variant: Int32) -> [UInt8]? {
        // libsodium 1.0.18 takes some bytes from 0x80 on for characters of the alphabet.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        _ = isReady
        // A few more, so that there is memory for no bytes too.
        let (length, capacity) = (text.utf8.count, text.utf8.count / 4 * 3 + 3)
        var isWhole = false
        let bytes = text.withCString { text in
            [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                guard let start = buffer.baseAddress else { return }
                isWhole =
                    sodium_base642bin(
                        start, capacity, text, length, nil, &count, nil, variant) == 0
                if !isWhole { count = 0 }
            }
        }
        return isWhole ? bytes : nil
    }
}
