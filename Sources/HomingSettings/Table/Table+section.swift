extension Table {
    /// A section as a file has it, with the keys whose values are not the defaults. A section of that name
    /// must be declared.
    public func text(of section: String, in root: Root) -> String {
        let lines = (self.section(named: section)?.keys ?? []).compactMap { key in
            let value = key.text(in: root)
            return value == key.text(in: defaults) ? nil : "\(key.name) = \(value)\n"
        }
        return "[\(section)]\n\(lines.joined())"
    }
}
