internal import HomingBase

/// Finds which command the words behind the program's options begin with.
struct CommandFinder {
    enum Finding {
        case command(CommandDefinition)
        /// Help is wanted on the commands that have this first word.
        case family(String)
    }

    let program: ProgramDefinition
    /// Whether help was asked for before the command.
    let wantsHelp: Bool

    func find(_ words: ArraySlice<String>) throws(Misuse) -> Finding {
        guard let first = words.first else { throw Misuse("a command is missing") }
        let second = words.dropFirst().first.flatMap { $0.hasPrefix("-") ? nil : $0 }
        if let second, let command = command("\(first) \(second)") { return .command(command) }
        if let command = command(first) { return .command(command) }
        let family = program.family(first)
        guard !family.isEmpty else { throw unknown(first, second) }
        if let second { throw unknown(first, second) }
        if wantsHelp || words.contains("--help") || words.contains("-h") { return .family(first) }
        let seconds = family.compactMap(\.words.last)
        let needed = seconds.count == 1 ? seconds[0] : "one of \(listed(seconds, "or"))"
        throw Misuse("\(quoted(first)) needs \(needed)", command: first)
    }

    private func command(_ name: String) -> CommandDefinition? {
        program.commands.first { $0.name == name }
    }

    /// The second word is part of the name only where it helps to find what was meant.
    private func unknown(_ first: String, _ second: String?) -> Misuse {
        let names = program.commands.map(\.name)
        let pair = second.map { "\(first) \($0)" }
        let pairs = names.filter { $0.contains(" ") }
        if let pair, let meant = Suggestion.nearest(to: pair, among: pairs) {
            return Misuse("unknown command \(quoted(pair)); did you mean \(quoted(meant))?")
        }
        if let pair, !program.family(first).isEmpty {
            return Misuse("unknown command \(quoted(pair))", command: first)
        }
        let firstWords = program.commands.compactMap(\.words.first)
        return Misuse(
            "unknown command \(quoted(first))" + Suggestion.phrase(for: first, among: firstWords))
    }
}
