internal import CSodium

/// What proves, at the end of a login, that it was begun here: PKCE's verifier and its hash (RFC
/// 7636, S256).
public struct LoginSecret: Sendable {
    /// Kept until the code is swapped for a token.
    public let verifier: String
    /// Goes out with the page.
    public let challenge: String

    /// A new one.
    public static func random() -> LoginSecret {
        LoginSecret(verifier: URLBase64.text(RandomToken.bytes(32)))
    }

    init(verifier: String) {
        self.verifier = verifier
        let text = Array(verifier.utf8)
        let hash = [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            if let start = buffer.baseAddress {
                crypto_hash_sha256(start, text, UInt64(text.count))
            }
            count = 32
        }
        challenge = URLBase64.text(hash)
    }
}

/// Base64 of characters that a URL takes as they are, without padding (RFC 4648, section 5).
private enum URLBase64 {
    static func text(_ bytes: [UInt8]) -> String {
        _ = Sodium.isReady
        let variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING
        let room = sodium_base64_encoded_len(bytes.count, variant)
        return String(unsafeUninitializedCapacity: room) { text in
            text.withMemoryRebound(to: CChar.self) { text in
                _ = text.baseAddress.map {
                    sodium_bin2base64($0, room, bytes, bytes.count, variant)
                }
            }
            // Its length counts the NUL at the end.
            return room - 1
        }
    }
}
