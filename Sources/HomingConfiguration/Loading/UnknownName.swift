internal import HomingBase

/// A section or key that the table does not have, and what was probably meant.
enum UnknownName {
    case section(String)
    case key(String, in: Configuration.Section)
    /// Before the first section.
    case homelessKey(String)

    func diagnostic(_ file: String, _ line: Int) -> Diagnostic {
        switch self {
        case .section(let name):
            Diagnostic(
                file: file, line: line, key: "[\(shortened(name))]",
                "unknown section" + Self.sectionAdvice(name))
        case .key(let name, let section):
            Diagnostic(
                file: file, line: line, key: "\(section.name).\(shortened(name))",
                "unknown key" + Self.keyAdvice(name, in: section))
        case .homelessKey(let name):
            Diagnostic(
                file: file, line: line, key: shortened(name),
                "stands before the first [section]" + Self.homes(of: name))
        }
    }

    private static func sectionAdvice(_ name: String) -> String {
        let names = Configuration.sections.map(\.name)
        if let meant = Suggestion.nearest(to: name, among: names) {
            return "; did you mean [\(meant)]?"
        }
        return "; there are \(listed(names.map { "[\($0)]" }, "and"))"
    }

    private static func keyAdvice(_ name: String, in section: Configuration.Section) -> String {
        if isSecret(name) {
            return "; secrets do not belong in this file, \"homing register\" keeps them apart"
        }
        let names = section.keys.map(\.name)
        let meant = Suggestion.phrase(for: name, among: names)
        if !meant.isEmpty { return meant }
        let homes = homes(of: name)
        return homes.isEmpty ? "; [\(section.name)] has \(listed(names, "and"))" : homes
    }

    /// `; it belongs in [SECTION]`, for a key that other sections have.
    private static func homes(of name: String) -> String {
        let homes = Configuration.sections.filter { $0.key(named: name) != nil }
        return homes.isEmpty ? "" : "; it belongs in \(listed(homes.map { "[\($0.name)]" }, "or"))"
    }

    private static func isSecret(_ name: String) -> Bool {
        ["token", "secret", "password", "webhook"].contains { name.lowercased().contains($0) }
    }
}
