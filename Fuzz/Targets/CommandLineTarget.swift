internal import HomingCommandLine

/// Command lines: what is understood means the same when it is written in full, and what is not is
/// told on one line.
final class CommandLineTarget: FuzzTarget {
    static let name = "command-line"
    private let parser = CommandLineParser(program)

    /// The words are separated by zero bytes.
    func run(_ input: [UInt8]) throws {
        let words = input.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        switch parser.parse(words) {
        case .success(.run(let command)): check(command)
        case .success(.answer(let text)):
            // Where nothing may stand in place of the last word, a completion is empty.
            let mayBeEmpty = words.first == "__complete"
            require(text.isEmpty && mayBeEmpty || text.hasSuffix("\n"), "an answer without end")
        case .failure(let error): check(error)
        }
    }

    private func check(_ command: ParsedCommand) {
        guard let definition = Self.program.commands.first(where: { $0.name == command.name })
        else { return require(false, "no command \(command.name)") }
        let options = definition.options + Self.program.options
        let flags = options.filter { $0.valueName == nil }.map(\.long)
        require(command.flags.isSubset(of: flags), "undeclared flags: \(command.flags)")
        for (name, values) in command.values {
            guard let option = options.first(where: { $0.long == name && $0.valueName != nil })
            else { return require(false, "undeclared option \(name)") }
            let allowed = Set(option.allowed)
            require(allowed.isEmpty || allowed.isSuperset(of: values), "\(name) = \(values)")
        }
        require(definition.argumentCount ~= command.arguments.count, "\(command.arguments)")
        let full = Self.inFull(command)
        require(parser.parse(full) == .success(.run(command)), "\(full) means something else")
    }

    private static func inFull(_ command: ParsedCommand) -> [String] {
        let values = command.values.flatMap { name, values in values.map { "--\(name)=\($0)" } }
        let flags = command.flags.map { "--\($0)" }
        let separator = faultIsPlanted ? [] : ["--"]
        return command.name.split(separator: " ").map(String.init) + flags + values + separator
            + command.arguments
    }

    private func check(_ error: UsageError) {
        let text = error.description
        require(text.hasPrefix("fuzz: ") && text.hasSuffix("--help\"."), text.debugDescription)
        require(text.count < 500, "\(text.count) characters")
        let isOneLine = text.unicodeScalars.allSatisfy {
            $0.properties.generalCategory != .control
        }
        require(isOneLine, text.debugDescription)
    }

    /// Everything that a table can declare.
    private static let program = ProgramDefinition(
        "fuzz", summary: "Try", version: "1",
        options: [OptionDefinition("config", short: "c", value: "FILE", help: "Read it")],
        groups: [
            (
                "All",
                [
                    CommandDefinition(
                        "status", summary: "Show",
                        options: [
                            OptionDefinition("json", short: "j", help: "JSON"),
                            OptionDefinition(
                                "format", short: "f", value: "FORMAT", allowed: ["short", "long"],
                                help: "How much"),
                        ]),
                    CommandDefinition("config check", summary: "Check"),
                    CommandDefinition(
                        "config show", summary: "Show",
                        arguments: [ArgumentDefinition("KEY", .any, help: "Which")]),
                    CommandDefinition(
                        "send", summary: "Send",
                        options: [OptionDefinition("zone", value: "NAME", help: "Which")],
                        arguments: [
                            ArgumentDefinition("LATITUDE", help: "North"),
                            ArgumentDefinition("LONGITUDE", .optional, help: "East"),
                        ]),
                ]
            )
        ])
}
