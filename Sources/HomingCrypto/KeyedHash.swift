internal import CSodium

/// BLAKE2b under a key (RFC 7693): a tag that only the key's owner can make, a name that tells
/// nothing, or another key. crypto_generichash(3).
public enum KeyedHash {
    /// Bytes of a hash.
    public enum Size: Int, Sendable {
        /// Length for tags and names.
        case short = 16
        /// Length for keys.
        case long = 32
    }

    /// The hash of `bytes` under a secret key.
    public static func hash(_ bytes: [UInt8], under key: SecretKey, size: Size) -> [UInt8] {
        key.withBytes { hash(bytes, $0, SecretKey.size, size) }
    }

    /// The hash of `bytes` under a derived key.
    public static func hash(_ bytes: [UInt8], under key: DerivedKey, size: Size) -> [UInt8] {
        key.withBytes { hash(bytes, $0, DerivedKey.size, size) }
    }

    /// The hash of `bytes` that anybody can make. `use` sets it apart from the hashes of other uses.
    ///
    /// - Parameter use: at most 64 bytes.
    public static func hash(_ bytes: [UInt8], use: String, size: Size) -> [UInt8] {
        hash(bytes, key: Array(use.utf8), size: size)
    }

    static func hash(_ bytes: [UInt8], key: [UInt8], size: Size) -> [UInt8] {
        hash(bytes, key, key.count, size)
    }

    /// Derives a key for that use. Nobody can compute `key` from the derived key.
    public static func key(for use: String, of key: SecretKey) -> DerivedKey {
        key.withBytes { derive(Array(use.utf8), $0) }
    }

    /// Derives a key for the name `bytes`. Nobody can compute `key` from the derived key.
    public static func key(for bytes: [UInt8], of key: DerivedKey) -> DerivedKey {
        key.withBytes { derive(bytes, $0) }
    }

    /// Derives a key from two keys: the hash of `second` ‖ `bytes` under `first`.
    public static func key(
        for bytes: [UInt8], of first: DerivedKey, and second: DerivedKey
    ) -> DerivedKey {
        var joined = second.bytes + bytes
        defer { sodium_memzero(&joined, joined.count) }
        return first.withBytes { derive(joined, $0) }
    }

    /// Whether both are the same; takes the same time wherever they differ.
    public static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && sodium_memcmp(one, other, one.count) == 0
    }

    private static func derive(_ bytes: [UInt8], _ key: UnsafePointer<UInt8>) -> DerivedKey {
        DerivedKey { memory in
            write(bytes, key, DerivedKey.size, to: memory, DerivedKey.size)
        }
    }

    private static func hash(
        _ bytes: [UInt8], _ key: UnsafePointer<UInt8>, _ keySize: Int, _ size: Size
    ) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size.rawValue) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            write(bytes, key, keySize, to: start, size.rawValue)
            count = size.rawValue
        }
    }

    private static func write(
        _ bytes: [UInt8], _ key: UnsafePointer<UInt8>, _ keySize: Int,
        to memory: UnsafeMutablePointer<UInt8>, _ size: Int
    ) {
        _ = Sodium.isReady
        // The function fails only for sizes out of range, and these sizes are in range.
        let code = crypto_generichash(memory, size, bytes, UInt64(bytes.count), key, keySize)
        precondition(code == 0, "a key of more than 64 bytes")
    }
}
