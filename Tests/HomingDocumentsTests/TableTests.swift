import Testing

@testable import HomingCommandLine
@testable import homing
@testable import homing_relay
@testable import homingd

/// The tables of commands by themselves: the parser trusts them.
struct TableTests {
    @Test("the programs' tables are consistent, and a bad one is found out")
    func consistency() {
        #expect(CommandTable.program.inconsistencies() == [])
        #expect(HomingDaemon.program.inconsistencies() == [])
        #expect(RelayProgram.definition.inconsistencies() == [])
        let twice = OptionDefinition("help", short: "1", allowed: ["a"], help: "")
        let arguments = [
            ArgumentDefinition("A", .any, help: ""), ArgumentDefinition("B", help: ""),
        ]
        let command = CommandDefinition("x", summary: "", options: [twice], arguments: arguments)
        let bad = ProgramDefinition(
            "bad", summary: "", version: "", options: [],
            groups: [("", [command, command])], first: ["x", "y"])
        #expect(Set(bad.inconsistencies()).count == 7)
    }
}

extension ProgramDefinition {
    /// Returns the faults of the table itself.
    fileprivate func inconsistencies() -> [String] {
        let all = onlyCommand.map { [$0] } ?? commands
        let names = repeated(all.map(\.name)).map { "\($0): declared twice" }
        let unknown = first.filter { name in !all.contains { $0.name == name } }
            .map { "\($0): no command" }
        return names + unknown + all.flatMap { command in inconsistencies(of: command) }
    }

    private func inconsistencies(of command: CommandDefinition) -> [String] {
        let options = options + command.options
        var problems = repeated(options.map(\.long)).map { "--\($0) is declared twice" }
        problems += repeated(options.compactMap(\.short)).map { "-\($0) is declared twice" }
        problems += options.compactMap(\.short).filter { !($0.isASCII && $0.isLetter) }
            .map { "-\($0) is no letter" }
        problems += options.filter { $0.valueName == nil && !$0.allowed.isEmpty }
            .map { "--\($0.long) is a flag with allowed values" }
        problems += command.arguments.dropLast().filter(\.repeats)
            .map { "\($0.name) repeats and is not the last" }
        let required = command.arguments.map(\.isRequired)
        if required != required.sorted(by: { $0 && !$1 }) {
            problems.append("an argument that must be given follows one that need not")
        }
        return problems.map { "\(command.name): \($0)" }
    }

    private func repeated<Name: Hashable>(_ names: [Name]) -> [Name] {
        var seen: Set<Name> = []
        return names.filter { !seen.insert($0).inserted }
    }
}
