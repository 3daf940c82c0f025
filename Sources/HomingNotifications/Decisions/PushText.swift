/// Text from the network made fit to be shown: bounded, and without what a terminal or a text
/// layout would obey rather than show.
enum PushText {
    /// Distance that lines may keep from each other.
    enum Shape {
        /// Line ends and tabs become spaces.
        case line
        case paragraphs
    }

    /// End of a text that was cut.
    private static let ellipsis = "…"

    /// The text within `limit` bytes of UTF-8, cut before a character, with an ellipsis if it was.
    static func clean(_ text: String, limit: Int, _ shape: Shape = .line) -> String {
        var kept = String.UnicodeScalarView()
        var size = 0
        var isCut = false
        for scalar in text.unicodeScalars {
            guard let fit = fit(scalar, shape) else { continue }
            size += UTF8.width(fit)
            if size > limit {
                isCut = true
                break
            }
            kept.append(fit)
        }
        return isCut ? cut(String(kept), to: limit - ellipsis.utf8.count) + ellipsis : String(kept)
    }

    /// An identifier, which is worth nothing when changed: as it is, or not at all if it is empty,
    /// longer than `limit` bytes, or holds a control character.
    static func identifier(_ text: String?, limit: Int) -> String? {
        guard let text, !text.isEmpty, text.utf8.count <= limit,
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f })
        else { return nil }
        return text
    }

    /// The longest beginning of whole characters within `limit` bytes.
    private static func cut(_ text: String, to limit: Int) -> Substring {
        var end = text.startIndex
        var size = 0
        for index in text.indices {
            size += text[index].utf8.count
            if size > limit { break }
            end = text.index(after: index)
        }
        return text[..<end]
    }

    /// The scalar to show in its place; `nil` for none.
    private static func fit(_ scalar: Unicode.Scalar, _ shape: Shape) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x0a, 0x2028, 0x2029: shape == .line ? " " : "\n"
        case 0x09: shape == .line ? " " : scalar
        // Control characters, among them the escape of terminals.
        case 0..<0x20, 0x7f...0x9f: nil
        // Overrides and isolates of writing direction, which make text read other than it is.
        case 0x202a...0x202e, 0x2066...0x2069: nil
        // Tags (invisible letters) and what is no character.
        case 0xe0000...0xe007f, 0xfdd0...0xfdef: nil
        default: scalar.value & 0xfffe == 0xfffe ? nil : scalar
        }
    }
}
