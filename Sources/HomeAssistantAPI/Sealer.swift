/// Seals what goes to Home Assistant and opens what comes back.
///
/// The one implementation is libsodium's secretbox (HomingCrypto); the seam keeps C out of the wire
/// format and lets tests seal with a key of their own.
public protocol Sealer {
    /// Encrypts and authenticates under a fresh nonce: Base64 of nonce ‖ mac ‖ ciphertext.
    func seal(_ plaintext: [UInt8]) -> String

    /// The plaintext, or `nil` if the text is not Base64, too short, or was not sealed with our key.
    func open(_ sealed: String) -> [UInt8]?
}
