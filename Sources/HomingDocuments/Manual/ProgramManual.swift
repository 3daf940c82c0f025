internal import HomingBase
internal import HomingCommandLine

/// The chapters of a manual page that come from a program's table.
struct ProgramManual {
    let program: ProgramDefinition

    /// The forms of its command line, one a line.
    var synopsis: ManualPage.Chapter {
        let commands = program.onlyCommand.map { [$0] } ?? program.commands
        return ManualPage.Chapter("SYNOPSIS", commands.map { .line(usage($0)) })
    }

    /// A chapter for each group of commands, with everything about each of them.
    var commands: [ManualPage.Chapter] {
        program.groups.map { group in
            ManualPage.Chapter(
                group.title.uppercased(),
                group.commands.flatMap { [.heading(usage($0))] + description(of: $0) })
        }
    }

    /// The program's own options.
    var options: ManualPage.Chapter {
        let own = (program.onlyCommand?.options ?? []) + program.options
        return ManualPage.Chapter("OPTIONS", own.map(entry))
    }

    /// The exit codes of a program that is its only command.
    var exitStatus: ManualPage.Chapter {
        ManualPage.Chapter("EXIT STATUS", entries(program.onlyCommand?.exitCodes ?? [:]))
    }

    private func usage(_ command: CommandDefinition) -> [ManualPage.Span] {
        let name = [program.name, command.name].filter { !$0.isEmpty }.joined(separator: " ")
        return [.literal(name), .plain(" ["), .value("OPTIONS"), .plain("]")]
            + command.arguments.flatMap { [.plain(" "), .value($0.usage)] }
    }

    private func description(of command: CommandDefinition) -> [ManualPage.Block] {
        let text = [sentence(command.summary), command.discussion].filter { !$0.isEmpty }
        var blocks: [ManualPage.Block] = [.text(text.joined(separator: "\n\n"))]
        blocks += command.arguments.map { .entry([.value($0.name)], sentence($0.help)) }
        blocks += command.options.map(entry)
        let codes = entries(command.exitCodes)
        if !codes.isEmpty { blocks += [.text("Exit status:")] + codes }
        for (line, help) in command.examples {
            blocks += [.text("\(capitalised(help)):"), .example(line)]
        }
        return blocks
    }

    private func entry(_ option: OptionDefinition) -> ManualPage.Block {
        var label: [ManualPage.Span] = []
        if let short = option.short { label += [.literal("-\(short)"), .plain(", ")] }
        label.append(.literal("--\(option.long)"))
        if let value = option.valueName { label += [.plain(" "), .value(value)] }
        let allowed = option.allowed.isEmpty ? "" : ": \(listed(option.allowed, "or"))"
        return .entry(label, sentence(option.help + allowed))
    }

    private func entries(_ codes: ExitCodes) -> [ManualPage.Block] {
        codes.meanings.map { .entry([.literal("\($0.number)")], sentence($0.help)) }
    }

    private func sentence(_ text: String) -> String { "\(capitalised(text))." }

    private func capitalised(_ text: String) -> String {
        // A program's name begins a sentence as it is written: gpsd.
        text.prefix(1).uppercased() + text.dropFirst()
    }
}
