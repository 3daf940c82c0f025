internal import HomingBase

/// The code of an invitation: 128 bits as people type them.
///
/// Its 26 characters are Crockford's base 32, in groups: `7zk3m-…`. Case, blanks and dashes do not
/// matter, and what looks alike is taken for the other: o for 0, i and l for 1. It does not print
/// itself.
struct InvitationCode: Equatable, Sendable {
    /// Bytes that nobody can guess.
    static let size = 16

    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
    private static let length = 26
    private static let groups = [5, 5, 5, 5, 6]

    /// The characters without their groups, which are hashed. Secret.
    let canonical: String

    /// The code of so many bytes; `nil` unless there are `size`.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        var rest = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        var characters: [Character] = []
        for _ in 0..<Self.length {
            characters.append(Self.alphabet[Int(rest & 31)])
            rest >>= 5
        }
        canonical = String(characters.reversed())
    }

    /// Reads what somebody typed; `nil` if it is no code.
    init?(typed text: String) {
        var characters: [Character] = []
        for character in text.lowercased() where character != "-" && !character.isWhitespace {
            let meant: Character =
                switch character {
                case "o": "0"
                case "i", "l": "1"
                default: character
                }
            guard Self.alphabet.contains(meant), characters.count < Self.length else { return nil }
            characters.append(meant)
        }
        // The first character holds three bits.
        guard characters.count == Self.length, Self.alphabet[..<8].contains(characters[0]) else {
            return nil
        }
        canonical = String(characters)
    }

    /// Text for people. Secret.
    var text: String {
        var rest = canonical[...]
        return Self.groups.map { count in
            defer { rest = rest.dropFirst(count) }
            return String(rest.prefix(count))
        }.joined(separator: "-")
    }
}
