/// Seals what goes to Home Assistant and opens what comes back.
///
/// The one implementation is libsodium's secretbox (HomingCrypto); the seam keeps C out of the wire
/// format and lets tests seal with a key of their own.
public protocol Sealer {
    /// Encrypts and authenticates under a fresh nonce, and appends Base64 of nonce ‖ mac ‖ ciphertext.
    func appendSealed(_ plaintext: [UInt8], to body: inout [UInt8])

    /// Bytes that this appends for a plaintext of so many bytes.
    func sealedSize(_ count: Int) -> Int

    /// The plaintext, or `nil` if the text is not Base64, too short, or was not sealed with our key.
    func open(_ sealed: String) -> [UInt8]?
}
