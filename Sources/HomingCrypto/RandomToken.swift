internal import CSodium

/// Random values that nobody can guess, from the kernel's generator. randombytes_buf(3).
public enum RandomToken {
    /// `count` random bytes.
    public static func bytes(_ count: Int) -> [UInt8] {
        _ = Sodium.isReady
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            if let start = buffer.baseAddress { randombytes_buf(start, count) }
            written = count
        }
    }

    /// `bytes` random bytes as twice as many lowercase hexadecimal characters.
    public static func hex(bytes count: Int) -> String { Sodium.hexadecimal(bytes(count)) }
}
