internal import CSodium
public import HomeAssistantAPI

/// Seals and opens with libsodium's secretbox, as Home Assistant's `mobile_app/helpers.py` does:
/// XSalsa20-Poly1305, the nonce in front, padded Base64 of the standard alphabet.
public struct SecretBox: Sealer, Sendable {
    /// Bytes that sealing adds to the front: the nonce and `crypto_secretbox_MACBYTES`.
    static let overhead = Nonce.size + 16

    private let key: SecretKey

    /// Seals under this key.
    public init(key: SecretKey) { self.key = key }

    /// Appends Base64 of nonce ‖ mac ‖ ciphertext, under a fresh random nonce.
    public func appendSealed(_ plaintext: [UInt8], to body: inout [UInt8]) {
        appendSealed(plaintext, to: &body, nonce: Nonce())
    }

    public func sealedSize(_ count: Int) -> Int {
        // The length counts the NUL that sodium_bin2base64 writes at the end.
        sodium_base64_encoded_len(SecretBox.overhead + count, sodium_base64_VARIANT_ORIGINAL)
    }

    /// The sealed text alone, for test vectors: what is sent has another nonce each time.
    package func seal(_ plaintext: [UInt8], nonce: Nonce = Nonce()) -> String {
        var text: [UInt8] = []
        appendSealed(plaintext, to: &text, nonce: nonce)
        return String(decoding: text, as: UTF8.self)
    }

    private func appendSealed(_ plaintext: [UInt8], to body: inout [UInt8], nonce: Nonce) {
        let size = SecretBox.overhead + plaintext.count
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { sealed in
            guard let start = sealed.baseAddress else { return }
            start.initialize(from: nonce.bytes, count: Nonce.size)
            let code = key.withBytes { key in
                crypto_secretbox_easy(
                    start + Nonce.size, plaintext, UInt64(plaintext.count), nonce.bytes, key)
            }
            // It has no way to fail; were that to change, nothing unsealed may come of it.
            if code == 0 { Sodium.appendBase64(UnsafeBufferPointer(sealed), to: &body) }
        }
    }

    /// The plaintext; `nil` if the text is not padded standard Base64, too short, or not sealed with
    /// this key.
    public func open(_ sealed: String) -> [UInt8]? {
        guard let sealed = Sodium.bytes(ofBase64: sealed, sodium_base64_VARIANT_ORIGINAL),
            sealed.count >= SecretBox.overhead
        else { return nil }
        let size = sealed.count - SecretBox.overhead
        var opened = false
        let plaintext = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            opened = sealed.withUnsafeBufferPointer { sealed in
                guard let nonce = sealed.baseAddress else { return false }
                return key.withBytes { key in
                    crypto_secretbox_open_easy(
                        buffer.baseAddress, nonce + Nonce.size, UInt64(sealed.count - Nonce.size),
                        nonce, key) == 0
                }
            }
            count = opened ? size : 0
        }
        return opened ? plaintext : nil
    }
}
