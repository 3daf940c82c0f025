internal import CSodium

/// A signing key of Ed25519 (RFC 8032). crypto_sign(3).
public struct SigningKey: Sendable {
    /// Secret: the whole key is made of it.
    private let seed: DerivedKey
    /// The public half.
    public let verifyKey: VerifyKey

    /// Makes the key of a seed.
    public init(seed: DerivedKey) {
        self.seed = seed
        verifyKey = Self.withSecret(of: seed) { VerifyKey(filled: $1) }
    }

    /// The 64 bytes of the signature of `text`.
    public func signature(of text: [UInt8]) -> [UInt8] {
        Self.withSecret(of: seed) { secret, _ in
            var signature = [UInt8](repeating: 0, count: VerifyKey.signatureSize)
            _ = crypto_sign_detached(&signature, nil, text, UInt64(text.count), secret)
            return signature
        }
    }

    /// Lends both halves of the key of a seed; the secret half is wiped then.
    private static func withSecret<Value>(
        of seed: DerivedKey, _ body: (UnsafePointer<UInt8>, [UInt8]) -> Value
    ) -> Value {
        _ = Sodium.isReady
        let size = Int(crypto_sign_ed25519_SECRETKEYBYTES)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { memory in
            defer { sodium_memzero(memory.baseAddress, size) }
            guard let secret = memory.baseAddress else { preconditionFailure("no memory") }
            var open = [UInt8](repeating: 0, count: VerifyKey.size)
            _ = seed.withBytes { crypto_sign_seed_keypair(&open, secret, $0) }
            return body(secret, open)
        }
    }
}

extension SigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always the same: `SigningKey(…)`.
    public var description: String { "SigningKey(…)" }
    /// The same for debuggers and `String(reflecting:)`.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
