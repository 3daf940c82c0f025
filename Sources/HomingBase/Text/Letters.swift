/// Characters of ASCII, for `isMade(of:)`.
package enum ASCII {
    package static let digits = "0123456789"
    package static let smallLetters = "abcdefghijklmnopqrstuvwxyz"
    package static let letters = smallLetters + smallLetters.uppercased()
}

extension StringProtocol {
    /// Whether it has so many bytes, and each is one of these.
    package func isMade(of characters: String, _ count: ClosedRange<Int> = 1...Int.max) -> Bool {
        count.contains(utf8.count) && utf8.allSatisfy(characters.utf8.contains)
    }

    /// Whether it has only characters of ASCII that are seen: no blank, and nothing of control.
    package var isVisibleASCII: Bool { utf8.allSatisfy { 0x21...0x7E ~= $0 } }
}
