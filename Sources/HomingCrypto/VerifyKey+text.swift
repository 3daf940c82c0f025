/// A key as text, for files and for people.
extension VerifyKey {
    /// A key as a file keeps it; `nil` unless there are 64 hexadecimal characters.
    public init?(hexadecimal text: String) {
        guard let key = DerivedKey(hexadecimal: text) else { return nil }
        self.init(key.bytes)
    }

    /// The key for the file that keeps it.
    public var hexadecimal: String { Sodium.hexadecimal(bytes) }

    /// The key as people compare it: 8 groups of 4 hexadecimal characters, of a hash of 128 bits.
    public var fingerprint: String {
        let hash = KeyedHash.hash(bytes, use: "homing fingerprint", size: .short)
        return stride(from: 0, to: hash.count, by: 2)
            .map { Sodium.hexadecimal(Array(hash[$0..<$0 + 2])) }.joined(separator: "-")
    }

    /// Whether a person's text is the key's fingerprint. Case, dashes and blanks do not matter.
    public func hasFingerprint(_ text: String) -> Bool {
        Self.plain(text) == Self.plain(fingerprint)
    }

    /// Whether a person's text has the form of a fingerprint: 32 hexadecimal characters. Case, dashes
    /// and blanks do not matter.
    public static func isFingerprint(_ text: String) -> Bool {
        let plain = plain(text)
        return plain.utf8.count == 32 && plain.allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    private static func plain(_ text: String) -> String {
        text.lowercased().filter { $0 != "-" && !$0.isWhitespace }
    }
}
