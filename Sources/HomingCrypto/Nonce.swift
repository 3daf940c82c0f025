/// The 24 bytes that make every sealing under one key different. So long that random ones do not
/// repeat. crypto_secretbox(3).
public struct Nonce: Equatable, Sendable {
    /// Bytes of a nonce: `crypto_secretbox_NONCEBYTES`.
    public static let size = 24

    let bytes: [UInt8]

    /// A fresh one.
    public init() { bytes = RandomToken.bytes(Nonce.size) }

    /// A given one, for test vectors alone: to seal twice under one nonce gives both texts away.
    /// `nil` unless there are 24 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Nonce.size else { return nil }
        self.bytes = bytes
    }
}
