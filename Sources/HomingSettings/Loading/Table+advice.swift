internal import HomingBase

/// Advice about a section or key that the table does not have: what was probably meant.
extension Table {
    func advice(onSection name: String) -> String {
        let names = sections.map(\.name)
        let meant = Suggestion.nearest(to: name, among: names).map { "; did you mean [\($0)]?" }
        return meant ?? "; there are \(listed(names.map { "[\($0)]" }, "and"))"
    }

    /// The section that a name probably means.
    func meantSection(by name: String) -> Section<Root>? {
        let name = name.lowercased()
        return section(named: name)
            ?? Suggestion.nearest(to: name, among: sections.map(\.name)).flatMap(section(named:))
    }

    func advice(onKey name: String, in section: Section<Root>) -> String {
        let secrets = ["token", "secret", "password", "webhook"]
        if secrets.contains(where: name.lowercased().holds) {
            return "; secrets do not belong in this file, \(secretsPlace)"
        }
        let names = section.keys.map(\.name)
        let meant = Suggestion.phrase(for: name, among: names)
        if !meant.isEmpty { return meant }
        let others = otherSections(with: name)
        return others.isEmpty ? "; [\(section.name)] has \(listed(names, "and"))" : others
    }

    /// `; it belongs in [SECTION]`, for a key that other sections have.
    func otherSections(with name: String) -> String {
        let found = sections.filter { $0.key(named: name) != nil }.map { "[\($0.name)]" }
        return found.isEmpty ? "" : "; it belongs in \(listed(found, "or"))"
    }
}
