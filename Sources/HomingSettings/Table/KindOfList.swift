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

/// Back to how the file has it: GKeyFile's escapes, and blanks at the ends that it would drop.
private func escapedItem(_ item: String) -> String {
    var text = ""
    for (index, character) in item.enumerated() {
        let atEnd = index == 0 || index == item.count - 1
        switch character {
        case "\\": text += #"\\"#
        case ";": text += #"\;"#
        case " " where atEnd: text += #"\s"#
        default: text.append(character)
        }
    }
    return text
}
