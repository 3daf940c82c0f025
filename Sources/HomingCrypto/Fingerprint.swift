internal import CSodium

/// Tells whether something is what it was, and does not tell what it is.
public enum Fingerprint {
    /// Bytes.
    private static let size = 16

    /// 32 lowercase hexadecimal characters: BLAKE2b of `content` under a key that names its use, of
    /// at most 64 bytes.
    public static func make(of content: [UInt8], key: [UInt8]) -> String {
        _ = Sodium.isReady
        let hash = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            // It fails for sizes out of its range alone, and these are fixed and in it.
            crypto_generichash(start, size, content, UInt64(content.count), key, key.count)
            count = size
        }
        return Sodium.hexadecimal(hash)
    }
}
