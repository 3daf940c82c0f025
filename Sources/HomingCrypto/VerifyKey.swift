internal import CSodium

/// The public half of a signing key of Ed25519 (RFC 8032). Everybody may know it.
public struct VerifyKey: Hashable, Sendable {
    /// Bytes of a key.
    public static let size = 32
    /// Bytes of a signature.
    public static let signatureSize = 64

    /// The 32 bytes of the key.
    public let bytes: [UInt8]

    /// `nil` unless there are 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == VerifyKey.size else { return nil }
        self.bytes = bytes
    }

    /// - Parameter bytes: 32 of them.
    init(filled bytes: [UInt8]) { self.bytes = bytes }

    /// Whether the owner of the key signed `text`.
    public func isSignature(_ signature: [UInt8], of text: [UInt8]) -> Bool {
        guard signature.count == VerifyKey.signatureSize else { return false }
        _ = Sodium.isReady
        return crypto_sign_verify_detached(signature, text, UInt64(text.count), bytes) == 0
    }
}
