/// The settings of one program: every section with its keys, and the rules about several keys.
///
/// `Root` is the value that they end in. Parsing, checking, the example and the manual come of this
/// table alone.
public struct Table<Root: Sendable>: Sendable {
    /// The sections in the order in which they are documented.
    public let sections: [Section<Root>]
    let defaults: Root
    let rules: [Rule<Root>]
    let introduction: String
    let secretsPlace: String
    /// `nil` where the program has none.
    public let parts: Parts?

    /// Declares it.
    ///
    /// - Parameters:
    ///   - defaults: what an empty file gives.
    ///   - introduction: what the example begins with, unwrapped.
    ///   - secretsPlace: where secrets are instead of in the file, for those who write one into it.
    ///   - parts: `nil` where the program has none.
    public init(
        defaults: Root, sections: [Section<Root>], rules: [Rule<Root>] = [], introduction: String,
        secretsPlace: String, parts: Parts? = nil
    ) {
        self.defaults = defaults
        self.sections = sections
        self.rules = rules
        self.introduction = introduction
        self.secretsPlace = secretsPlace
        self.parts = parts
    }

    /// The values that a part inherits from these of the main files.
    func inherited(from main: Root) -> Root {
        var root = main
        for section in sections {
            for key in section.keys where section.scope(of: key) == .own {
                key.copy(defaults, &root)
            }
        }
        return root
    }

    /// The declared section that is named so in a file.
    func section(named name: String) -> Section<Root>? {
        sections.lazy.compactMap { $0.named(name) }.first
    }
}
