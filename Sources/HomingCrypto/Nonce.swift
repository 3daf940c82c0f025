/// The 24 bytes that make every sealing under one key different. So long that random ones do not
/// repeat. crypto_secretbox(3).
public struct Nonce: Equatable, Sendable {
    /// Bytes of a nonce: `crypto_secretbox_NONCEBYTES`.
    public static let size = 24

    /// 24 of them. They are no secret.
    public let bytes: [UInt8]

    /// A fresh one.
    public init() { bytes = RandomToken.bytes(Nonce.size) }

    /// That of a sealed text, to open it; `nil` unless there are 24 bytes. To seal twice under one nonce
    /// gives both texts away.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Nonce.size else { return nil }
        self.bytes = bytes
    }
}
