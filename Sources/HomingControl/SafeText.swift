/// Text from elsewhere, for a terminal: the name of a network or a zone, say, is a stranger's choice,
/// and must not give orders to the terminal.
public enum SafeText {
    /// One line, whatever is in it.
    public static func line(_ text: String) -> String { cleaned(text, keeping: []) }

    /// Lines and tabs stay.
    public static func lines(_ text: String) -> String { cleaned(text, keeping: ["\n", "\t"]) }

    private static func cleaned(_ text: String, keeping kept: Set<Unicode.Scalar>) -> String {
        var cleaned = ""
        for scalar in text.unicodeScalars {
            let isOrder = scalar.properties.generalCategory == .control && !kept.contains(scalar)
            cleaned.unicodeScalars.append(isOrder ? "\u{FFFD}" : scalar)
        }
        return cleaned
    }
}
