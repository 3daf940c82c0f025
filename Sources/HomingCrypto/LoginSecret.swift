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
        LoginSecret(verifier: base64(RandomToken.bytes(32)))
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
        challenge = Self.base64(hash)
    }

    /// Of characters that a URL takes as they are, without padding (RFC 4648, section 5).
    private static func base64(_ bytes: [UInt8]) -> String {
        Sodium.base64(bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING)
    }
}
