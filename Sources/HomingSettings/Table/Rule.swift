/// A rule about several keys together.
public struct Rule<Root>: Sendable {
    let keys: [String]
    let check: @Sendable (Root, Given) -> (key: String, message: String)?

    /// Declares it.
    ///
    /// - Parameters:
    ///   - keys: every key it looks at, as `section.key`. It is not asked while one of them is
    ///     refused: its answer would only puzzle.
    ///   - check: what is wrong and the key to say it of: one that the files set.
    public init(
        keys: [String],
        check: @escaping @Sendable (Root, Given) -> (key: String, message: String)?
    ) {
        self.keys = keys
        self.check = check
    }
}

/// Places from which the values in force come.
public struct Given {
    var places: [String: (file: String, line: Int)] = [:]

    /// Whether the files set `section.key`.
    public func contains(_ key: String) -> Bool { places[key] != nil }
}
