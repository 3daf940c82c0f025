internal import Glibc
internal import HomingRuntime

/// A program: with commands, or as its own only one.
public struct ProgramDefinition: Sendable {
    /// Name that the user types.
    public let name: String
    /// Line without a full stop.
    public let summary: String
    /// Version that `--version` prints behind the name.
    public let version: String
    /// Options taken before and after any command, `--help` and `--version` among them.
    public let options: [OptionDefinition]
    /// The headings of the help, without a colon, and what stands under each; empty for a program
    /// without commands.
    public let groups: [(title: String, commands: [CommandDefinition])]
    /// Names of the commands that a person needs first; empty where the whole help is short.
    public let first: [String]
    /// Definition of what the program does when it has no commands.
    public let onlyCommand: CommandDefinition?

    /// A program with commands.
    ///
    /// - Parameters:
    ///   - options: taken before and after any command; `--help` and `--version` are added.
    ///   - first: names of the commands that a person needs first.
    public init(
        _ name: String, summary: String, version: String, options: [OptionDefinition],
        groups: [(title: String, commands: [CommandDefinition])], first: [String] = []
    ) {
        self.name = name
        self.summary = summary
        self.version = version
        self.options = options + [.help, .version]
        self.groups = groups
        self.first = first
        onlyCommand = nil
    }

    /// A program without commands; its own name does not matter in `command`, and `--help` and
    /// `--version` are added.
    public init(_ name: String, version: String, command: CommandDefinition) {
        self.name = name
        self.version = version
        summary = command.summary
        options = [.help, .version]
        (groups, first) = ([], [])
        var command = command
        command.name = ""
        onlyCommand = command
    }

    /// All commands, in the order of the help.
    public var commands: [CommandDefinition] { groups.flatMap(\.commands) }

    /// The commands whose first word of two it is.
    func family(_ word: String) -> [CommandDefinition] {
        commands.filter { $0.words.count == 2 && $0.words.first == word }
    }
}

extension ProgramDefinition {
    /// Returns the command that this process was started for. Where the command line asks for a
    /// text, or for nothing that the program does, the process says so and ends.
    public func command() -> ParsedCommand {
        switch CommandLineParser(self).parse(Array(CommandLine.arguments.dropFirst())) {
        case .failure(let error):
            Console.write("\(error)\n", to: .error)
            exit(UsageError.exitCode)
        case .success(.answer(let text)):
            Console.write(text)
            Console.end(EXIT_SUCCESS, program: name)
        case .success(.run(let command)): return command
        }
    }
}
