internal import HomingBase

/// Reads command lines by a program's declared table. No I/O of its own: it returns what to do or to
/// print. What an option suggests for a completion may be read from files.
public struct CommandLineParser: Sendable {
    private let program: ProgramDefinition

    /// A parser for that program, whose table is trusted: a test looks at it.
    public init(_ program: ProgramDefinition) { self.program = program }

    /// Reads the words behind the program's name.
    ///
    /// The program's own options are taken before and after the command, those of a command only
    /// after it. `--help` and `--version` win over whatever else is wrong, an unknown command and a
    /// missing value excepted. `help` before a command is `--help`. A word like `-33.9` is a
    /// number, not an option. `__complete -- WORDS` is answered by what may stand in place of the
    /// last word.
    public func parse(_ arguments: [String]) -> Result<Invocation, UsageError> {
        if arguments.first == Completion.command {
            let words = arguments.dropFirst(arguments.dropFirst().first == "--" ? 2 : 1)
            let completion = Completion(program, behind: words.dropLast())
            return .success(.answer(completion.text(words.last ?? "")))
        }
        do throws(Misuse) {
            return .success(try invocation(arguments))
        } catch {
            return .failure(UsageError(program: program.name, error))
        }
    }

    private func invocation(_ words: [String]) throws(Misuse) -> Invocation {
        if let command = program.onlyCommand {
            return try invocation(of: command, words, before: OptionParser.Found())
        }
        var before = try OptionParser(options: program.options, stopsAtFirstArgument: true)
            .parse(words)
        if before.flags.contains("version") { return .answer(versionText) }
        var rest = before.rest[...]
        if before.unknown == nil, rest.first == "help" {
            rest.removeFirst()
            before.flags.insert("help")
        }
        let unknown = before.unknown ?? rest.first.flatMap { $0.hasPrefix("-") ? $0 : nil }
        guard unknown == nil, !rest.isEmpty else {
            if before.flags.contains("help") { return .answer(HelpText.program(program)) }
            if words.isEmpty {
                return .answer(
                    program.first.isEmpty ? HelpText.program(program) : HelpText.first(program))
            }
            throw unknown.map { unknownOption($0) } ?? Misuse("a command is missing")
        }
        let finder = CommandFinder(program: program, wantsHelp: before.flags.contains("help"))
        switch try finder.find(rest) {
        case .family(let word): return .answer(HelpText.family(word, program))
        case .command(let command):
            let own = Array(rest.dropFirst(command.words.count))
            do {
                return try invocation(of: command, own, before: before)
            } catch {
                throw Misuse(error.message, command: command.name)
            }
        }
    }

    private func invocation(
        of command: CommandDefinition, _ words: [String], before: OptionParser.Found
    ) throws(Misuse) -> Invocation {
        let options = command.options + program.options
        let found = try OptionParser(options: options, stopsAtFirstArgument: false).parse(words)
        let flags = before.flags.union(found.flags)
        if flags.contains("help") { return .answer(HelpText.command(command, program)) }
        if flags.contains("version") { return .answer(versionText) }
        if let unknown = found.unknown { throw unknownOption(unknown, command) }
        let values = before.values.merging(found.values, uniquingKeysWith: +)
        try check(values, options)
        try check(found.rest, command)
        return .run(
            ParsedCommand(name: command.name, flags: flags, values: values, arguments: found.rest))
    }

    private var versionText: String { "\(program.name) \(program.version)\n" }

    private func unknownOption(_ word: String, _ command: CommandDefinition? = nil) -> Misuse {
        // A value behind "=" is nobody's business.
        let name = word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : String(word.prefix(2))
        let known = (program.options + (command?.options ?? [])).map { "--\($0.long)" }
        let elsewhere = program.commands.contains { $0.options.contains { "--\($0.long)" == name } }
        if command == nil, elsewhere {
            return Misuse("option \(quoted(name)) belongs after its command")
        }
        return Misuse("unknown option \(quoted(name))" + Suggestion.phrase(for: name, among: known))
    }

    private func check(
        _ values: [String: [String]], _ options: [OptionDefinition]
    ) throws(Misuse) {
        for option in options where !option.allowed.isEmpty {
            let given = values[option.long] ?? []
            guard let wrong = given.first(where: { !option.allowed.contains($0) }) else { continue }
            throw Misuse(
                "option \"--\(option.long)\" takes \(listed(option.allowed, "or")), not "
                    + quoted(wrong) + Suggestion.phrase(for: wrong, among: option.allowed))
        }
    }

    private func check(_ arguments: [String], _ command: CommandDefinition) throws(Misuse) {
        let count = command.argumentCount
        if arguments.count < count.lowerBound {
            let missing = command.arguments[arguments.count..<count.lowerBound].map(\.name)
            throw Misuse("missing \(listed(missing, "and"))")
        }
        if arguments.count > count.upperBound {
            let surplus = arguments[count.upperBound]
            // `homes remvoe cabin`: `homes` is a command, and begins others.
            let family = program.family(command.name).compactMap(\.words.last)
            let meant = Suggestion.nearest(to: surplus, among: family)
            var advice = meant.map { "; did you mean \(quoted("\(command.name) \($0)"))?" }
            let isAddress = surplus.contains(".") || surplus.contains(":")
            if isAddress, command.options.contains(where: { $0.long == "url" }) {
                advice = "; type --url before the address"
            }
            throw Misuse("surplus argument \(quoted(surplus))\(advice ?? "")")
        }
    }
}
