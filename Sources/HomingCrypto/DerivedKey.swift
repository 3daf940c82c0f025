internal import CSodium

/// The 32 bytes of a key that is made of others: of a key pair and another's public key, or of a key
/// and its use. Wiped when let go.
///
/// There may be thousands, so the memory has no guard pages and may be swapped. It cannot be printed.
public final class DerivedKey: Sendable {
    /// Bytes of a key.
    public static let size = 32

    /// Memory of the key. Nothing writes to it after `init`, so it may be read from anywhere.
    nonisolated(unsafe) private let memory: UnsafeMutablePointer<UInt8>

    /// - Parameter fill: writes all 32 bytes.
    init(filling fill: (UnsafeMutablePointer<UInt8>) -> Void) {
        memory = .allocate(capacity: DerivedKey.size)
        memory.initialize(repeating: 0, count: DerivedKey.size)
        fill(memory)
    }

    /// A key that was received sealed; `nil` unless there are 32 bytes. The caller's copy is the
    /// caller's to forget.
    public convenience init?(_ bytes: [UInt8]) {
        guard bytes.count == DerivedKey.size else { return nil }
        self.init { $0.update(from: bytes, count: DerivedKey.size) }
    }

    /// A key as a file keeps it; `nil` unless there are 64 hexadecimal characters.
    public convenience init?(hexadecimal text: String) {
        guard let key = try? SecretKey(hexadecimal: text) else { return nil }
        self.init { memory in
            key.withBytes { memory.update(from: $0, count: DerivedKey.size) }
        }
    }

    /// Secret: the key for the file that keeps it.
    public var hexadecimal: String { withBytes { Sodium.hexadecimal($0, DerivedKey.size) } }

    /// Secret: the key, to be sealed for who shall have it.
    public var bytes: [UInt8] {
        withBytes { Array(UnsafeBufferPointer(start: $0, count: DerivedKey.size)) }
    }

    /// Lends the bytes; the pointer is not to be kept.
    func withBytes<T>(_ body: (UnsafePointer<UInt8>) -> T) -> T {
        withExtendedLifetime(self) { body(memory) }
    }

    deinit {
        sodium_memzero(memory, DerivedKey.size)
        memory.deallocate()
    }
}

extension DerivedKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always the same: `DerivedKey(…)`.
    public var description: String { "DerivedKey(…)" }
    /// The same for debuggers and `String(reflecting:)`.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension DerivedKey: Equatable {
    /// Takes the same time whatever the keys are.
    public static func == (one: DerivedKey, other: DerivedKey) -> Bool {
        one.withBytes { one in other.withBytes { sodium_memcmp(one, $0, size) == 0 } }
    }
}
