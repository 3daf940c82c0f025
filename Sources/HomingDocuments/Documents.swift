public import HomingCommandLine

/// A file that is made from the tables of the programs and kept in the repository, where a test
/// compares it.
public struct Document: Sendable {
    /// Below the repository's root.
    public let path: String
    /// Ending in a line break.
    public let text: String
}

/// Manual pages and the journal's catalogue: pure functions of the tables.
public enum Documents {
    /// All of them.
    ///
    /// - Parameters:
    ///   - homing: the command.
    ///   - homingd: the daemon.
    ///   - date: of the release, `2026-11-21`.
    public static func all(
        homing: ProgramDefinition, homingd: ProgramDefinition, date: String
    ) -> [Document] {
        let pages = [Pages.homing(homing), Pages.homingd(homingd), Pages.agentConf].map { page in
            Document(
                path: "packaging/man/\(page.name).\(page.section)",
                text: Roff.text(page, date: date, version: homing.version))
        }
        let catalog = Document(
            path: "packaging/catalog/homing.catalog", text: JournalCatalog.text)
        return pages + [catalog]
    }
}
