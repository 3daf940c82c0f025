internal import CSodium

/// Reason why there is no key, without a word of the text that the key was to be made from.
public enum SecretKeyError: Error, Equatable, CustomStringConvertible, Sendable {
    /// The secret is not 64 hexadecimal characters.
    case malformed
    /// Lack of guarded memory for the key, or libsodium did not start.
    case unavailable

    /// A sentence for people.
    public var description: String {
        switch self {
        case .malformed: "the secret is not 64 hexadecimal characters"
        case .unavailable: "no protected memory for a secret"
        }
    }
}

/// The 32 bytes that seal what goes to Home Assistant, in memory of their own: between guard pages,
/// locked, read-only, left out of core dumps, and wiped when let go. sodium_malloc(3).
///
/// It cannot be printed. The text it is made from is the caller's, and so is its copy in memory.
public final class SecretKey: Sendable {
    /// Bytes of a key: `crypto_secretbox_KEYBYTES`.
    public static let size = 32

    /// Memory of the key. Nothing writes to it after `init`, so it may be read from anywhere.
    nonisolated(unsafe) private let memory: UnsafeMutablePointer<UInt8>
    /// Whether the key is kept out of swap; `false` where `RLIMIT_MEMLOCK` leaves no room for it,
    /// which libsodium passes over in silence.
    public let isLocked: Bool

    /// The key that the registration's `secret` spells out: 64 hexadecimal characters, of either
    /// case, and nothing else. Since Home Assistant 2022.3 they stand for 32 bytes
    /// (`mobile_app/helpers.py`). Files that keep a key write it so too.
    public convenience init(hexadecimal secret: String) throws(SecretKeyError) {
        try self.init(orFails: .malformed) { SecretKey.decode(secret, into: $0) }
    }

    /// A new one that nobody can guess.
    public convenience init() throws(SecretKeyError) {
        try self.init { randombytes_buf($0, SecretKey.size) }
    }

    /// The 32 bytes that the caller writes straight into the guarded memory.
    public convenience init(
        filling fill: (UnsafeMutablePointer<UInt8>) -> Void
    ) throws(SecretKeyError) {
        try self.init(orFails: .unavailable) { memory in
            fill(memory)
            return true
        }
    }

    /// - Parameter fill: writes the key; `false` is thrown as `failure`.
    private init(
        orFails failure: SecretKeyError, _ fill: (UnsafeMutablePointer<UInt8>) -> Bool
    ) throws(SecretKeyError) {
        guard Sodium.isReady, let allocated = sodium_malloc(SecretKey.size) else {
            throw .unavailable
        }
        let bytes = allocated.bindMemory(to: UInt8.self, capacity: SecretKey.size)
        guard fill(bytes) else {
            sodium_free(allocated)
            throw failure
        }
        let locked = sodium_mlock(allocated, SecretKey.size) == 0
        guard sodium_mprotect_readonly(allocated) == 0 else {
            sodium_free(allocated)
            throw .unavailable
        }
        memory = bytes
        isLocked = locked
    }

    /// Straight into the guarded memory, so that no other copy of the bytes is made.
    private static func decode(_ secret: String, into memory: UnsafeMutablePointer<UInt8>) -> Bool {
        var secret = secret
        return secret.withUTF8 { text in
            guard text.count == size * 2 else { return false }
            return text.withMemoryRebound(to: CChar.self) { text in
                var written = 0
                let code = sodium_hex2bin(
                    memory, size, text.baseAddress, text.count, nil, &written, nil)
                return code == 0 && written == size
            }
        }
    }

    /// Lends the bytes; the pointer is not to be kept.
    func withBytes<T>(_ body: (UnsafePointer<UInt8>) -> T) -> T {
        withExtendedLifetime(self) { body(memory) }
    }

    /// Secret: the key for the file that keeps it, as `init(hexadecimal:)` reads it.
    public var hexadecimal: String { withBytes { Sodium.hexadecimal($0, SecretKey.size) } }

    /// sodium_free(3) wipes what it frees.
    deinit { sodium_free(memory) }
}

extension SecretKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always the same: `SecretKey(…)`.
    public var description: String { "SecretKey(…)" }
    /// The same for debuggers and `String(reflecting:)`.
    public var debugDescription: String { description }
    /// Mirror with nothing to look at, not even the address.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
