internal import HomingBase

extension Table {
    /// Every section and key with its documentation and default, commented out, so that the file as
    /// it stands changes nothing.
    public func example() -> String {
        let parts = [commented(introduction)] + sections.map(example)
        return parts.joined(separator: "\n\n") + "\n"
    }

    private func example(_ section: Section<Root>) -> String {
        let head = commented(section.documentation) + "\n[\(section.name)]"
        return ([head] + section.keys.map { example($0, in: section) }).joined(separator: "\n\n")
    }

    private func example(_ key: Key<Root>, in section: Section<Root>) -> String {
        let value = key.text(in: defaults)
        let assignment = value.isEmpty ? "#\(key.name) =" : "#\(key.name) = \(value)"
        let scope =
            parts.map { "\nScope: \($0.text(section.scope(of: key), file: "this file"))." } ?? ""
        return commented("\(key.documentation)\nAllowed: \(key.allowed).\(scope)") + "\n"
            + assignment
    }

    private func commented(_ text: String) -> String {
        wrapped(text, width: 78).map { $0.isEmpty ? "#" : "# \($0)" }.joined(separator: "\n")
    }
}
