internal import HomingBase

/// What was probably meant by a section or key that the table does not have.
extension Table {
    func advice(onSection name: String) -> String {
        let names = sections.map(\.name)
        let meant = Suggestion.nearest(to: name, among: names).map { "; did you mean [\($0)]?" }
        return meant ?? "; there are \(listed(names.map { "[\($0)]" }, "and"))"
    }

    func advice(onKey name: String, in section: Section<Root>) -> String {
        let secrets = ["token", "secret", "password", "webhook"]
        if secrets.contains(where: name.lowercased().contains) {
            return "; secrets do not belong in this file, \(secretsPlace)"
        }
        let names = section.keys.map(\.name)
        let meant = Suggestion.phrase(for: name, among: names)
        if !meant.isEmpty { return meant }
        let homes = homes(of: name)
        return homes.isEmpty ? "; [\(section.name)] has \(listed(names, "and"))" : homes
    }

    /// `; it belongs in [SECTION]`, for a key that other sections have.
    func homes(of name: String) -> String {
        let homes = sections.filter { $0.key(named: name) != nil }
        return homes.isEmpty ? "" : "; it belongs in \(listed(homes.map { "[\($0.name)]" }, "or"))"
    }
}
