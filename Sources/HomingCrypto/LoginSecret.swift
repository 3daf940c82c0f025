internal import CSodium

/// Proof, at the end of a login, that the login began here: PKCE's verifier and its hash (RFC 7636,
/// S256).
public struct LoginSecret: Sendable {
    /// Kept until the code is swapped for a token.
    public let verifier: String
    /// Goes out with the page.
    public let challenge: String

    /// A new one.
    public static func random() -> LoginSecret {
        LoginSecret(verifier: URLBase64.text(of: RandomToken.bytes(32)))
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
        challenge = URLBase64.text(of: hash)
    }
}
