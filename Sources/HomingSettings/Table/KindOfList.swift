extension Kind where Value == [String] {
    /// Texts separated by `;`; none by default. `check` turns each into what is kept.
    public static func list(
        _ allowed: String, check: @escaping @Sendable (String) throws(Refusal) -> String
    ) -> Kind {
        Kind(
            allowed,
            read: { (raw) throws(Refusal) in
                var items: [String] = []
                for item in try raw.list() {
                    guard !item.isEmpty else {
                        throw Refusal("has an empty entry; allowed is \(allowed)")
                    }
                    items.append(try check(item))
                }
                return items
            }, write: { $0.map(escapedItem).joined(separator: ";") })
    }

    /// Any texts.
    public static let names = list("names separated by \";\"") { (name) throws(Refusal) in name }
}

/// The item as the file has it: with GKeyFile's escapes, and with escapes for blanks at its ends,
/// which a reader drops.
private func escapedItem(_ item: String) -> String {
    let scalars = item.unicodeScalars
    var text = ""
    // Scalars, as in a reader: with an accent behind it, a separator is another character.
    for (index, scalar) in scalars.enumerated() {
        let isAtEnd = index == 0 || index == scalars.count - 1
        switch scalar {
        case "\\": text += #"\\"#
        case ";": text += #"\;"#
        case " " where isAtEnd: text += #"\s"#
        default: text.unicodeScalars.append(scalar)
        }
    }
    return text
}
