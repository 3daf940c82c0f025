internal import HomingBase

/// Help, made from the tables: at most 80 columns, ending in a line break.
enum HelpText {
    static let width = 80

    /// Returns the help of a program with commands.
    static func program(_ program: ProgramDefinition) -> String {
        let longest = program.commands.map(\.name.count).max() ?? 0
        let groups = program.groups.map { group in
            section(group.title, group.commands.map { ($0.name, $0.summary) }, labels: longest)
        }
        return joined(
            ["Usage: \(program.name) [OPTIONS] COMMAND [ARGUMENTS]", sentence(program.summary)]
                + groups + [
                    options("Options", program.options),
                    "See \"\(program.name) COMMAND --help\" for one command.",
                ])
    }

    /// Returns the first commands of a program, for a person who typed nothing else.
    static func first(_ program: ProgramDefinition) -> String {
        let commands = program.commands.filter { program.first.contains($0.name) }
        return joined([
            "Usage: \(program.name) [OPTIONS] COMMAND [ARGUMENTS]", sentence(program.summary),
            section("First commands", commands.map { ($0.name, $0.summary) }),
            "See \"\(program.name) --help\" for all commands.",
        ])
    }

    /// Returns the help of the commands with one first word.
    static func family(_ word: String, _ program: ProgramDefinition) -> String {
        let commands = program.family(word).map { ($0.name, $0.summary) }
        return joined([
            "Usage: \(program.name) \(word) COMMAND [OPTIONS] [ARGUMENTS]",
            section("Commands", commands),
            "See \"\(program.name) \(word) COMMAND --help\" for one command.",
        ])
    }

    /// Returns the help of one command, or of a program that is its only command.
    static func command(_ command: CommandDefinition, _ program: ProgramDefinition) -> String {
        let name = [program.name, command.name].filter { !$0.isEmpty }
        let usage = ["Usage:"] + name + ["[OPTIONS]"] + command.arguments.map(\.usage)
        let ownOptions = command.options + (program.onlyCommand == nil ? [] : program.options)
        return joined([
            usage.joined(separator: " "), sentence(command.summary),
            wrapped(command.discussion, width: width).joined(separator: "\n"),
            section("Arguments", command.arguments.map { ($0.name, $0.help) }),
            options("Options", ownOptions),
            program.onlyCommand == nil ? options("Options of every command", program.options) : "",
            section("Exit codes", command.exitCodes.meanings.map { ("\($0.number)", $0.help) }),
            examples(command.examples),
        ])
    }

    private static func sentence(_ summary: String) -> String {
        wrapped("\(summary).", width: width).joined(separator: "\n")
    }

    private static func options(_ title: String, _ options: [OptionDefinition]) -> String {
        section(title, options.map { (label($0), help($0)) })
    }

    private static func label(_ option: OptionDefinition) -> String {
        let short = option.short.map { "-\($0), " } ?? "    "
        return "\(short)--\(option.long)" + (option.valueName.map { " \($0)" } ?? "")
    }

    private static func help(_ option: OptionDefinition) -> String {
        option.allowed.isEmpty ? option.help : "\(option.help): \(listed(option.allowed, "or"))"
    }

    private static func examples(_ examples: KeyValuePairs<String, String>) -> String {
        guard !examples.isEmpty else { return "" }
        let lines = examples.flatMap { line, help in
            ["  \(line)"] + wrapped(help, width: width - 6).map { "      \($0)" }
        }
        return "Examples:\n" + lines.joined(separator: "\n")
    }

    /// A heading over rows of two columns; empty without rows. The first column is as wide as the
    /// longest label, or `labels`, up to 26: a longer label has a line of its own.
    private static func section(
        _ title: String, _ rows: [(label: String, text: String)], labels: Int? = nil
    ) -> String {
        guard !rows.isEmpty else { return "" }
        let start = 2 + min(26, labels ?? rows.map(\.label.count).max() ?? 0) + 2
        let blank = String(repeating: " ", count: start)
        let lines = rows.flatMap { label, text in
            var lines = wrapped(text, width: width - start).map { blank + $0 }
            if label.count + 4 > start {
                lines.insert("  \(label)", at: 0)
            } else {
                lines[0] = "  \(label)" + lines[0].dropFirst(2 + label.count)
            }
            return lines
        }
        return "\(title):\n" + lines.joined(separator: "\n")
    }

    private static func joined(_ parts: [String]) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }
}
