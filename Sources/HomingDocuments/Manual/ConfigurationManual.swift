internal import HomingSettings

/// The chapters of a configuration's manual page that come from the table of its keys.
struct ConfigurationManual<Root: Sendable> {
    let table: Table<Root>
    /// The values of an empty file.
    let defaults: Root
    /// The file's name.
    let file: String

    /// A chapter for each section, with every key.
    var sections: [ManualPage.Chapter] {
        table.sections.map { section in
            ManualPage.Chapter(
                "THE SECTION [\(section.name)]",
                [.text(section.documentation)] + section.keys.map { entry($0, in: section) })
        }
    }

    private func entry(_ key: Key<Root>, in section: Section<Root>) -> ManualPage.Block {
        let value = key.text(in: defaults)
        let initial = value.isEmpty ? "Not set by default." : "Default: \(value)."
        let scope =
            table.parts.map { " Scope: \($0.text(section.scope(of: key), file: file))." } ?? ""
        return .entry(
            [.literal(key.name)],
            "\(key.documentation)\n\nAllowed: \(key.allowed). \(initial)\(scope)")
    }
}
