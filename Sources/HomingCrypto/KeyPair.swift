internal import CSodium

/// The public half of a key pair of X25519 (RFC 7748). Everybody may know it.
public struct PublicKey: Hashable, Sendable {
    /// Bytes of a public key.
    public static let size = 32

    /// The 32 bytes of the key.
    public let bytes: [UInt8]

    /// `nil` unless there are 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == PublicKey.size else { return nil }
        self.bytes = bytes
    }

    /// Whether the key is safe to seal for. A key of low order gives the same shared key with every
    /// secret, so anybody could open the text.
    public var isUsable: Bool {
        _ = Sodium.isReady
        // Any secret will do: clamped secrets are multiples of all low orders.
        let secret = [UInt8](repeating: 1, count: PublicKey.size)
        var product = [UInt8](repeating: 0, count: PublicKey.size)
        return crypto_scalarmult(&product, secret, bytes) == 0
    }
}

/// A key pair of X25519 (RFC 7748): two owners of pairs make the same key of the own secret and the
/// other's public half. crypto_box_beforenm(3).
public struct KeyPair: Sendable {
    /// Secret: kept in memory of its own.
    public let secret: SecretKey
    /// The public half.
    public let publicKey: PublicKey

    /// Makes a new pair.
    public init() throws(SecretKeyError) { self.init(secret: try SecretKey()) }

    /// Makes the pair of a stored secret.
    public init(secret: SecretKey) {
        self.secret = secret
        var bytes = [UInt8](repeating: 0, count: PublicKey.size)
        _ = secret.withBytes { crypto_scalarmult_base(&bytes, $0) }
        publicKey = PublicKey(filled: bytes)
    }

    /// The key that the owner of the other pair makes too: HSalsa20 of the curve's product, as
    /// crypto_box has it. `nil` for a key of low order.
    public func shared(with other: PublicKey) -> DerivedKey? {
        var isMade = false
        let key = DerivedKey { memory in
            isMade = secret.withBytes { crypto_box_beforenm(memory, other.bytes, $0) == 0 }
        }
        return isMade ? key : nil
    }
}

extension PublicKey {
    /// - Parameter bytes: 32 of them.
    fileprivate init(filled bytes: [UInt8]) { self.bytes = bytes }
}
