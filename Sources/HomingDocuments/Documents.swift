public import HomingCommandLine
internal import HomingRelay
internal import HomingSettings

/// A file that is made from the tables of the programs and kept in the repository, where a test
/// compares it.
public struct Document: Sendable {
    /// Below the repository's root.
    public let path: String
    /// Ending in a line break.
    public let text: String
}

/// Manual pages, the journal's catalogue and the relay's example: pure functions of the tables.
public enum Documents {
    /// All of them.
    ///
    /// - Parameters:
    ///   - homing: the command.
    ///   - homingd: the daemon.
    ///   - homingRelay: the push relay.
    ///   - date: of the release, `2026-11-21`.
    public static func all(
        homing: ProgramDefinition, homingd: ProgramDefinition, homingRelay: ProgramDefinition,
        date: String
    ) -> [Document] {
        let pages = [
            Pages.homing(homing), Pages.homingd(homingd), Pages.agentConf,
            Pages.homingRelay(homingRelay), Pages.relayConf,
        ].map { page in
            Document(
                path: "packaging/man/\(page.name).\(page.section)",
                text: Roff.text(page, date: date, version: homing.version))
        }
        let catalog = Document(
            path: "packaging/catalog/homing.catalog", text: JournalCatalog.text)
        let example = Document(
            path: "packaging/examples/relay.conf", text: RelayConfiguration.table.example())
        return pages + [catalog, example]
    }
}
