internal import HomingBase

/// Words that may replace a command line's last word, for the completions of the shells.
struct Completion {
    /// The first word of the command line that asks for it, which no help names.
    static let command = "__complete"

    private let program: ProgramDefinition
    /// The words of the command so far, and how many of its arguments follow them.
    private var path: [String] = []
    private var arguments = 0
    /// The option whose value comes next.
    private var wanted: OptionDefinition?

    /// - Parameter words: behind the program's name.
    init(_ program: ProgramDefinition, behind words: some Sequence<String>) {
        self.program = program
        // bash makes --option=value three words.
        for word in words where word != "=" { pass(word) }
    }

    /// A candidate a line, behind a tab its help; `:files` where the names of files may stand.
    ///
    /// - Parameter word: as far as it has been typed; it tells options from other words.
    func text(_ word: String) -> String {
        candidates(word == "=" ? "" : word).map { "\($0)\n" }.joined()
    }

    private mutating func pass(_ word: String) {
        if wanted != nil {
            wanted = nil
        } else if word.hasPrefix("-") {
            wanted = option(word)
        } else if next(path + [word]).isEmpty, command(path + [word]) == nil {
            arguments += 1
        } else {
            path.append(word)
        }
    }

    private func candidates(_ word: String) -> [String] {
        if let wanted { return wanted.candidates }
        guard word.hasPrefix("-") else {
            let words = next(path).map { "\($0.text)\t\($0.help)" } + argumentCandidates
            return words.isEmpty ? optionNames : words
        }
        let name = word.prefix { $0 != "=" }
        guard name.count < word.count else { return optionNames }
        let values = option(String(name))?.candidates ?? []
        return values.map { $0.hasPrefix(":") ? $0 : "\(name)=\($0)" }
    }

    /// The words that may follow, each once; one that only leads to others is described by them.
    private func next(_ path: [String]) -> [(text: String, help: String)] {
        let below = program.commands.map(\.words)
            .filter { $0.count > path.count && $0.starts(with: path) }
        var seen: Set<String> = []
        return below.map { $0[path.count] }.filter { seen.insert($0).inserted }.map { word in
            let help = command(path + [word])?.summary
            return (word, help ?? listed(program.family(word).map { $0.words[1] }, "or"))
        }
    }

    private func command(_ path: [String]) -> CommandDefinition? {
        path.isEmpty ? program.onlyCommand : program.commands.first { $0.words == path }
    }

    private var argumentCandidates: [String] {
        let all = command(path)?.arguments ?? []
        let next =
            arguments < all.count ? all[arguments] : all.last.flatMap { $0.repeats ? $0 : nil }
        return next?.candidates ?? []
    }

    private var options: [OptionDefinition] { (command(path)?.options ?? []) + program.options }

    private func option(_ name: String) -> OptionDefinition? {
        options.first { $0.valueName != nil && $0.names.contains(name) }
    }

    private var optionNames: [String] {
        options.flatMap { option in option.names.map { "\($0)\t\(option.help)" } }
    }
}

extension OptionDefinition {
    fileprivate var names: [String] { (short.map { ["-\($0)"] } ?? []) + ["--\(long)"] }

    /// Completions of the option's value.
    fileprivate var candidates: [String] {
        valueName == "FILE" ? [":files"] : allowed + suggested()
    }
}

extension ArgumentDefinition {
    fileprivate var candidates: [String] { name == "FILE" ? [":files"] : suggested() }
}
