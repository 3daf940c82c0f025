/// Cleans text from elsewhere for a terminal: the name of a network or a zone, say, is a stranger's
/// choice, and must not give orders to the terminal or change the order of what is read.
public enum SafeText {
    /// The text as one line.
    public static func line(_ text: String) -> String { cleaned(text, keeping: []) }

    /// Returns one line of at most `limit` bytes of UTF-8, cut before a scalar.
    public static func line(_ text: String, limit: Int) -> String { line(text).bounded(limit) }

    /// Lines and tabs stay.
    public static func lines(_ text: String) -> String { cleaned(text, keeping: ["\n", "\t"]) }

    /// JSON with the same meaning: what a terminal would obey can only be within a string, and is
    /// escaped there. Line ends between values stay.
    public static func json(_ text: String) -> String {
        var cleaned = ""
        for scalar in text.unicodeScalars {
            if scalar != "\n", isOrder(scalar) {
                let digits = String(scalar.value, radix: 16)
                cleaned += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                cleaned.unicodeScalars.append(scalar)
            }
        }
        return cleaned
    }

    private static let replacement: Unicode.Scalar = "\u{FFFD}"

    private static func cleaned(_ text: String, keeping kept: Set<Unicode.Scalar>) -> String {
        if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return text }
        let safe = text.unicodeScalars.map { isOrder($0) && !kept.contains($0) ? replacement : $0 }
        return String(String.UnicodeScalarView(safe))
    }

    /// Control characters (C0, DEL, C1), other line ends, and what changes the direction of
    /// writing. Each is at most U+FFFF.
    private static func isOrder(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f...0x9f, 0x2028...0x202e, 0x2066...0x2069: true
        case 0x61c, 0x200e, 0x200f: true
        default: false
        }
    }
}
