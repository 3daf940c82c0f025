internal import HomingBase

/// A declared section: what stands between the brackets, and its keys.
public struct Section<Root>: Sendable {
    /// Text between the brackets.
    public let name: String
    /// Subject of the section, in sentences, unwrapped.
    public let documentation: String
    /// Keys in the order in which they are documented.
    public let keys: [Key<Root>]
    /// Former name of the section; still read.
    let formerName: String?
    private let scope: Scope
    private var other: @Sendable (String) -> Section? = { _ in nil }

    /// Declares a section that there is once.
    ///
    /// - Parameters:
    ///   - formerly: its name in earlier versions.
    ///   - scope: that of its keys, where they do not say another.
    public init(
        _ name: String, formerly formerName: String? = nil, scope: Scope = .program,
        _ documentation: String, _ keys: [Key<Root>]
    ) {
        self.name = name
        self.formerName = formerName
        self.scope = scope
        self.documentation = documentation
        self.keys = keys
    }

    /// Declares any number of sections `[PREFIX.NAME]`; `keys` gives those of each name.
    public init(
        each prefix: String, scope: Scope = .program, _ documentation: String,
        _ keys: @escaping @Sendable (_ name: String) -> [Key<Root>]
    ) {
        self.init("\(prefix).NAME", scope: scope, documentation, keys("NAME"))
        other = { other in
            guard other.hasPrefix("\(prefix).") else { return nil }
            let name = other.dropFirst(prefix.count + 1)
            return isName(name)
                ? Section(other, scope: scope, documentation, keys(String(name))) : nil
        }
    }

    /// The section's key of that name.
    func key(named name: String) -> Key<Root>? { keys.first { $0.name == name } }

    /// Returns the scope of the value of a key of this section.
    public func scope(of key: Key<Root>) -> Scope { key.ownScope ?? scope }

    /// The section as the file names it, if it is this one, or one of these.
    func named(_ name: String) -> Section? {
        name == self.name || name == formerName ? self : other(name)
    }
}

extension Kind where Value == String? {
    /// A name as `[PREFIX.NAME]` may have it, or nothing.
    public static func name(of prefix: String) -> Kind {
        Kind(optional: "the NAME of a [\(prefix).NAME]") { (text) throws(Refusal) in
            guard isName(text[...]) else {
                throw Refusal(
                    "\(quoted(text)) is no name: it has 1 to 64 letters, digits, \"-\" and \"_\"")
            }
            return text
        }
    }
}

/// Letters, digits, `-` and `_`: what needs no quoting anywhere.
private func isName(_ name: Substring) -> Bool {
    name.isMade(of: ASCII.letters + ASCII.digits + "-_", 1...64)
}
