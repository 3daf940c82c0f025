internal import CSodium

/// Seals and opens bytes under a derived key: XSalsa20-Poly1305, the MAC in front.
/// crypto_secretbox_easy(3).
public struct SharedBox: Sendable {
    /// Bytes that sealing adds: `crypto_secretbox_MACBYTES`.
    public static let overhead = 16

    private let key: DerivedKey

    /// Seals under this key.
    public init(key: DerivedKey) { self.key = key }

    /// MAC ‖ ciphertext. Never twice under one nonce.
    public func seal(_ plaintext: [UInt8], nonce: Nonce) -> [UInt8] {
        let size = SharedBox.overhead + plaintext.count
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            let code = key.withBytes { key in
                crypto_secretbox_easy(
                    start, plaintext, UInt64(plaintext.count), nonce.bytes, key)
            }
            // The function cannot fail. If it ever did, the result would be empty.
            count = code == 0 ? size : 0
        }
    }

    /// The plaintext; `nil` if it is too short, or was not sealed with this key and nonce.
    public func open(_ sealed: [UInt8], nonce: Nonce) -> [UInt8]? {
        guard sealed.count >= SharedBox.overhead else { return nil }
        let size = sealed.count - SharedBox.overhead
        var isOpened = false
        let plaintext = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            isOpened = key.withBytes { key in
                crypto_secretbox_open_easy(
                    buffer.baseAddress, sealed, UInt64(sealed.count), nonce.bytes, key) == 0
            }
            count = isOpened ? size : 0
        }
        return isOpened ? plaintext : nil
    }
}
