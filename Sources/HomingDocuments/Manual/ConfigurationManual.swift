internal import HomingConfiguration
internal import HomingSettings

/// The chapters of agent.conf(5) that come from the table of keys.
enum ConfigurationManual {
    /// A chapter for each section, with every key.
    static let sections: [ManualPage.Chapter] = Configuration.table.sections.map { section in
        ManualPage.Chapter(
            "THE SECTION [\(section.name)]",
            [.text(section.documentation)] + section.keys.map { entry($0, in: section) })
    }

    private static func entry(
        _ key: Key<Configuration>, in section: Section<Configuration>
    ) -> ManualPage.Block {
        let value = key.text(in: Configuration())
        let scope = Configuration.table.parts?.text(section.scope(of: key), file: "agent.conf")
        let initial = value.isEmpty ? "Not set by default." : "Default: \(value)."
        return .entry(
            [.literal(key.name)],
            "\(key.documentation)\n\nAllowed: \(key.allowed). \(initial) Scope: \(scope ?? "").")
    }
}
