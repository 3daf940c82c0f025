/// Tells whether something is what it was, and does not tell what it is.
public enum Fingerprint {
    /// 32 lowercase hexadecimal characters: BLAKE2b of `content` under a key that names its use, of
    /// at most 64 bytes.
    public static func make(of content: [UInt8], key: [UInt8]) -> String {
        Sodium.hexadecimal(KeyedHash.hash(content, key: key, size: .short))
    }
}
